"""A whole event as JSON: what would be needed to set it up elsewhere, and where it stands. Its shape is told in
docs/event-files.md; keys are added, never renamed or dropped, while `version` stays."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from tournaments import stage_standings
from tournaments.exports import source
from tournaments.exports.source import Part
from tournaments.models import Adjustment, Entry, Place, Tournament
from tournaments.public import possible_ranks
from tournaments.stage_state import RoundState, TableState

FORMAT, VERSION = "foothold.event", 1

_FIELDS = (
    *("slug", "name", "about", "venue", "time_zone", "status", "setting", "entry_kind", "side_size", "entry_limit"),
    *("has_check_in", "is_rated", "confirm_hours", "no_show"),
)
_TIMES = ("entries_close_at", "check_in_from", "check_in_until", "starts_at", "started_at", "ended_at")


def write(event: Tournament, found: Sequence[Part], rows: Iterable[Entry]) -> bytes:
    """The event as a file in UTF-8."""
    return (json.dumps(whole(event, found, rows), ensure_ascii=False, indent=1) + "\n").encode()


def whole(event: Tournament, found: Sequence[Part], rows: Iterable[Entry]) -> dict[str, Any]:
    """The event as plain data: entries by their numbers, points as exact text (`1/2`), times in UTC."""
    told = {name: getattr(event, name) for name in _FIELDS}
    told |= {name: _time(getattr(event, name)) for name in _TIMES}
    told |= {
        "url": source.whole(event.get_absolute_url()),
        "rules": event.rules_json,
        # Until then it would tell beforehand how lots fall.
        "lots": event.lots if event.has_begun else None,
    }
    listed = list(rows)
    numbers = {one.pk: one.number for one in listed}
    return {
        "format": FORMAT,
        "version": VERSION,
        "event": told,
        "entries": [_entry(one) for one in listed],
        "stages": [_stage(one, numbers) for one in found],
    }


def _entry(one: Entry) -> dict[str, Any]:
    return {
        "number": one.number,
        "name": one.name,
        "status": one.status,
        "seed": one.seed,
        "strength": one.strength,
        "members": [
            {"name": each.name, "role": each.role, "is_captain": each.is_captain, "answer": each.answer}
            for each in one.members.all()
        ],
    }


def _stage(one: Part, numbers: Mapping[int, int]) -> dict[str, Any]:
    state = one.state
    return {
        "number": one.stage.number,
        "name": one.stage.name,
        "status": one.stage.status,
        "plan": state.plan.write(),
        "entries": [
            {
                "entry": numbers[row.entry_id],
                "position": at,
                "group": row.group,
                "first_round": row.first_round,
                "last_round": row.last_round,
                "start_points": str(Fraction(row.start_points)),
                "byes": row.byes,
            }
            for at, row in state.entries.items()
        ],
        "adjustments": [
            {"entry": numbers[row.entry_id], "points": str(Fraction(row.points))}
            for row in Adjustment.objects.filter(stage=one.stage)
        ],
        "rounds": [_round(each, one, numbers) for each in state.rounds],
        "standings": _standings(one, numbers),
    }


def _round(each: RoundState, one: Part, numbers: Mapping[int, int]) -> dict[str, Any]:
    return {
        "number": each.row.number,
        "name": each.row.name,
        "status": each.row.status,
        "starts_at": _time(each.row.starts_at),
        "deadline_at": _time(each.row.deadline_at),
        "tables": [_table(table, numbers) for table in each.tables],
        "sit_outs": [
            {"entry": numbers[row.entry_id], "kind": row.kind, "points": str(Fraction(row.points))}
            for row in each.sit_outs
        ],
    }


def _table(table: TableState, numbers: Mapping[int, int]) -> dict[str, Any]:
    row = table.row
    return {
        "name": row.name,
        "number": row.number,
        "group": row.group,
        "status": row.status,
        "is_online": row.is_online,
        "is_walkover": row.is_walkover,
        "boards": row.boards,
        "starts_at": _time(row.starts_at),
        "deadline_at": _time(row.deadline_at),
        "done_at": _time(row.done_at),
        "places": [_place(place, numbers) for place in table.places],
        "result": _result(table, numbers),
    }


def _place(place: Place, numbers: Mapping[int, int]) -> dict[str, Any]:
    return {
        "entry": numbers.get(place.entry_id or 0),
        "source": place.source,
        "side": place.side,
        "points": None if place.points is None else str(Fraction(place.points)),
        "score": place.score,
        "rank": place.rank,
    }


def _result(table: TableState, numbers: Mapping[int, int]) -> dict[str, Any] | None:
    """What counts of a match, without who entered it; of its sheet what each deal brought each side."""
    result = table.row.result
    if result is None:
        return None
    return {
        "kind": result.kind,
        "at": _time(result.at),
        "lines": [{**line, "entry": numbers.get(line.get("entry"))} for line in result.lines],
        "deals": [list(deal["points"]) for deal in (result.sheet or {}).get("deals", ()) if "points" in deal],
        "winner": numbers.get(result.winner_id or 0),
    }


def _standings(one: Part, numbers: Mapping[int, int]) -> list[dict[str, Any]]:
    """Rows in order: of a knockout with the places that are possible, else with points and tie-breaks."""
    state = one.state
    if not state.rounds:
        return []
    at_entry = {at: numbers[row.entry_id] for at, row in state.entries.items()}
    if state.plan.is_bracket or state.plan.format == "pod_knockout":
        spans = sorted(possible_ranks.of(state, ()).items(), key=lambda item: (item[1][::-1], item[0]))
        return [{"entry": at_entry[at], "best": best, "worst": worst} for at, (best, worst) in spans]
    if state.plan.format == "ladder":
        return [{"entry": at_entry[at], "rank": rank} for rank, at in enumerate(stage_standings.ladder_order(state), 1)]
    groups = range(1, state.plan.groups + 1) if state.plan.format == "groups" else (0,)
    return [
        {
            "entry": at_entry[row.entry],
            "group": group,
            "rank": row.rank,
            "is_removed": row.is_removed,
            "points": str(row.points),
            "tiebreaks": {name: None if value is None else str(value) for name, value in row.values.items()},
        }
        for group in groups
        for row in stage_standings.table(state, group=group)
    ]


def _time(at: datetime | None) -> str | None:
    return None if at is None else at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
