"""The controls of a form that show an option of the engine, from its value in JSON."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from django.utils.translation import gettext

from engine.play.cards import RANKS
from engine.play.options import (
    GROWTH,
    POINTS_LIMIT,
    BookBonus,
    BooksGrow,
    ByDeal,
    Contract,
    DeckCount,
    Kind,
    LiftPoints,
    Limits,
    MatchLength,
    OpeningSteps,
    PenaltyPoints,
    PointsOrNull,
    RankPoints,
    RedThreePoints,
    RedThreeSets,
    Shapes,
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
from gameplay.house_rules.option_text import NAMED, rank_name, word_of

PREFIX = "rule-"
"""Before the name of an option in the names of its controls."""


class Part(NamedTuple):
    """A control of an option: `control` is number, select, text or checks."""

    name: str
    label: str
    control: str
    value: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    chosen: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None


def parts_of(name: str, kind: Kind, value: Any) -> list[Part]:
    """The controls for an option that has this value in JSON."""
    return _PARTS[type(kind)](PREFIX + name, kind, value)


def _number(name: str, label: str, value: Any, low: int, high: int) -> Part:
    return Part(name, label, "number", "" if value is None else str(value), low=low, high=high)


def _choices(words: Iterable[str]) -> tuple[tuple[str, str], ...]:
    return tuple((word, word_of(word)) for word in words)


def _select(name: str, label: str, value: str, words: Iterable[str]) -> Part:
    return Part(name, label, "select", value, _choices(words))


def _whole_parts(name: str, kind: Whole, value: Any) -> list[Part]:
    return [_number(name, "", value, kind.low, kind.high)]


def _yes_no_parts(name: str, kind: YesNo, value: bool) -> list[Part]:
    return [_select(name, "", "yes" if value else "no", ("no", "yes"))]


def _word_parts(name: str, kind: Word, value: str) -> list[Part]:
    option = name.removeprefix(PREFIX)
    return [Part(name, "", "select", value, tuple((word, word_of(word, option)) for word in kind.words))]


def _word_or_whole_parts(name: str, kind: WordOrWhole, value: str | int) -> list[Part]:
    is_word = isinstance(value, str)
    option = name.removeprefix(PREFIX)
    choices = tuple((word, word_of(word, option)) for word in (*kind.words, "number"))
    return [
        Part(f"{name}.how", gettext("How much"), "select", str(value) if is_word else "number", choices),
        _number(f"{name}.number", gettext("Number of cards"), None if is_word else value, kind.low, kind.high),
    ]


def _set_parts(name: str, kind: WordSet, value: list[str]) -> list[Part]:
    words = tuple((word, rank_name(word) if word in RANKS else word_of(word)) for word in kind.words)
    return [Part(name, "", "checks", "", words, tuple(value))]


def _shape_parts(name: str, kind: Shapes, value: list[list[int]]) -> list[Part]:
    return [Part(name, gettext("Seats × players in a team"), "text", ", ".join(f"{s}×{t}" for s, t in value))]


def _deck_parts(name: str, kind: DeckCount, value: Any) -> list[Part]:
    plus = value if isinstance(value, dict) else {}
    by_seats = plus.get("by_seats", {})
    how = "by_seats" if by_seats else "seats" if plus else "fixed"
    number = plus.get("seats_plus", 1) if plus else value
    table = ", ".join(f"{seats}: {decks}" for seats, decks in by_seats.items())
    return [
        _number(f"{name}.number", gettext("Decks"), number, -10, 30),
        _select(f"{name}.plus", gettext("Counted"), how, ("fixed", "seats", "by_seats")),
        Part(f"{name}.table", gettext("By seats: “4: 6, 6: 8”"), "text", table),
    ]


def _by_deal_parts(name: str, kind: ByDeal, value: Any) -> list[Part]:
    entries = value["by_deal"] if isinstance(value, dict) and "by_deal" in value else []
    parts = parts_of(name.removeprefix(PREFIX), kind.plain, entries[0] if entries else value)
    label = gettext("A value for each deal (optional): “%(example)s”") % {"example": DEAL_EXAMPLES[type(kind.plain)]}
    text = ", ".join(_entry_text(kind.plain, entry, name.removeprefix(PREFIX)) for entry in entries)
    return [*parts, Part(f"{name}.deals", label, "text", text)]


DEAL_EXAMPLES: dict[type, str] = {
    Whole: "2, 3, 3",
    WordOrWhole: "3, 5, all",
    Word: "right, none",
    Contract: "0/0/0, 1/1/0",
    StackSizes: "11+11, 13+11",
}
"""Values of some deals one after another, by the kind of the option."""


def _entry_text(kind: Any, entry: Any, option: str) -> str:
    """A value of one deal among others, as people write it."""
    if isinstance(kind, Contract):
        return "/".join(str(count) for count in entry.values())
    return "+".join(map(str, entry)) if isinstance(kind, StackSizes) else str(entry)


def _stack_parts(name: str, kind: StackSizes, value: list[int]) -> list[Part]:
    sizes = {"hand": value[0], "knee": value[1] if len(value) == 3 else None, "foot": value[-1]}
    return [_number(f"{name}.{key}", gettext(NAMED[StackSizes][key]), size, 1, 40) for key, size in sizes.items()]


def _growth_parts(name: str, kind: BooksGrow, value: dict[str, str]) -> list[Part]:
    labels = NAMED[BooksGrow]
    return [_select(f"{name}.{key}", gettext(labels[key]), value[key], words) for key, words in GROWTH.items()]


def _special_parts(name: str, kind: SpecialBooks, value: dict[str, dict[str, Any]]) -> list[Part]:
    entries = []
    for rank, special in value.items():
        needed = f"/{special['needed']}" if special["needed"] or special["mixed"] else ""
        entries.append(f"{rank}: {special['points']}{needed}{'/mixed' * special['mixed']}")
    return [Part(name, gettext("Rank: points/needed: “7: 1500/1, 5: 3000/0/mixed”"), "text", ", ".join(entries))]


def _lift_parts(name: str, kind: LiftPoints, value: dict[str, Any] | None) -> list[Part]:
    choices = tuple((word, word_of(word, "lift")) for word in ("none", "each", "dealer"))
    steps = ", ".join(f"{distance}: {points}" for distance, points in (value or {}).get("within", []))
    return [
        Part(f"{name}.by", gettext("Lifted by"), "select", value["by"] if value else "none", choices),
        Part(f"{name}.within", gettext("Distance: points: “0: 100, 2: 50”"), "text", steps),
    ]


def _sets_parts(name: str, kind: RedThreeSets, value: dict[str, int] | None) -> list[Part]:
    bounds = {"size": (2, 60), "points": (-POINTS_LIMIT, POINTS_LIMIT)}
    return [
        _number(f"{name}.{key}", gettext(label), (value or {}).get(key), *bounds[key])
        for key, label in NAMED[RedThreeSets].items()
    ]


def _count_parts(name: str, kind: YesNoCount, value: bool | int) -> list[Part]:
    return [_number(name, "", int(value), 0, kind.high)]


def _yes_no_or_parts(name: str, kind: YesNoOr, value: bool | str) -> list[Part]:
    return [_select(name, "", kind.read(value, None), ("no", "yes", kind.word))]


def _limit_parts(name: str, kind: Limits, value: list[int]) -> list[Part]:
    return [
        _number(f"{name}.{size}", gettext("in %(size)s cards") % {"size": size}, limit, 0, 7)
        for size, limit in enumerate(value, start=3)
    ]


def _opening_parts(name: str, kind: OpeningSteps, value: Any) -> list[Part]:
    how = value if isinstance(value, str) else next(iter(value))
    steps = [] if isinstance(value, str) else value[how]
    text = ", ".join(
        str(step) if how == "by_deal" else f"{'below' if step[0] is None else step[0]}: {step[1]}" for step in steps
    )
    return [
        _select(f"{name}.how", gettext("Depends on"), how, ("none", "by_deal", "by_score")),
        Part(
            f"{name}.steps", gettext("Points: “50, 90, clean_book” by deal, “below: 15, 0: 50” by score"), "text", text
        ),
    ]


def _named_parts(low: int, high: int) -> Callable[[str, Any, dict[str, int]], list[Part]]:
    def parts(name: str, kind: Any, value: dict[str, int]) -> list[Part]:
        names = NAMED[type(kind)]
        return [_number(f"{name}.{key}", gettext(label), value.get(key), low, high) for key, label in names.items()]

    return parts


def _rank_parts(name: str, kind: RankPoints, value: dict[str, int]) -> list[Part]:
    return [_number(f"{name}.{rank}", rank_name(rank), value[rank], 0, 10_000) for rank in RANKS]


def _points_or_null_parts(name: str, kind: PointsOrNull, value: int | None) -> list[Part]:
    return [_number(name, gettext("Points (optional)"), value, -POINTS_LIMIT, POINTS_LIMIT)]


def _length_parts(name: str, kind: MatchLength, value: dict[str, int]) -> list[Part]:
    ((by, number),) = value.items()
    return [
        _select(f"{name}.by", gettext("Ends"), by, ("deals", "target")),
        _number(f"{name}.number", gettext("Deals or points"), number, 1, POINTS_LIMIT),
    ]


def _penalty_parts(name: str, kind: PenaltyPoints, value: dict[str, int] | None) -> list[Part]:
    how = _select(f"{name}.how", gettext("Penalties"), "none" if value is None else "points", ("none", "points"))
    numbers = [
        _number(f"{name}.{key}", gettext(label), (value or {}).get(key, 0), -POINTS_LIMIT, 0)
        for key, label in NAMED[PenaltyPoints].items()
    ]
    return [how, *numbers]


_PARTS: dict[type, Callable[[str, Any, Any], list[Part]]] = {
    Whole: _whole_parts,
    YesNo: _yes_no_parts,
    YesNoCount: _count_parts,
    YesNoOr: _yes_no_or_parts,
    ByDeal: _by_deal_parts,
    StackSizes: _stack_parts,
    BooksGrow: _growth_parts,
    SpecialBooks: _special_parts,
    LiftPoints: _lift_parts,
    RedThreeSets: _sets_parts,
    Word: _word_parts,
    WordOrWhole: _word_or_whole_parts,
    WordSet: _set_parts,
    Shapes: _shape_parts,
    DeckCount: _deck_parts,
    Limits: _limit_parts,
    OpeningSteps: _opening_parts,
    Contract: _named_parts(0, 20),
    BookBonus: _named_parts(-POINTS_LIMIT, POINTS_LIMIT),
    RankPoints: _rank_parts,
    RedThreePoints: _named_parts(-POINTS_LIMIT, POINTS_LIMIT),
    PointsOrNull: _points_or_null_parts,
    MatchLength: _length_parts,
    PenaltyPoints: _penalty_parts,
}
