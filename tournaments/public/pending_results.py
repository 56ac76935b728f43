"""Entered results that wait for an answer: the answer of each side, and differences between sheets."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from gameplay.score_sheets import deal_names, paper_scoring
from tournaments.models import Entry, Result
from tournaments.score_sheets.services import Match
from web.text import number

Status = Result.Status


@dataclass(frozen=True)
class SideAnswer:
    """The answer of another side."""

    name: str
    agrees: bool
    words: str


@dataclass(frozen=True)
class Report:
    """A result that is not final yet, as a player of the match sees it."""

    result: Result
    by: str
    """The side that entered it."""
    is_own: bool
    """Whether the reader's side entered it."""
    may_answer: bool
    """Whether the reader's answer is still missing."""
    answers: tuple[SideAnswer, ...]
    silent: tuple[str, ...]
    """The sides whose answer is still missing."""
    scores: tuple[tuple[str, str], ...]
    """Side and card points."""
    deals: tuple[tuple[int, tuple[str, ...]], ...]
    """The number and the points by side of each deal; empty if only the totals were entered."""
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class FigureRow:
    """A figure in two or more sheets."""

    label: str
    values: tuple[str, ...]
    differs: bool


def reports(match: Match, entry: Entry | None) -> list[Report]:
    """The results of a match that are reported or disputed, the oldest first: two queries."""
    rows = _undecided(match)
    spoke = {_side(match, result.by_entry_id) for result in rows if result.by_entry_id is not None}
    return [_report(match, result, entry, spoke) for result in rows]


def entries_to_answer(match: Match) -> set[int]:
    """The entries (ids) that can confirm or dispute a result of another side: two queries."""
    rows = _undecided(match)
    sides = enumerate(match.sides)
    return {entry for side, entries in sides if any(_may_answer(match, row, side) for row in rows) for entry in entries}


def _undecided(match: Match) -> list[Result]:
    undecided = (Status.REPORTED, Status.DISPUTED)
    results = Result.objects.filter(pairing=match.pairing, status__in=undecided).select_related("by_entry")
    return list(results.prefetch_related("answers").order_by("pk"))


def _may_answer(match: Match, result: Result, side: int) -> bool:
    """Whether a side did not enter a result, and does not agree to it yet."""
    if result.by_entry_id is not None and side == _side(match, result.by_entry_id):
        return False
    return not any(each.agrees and _side(match, each.entry_id) == side for each in result.answers.all())


def _report(match: Match, result: Result, entry: Entry | None, spoke: set[int | None]) -> Report:
    """A pending result; `spoke` are the sides that entered a result of their own, which is also an answer."""
    own_side = None if entry is None else match.side_of(entry.pk)
    side_by = None if result.by_entry_id is None else _side(match, result.by_entry_id)
    answers = {side: answer for answer in result.answers.all() if (side := _side(match, answer.entry_id)) is not None}
    names = match.terms.names
    side_answers = tuple(SideAnswer(names[side], each.agrees, each.words) for side, each in sorted(answers.items()))
    other_sides = [side for side in range(len(names)) if side != side_by]
    is_own = own_side is not None and own_side == side_by
    scores = {line["entry"]: line.get("score") for line in result.lines}
    sheet = result.sheet or {}
    return Report(
        result=result,
        by=names[side_by] if side_by is not None else gettext("an organiser"),
        is_own=is_own,
        may_answer=own_side is not None and _may_answer(match, result, own_side),
        answers=side_answers,
        silent=tuple(names[side] for side in other_sides if side not in answers and side not in spoke),
        scores=tuple((names[side], _points(scores.get(match.sides[side][0]))) for side in range(len(names))),
        deals=tuple(
            (deal_names.label(match.terms.boards, at), tuple(map(_points, deal["points"])))
            for at, deal in enumerate(sheet.get("deals", ()), 1)
        ),
        remarks=tuple(
            sentence
            for at, deal in enumerate(sheet.get("deals", ()), 1)
            if "teams" in deal
            for sentence in paper_scoring.count(match.terms, deal, at).remarks
        ),
    )


def _side(match: Match, entry_id: int) -> int | None:
    return next((at for at, entries in enumerate(match.sides) if entry_id in entries), None)


def _points(value: int | None) -> str:
    return "–" if value is None else number(value)


def compare(match: Match, reports: Sequence[Report]) -> list[FigureRow]:
    """The figures of several sheets line by line: totals, then each deal, and the differing rows of a deal that
    differs. Empty for a single sheet."""
    if len(reports) < 2:
        return []
    names = match.terms.names
    lines = [
        _line(gettext("Total, %(name)s") % {"name": name}, [report.scores[side][1] for report in reports])
        for side, name in enumerate(names)
    ]
    sheets: list[list[dict[str, Any]]] = [list((report.result.sheet or {}).get("deals", ())) for report in reports]
    labels = {row.name: row.label for row in paper_scoring.rows(match.terms)}
    for at in range(max(len(sheet) for sheet in sheets)):
        deals = [sheet[at] if at < len(sheet) else None for sheet in sheets]
        for side, name in enumerate(names):
            label = deal_names.words(match.terms.boards, "Deal %(number)s, %(name)s", at + 1, name=name)
            line = _line(label, [_points(deal["points"][side] if deal else None) for deal in deals])
            lines.append(line)
            if line.differs and all(deal and "teams" in deal for deal in deals):
                lines += _rows(labels, [deal["items"][side] for deal in deals if deal])
    return lines


def _rows(labels: dict[str, str], items: Sequence[dict[str, int]]) -> list[FigureRow]:
    lines = [_line(f"· {label}", [_points(deal.get(name, 0)) for deal in items]) for name, label in labels.items()]
    return [line for line in lines if line.differs]


def _line(label: str, values: Sequence[str]) -> FigureRow:
    return FigureRow(label, tuple(values), len(set(values)) > 1)
