"""A ruleset: a frozen object of named options, one line each, that reads, writes and checks itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, NamedTuple

from engine.errors import BadInput, BadRules
from engine.play.cards import BLANK, KINDS, RANKS, RED_THREES, pack
from engine.play.options import (
    POINTS_LIMIT,
    BookBonus,
    Books,
    Contract,
    DeckCount,
    Decks,
    Kind,
    Length,
    Limits,
    MatchLength,
    Opening,
    OpeningSteps,
    Penalties,
    PenaltyPoints,
    PointsOrNull,
    RankPoints,
    RedThree,
    RedThreePoints,
    Shape,
    Shapes,
    Whole,
    Word,
    WordOrWhole,
    WordSet,
    YesNo,
)
from engine.play.rulesets import BOOK_WORDS, PRESETS, TITLES
from engine.words import later, say


def _option(kind: Kind, standard: Any) -> Any:
    """An option: the values it can have, and the one it has in Standard, in JSON."""
    return field(metadata={"kind": kind, "standard": standard})


def _word(*words: str) -> Any:
    """An option that is one of some words, of which the first is Standard's."""
    return _option(Word(words), words[0])


_POINTS = Whole(-POINTS_LIMIT, POINTS_LIMIT)
_STANDARD_VALUES = (20, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 10, 20, 50)
_MELD_RANKS = tuple(RANKS[2:13])


@dataclass(frozen=True, kw_only=True)
class Rules:
    """A whole ruleset. Two are equal when every option is; `name` is the preset it started from, or empty.

    Made by `Rules.make`, `Rules.preset` or `Rules.read`, which raise `BadRules` or `BadInput` with a sentence.
    """

    name: str = field(default="", compare=False)

    # Players, pack, deal
    shapes: tuple[Shape, ...] = _option(Shapes(), [[4, 2], [6, 3], [2, 1], [3, 1], [4, 1], [5, 1], [6, 1]])
    decks: Decks = _option(DeckCount(), {"seats_plus": 1})
    jokers_per_deck: int = _option(Whole(0, 6), 2)
    hand_cards: int = _option(Whole(1, 40), 13)
    foot_cards: int = _option(Whole(1, 40), 13)
    lift_bonus: int = _option(_POINTS, 0)
    pass_stack: str = _word("none", "left", "right")
    hand_choice: str = _word("dealt", "choose", "higher_bottom", "lower_bottom")
    foot_seen: bool = _option(YesNo(), False)
    upcard: bool = _option(YesNo(), True)
    upcard_bury: tuple[str, ...] = _option(WordSet(("red_three", "wild", "black_three")), ["red_three", "wild"])

    # Drawing
    draw_count: int = _option(Whole(1, 10), 2)
    pile_take: str | int = _option(WordOrWhole(("none", "all"), 1, 500), 7)
    pile_claim: str = _word("natural_pair", "none", "legal_meld", "one_match")
    pile_to_meld: str = _word("never", "unfrozen")
    wild_on_top: str = _word("matching_pair", "never")
    wild_freezes: bool = _option(YesNo(), False)
    take_needs_open: bool = _option(YesNo(), False)
    stock_out: str = _word("play_on", "end", "reshuffle")
    last_red_three_ends: bool = _option(YesNo(), False)

    # Melding
    wild_limits: tuple[int, ...] = _option(Limits(), [1, 1, 1, 2, 2])
    wild_melds: bool = _option(YesNo(), True)
    pure_ranks: tuple[str, ...] = _option(WordSet(_MELD_RANKS), [])
    kept_ranks: tuple[str, ...] = _option(WordSet(tuple(RANKS)), [])
    kept_until: str = _word("never", "own_sevens")
    books_grow: bool = _option(YesNo(), False)
    second_meld: bool = _option(YesNo(), True)
    garbage: bool = _option(YesNo(), False)
    black_three_meld: str = _word("never", "going_out")
    opening: Opening = _option(OpeningSteps(), {"by_deal": [50, 90, 120, 150]})
    book_lock: str = _word("none", "opener_waits", "second_waits")

    # Foot
    foot_when: str = _word("hand_empty", "own_book")
    foot_after_discard: str = _word("next_turn", "at_once")

    # Going out
    contract: Books = _option(Contract(), {"clean": 2, "dirty": 2, "wild": 1, "sevens": 0})
    contract_red_threes: str = _word("none", "all")
    partner_foot: str = _word("played", "none", "picked_up")
    permission: str = _word("required", "none", "optional")
    last_card: str = _word("either", "discard", "meld")
    final_turns: bool = _option(YesNo(), False)
    out_bonus: int = _option(_POINTS, 100)

    # Values
    values: tuple[int, ...] = _option(RankPoints(), dict(zip(RANKS, _STANDARD_VALUES, strict=True)))
    book_bonus: Books = _option(BookBonus(), {"clean": 500, "dirty": 300, "wild": 1500})
    red_three: RedThree = _option(RedThreePoints(), {"laid": 100, "held": -100})
    red_three_all: int | None = _option(PointsOrNull(), None)
    red_three_sevens: bool = _option(YesNo(), False)
    red_three_replaced: str = _word("always", "not_from_pile", "never")
    wild_unfinished: int = _option(_POINTS, 0)
    wild_needs_clean: bool = _option(YesNo(), False)

    # Match
    length: Length = _option(MatchLength(), {"deals": 4})
    tie: str = _word("shared", "extra_deals")
    penalties: Penalties | None = _option(PenaltyPoints(), None)
    ask_wilds: bool = _option(YesNo(), False)

    def __post_init__(self) -> None:
        if wrong := contradictions(self):
            raise BadRules([clash.text for clash in wrong], [clash.options for clash in wrong])

    @classmethod
    def preset(cls, name: str) -> Rules:
        """The published ruleset of this name."""
        return cls.make(name)

    @classmethod
    def make(cls, base: str | Rules = "standard", changes: dict[str, Any] | None = None) -> Rules:
        """A base ruleset with some options set differently, each in its JSON form."""
        if isinstance(base, str):
            if base not in PRESETS:
                text = f"{base!r:.40}"
                raise BadInput(
                    say("Ruleset %(name)s not found. Use one of these: %(names)s.", name=text, names=", ".join(PRESETS))
                )
            base = _PRESET_CACHE.get(base) or _make_preset(base)
        if not isinstance(changes, dict | None):
            raise BadInput(say("The options that are set must be an object from option to value."))
        if not changes:
            return base
        return cls(name=base.name, **{**_values_of(base), **_read_options(changes, base)})

    @classmethod
    def read(cls, value: Any) -> Rules:
        """The ruleset that JSON describes: a preset's name, `{"base", "set"}`, or `{"name", "options"}` whole."""
        if isinstance(value, Rules):
            return value
        if isinstance(value, str):
            return cls.make(value)
        if isinstance(value, dict) and "base" in value and set(value) <= {"base", "set"}:
            return cls.make(_name(value["base"]), value.get("set"))
        if isinstance(value, dict) and isinstance(value.get("options"), dict) and set(value) <= {"name", "options"}:
            # An option that a ruleset written earlier does not know keeps Standard's value: old records still replay.
            return cls(name=_name(value.get("name", "")), **_read_options(_STANDARD | value["options"], None))
        raise BadInput(
            'Rules are written as a preset\'s name, as {"base": NAME, "set": {...}} or whole, with "options".'
        )

    def write(self) -> dict[str, Any]:
        """The ruleset whole, as JSON: its name and every option."""
        return {"name": self.name, "options": self.write_options()}

    def write_options(self) -> dict[str, Any]:
        """Every option in its JSON form."""
        return {name: kind.write(getattr(self, name)) for name, kind in KINDS_OF_OPTION.items()}

    def differences(self, other: Rules) -> list[str]:
        """Names of the options in which this ruleset is not as `other`, in the order of the options."""
        return [name for name in KINDS_OF_OPTION if getattr(self, name) != getattr(other, name)]

    @property
    def title(self) -> str:
        """The name as people write it."""
        return TITLES.get(self.name) or self.name or say("House rules")

    @property
    def book_words(self) -> tuple[str, str]:
        """Singular and plural of the word for a book in this ruleset."""
        return BOOK_WORDS.get(self.name, ("book", "books"))

    def shape(self, seats: int | None = None, team_size: int | None = None) -> Shape:
        """The shape with that many seats and team size; without one of them, the first that the ruleset allows."""
        for shape in self.shapes:
            if seats in (None, shape.seats) and team_size in (None, shape.team_size):
                return shape
        allowed = ", ".join(
            say("%(seats)s seats in teams of %(size)s", seats=s.seats, size=s.team_size) for s in self.shapes
        )
        sentence = later("%(title)s does not allow that table. Allowed: %(allowed)s.")
        if seats is not None and team_size:
            sentence = later(
                "%(title)s does not allow a table of %(seats)s in teams of %(size)s. Allowed: %(allowed)s."
            )
        elif seats is not None:
            sentence = later("%(title)s does not allow a table of %(seats)s. Allowed: %(allowed)s.")
        raise BadInput(say(sentence, seats=seats, size=team_size, title=self.title, allowed=allowed))

    def deck_count(self, seats: int) -> int:
        """Number of decks of 52 shuffled together for that many seats."""
        return self.decks.number + (seats if self.decks.plus_seats else 0)

    def pack(self, seats: int) -> bytes:
        """All cards for that many seats, in the order before the shuffle."""
        return pack(self.deck_count(seats), self.jokers_per_deck)

    # Values that play looks up at every move, worked out once.

    @cached_property
    def card_values(self) -> tuple[int, ...]:
        """Points by card; a red three (counted apart) and a blank are worth 0."""
        by_card = [self.values[card // 4] for card in range(KINDS)] + [0] * (256 - KINDS)
        for card in (*RED_THREES, BLANK):
            by_card[card] = 0
        return tuple(by_card)

    @cached_property
    def most_wild(self) -> tuple[int, ...]:
        """Most wild cards in a meld, by its number of cards up to 7."""
        return (0, 0, 0, *self.wild_limits)

    @cached_property
    def pure(self) -> frozenset[int]:
        """Ranks whose melds hold no wild card, as numbers; black threes are always among them."""
        return frozenset([RANKS.index("3"), *(RANKS.index(rank) for rank in self.pure_ranks)])

    @cached_property
    def kept_cards(self) -> bytes:
        """The cards that may not be discarded while `kept_ranks` applies."""
        return bytes(card for card in range(KINDS) if RANKS[card // 4] in self.kept_ranks)

    @cached_property
    def sevens_apart(self) -> bool:
        """Whether a clean book of sevens is a kind of its own."""
        return self.book_bonus.sevens is not None


KINDS_OF_OPTION: dict[str, Kind] = {f.name: f.metadata["kind"] for f in fields(Rules) if "kind" in f.metadata}
"""Every option with its kind, in the order of the rule documents."""

_STANDARD: dict[str, Any] = {f.name: f.metadata["standard"] for f in fields(Rules) if "kind" in f.metadata}
_PRESET_CACHE: dict[str, Rules] = {}


def _make_preset(name: str) -> Rules:
    standard = _read_options(_STANDARD, None)
    base = Rules(name="standard", **standard)
    rules = Rules(name=name, **{**standard, **_read_options(PRESETS[name], base)})
    _PRESET_CACHE[name] = rules
    return rules


def _values_of(rules: Rules) -> dict[str, Any]:
    return {name: getattr(rules, name) for name in KINDS_OF_OPTION}


def _name(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 80:
        raise BadInput(say("The name of a ruleset must be a short string."))
    return value


def _read_options(options: dict[str, Any], base: Rules | None) -> dict[str, Any]:
    wrong: list[Contradiction] = []
    read = {}
    for name, value in options.items():
        if name not in KINDS_OF_OPTION:
            wrong.append(Contradiction((), say("Option %(name)s not found.", name=f"{name!r:.40}")))
            continue
        try:
            read[name] = KINDS_OF_OPTION[name].read(value, getattr(base, name) if base else None)
        except ValueError as error:
            wrong.append(Contradiction((name,), say("The option %(name)s %(fault)s.", name=name, fault=error)))
    if wrong:
        raise BadRules([fault.text for fault in wrong], [fault.options for fault in wrong])
    return read


class Contradiction(NamedTuple):
    """A contradiction, and the options that it is about."""

    options: tuple[str, ...]
    text: str


_Check = tuple[bool, tuple[str, ...], str, Mapping[str, object]]
"""Whether something is wrong, with which options, and the sentence for it with its values."""


def contradictions(rules: Rules) -> list[Contradiction]:
    """Options that cannot hold together (ruling 27), with a sentence each; empty if there are none."""
    r = rules
    no_pile = r.pile_take == "none"
    checks: list[_Check] = [
        (
            r.contract.wild > 0 and not r.wild_melds,
            ("contract", "wild_melds"),
            later("The contract asks for a wild book, but melds of wild cards are not allowed."),
            {},
        ),
        (
            r.wild_on_top == "matching_pair" and not r.wild_melds,
            ("wild_on_top", "wild_melds"),
            later(
                "A matching pair takes a wild card on top into a wild meld, but melds of wild cards are not allowed."
            ),
            {},
        ),
        (
            r.wild_unfinished != 0 and not r.wild_melds,
            ("wild_unfinished", "wild_melds"),
            later("An unfinished wild meld has a price, but melds of wild cards are not allowed."),
            {},
        ),
        (
            r.wild_freezes and r.wild_on_top == "matching_pair",
            ("wild_freezes", "wild_on_top"),
            later("A wild card on top freezes the discard pile, so a matching pair cannot take it."),
            {},
        ),
        *[
            (no_pile and set_, ("pile_take", option), sentence, {})
            for option, set_, sentence in (
                (
                    "pile_claim",
                    r.pile_claim != "none",
                    later("The discard pile is never taken, so no cards can take it. Set pile_claim to none."),
                ),
                (
                    "pile_to_meld",
                    r.pile_to_meld != "never",
                    later("The discard pile is never taken, so its top card cannot join a meld."),
                ),
                (
                    "wild_on_top",
                    r.wild_on_top != "never",
                    later("The discard pile is never taken, so a wild card on top cannot be taken."),
                ),
                (
                    "wild_freezes",
                    r.wild_freezes,
                    later("The discard pile is never taken, so a wild card cannot freeze it."),
                ),
                (
                    "take_needs_open",
                    r.take_needs_open,
                    later("The discard pile is never taken, so taking it cannot require that a team has opened."),
                ),
            )
        ],
        *[
            (bool(set_) and not r.sevens_apart, (option, "book_bonus"), sentence, {})
            for option, set_, sentence in (
                (
                    "contract",
                    r.contract.sevens,
                    later("The contract asks for a book of sevens, but a book of sevens has no bonus of its own."),
                ),
                (
                    "kept_until",
                    r.kept_until == "own_sevens",
                    later(
                        "Some ranks cannot be discarded until the team has a book of sevens, but a book of "
                        "sevens has no bonus of its own."
                    ),
                ),
                (
                    "garbage",
                    r.garbage,
                    later(
                        "The garbage pile starts with a book of sevens, but a book of sevens has no bonus of its own."
                    ),
                ),
                (
                    "red_three_sevens",
                    r.red_three_sevens,
                    later("Red threes count by the book of sevens, but a book of sevens has no bonus of its own."),
                ),
            )
        ],
        (
            bool(r.upcard_bury) and not r.upcard,
            ("upcard_bury", "upcard"),
            later("Up-cards are buried, but no card is turned up."),
            {},
        ),
        (
            r.final_turns and r.last_card == "meld",
            ("final_turns", "last_card"),
            later("Final turns follow on going out by a discard, but the last card must be melded."),
            {},
        ),
        *[
            (
                limit >= size,
                ("wild_limits",),
                later("A meld of %(size)s cards can have %(limit)s wild cards, which leaves no natural card."),
                {"size": size, "limit": limit},
            )
            for size, limit in enumerate(r.wild_limits, start=3)
        ],
        (
            list(r.wild_limits) != sorted(r.wild_limits),
            ("wild_limits",),
            later("The limit of wild cards gets lower as the meld grows, so a meld could become too wild by growing."),
            {},
        ),
        *[contradiction for shape in r.shapes for contradiction in _shape_contradictions(r, shape)],
    ]
    return [Contradiction(options, say(sentence, **values)) for wrong, options, sentence, values in checks if wrong]


def _shape_contradictions(rules: Rules, shape: Shape) -> list[_Check]:
    decks = rules.deck_count(shape.seats)
    stock = decks * (52 + rules.jokers_per_deck) - shape.seats * (rules.hand_cards + rules.foot_cards)
    return [
        (
            decks < 1,
            ("shapes", "decks"),
            later("At a table of %(seats)s there would be no deck of cards."),
            {"seats": shape.seats},
        ),
        (
            decks >= 1 and stock < 2 * shape.seats,
            ("shapes", "decks", "jokers_per_deck", "hand_cards", "foot_cards"),
            later(
                "At a table of %(seats)s the pack leaves %(left)s cards after the deal. Each seat needs at least two."
            )
            if stock >= 0
            else later(
                "At a table of %(seats)s the pack leaves no cards after the deal. Each seat needs at least two."
            ),
            {"seats": shape.seats, "left": stock},
        ),
        (
            shape.seats % shape.team_size != 0 or shape.teams < 2,
            ("shapes",),
            later("A table of %(seats)s does not divide into at least two teams of %(size)s."),
            {"seats": shape.seats, "size": shape.team_size},
        ),
    ]
