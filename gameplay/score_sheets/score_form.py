"""The form of a score sheet: text as it was typed, read as a deal or as totals."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext, gettext_noop

from engine.play.paper import KINDS_OF_BOOK
from gameplay.score_sheets import deal_names, paper_scoring
from gameplay.score_sheets.paper_scoring import Deal, Row, Terms
from web.errors import Refused
from web.text import number as figure

BY_BOOKS, BY_DEALS, BY_END = "books", "deals", "final"
WAYS = {
    BY_BOOKS: gettext_noop("Count books"),
    BY_DEALS: gettext_noop("Deal totals"),
    BY_END: gettext_noop("Final score"),
}
"""Ways to fill a sheet in."""
TOTALS = ("points", "final")
"""Rows for sides with points only."""
MOST = 999
"""No side has more of anything that is counted."""
MOST_POINTS = 9_999_999
"""No figure in points is larger."""
_NUMBER = re.compile(r"[-−]?\d{1,7}")
_THOUSANDS = re.compile(r"(?<=\d)\.(?=\d{3}(?:\D|$))")
"""The mark between thousands of those who write `1.250`."""


@dataclass
class Typed:
    """A form as it was sent, or as it is to be filled in."""

    way: str
    texts: dict[str, str] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)
    """Sentences by the name of the field."""
    deal: Deal = field(default_factory=dict)
    """The deal; unreadable figures count nothing."""
    points: tuple[int, ...] = ()
    """Points by side, if only totals are entered."""


def field_name(side: int, row: str) -> str:
    """The name of a field of the form."""
    return f"s{side}-{row}"


def rank_name(side: int, row: str, letter: str) -> str:
    """The name of the field that counts a row's cards of one rank."""
    return f"s{side}-{row}-{letter}"


def ways(terms: Terms) -> dict[str, str]:
    """The ways that there are for a match. Where each board counts by itself, the final score alone says too little."""
    has_way = {BY_BOOKS: terms.shape is not None, BY_DEALS: True, BY_END: not terms.is_by_board}
    titles = {way: gettext(words) for way, words in WAYS.items()}
    titles[BY_DEALS] = deal_names.words(terms.boards, WAYS[BY_DEALS])
    return {way: title for way, title in titles.items() if has_way[way]}


def fields(terms: Terms, way: str) -> list[Row]:
    """The rows that a side fills in."""
    if way == BY_BOOKS:
        return paper_scoring.rows(terms)
    if way == BY_END:
        return [Row("final", gettext("Points of the match"), gettext("can be below zero"), "points")]
    return [Row("points", deal_names.words(terms.boards, "Points of the deal"), gettext("can be below zero"), "points")]


def from_deal(terms: Terms, way: str, deal: Deal | None) -> Typed:
    """A form filled with a deal."""
    typed = Typed(way)
    for side in range(len(terms.names)):
        for row in fields(terms, way):
            text = "" if row.kind == "points" else "0"
            if deal is not None and way == BY_DEALS and "points" in deal:
                text = str(deal["points"][side])
            elif deal is not None and way == BY_BOOKS and "teams" in deal:
                text = str(paper_scoring.value(terms, deal, side, row.name))
                for letter, count in paper_scoring.by_rank(deal, side, row.name).items():
                    typed.texts[rank_name(side, row.name, letter)] = str(count)
            typed.texts[field_name(side, row.name)] = text
    _work_out(typed, terms)
    return typed


def read(terms: Terms, way: str, data: Mapping[str, Any]) -> Typed:
    """The form of a request, with one press of plus or minus done."""
    typed = Typed(way)
    for name in _names(terms, way):
        if name in data or name.count("-") == 1:
            typed.texts[name] = str(data.get(name, "")).strip()[:20]
    name, _, change = str(data.get("step", "")).partition(":")
    if name in _names(terms, way) and change in ("1", "-1"):
        _press(typed, terms, name, int(change))
    _work_out(typed, terms)
    return typed


def _names(terms: Terms, way: str) -> list[str]:
    sides, letters = range(len(terms.names)), [rank.letter for rank in paper_scoring.ranks(terms)]
    names = []
    for side in sides:
        for row in fields(terms, way):
            names.append(field_name(side, row.name))
            names += [rank_name(side, row.name, letter) for letter in letters if row.is_cards]
    return names


def _press(typed: Typed, terms: Terms, name: str, change: int) -> None:
    """Press plus or minus at a field; the points of cards counted by rank follow."""
    typed.texts[name] = str(max(0, min(MOST, (_number(typed.texts.get(name, "")) or 0) + change)))
    total = name.rpartition("-")[0]
    if "-" in total:
        counts = {
            rank.letter: _number(typed.texts.get(f"{total}-{rank.letter}", "")) or 0
            for rank in paper_scoring.ranks(terms)
        }
        typed.texts[total] = str(paper_scoring.worth(terms, counts))


def _work_out(typed: Typed, terms: Terms) -> None:
    teams: list[dict[str, Any]] = [{} for _ in terms.names]
    points = []
    for side, name in enumerate(terms.names):
        for row in fields(terms, typed.way):
            key = field_name(side, row.name)
            figure = _read_figure(typed, key, row, name)
            if row.name in TOTALS:
                points.append(figure)
            else:
                counts = _read_ranks(typed, terms, side, row, figure) if row.is_cards else {}
                paper_scoring.with_value(teams[side], row.name, counts or figure)
    typed.points = tuple(points)
    typed.deal = {"points": points} if points else {"teams": teams}


def _read_figure(typed: Typed, key: str, row: Row, side: str) -> int:
    text = typed.texts[key]
    if not text and row.name not in TOTALS:
        return 0
    number = _number(text)
    if not text:
        typed.wrong[key] = gettext("Enter the points of %(side)s.") % {"side": side}
    elif number is None:
        typed.wrong[key] = gettext("“%(text)s” is not a whole number.") % {"text": text}
    elif row.name not in TOTALS and number < 0:
        typed.wrong[key] = gettext("Enter it without a minus sign.")
    elif row.kind != "points" and number > MOST:
        typed.wrong[key] = gettext("The limit is %(most)s.") % {"most": MOST}
    else:
        return number
    return 0


def _read_ranks(typed: Typed, terms: Terms, side: int, row: Row, total: int) -> dict[str, int]:
    """The cards of a row by rank, empty if none are counted; the row's points must match, or be left empty."""
    counts = {}
    for rank in paper_scoring.ranks(terms):
        key = rank_name(side, row.name, rank.letter)
        number = _number(typed.texts.get(key) or "0")
        if number is None or not 0 <= number <= MOST:
            typed.wrong[key] = gettext("“%(text)s” is not a number of cards.") % {"text": typed.texts[key]}
        elif number:
            counts[rank.letter] = number
    worth, key = paper_scoring.worth(terms, counts), field_name(side, row.name)
    if counts and not typed.texts[key]:
        typed.texts[key] = str(worth)
    elif counts and total != worth and key not in typed.wrong:
        words = gettext(
            "The ranks add up to %(worth)s, but %(total)s is entered here. Clear this figure, or set the ranks to 0."
        )
        typed.wrong[key] = words % {"worth": figure(worth), "total": figure(total)}
    return counts


def _number(text: str) -> int | None:
    plain = _THOUSANDS.sub("", re.sub(r"[\s,']", "", text)).replace("−", "-")
    return int(plain) if _NUMBER.fullmatch(plain) else None


def from_phone(terms: Terms, data: Any) -> Deal:
    """A deal of a page's script, with every figure checked. Raises `Refused` for anything else."""
    try:
        return _from_phone(terms, data)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise Refused("bad_sheet", gettext("We cannot read the score sheet that was sent.")) from None


def _from_phone(terms: Terms, data: Any) -> Deal:
    sides = range(len(terms.names))
    if "points" in data:
        points = [_within(figure, -MOST_POINTS, MOST_POINTS) for figure in data["points"]]
        if len(points) != len(sides):
            raise ValueError
        return {"points": points}
    if len(data["teams"]) != len(sides):
        raise ValueError
    return {"teams": [_team(terms, data["teams"][side]) for side in sides]}


def _team(terms: Terms, data: Any) -> dict[str, Any]:
    team: dict[str, Any] = {}
    letters = {rank.letter for rank in paper_scoring.ranks(terms)}
    for row in paper_scoring.rows(terms):
        sent = data.get("books", {}).get(row.name, 0) if row.name in KINDS_OF_BOOK else data.get(row.name, 0)
        if row.kind == "out":
            paper_scoring.with_value(team, row.name, int(sent is True))
        elif row.is_cards and isinstance(sent, dict):
            counts = {letter: _within(count, 0, MOST) for letter, count in sent.items() if letter in letters and count}
            paper_scoring.with_value(team, row.name, counts or 0)
        else:
            low, high = (
                (-MOST_POINTS, 0) if row.name == "penalties" else (0, MOST if row.kind == "step" else MOST_POINTS)
            )
            paper_scoring.with_value(team, row.name, abs(_within(sent, low, high)))
    return team


def _within(value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError
    return value
