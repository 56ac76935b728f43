"""A whole event as JSON: everything needed to set it up elsewhere, and its current state. docs/event-files.md describes
its shape; keys are added, never renamed or dropped, while `version` stays."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from tournaments import outcome, stage_standings, ties
from tournaments.exports import source
from tournaments.exports.source import Part
from tournaments.models import Adjustment, Entry, Place, Tournament
from tournaments.public import possible_ranks
from tournaments.round_names import round_name
from tournaments.stage_state import RoundState, TableState

FORMAT, VERSION = "foothold.event", 1

_FIELDS = (
    *("slug", "name", "about", "venue", "time_zone", "status", "setting", "entry_kind", "side_size", "entry_limit"),
    *("has_check_in", "is_rated", "confirm_hours", "no_show"),
)
_TIMES = ("entries_close_at", "check_in_from", "check_in_until", "starts_at", "started_at", "ended_at")


def write(event: Tournament, parts: Sequence[Part], rows: Iterable[Entry]) -> bytes:
    """The event as a file in UTF-8."""
    return (json.dumps(event_data(event, parts, rows), ensure_ascii=False, indent=1) + "\n").encode()


def event_data(event: Tournament, parts: Sequence[Part], rows: Iterable[Entry]) -> dict[str, Any]:
    """The event as plain data: entries by their numbers, points as exact text (`1/2`), times in UTC."""
    fields = {name: getattr(event, name) for name in _FIELDS}
    fields |= {name: _time(getattr(event, name)) for name in _TIMES}
    fields |= {
        "url": source.full_url(event.get_absolute_url()),
        "rules": event.rules.write(),
        # Before the start it would reveal how lots fall.
        "lots": event.lots if event.has_begun else None,
        "lot_commitment": ties.lot_commitment(event),
    }
    entries = list(rows)
    numbers = {entry.pk: entry.number for entry in entries}
    is_over = bool(parts) and parts[-1].stage.status == parts[-1].stage.Status.OVER
    won = outcome.of_state(parts[-1].state) if is_over else outcome.Outcome()
    return {
        "format": FORMAT,
        "version": VERSION,
        "event": fields,
        "entries": [_entry(entry) for entry in entries],
        "stages": [_stage(part, numbers) for part in parts],
        "champions": [numbers[entry.pk] for entry in won.champions],
        "outcome": won.sentence,
    }


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "number": entry.number,
        "name": entry.name,
        "status": entry.status,
        "seed": entry.seed,
        "strength": entry.strength,
        "members": [
            {"name": each.name, "role": each.role, "is_captain": each.is_captain, "answer": each.answer}
            for each in entry.members.all()
        ],
    }


def _stage(part: Part, numbers: Mapping[int, int]) -> dict[str, Any]:
    state = part.state
    return {
        "number": part.stage.number,
        "name": part.stage.name,
        "status": part.stage.status,
        "plan": state.plan.write(),
        "entries": [
            {
                "entry": numbers[entry.entry_id],
                "position": at,
                "group": entry.group,
                "first_round": entry.first_round,
                "last_round": entry.last_round,
                "start_points": str(Fraction(entry.start_points)),
                "byes": entry.byes,
            }
            for at, entry in state.entries.items()
        ],
        "adjustments": [
            {"entry": numbers[adjustment.entry_id], "points": str(Fraction(adjustment.points))}
            for adjustment in Adjustment.objects.filter(stage=part.stage)
        ],
        "rounds": [_round(each, part, numbers) for each in state.rounds],
        "standings": _standings(part, numbers),
        "ties": part.stage.ties_json,
    }


def _round(each: RoundState, part: Part, numbers: Mapping[int, int]) -> dict[str, Any]:
    return {
        "number": each.row.number,
        "name": round_name(each.row.name),
        "status": each.row.status,
        "starts_at": _time(each.row.starts_at),
        "deadline_at": _time(each.row.deadline_at),
        "tables": [_table(table, numbers) for table in each.tables],
        "sit_outs": [
            {"entry": numbers[sit_out.entry_id], "kind": sit_out.kind, "points": str(Fraction(sit_out.points))}
            for sit_out in each.sit_outs
        ],
    }


def _table(table: TableState, numbers: Mapping[int, int]) -> dict[str, Any]:
    pairing = table.row
    return {
        "name": pairing.name,
        "number": pairing.number,
        "group": pairing.group,
        "status": pairing.status,
        "is_online": pairing.is_online,
        "is_walkover": pairing.is_walkover,
        "boards": pairing.boards,
        "starts_at": _time(pairing.starts_at),
        "deadline_at": _time(pairing.deadline_at),
        "done_at": _time(pairing.done_at),
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
    """The result of a match, without its author; of its sheet the points of each side in each deal."""
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


def _standings(part: Part, numbers: Mapping[int, int]) -> list[dict[str, Any]]:
    """Rows in order: of a knockout with the possible places, else with points and tie-breaks."""
    state = part.state
    if not state.rounds:
        return []
    at_entry = {at: numbers[entry.entry_id] for at, entry in state.entries.items()}
    if state.plan.is_bracket or state.plan.format == "pod_knockout":
        spans = sorted(possible_ranks.of(state, ()).items(), key=lambda item: (item[1][::-1], item[0]))
        by = {place.entry: place.by for place in stage_standings.ranking(state)}
        return [
            {"entry": at_entry[at], "best": best, "worst": worst, "by": by.get(at, "")} for at, (best, worst) in spans
        ]
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
            "by": row.by,
            "tiebreaks": {name: None if value is None else str(value) for name, value in row.values.items()},
        }
        for group in groups
        for row in stage_standings.table(state, group=group)
    ]


def _time(at: datetime | None) -> str | None:
    return None if at is None else at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
