"""Positions as JSON: read with a default for every key, and written whole as a snapshot that reads back equal.

A written position holds every hidden card, the order of the stock and the seed of its reshuffles: it is for storage
and for positions given by hand, never for a player of a running game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from engine.errors import BadInput
from engine.play import turn as turns
from engine.play.cards import (
    BLANK,
    JOKERS,
    NAMES,
    RED_THREES,
    THREE,
    WILD_CARDS,
    Cards,
    arrange,
    parse_cards,
    write_cards,
)
from engine.play.melds import BOOK, Meld, make_meld, meld_words, wild_of
from engine.play.moves import GARBAGE, MELD_NAMES, WILD, parse_meld_name
from engine.play.rules import Rules
from engine.play.state import ANSWERING, DRAWING, OVER, PHASES, PLAYING, Draft, State, Undo

_DEFAULT_STOCK = "5c 6d " * 10
_DEFAULT_HAND = parse_cards("Kc Kd")


def read_position(data: Any) -> State:
    """Read a position from a JSON object; its `rules` may also be a `Rules`. Raises `BadInput` with the fault."""
    if not isinstance(data, dict) or "rules" not in data:
        raise BadInput("A position is a JSON object with at least `rules`.")
    if unknown := [key for key in data if key not in _KEYS]:
        raise BadInput(f"A position has no key {unknown[0]!r:.40}.")
    rules = Rules.read(data["rules"]).in_deal(_integer(data, "deal", 1, 10_000, 1))
    shape = rules.shape(_integer(data, "seats", 2, 12, None), _integer(data, "team_size", 1, 12, None))
    draft = Draft(rules=rules, seats=shape.seats, team_size=shape.team_size, teams=shape.teams)
    seats, teams = shape.seats, shape.teams
    draft.assist = _flag(data, "assist", True)
    draft.deal = _integer(data, "deal", 1, 10_000, 1)
    draft.dealer = _integer(data, "dealer", 0, seats - 1, seats - 1)
    draft.turn = _integer(data, "turn", 0, seats - 1, 0)
    draft.phase = data.get("phase", PLAYING)
    if draft.phase not in PHASES:
        raise BadInput(f"The phase {draft.phase!r:.40} is not one of {', '.join(PHASES)}.")
    draft.scores = _each(data, "scores", teams, _points, 0)
    draft.hands = _each(data, "hands", seats, _hand, _DEFAULT_HAND)
    waiting = _each(data, "feet", seats, read_stacks, (None, parse_cards("Qc Qd Qh Qs")))
    draft.feet = tuple(foot for _, foot in waiting)
    draft.knees = tuple(knee for knee, _ in waiting)
    up = [foot is None for foot in draft.feet]
    draft.foot_turns = tuple(
        up[seat] * 1 if turns_played is None else turns_played
        for seat, turns_played in enumerate(_each(data, "foot_turns", seats, _count_or_null, None))
    )
    draft.foot_acted = _flag(data, "foot_acted", _has_acted(draft))
    draft.melds = _each(data, "melds", teams, _melds, ())
    melded = _each(data, "opened", teams, _flag_or_null, None)
    draft.opened = tuple(bool(draft.melds[t]) if melded[t] is None else melded[t] for t in range(teams))
    opened_by = _each(data, "opened_by", seats, _flag_or_null, None)
    flags = (draft.opened[seat % teams] if opened_by[seat] is None else opened_by[seat] for seat in range(seats))
    draft.opened_by = tuple(flags) if rules.each_opens else ()
    draft.opener = _each(data, "opener", teams, _seat_or_null(seats), None)
    draft.books_by = _each(data, "books_by", seats, _count, 0)
    draft.red_threes = _each(data, "red_threes", teams, _red_threes, b"")
    draft.laid_sevens = _each(data, "laid_sevens", teams, _sorted_cards, b"")
    draft.pile = _cards(data.get("pile", "9c"), "pile")
    draft.stock = _cards(data.get("stock", _DEFAULT_STOCK), "stock")
    for name in ("frozen", "last_red_three", "foot_due", "allowed", "refused", "wilds_asked"):
        setattr(draft, name, _flag(data, name, False))
    draft.answers = _integer(data, "answers", 0, max(shape.team_size - 2, 0), 0)
    draft.grabs = _each(data, "grabs", seats, _count_or_null, None)
    draft.stacks = _each(data, "stacks", seats, _stacks, None)
    draft.first_turn = _each(data, "first_turn", seats, _flag_of, False)
    draft.peeked = _each(data, "peeked", seats, _flag_of, False)
    draft.penalties = _each(data, "penalties", teams, _points, 0)
    draft.out_by = _integer(data, "out_by", 0, seats - 1, None)
    draft.went_out = _integer(data, "went_out", 0, teams - 1, None)
    if draft.out_by is not None:
        draft.went_out = draft.out_by % teams
    draft.undo = _undo(data.get("undo"))
    draft.seed = _seed(data.get("seed"))
    draft.reshuffles = _integer(data, "reshuffles", 0, 10_000, 0)
    _check(draft)
    if draft.phase in (DRAWING, PLAYING, ANSWERING):
        turns.settle(draft, [])
    return draft.freeze()


def _has_acted(draft: Draft) -> bool:
    """By default a player in mid-turn with a turn from the foot to show is in that turn."""
    return draft.phase in (PLAYING, ANSWERING) and draft.feet[draft.turn] is None and draft.foot_turns[draft.turn] > 0


def write_position(state: State) -> dict[str, Any]:
    """The whole position as JSON; `read_position` gives an equal one."""
    return {"rules": state.rules.for_all_deals.write(), **write_without_rules(state)}


def write_without_rules(state: State) -> dict[str, Any]:
    """The position as JSON, without its rules, which its keeper has elsewhere."""
    return {
        **{name: getattr(state, name) for name in _PLAIN},
        **{name: list(getattr(state, name)) for name in _PLAIN_LISTS},
        "hands": [write_cards(cards) for cards in state.hands],
        "feet": [write_stacks(knee, foot) for knee, foot in zip(state.knees, state.feet, strict=True)],
        "melds": [[write_meld(meld) for meld in melds] for melds in state.melds],
        "red_threes": [write_cards(cards) for cards in state.red_threes],
        "laid_sevens": [write_cards(cards) for cards in state.laid_sevens],
        "pile": write_cards(state.pile),
        "stock": write_cards(state.stock),
        "stacks": [None if pair is None else [write_cards(cards) for cards in pair] for pair in state.stacks],
        "undo": [
            {**step._asdict(), "hand": write_cards(step.hand), "melds": [write_meld(meld) for meld in step.melds]}
            for step in state.undo
        ],
        "seed": None if state.seed is None else state.seed.hex(),
    }


_PLAIN = (
    *("seats", "team_size", "assist", "deal", "dealer", "turn", "phase", "foot_acted", "frozen", "last_red_three"),
    *("foot_due", "allowed", "refused", "answers", "wilds_asked", "went_out", "out_by", "reshuffles"),
)
_PLAIN_LISTS = (
    *(
        "scores",
        "foot_turns",
        "opened",
        "opened_by",
        "opener",
        "books_by",
        "grabs",
        "first_turn",
        "peeked",
        "penalties",
    ),
)
_KEYS = frozenset(
    {"rules", "hands", "feet", "melds", "red_threes", "laid_sevens", "pile", "stock", "stacks", "undo", "seed"}
    | set(_PLAIN)
    | set(_PLAIN_LISTS)
)


def write_meld(meld: Meld) -> str:
    """A meld in notation, natural cards first: `K: Kc Kd 2h`."""
    natural = meld.cards.translate(None, WILD_CARDS)
    return f"{MELD_NAMES[meld.name]}{'+' * meld.keeps}: {write_cards(natural + wild_of(meld.cards))}"


def write_stacks(knee: Cards | None, foot: Cards | None) -> Any:
    """The stacks of a seat that are not picked up: null, the foot, or a list of knee and foot."""
    if foot is None or knee is None:
        return None if foot is None else write_cards(foot)
    return [write_cards(knee), write_cards(foot)]


def read_meld(text: Any) -> Meld:
    """The meld that `RANK: CARDS`, `wild: CARDS` or `garbage: CARDS` says; `RANK+:` is a clean book with wild cards."""
    if not isinstance(text, str) or ":" not in text:
        raise BadInput(f"{text!r:.60} is not a meld: write RANK: CARDS, wild: CARDS or garbage: CARDS.")
    head, _, tail = text.partition(":")
    word = head.strip()
    meld = make_meld(parse_meld_name(word.removesuffix("+")), parse_cards(tail))
    return meld._replace(keeps=word.endswith("+") and meld.wild > 0)


# Reading one value. Each takes the value and the name of its place, for the sentence.


def _integer(data: dict[str, Any], key: str, low: int, high: int, default: Any) -> Any:
    value = data.get(key, default)
    if value is default:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BadInput(f"`{key}` must be a whole number from {low} to {high}.")
    return value


def _flag(data: dict[str, Any], key: str, default: bool) -> bool:
    return _flag_of(data.get(key, default), key)


def _flag_of(value: Any, where: str) -> bool:
    if not isinstance(value, bool | None):
        raise BadInput(f"`{where}` must be true or false.")
    return bool(value)


def _flag_or_null(value: Any, where: str) -> bool | None:
    return None if value is None else _flag_of(value, where)


def _count(value: Any, where: str) -> int:
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 10_000:
        raise BadInput(f"`{where}` must be a whole number, 0 or more.")
    return value


def _count_or_null(value: Any, where: str) -> int | None:
    return None if value is None else _count(value, where)


def _points(value: Any, where: str) -> int:
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > 10**9:
        raise BadInput(f"`{where}` must be points, a whole number.")
    return value


def _seat_or_null(seats: int) -> Callable[[Any, str], int | None]:
    def read(value: Any, where: str) -> int | None:
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < seats):
            raise BadInput(f"`{where}` must be a seat from 0 to {seats - 1}, or null.")
        return value

    return read


def _cards(value: Any, where: str) -> Cards:
    try:
        return parse_cards(value)
    except BadInput as error:
        raise BadInput(f"In `{where}`: {error.sentence}") from None


def _sorted_cards(value: Any, where: str) -> Cards:
    return b"" if value is None else arrange(_cards(value, where))


def _hand(value: Any, where: str) -> Cards:
    return _DEFAULT_HAND if value is None else _sorted_cards(value, where)


def read_stacks(value: Any, where: str) -> tuple[Cards | None, Cards | None]:
    """Knee and foot of a seat: of a list of stacks the next one is first, and the foot last."""
    if not isinstance(value, list):
        return None, None if value is None else _sorted_cards(value, where)
    if len(value) > 2:
        raise BadInput(f"`{where}` must be cards, null or a list of at most two stacks.")
    stacks = [_sorted_cards(stack, where) for stack in value]
    return stacks[0] if len(stacks) == 2 else None, stacks[-1] if stacks else None


def _red_threes(value: Any, where: str) -> Cards:
    cards = _sorted_cards(value, where)
    if cards.translate(None, RED_THREES):
        raise BadInput(f"`{where}` holds a card that is no red three.")
    return cards


def _melds(value: Any, where: str) -> tuple[Meld, ...]:
    if not isinstance(value, list | None):
        raise BadInput(f"`{where}` must be a list of melds.")
    return tuple(read_meld(text) for text in value or [])


def _stacks(value: Any, where: str) -> tuple[Cards, Cards] | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2:
        raise BadInput(f"`{where}` must be two lists of cards, the bottom card last.")
    return _cards(value[0], where), _cards(value[1], where)


def _each(data: dict[str, Any], key: str, size: int, read: Callable[[Any, str], Any], default: Any) -> Any:
    """Read a value for each seat or team, from a list or from an object keyed by number."""
    value = data.get(key)
    if value is None:
        return (default,) * size
    if isinstance(value, list):
        if len(value) > size:
            raise BadInput(f"`{key}` names {len(value)}, but there are {size}.")
        pairs = dict(enumerate(value))
    elif isinstance(value, dict):
        pairs = {}
        for name, item in value.items():
            if not (isinstance(name, str) and name.isascii() and name.isdigit() and int(name) < size):
                raise BadInput(f"`{key}` names {name!r:.20}; it goes by number from 0 to {size - 1}.")
            pairs[int(name)] = item
    else:
        raise BadInput(f"`{key}` must be a list, or an object keyed by number.")
    return tuple(read(pairs[i], f"{key} of {i}") if i in pairs else default for i in range(size))


def _undo(value: Any) -> tuple[Undo, ...]:
    if not isinstance(value, list | None):
        raise BadInput("`undo` must be a list of steps.")
    steps = []
    for step in value or []:
        if not isinstance(step, dict) or set(step) | {"opened_by"} != set(Undo._fields):
            raise BadInput("A step in `undo` must name " + ", ".join(Undo._fields) + ".")
        steps.append(
            Undo(
                _sorted_cards(step["hand"], "undo"),
                _melds(step["melds"], "undo"),
                _flag_of(step["opened"], "undo"),
                _seat_or_null(12)(step["opener"], "undo"),
                _count(step["books_by"], "undo"),
                _flag_of(step["foot_due"], "undo"),
                _flag_of(step.get("opened_by"), "undo"),
            )
        )
    return tuple(steps)


def _seed(value: Any) -> bytes | None:
    if value is None:
        return None
    if not isinstance(value, str) or len(value) != 64 or set(value) - set("0123456789abcdef"):
        raise BadInput("`seed` must be 64 hexadecimal digits.")
    return bytes.fromhex(value)


# Contradictions


def _check(draft: Draft) -> None:
    for melds in draft.melds:
        for meld in melds:
            _check_meld(draft.rules, meld)
    pack = Counter(draft.rules.pack(draft.seats))
    counts = Counter(_all_cards(draft))
    for card in counts:
        if card == BLANK or card not in pack:
            raise BadInput(f"The ruleset's pack has no {NAMES[card]}.")
    for joker in JOKERS:
        if counts[joker] > pack[joker]:
            raise BadInput(f"The position has {counts[joker]} × {NAMES[joker]}, but the pack has only {pack[joker]}.")
    if any(knee is not None for knee in draft.knees) and len(draft.rules.stacks) < 3:
        raise BadInput("Only with three stacks has a seat more than one stack still to come.")
    if draft.phase == "choose" and draft.stacks[draft.turn] is None:
        raise BadInput("In phase choose the seat to act must have two `stacks`.")
    if draft.phase == "answer" and draft.team_size == 1:
        raise BadInput("There is no partner to answer at a table of individuals.")
    if draft.went_out is not None and draft.out_by is None and draft.phase != OVER:
        raise BadInput("A team can have gone out only once the deal is over, or with `out_by` in the final turns.")


def _all_cards(draft: Draft) -> Cards:
    melds = [meld.cards for team in draft.melds for meld in team]
    feet = [stack for stack in (*draft.knees, *draft.feet) if stack is not None]
    stacks = [cards for pair in draft.stacks if pair for cards in pair]
    return b"".join(
        [*draft.hands, *feet, *melds, *draft.red_threes, *draft.laid_sevens, *stacks, draft.pile, draft.stock]
    )


def _check_meld(rules: Rules, meld: Meld) -> None:
    prefix = f"The meld `{write_meld(meld)}` cannot be: "
    natural = meld.cards.translate(None, WILD_CARDS)
    if meld.name == GARBAGE:
        if not rules.garbage or len(natural) < len(meld.cards):
            raise BadInput(prefix + "garbage is natural cards, in rulesets that have it.")
        return
    if len(meld.cards) < 3:
        raise BadInput(prefix + "a meld has at least three cards.")
    if len(meld.cards) > BOOK and not rules.grows:
        raise BadInput(prefix + "a book has seven cards in this ruleset.")
    if meld.keeps and (rules.books_grow.clean != "keeps" or len(natural) < BOOK):
        raise BadInput(prefix + "only where clean books keep clean, one of seven natural cards has wild ones too.")
    if meld.name == WILD:
        if natural or not rules.wild_melds:
            raise BadInput(prefix + "a wild meld is wild cards only, in rulesets that have it.")
    elif not natural or any(card // 4 != meld.name or card in rules.never_melded for card in natural):
        raise BadInput(prefix + f"its natural cards must be {meld_words(meld.name)}.")
    elif meld.name == THREE and rules.black_three_meld == "never":
        raise BadInput(prefix + "black threes are not melded in this ruleset.")
