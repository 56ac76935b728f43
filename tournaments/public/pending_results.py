"""Results that were entered and wait for a word: what each side says, and where two sheets differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from gameplay.score_sheets import paper_scoring
from tournaments.models import Entry, Result
from tournaments.score_sheets.services import Match
from web.text import number

Status = Result.Status


@dataclass(frozen=True)
class Said:
    """What another side answered."""

    name: str
    agrees: bool
    words: str


@dataclass(frozen=True)
class Report:
    """A result that is not decided yet, as somebody of the match sees it."""

    result: Result
    by: str
    """The side that entered it."""
    is_own: bool
    """Whether the reader's side entered it."""
    may_answer: bool
    """Whether the reader's word is still wanted."""
    said: tuple[Said, ...]
    silent: tuple[str, ...]
    """The sides whose word is still to come."""
    scores: tuple[tuple[str, str], ...]
    """Side and card points."""
    deals: tuple[tuple[int, tuple[str, ...]], ...]
    """Of each deal its number and the points by side; empty where only the end was entered."""
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class Line:
    """A figure in two or more sheets."""

    label: str
    values: tuple[str, ...]
    differs: bool


def reports(match: Match, entry: Entry | None) -> list[Report]:
    """The results of a match that are reported or disputed, the oldest first: two queries."""
    wanted = (Status.REPORTED, Status.DISPUTED)
    found = Result.objects.filter(pairing=match.pairing, status__in=wanted).select_related("by_entry")
    rows = list(found.prefetch_related("answers").order_by("pk"))
    spoke = {_side(match, one.by_entry_id) for one in rows if one.by_entry_id is not None}
    return [_report(match, one, entry, spoke) for one in rows]


def _report(match: Match, result: Result, entry: Entry | None, spoke: set[int | None]) -> Report:
    """One of them; `spoke` are the sides that entered a result of their own, which is an answer, too."""
    own = None if entry is None else match.side_of(entry.pk)
    side_by = None if result.by_entry_id is None else _side(match, result.by_entry_id)
    answers = {side: one for one in result.answers.all() if (side := _side(match, one.entry_id)) is not None}
    names = match.terms.names
    said = tuple(Said(names[side], one.agrees, one.words) for side, one in sorted(answers.items()))
    others = [side for side in range(len(names)) if side != side_by]
    is_own = own is not None and own == side_by
    scores = {line["entry"]: line.get("score") for line in result.lines}
    sheet = result.sheet or {}
    return Report(
        result=result,
        by=names[side_by] if side_by is not None else gettext("an organiser"),
        is_own=is_own,
        may_answer=own is not None and not is_own and (own not in answers or not answers[own].agrees),
        said=said,
        silent=tuple(names[side] for side in others if side not in answers and side not in spoke),
        scores=tuple((names[side], _points(scores.get(match.sides[side][0]))) for side in range(len(names))),
        deals=tuple(
            (at, tuple(_points(one) for one in deal["points"])) for at, deal in enumerate(sheet.get("deals", ()), 1)
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


def compared(match: Match, found: Sequence[Report]) -> list[Line]:
    """The figures of several sheets line by line: totals, then each deal; of a deal in which they differ, each row that
    does. Empty where there is only one."""
    if len(found) < 2:
        return []
    names = match.terms.names
    lines = [
        _line(gettext("Total, %(name)s") % {"name": name}, [report.scores[side][1] for report in found])
        for side, name in enumerate(names)
    ]
    sheets: list[list[dict[str, Any]]] = [list((one.result.sheet or {}).get("deals", ())) for one in found]
    labels = {row.name: row.label for row in paper_scoring.rows(match.terms)}
    for at in range(max(len(sheet) for sheet in sheets)):
        deals = [sheet[at] if at < len(sheet) else None for sheet in sheets]
        for side, name in enumerate(names):
            label = gettext("Deal %(number)s, %(name)s") % {"number": at + 1, "name": name}
            line = _line(label, [_points(deal["points"][side] if deal else None) for deal in deals])
            lines.append(line)
            if line.differs and all(deal and "teams" in deal for deal in deals):
                lines += _rows(labels, [deal["items"][side] for deal in deals if deal])
    return lines


def _rows(labels: dict[str, str], items: Sequence[dict[str, int]]) -> list[Line]:
    lines = [_line(f"· {label}", [_points(one.get(name, 0)) for one in items]) for name, label in labels.items()]
    return [line for line in lines if line.differs]


def _line(label: str, values: Sequence[str]) -> Line:
    return Line(label, tuple(values), len(set(values)) > 1)
