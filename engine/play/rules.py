"""A ruleset: a frozen object of named options, one line each, that reads, writes and checks itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, cast

from engine.errors import BadInput, BadRules
from engine.play.cards import BLANK, KINDS, RANK_WORDS, RANKS, RED_THREES, SEVEN, THREE, WILD_CARDS, pack
from engine.play.old_forms import modern
from engine.play.options import (
    POINTS_LIMIT,
    BookBonus,
    Books,
    BooksGrow,
    ByDeal,
    Contract,
    Deals,
    DeckCount,
    Decks,
    Growth,
    Kind,
    Length,
    Lift,
    LiftPoints,
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
    RedThreeSet,
    RedThreeSets,
    Shape,
    Shapes,
    Special,
    SpecialBooks,
    StackSizes,
    Whole,
    Word,
    WordOrWhole,
    WordSet,
    YesNo,
    YesNoCount,
    YesNoOr,
)
from engine.play.rulesets import PRESETS, RULESETS, title_of
from engine.words import later, say


def _option(kind: Kind, standard: Any) -> Any:
    """An option: the values it can have, and the one it has in Standard, in JSON."""
    return field(metadata={"kind": kind, "standard": standard})


def _by_deal(kind: Kind, standard: Any) -> Any:
    """An option that may have a value for each deal. In the rules of one deal it has that deal's."""
    return _option(ByDeal(kind), standard)


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
    by_deal: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    """Options that change from deal to deal, with their values. The options themselves have those of the first deal."""

    # Players, pack, deal
    shapes: tuple[Shape, ...] = _option(Shapes(), [[4, 2], [6, 3], [2, 1], [3, 1], [4, 1], [5, 1], [6, 1]])
    decks: Decks = _option(DeckCount(), {"seats_plus": 1})
    jokers_per_deck: int = _option(Whole(0, 6), 2)
    stacks: tuple[int, ...] = _by_deal(StackSizes(), [13, 13])
    lift: Lift | None = _option(LiftPoints(), None)
    pass_stack: str = _by_deal(
        Word(("none", "left", "right", "both", "both_left", "both_right", "first_left", "partner")), "none"
    )
    hand_choice: str = _word("dealt", "choose", "higher_bottom", "lower_bottom")
    foot_seen: bool = _option(YesNo(), False)
    upcard: int = _option(YesNoCount(40), True)
    upcard_bury: tuple[str, ...] = _option(WordSet(("red_three", "wild", "black_three", *RANKS)), ["red_three", "wild"])

    # Drawing
    draw_count: int = _by_deal(Whole(1, 10), 2)
    draw_top: str = _word("never", "first", "melded")
    pile_take: str | int = _by_deal(WordOrWhole(("none", "all"), 1, 500), 7)
    pile_claim: str = _word("natural_pair", "none", "legal_meld", "one_match", "naturals", "new_meld")
    pile_to_meld: str = _word("never", "unfrozen")
    wild_on_top: str = _word("matching_pair", "never")
    wild_freezes: bool = _option(YesNo(), False)
    take_needs_open: bool = _option(YesNo(), False)
    stock_out: str = _word("play_on", "end", "reshuffle")
    last_red_three_ends: bool = _option(YesNo(), False)

    # Melding
    wild_limits: tuple[int, ...] = _option(Limits(), [1, 1, 1, 2, 2])
    wild_beyond: str = _word("limit", "fewer", "equal")
    wild_melds: bool = _option(YesNo(), True)
    pure_ranks: tuple[str, ...] = _option(WordSet(_MELD_RANKS), [])
    kept_ranks: tuple[str, ...] = _option(WordSet(tuple(RANKS)), [])
    kept_until: str = _word("never", "own_sevens", "any_sevens", "every_sevens")
    books_grow: Growth = _option(BooksGrow(), False)
    melds_per_rank: str = _word("after_book", "one", "clean_and_dirty", "free")
    garbage: bool = _option(YesNo(), False)
    black_three_meld: str = _word("never", "going_out", "always")
    red_three_meld: bool = _option(YesNo(), False)
    opening: Opening = _option(OpeningSteps(), {"by_deal": [50, 90, 120, 150]})
    opening_terms: tuple[str, ...] = _option(WordSet(("books", "naturals", "empty_hand", "each_player")), [])
    book_lock: str = _word("none", "opener_waits", "second_waits")

    # Foot
    foot_when: str = _word("hand_empty", "own_book")
    foot_after_discard: str = _word("next_turn", "at_once")

    # Going out
    contract: Books = _by_deal(Contract(), {"clean": 2, "dirty": 2, "wild": 1})
    contract_red_threes: str = _word("none", "all")
    partner_foot: str = _word("played", "none", "picked_up")
    permission: str = _word("required", "none", "optional")
    last_card: str = _word("either", "discard", "meld")
    final_turns: str = _option(YesNoOr("always"), False)
    out_bonus: int = _by_deal(_POINTS, 100)

    # Values
    values: tuple[int, ...] = _option(RankPoints(), dict(zip(RANKS, _STANDARD_VALUES, strict=True)))
    book_bonus: Books = _option(BookBonus(), {"clean": 500, "dirty": 300, "wild": 1500})
    special_books: tuple[tuple[str, Special], ...] = _option(SpecialBooks(), {})
    red_threes: str = _word("laid", "held")
    red_three: RedThree = _option(RedThreePoints(), {"laid": 100, "held": -100})
    red_three_all: int | None = _option(PointsOrNull(), None)
    red_three_sets: RedThreeSet | None = _option(RedThreeSets(), None)
    red_three_sevens: bool = _option(YesNo(), False)
    red_three_replaced: str = _word("always", "not_from_pile", "never")
    wild_unfinished: int = _option(_POINTS, 0)
    wild_needs_clean: bool = _option(YesNo(), False)
    held_counts: str = _word("all", "others")

    # Match
    length: Length = _option(MatchLength(), {"deals": 4})
    tie: str = _word("shared", "extra_deals")
    penalties: Penalties | None = _option(PenaltyPoints(), None)
    ask_wilds: bool = _option(YesNo(), False)

    def __post_init__(self) -> None:
        if wrong := every_contradiction(self):
            raise BadRules([clash.text for clash in wrong], [clash.options for clash in wrong])

    @classmethod
    def preset(cls, name: str) -> Rules:
        """The published ruleset of this name."""
        return cls.make(name)

    @classmethod
    def make(
        cls, base: str | Rules = "standard", changes: dict[str, Any] | None = None, *, is_draft: bool = False
    ) -> Rules:
        """A base ruleset with some options set differently, each in its JSON form.

        The options of a draft may contradict each other: it is not for play.
        """
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
        base = base.for_all_deals
        changes = modern(changes, base.special_books_json, base.write_option("stacks"))
        return _build(base.name, {**_values_of(base), **_read_options(changes, base)}, is_draft)

    @classmethod
    def read(cls, value: Any, *, is_draft: bool = False) -> Rules:
        """The ruleset that JSON describes: a preset's name, `{"base", "set"}`, or `{"name", "options"}` whole.

        The options of a draft may contradict each other: it is not for play.
        """
        if isinstance(value, Rules):
            return value
        if isinstance(value, str):
            return cls.make(value)
        if isinstance(value, dict) and "base" in value and set(value) <= {"base", "set"}:
            return cls.make(_name(value["base"]), value.get("set"), is_draft=is_draft)
        if isinstance(value, dict) and isinstance(value.get("options"), dict) and set(value) <= {"name", "options"}:
            # An option that a ruleset written earlier does not know keeps Standard's value: old records still replay.
            options = modern(value["options"], {}, _STANDARD["stacks"])
            return _build(_name(value.get("name", "")), _read_options(_STANDARD | options, None), is_draft)
        raise BadInput(
            'Rules are written as a preset\'s name, as {"base": NAME, "set": {...}} or whole, with "options".'
        )

    def write(self) -> dict[str, Any]:
        """The ruleset whole, as JSON: its name and every option."""
        return {"name": self.name, "options": self.write_options()}

    def write_options(self) -> dict[str, Any]:
        """Every option in its JSON form."""
        return {name: self.write_option(name) for name in KINDS_OF_OPTION}

    def write_option(self, name: str) -> Any:
        """An option in its JSON form."""
        return KINDS_OF_OPTION[name].write(self.value_of(name))

    def value_of(self, name: str) -> Any:
        """The value of an option; `Deals` if it changes from deal to deal."""
        return dict(_values_by_deal(self.for_all_deals)).get(name, getattr(self.for_all_deals, name))

    def differences(self, other: Rules) -> list[str]:
        """Names of the options in which this ruleset is not as `other`, in the order of the options."""
        values, others = _values_of(self), _values_of(other)
        return [name for name in KINDS_OF_OPTION if values[name] != others[name]]

    def changes_from(self, base: Rules) -> dict[str, Any]:
        """The options that `make` needs to turn `base` into this ruleset, in JSON."""
        changes = {name: self.write_option(name) for name in self.differences(base)}
        if "book_bonus" in changes and self.special_books:
            # A bonus by itself has the old meaning that no rank counts apart.
            changes["special_books"] = self.special_books_json
        return changes

    @property
    def for_all_deals(self) -> Rules:
        """The ruleset that these rules of one deal belong to, or the ruleset itself."""
        return cast(Rules, self.__dict__.get("_all_deals", self))

    @property
    def deals(self) -> int:
        """Number of deals until the rules stay as they are."""
        return max((len(values) for _, values in self.for_all_deals.by_deal), default=1)

    def in_deal(self, deal: int) -> Rules:
        """The rules of the deal of this number, in which no option changes; `for_all_deals` gives the ruleset."""
        ruleset = self.for_all_deals
        if not ruleset.by_deal:
            return ruleset
        number = min(deal, ruleset.deals)
        rules_of: dict[int, Rules] = ruleset.__dict__.setdefault("_deals", {})
        if number not in rules_of:
            rules = _copy_fields({each.name: getattr(ruleset, each.name) for each in fields(Rules)})
            rules.__dict__.update({name: values[min(number, len(values)) - 1] for name, values in ruleset.by_deal})
            rules.__dict__.update(by_deal=(), _all_deals=ruleset)
            rules_of[number] = rules
        return rules_of[number]

    def __getstate__(self) -> dict[str, Any]:
        """The fields alone: what is worked out from them is worked out again."""
        names = {each.name for each in fields(self)} | {"_all_deals"}
        return {name: value for name, value in self.__dict__.items() if name in names}

    @property
    def has_knee(self) -> bool:
        """Whether a third stack lies between hand and foot."""
        return len(self.stacks) == 3

    @property
    def title(self) -> str:
        """The name as people write it."""
        return title_of(self.name) or say("House rules")

    @property
    def book_words(self) -> tuple[str, str]:
        """Singular and plural of the word for a book in this ruleset."""
        return RULESETS[self.name].book_words if self.name in RULESETS else ("book", "books")

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
        return self.decks.at(seats)

    def pack(self, seats: int) -> bytes:
        """All cards for that many seats, in the order before the shuffle."""
        return pack(self.deck_count(seats), self.jokers_per_deck)

    def cards_lifted(self, seats: int) -> int:
        """Cards that must be lifted exactly: for a player's stacks, or for all players and the cards turned up."""
        if self.lift is not None and self.lift.by == "dealer":
            return seats * sum(self.stacks) + self.upcard
        return sum(self.stacks)

    @property
    def special_books_json(self) -> dict[str, dict[str, Any]]:
        """The books that count apart, in JSON."""
        return cast(dict[str, dict[str, Any]], self.write_option("special_books"))

    # Values that play looks up at every move, worked out once.

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(getattr(self, each.name) for each in fields(self) if each.compare))

    @cached_property
    def card_values(self) -> tuple[int, ...]:
        """Points by card in hand; a red three (counted apart) and a blank are worth 0."""
        by_card = [self.values[card // 4] for card in range(KINDS)] + [0] * (256 - KINDS)
        for card in (*RED_THREES, BLANK):
            by_card[card] = 0
        return tuple(by_card)

    @cached_property
    def meld_values(self) -> tuple[int, ...]:
        """Points by card in a meld: as in hand, but for red threes that may be melded (ruling 37)."""
        if not self.red_three_meld:
            return self.card_values
        return tuple(self.values[THREE] if card in RED_THREES else worth for card, worth in enumerate(self.card_values))

    @cached_property
    def opening_values(self) -> tuple[int, ...]:
        """Points by card towards the opening minimum (ruling 40)."""
        if "naturals" not in self.opening_terms:
            return self.meld_values
        return tuple(0 if card in WILD_CARDS else worth for card, worth in enumerate(self.meld_values))

    @cached_property
    def each_opens(self) -> bool:
        """Whether every player has to reach the opening minimum."""
        return "each_player" in self.opening_terms

    @cached_property
    def least_match(self) -> int:
        """Fewest cards of the rank of a natural top card that take a pile which is not frozen; too many where none do."""
        return {"legal_meld": 0, "one_match": 1, "none": 100}.get(self.pile_claim, 2)

    @cached_property
    def most_wild(self) -> tuple[int, ...]:
        """Most wild cards in a meld, by its number of cards up to 7."""
        return (0, 0, 0, *self.wild_limits)

    @cached_property
    def fewest_naturals(self) -> int:
        """Natural cards that a meld of a rank has at least."""
        return max(1, min(size - wild for size, wild in enumerate(self.wild_limits, 3)))

    @cached_property
    def pure(self) -> frozenset[int]:
        """Ranks whose melds hold no wild card, as numbers; threes are always among them."""
        return frozenset([RANKS.index("3"), *(RANKS.index(rank) for rank in self.pure_ranks)])

    @cached_property
    def kept_cards(self) -> bytes:
        """The cards that may not be discarded while `kept_ranks` applies."""
        return bytes(card for card in range(KINDS) if RANKS[card // 4] in self.kept_ranks)

    @cached_property
    def laid_threes(self) -> bytes:
        """The cards that are laid as soon as a player has them: red threes, or none."""
        return RED_THREES if self.red_threes == "laid" else b""

    @cached_property
    def never_melded(self) -> bytes:
        """Red threes, unless they may be melded."""
        return b"" if self.red_three_meld else RED_THREES

    @cached_property
    def special(self) -> dict[int, Special]:
        """The ranks whose books count apart, by number."""
        return {RANKS.index(rank): special for rank, special in self.special_books}

    @cached_property
    def sevens_apart(self) -> bool:
        """Whether a book of sevens is a kind of its own."""
        return SEVEN in self.special

    @cached_property
    def special_kinds(self) -> dict[int, str]:
        """The kinds of book that count apart, by rank: sevens."""
        return {rank: RANK_WORDS[RANKS[rank]][1] for rank in self.special}

    @cached_property
    def bonus_of(self) -> dict[str, int]:
        """Points for a book of each kind."""
        special = {kind: self.special[rank].points for rank, kind in self.special_kinds.items()}
        return self.book_bonus._asdict() | special

    @cached_property
    def needed(self) -> dict[str, int]:
        """Books of each kind that the contract of this deal asks for."""
        special = {kind: self.special[rank].needed for rank, kind in self.special_kinds.items()}
        return self.contract._asdict() | special

    @cached_property
    def grows(self) -> bool:
        """Whether anything may be added to any complete book."""
        return self.books_grow != NOTHING_GROWS

    @cached_property
    def has_single_melds(self) -> bool:
        """Whether a rank has at most one meld that is not complete."""
        return self.melds_per_rank in ("one", "after_book")

    @cached_property
    def has_endless_books(self) -> bool:
        """Whether a rank has one meld, to which anything within the limits may be added however large it is."""
        growth = self.books_grow
        return self.melds_per_rank == "one" and growth.clean == growth.dirty == "any" and self.wild_beyond == "limit"

    @cached_property
    def is_plain(self) -> bool:
        """Whether melds follow the simple pattern that the list of legal moves is quickest with.

        Books take anything within the limits or nothing, and a group has one meld that it can belong to.
        """
        simple = {NOTHING_GROWS: ("one", "after_book"), Growth("any", "any", "any"): ("one",)}
        return (
            self.melds_per_rank in simple.get(self.books_grow, ())
            and self.wild_beyond == "limit"
            and self.black_three_meld != "always"
        )


NOTHING_GROWS = Growth("no", "no", "no")
"""What may be added to complete books where they are closed."""

KINDS_OF_OPTION: dict[str, Kind] = {f.name: f.metadata["kind"] for f in fields(Rules) if "kind" in f.metadata}
"""Every option with its kind, in the order of the rule documents."""

_STANDARD: dict[str, Any] = {f.name: f.metadata["standard"] for f in fields(Rules) if "kind" in f.metadata}
_PRESET_CACHE: dict[str, Rules] = {}


def _build(name: str, values: dict[str, Any], is_draft: bool = False) -> Rules:
    """The ruleset of these values, of which some may change from deal to deal. A draft is not checked."""
    changing = {option: value.values for option, value in values.items() if isinstance(value, Deals)}
    plain = values | {option: entries[0] for option, entries in changing.items()}
    by_deal = tuple((option, changing[option]) for option in KINDS_OF_OPTION if option in changing)
    if is_draft:
        return _copy_fields({"name": name, "by_deal": by_deal, **plain})
    return Rules(name=name, by_deal=by_deal, **plain)


def _copy_fields(values: dict[str, Any]) -> Rules:
    """An object with these fields, which nothing checks."""
    rules = object.__new__(Rules)
    rules.__dict__.update(values)
    return rules


def _make_preset(name: str) -> Rules:
    standard = _read_options(_STANDARD, None)
    base = Rules(name="standard", **standard)
    rules = _build(name, {**standard, **_read_options(PRESETS[name], base)})
    _PRESET_CACHE[name] = rules
    return rules


def _values_of(rules: Rules) -> dict[str, Any]:
    """Every option; `Deals` if it changes from deal to deal."""
    ruleset = rules.for_all_deals
    return {name: getattr(ruleset, name) for name in KINDS_OF_OPTION} | dict(_values_by_deal(ruleset))


def _values_by_deal(rules: Rules) -> list[tuple[str, Deals]]:
    return [(name, Deals(values)) for name, values in rules.by_deal]


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


def every_contradiction(rules: Rules) -> list[Contradiction]:
    """Options that cannot hold together in some deal; each contradiction once."""
    return list(
        dict.fromkeys(clash for deal in range(rules.deals) for clash in contradictions(rules.in_deal(deal + 1)))
    )


def contradictions(rules: Rules) -> list[Contradiction]:
    """Options that cannot hold together in one deal (rulings 27 and 48), with a sentence each."""
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
            (bool(set_) and not r.sevens_apart, (option, "special_books"), sentence, {})
            for option, set_, sentence in (
                (
                    "kept_until",
                    r.kept_until != "never",
                    later(
                        "Some ranks cannot be discarded before a book of sevens, but books of sevens are not special."
                    ),
                ),
                (
                    "garbage",
                    r.garbage,
                    later("The garbage pile starts with a book of sevens, but books of sevens are not special."),
                ),
                (
                    "red_three_sevens",
                    r.red_three_sevens,
                    later("Red threes count by the book of sevens, but books of sevens are not special."),
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
            r.final_turns == "yes" and r.last_card == "meld",
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
        *_red_three_checks(r),
        *_further_checks(r),
        *[contradiction for shape in r.shapes for contradiction in _shape_contradictions(r, shape)],
    ]
    return [Contradiction(options, say(sentence, **values)) for wrong, options, sentence, values in checks if wrong]


def _red_three_checks(r: Rules) -> list[_Check]:
    held = r.red_threes == "held"
    laid = later("Red threes are held and never laid, so laid ones cannot count.")
    return [
        *[
            (held and set_, ("red_threes", option), sentence, {})
            for option, set_, sentence in (
                ("red_three_all", r.red_three_all is not None, laid),
                ("red_three_sets", r.red_three_sets is not None, laid),
                ("red_three_sevens", r.red_three_sevens, laid),
                (
                    "contract_red_threes",
                    r.contract_red_threes == "all",
                    later("Red threes are held and never laid, so going out cannot wait for them."),
                ),
                (
                    "last_red_three_ends",
                    r.last_red_three_ends,
                    later("Red threes are held and never laid, so the last card of the stock cannot be laid."),
                ),
            )
        ],
        (
            r.red_three_sets is not None and r.red_three_all is not None,
            ("red_three_sets", "red_three_all"),
            later("Red threes count in sets or all together, not both."),
            {},
        ),
        (
            r.red_three_meld and not (held and r.black_three_meld == "always"),
            ("red_three_meld", "red_threes", "black_three_meld"),
            later(
                "Red threes join melds of the other threes only if red threes are held and threes of clubs and spades always melded."
            ),
            {},
        ),
    ]


def _further_checks(r: Rules) -> list[_Check]:
    wild_added = r.books_grow.clean in ("any", "keeps") or r.books_grow.dirty == "any"
    distances = [distance for distance, _ in r.lift.within] if r.lift else [0]
    return [
        (
            THREE in r.special and r.black_three_meld != "always",
            ("special_books", "black_three_meld"),
            later("Books of threes are special, but threes are not always melded."),
            {},
        ),
        *[
            (RANKS.index(rank) in r.special, ("special_books",), later("Books of %(rank)s cannot be special."), words)
            for rank, words in (("2", {"rank": "2"}), ("X", {"rank": "X"}))
        ],
        (
            r.wild_beyond != "limit" and not wild_added,
            ("wild_beyond", "books_grow"),
            later("Large books have a limit of wild cards of their own, but no book takes wild cards."),
            {},
        ),
        (
            len(r.stacks) == 3 and r.pass_stack != "none",
            ("stacks", "pass_stack"),
            later("With hand, knee and foot no stack is passed on."),
            {},
        ),
        (
            len(r.stacks) == 3 and r.hand_choice != "dealt",
            ("stacks", "hand_choice"),
            later("With hand, knee and foot the first stack dealt is the hand."),
            {},
        ),
        (
            r.draw_count == 1 and r.draw_top == "first",
            ("draw_count", "draw_top"),
            later(
                "The only card that is drawn may be the top card of the discard pile, so it could be drawn and "
                "discarded for ever."
            ),
            {},
        ),
        (not distances, ("lift",), later("Lifting scores by distance, but no distance is named."), {}),
        (
            any(after <= before for before, after in pairwise(distances)),
            ("lift",),
            later("The distances of lifting must rise."),
            {},
        ),
        (
            r.pile_claim == "new_meld" and r.pile_to_meld == "unfrozen",
            ("pile_claim", "pile_to_meld"),
            later("The card that takes the discard pile must start a meld, so it cannot join one."),
            {},
        ),
    ]


def _shape_contradictions(rules: Rules, shape: Shape) -> list[_Check]:
    decks = rules.deck_count(shape.seats)
    stock = decks * (52 + rules.jokers_per_deck) - shape.seats * sum(rules.stacks)
    unnamed = bool(rules.decks.by_seats) and not decks
    return [
        (
            unnamed,
            ("shapes", "decks"),
            later("The number of decks for a table of %(seats)s is missing."),
            {"seats": shape.seats},
        ),
        (
            decks < 1 and not unnamed,
            ("shapes", "decks"),
            later("At a table of %(seats)s there would be no deck of cards."),
            {"seats": shape.seats},
        ),
        (
            decks >= 1 and stock < 2 * shape.seats,
            ("shapes", "decks", "jokers_per_deck", "stacks"),
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
