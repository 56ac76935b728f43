"""What people type into the controls of an option, read back to JSON."""

import re
from collections.abc import Callable
from typing import Any

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
from gameplay.house_rules.option_controls import DEAL_EXAMPLES
from gameplay.house_rules.option_text import word_of


def read_option(kind: Kind, values: dict[str, list[str]]) -> Any:
    """The JSON of an option from what its controls hold, by the last word of their names. Raises `ValueError` with the
    second half of a sentence."""
    return _READERS[type(kind)]({key: texts[0] if texts else "" for key, texts in values.items()}, values, kind)


def _int(text: str, low: int, high: int) -> int:
    plain = text.strip().replace("−", "-").replace(",", "")
    plain = re.sub(r"(?<=\d)\.(?=\d{3}(?:\D|$))", "", plain)  # as in 1.250
    try:
        if len(plain) > 9:
            raise ValueError
        number = int(plain)
    except ValueError:
        raise ValueError(_not_whole(low, high)) from None
    if not low <= number <= high:
        raise ValueError(_not_whole(low, high))
    return number


def _not_whole(low: int, high: int) -> str:
    limits = {"low": f"{low:,}", "high": f"{high:,}"}
    return gettext("must be a whole number from %(low)s to %(high)s") % limits


def _points(text: str) -> int:
    return _int(text, -POINTS_LIMIT, POINTS_LIMIT)


def _read_word_or_whole(part: dict[str, str], values: Any, kind: WordOrWhole) -> str | int:
    return _int(part["number"], kind.low, kind.high) if part["how"] == "number" else part["how"]


def _read_shapes(part: dict[str, str], values: Any, kind: Shapes) -> list[list[int]]:
    try:
        pairs = [part.lower().replace("×", "x").split("x") for part in part[""].split(",")]
        return [[int(seats), int(size)] for seats, size in pairs]
    except ValueError:
        raise ValueError(gettext("must be written like 4×2, 6×3 (seats × players in a team)")) from None


def _read_decks(part: dict[str, str], values: Any, kind: DeckCount) -> Any:
    if part["plus"] == "by_seats":
        pairs = _pairs(part["table"], "4: 6, 6: 8")
        return {"by_seats": {str(seats): _int(decks, 1, 30) for seats, decks in pairs}}
    return {"seats_plus": _int(part["number"], -10, 20)} if part["plus"] == "seats" else _int(part["number"], 1, 30)


def _read_opening(part: dict[str, str], values: Any, kind: OpeningSteps) -> Any:
    if part["how"] == "none":
        return "none"
    steps = [step.strip() for step in part["steps"].split(",") if step.strip()]
    try:
        if part["how"] == "by_deal":
            return {"by_deal": [step if step == "clean_book" else _points(step) for step in steps]}
        pairs = [step.split(":") for step in steps]
        return {"by_score": [[None if a.strip() == "below" else _points(a), _points(b)] for a, b in pairs]}
    except ValueError:
        example = "50, 90, 120, 150" if part["how"] == "by_deal" else "below: 15, 0: 50, 1500: 90"
        raise ValueError(gettext("must be written like %(example)s") % {"example": example}) from None


def _pairs(text: str, example: str) -> list[tuple[str, str]]:
    """Entries like `4: 6, 6: 8`. Raises `ValueError` with the second half of a sentence."""
    entries = [entry.partition(":") for entry in text.split(",") if entry.strip()]
    if any(not colon for _, colon, _ in entries):
        raise ValueError(gettext("must be written like %(example)s") % {"example": example})
    return [(key.strip(), value.strip()) for key, _, value in entries]


def _read_by_deal(part: dict[str, str], values: dict[str, list[str]], kind: ByDeal) -> Any:
    texts = [text.strip() for text in part.get("deals", "").split(",") if text.strip()]
    if not texts:
        plain = {key: value for key, value in values.items() if key != "deals"}
        return read_option(kind.plain, plain)
    try:
        return {"by_deal": [_read_entry(kind.plain, text) for text in texts]}
    except ValueError:
        example = {"example": DEAL_EXAMPLES[type(kind.plain)]}
        raise ValueError(gettext("must be written like %(example)s") % example) from None


def _read_entry(kind: Any, text: str) -> Any:
    if isinstance(kind, Contract):
        return dict(zip(GROWTH, [int(count) for count in text.split("/")], strict=True))
    if isinstance(kind, StackSizes):
        return [int(size) for size in text.split("+")]
    if isinstance(kind, Word):
        return next((word for word in kind.words if text in (word, word_of(word, "pass_stack"))), text)
    if isinstance(kind, WordOrWhole) and not text.lstrip("-").isdigit():
        return next((word for word in kind.words if text in (word, word_of(word, "pile_take"))), text)
    return _points(text)


def _read_stacks(part: dict[str, str], values: Any, kind: StackSizes) -> list[int]:
    return [_int(part[key], 1, 40) for key in ("hand", "knee", "foot") if key != "knee" or part[key]]


def _read_special(part: dict[str, str], values: Any, kind: SpecialBooks) -> dict[str, dict[str, Any]]:
    example = "7: 1500/1, 5: 3000/0/mixed"
    books: dict[str, dict[str, Any]] = {}
    for rank, text in _pairs(part[""], example):
        points, *more = text.split("/")
        if len(more) > 2 or (len(more) == 2 and more[1].strip() != "mixed"):
            raise ValueError(gettext("must be written like %(example)s") % {"example": example})
        needed = _int(more[0], 0, 20) if more else 0
        books[rank.upper()] = {"points": _points(points), "needed": needed, "mixed": len(more) == 2}
    return books


def _read_lift(part: dict[str, str], values: Any, kind: LiftPoints) -> dict[str, Any] | None:
    if part["by"] == "none":
        return None
    pairs = _pairs(part["within"], "0: 100, 2: 50")
    return {"by": part["by"], "within": [[_int(distance, 0, 1000), _points(points)] for distance, points in pairs]}


def _read_sets(part: dict[str, str], values: Any, kind: RedThreeSets) -> dict[str, int] | None:
    if not part["size"] and not part["points"]:
        return None
    return {"size": _int(part["size"], 2, 60), "points": _points(part["points"])}


def _read_counts(part: dict[str, str], values: Any, kind: Any) -> dict[str, int]:
    limit = 20 if isinstance(kind, Contract) else POINTS_LIMIT
    low = 0 if isinstance(kind, Contract) else -POINTS_LIMIT
    return {key: _int(text, low, limit) for key, text in part.items()}


def _read_penalties(part: dict[str, str], values: Any, kind: PenaltyPoints) -> dict[str, int] | None:
    if part["how"] == "none":
        return None
    return {key: _int(text, -POINTS_LIMIT, 0) for key, text in part.items() if key != "how"}


def _read_length(part: dict[str, str], values: Any, kind: MatchLength) -> dict[str, int]:
    is_deals = part["by"] == "deals"
    return {"deals" if is_deals else "target": _int(part["number"], 1, 100 if is_deals else POINTS_LIMIT)}


_READERS: dict[type, Callable[[dict[str, str], dict[str, list[str]], Any], Any]] = {
    Whole: lambda part, values, kind: _int(part[""], kind.low, kind.high),
    YesNo: lambda part, values, kind: part[""] == "yes",
    Word: lambda part, values, kind: part[""],
    WordOrWhole: _read_word_or_whole,
    WordSet: lambda part, values, kind: [word for word in kind.words if word in values[""]],
    Shapes: _read_shapes,
    DeckCount: _read_decks,
    Limits: lambda part, values, kind: [_int(part[str(size)], 0, 7) for size in range(3, 8)],
    OpeningSteps: _read_opening,
    Contract: _read_counts,
    BookBonus: _read_counts,
    YesNoCount: lambda part, values, kind: _int({"no": "0", "yes": "1"}.get(part[""], part[""]), 0, kind.high),
    YesNoOr: lambda part, values, kind: {"yes": True, "no": False}.get(part[""], part[""]),
    ByDeal: _read_by_deal,
    StackSizes: _read_stacks,
    BooksGrow: lambda part, values, kind: part,
    SpecialBooks: _read_special,
    LiftPoints: _read_lift,
    RedThreeSets: _read_sets,
    RankPoints: lambda part, values, kind: {rank: _int(part[rank], 0, 10_000) for rank in RANKS},
    RedThreePoints: _read_counts,
    PointsOrNull: lambda part, values, kind: _points(part[""]) if part[""] else None,
    MatchLength: _read_length,
    PenaltyPoints: _read_penalties,
}
