"""What depends on a result: what would be drawn anew, what has begun and is kept, and what falls if it is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Unpack

from django.utils.translation import gettext, ngettext

from accounts.models import User
from acts.kinds import Kind, Rows
from engine.compete.pairing import knockout
from engine.compete.records import CannotPair
from tournaments import expected_rounds, stage_standings
from tournaments.expected_rounds import WantedRound
from tournaments.models import Act, Pairing, Place, Result, Round, Stage, Tournament
from tournaments.plan import DRAWN_BY_ROUND
from tournaments.round_names import round_name
from tournaments.services.history import declare, perform, try_out
from tournaments.services.matches import online_tables, scores
from tournaments.services.records import Do, How, Record
from tournaments.services.stages import round_sync, stage_entries
from tournaments.stage_state import RoundState, StageState, TableState, load
from web.errors import Refused
from web.text import ordinal

REDRAW = declare("redraw", needs="play", undo=Rows())


@dataclass(frozen=True)
class OutOfLine:
    """Tables of a round that have begun though what they were drawn from has changed since."""

    round: RoundState
    tables: tuple[TableState, ...]
    wanted: WantedRound | None
    """How the round would be drawn today; `None` where it could not be yet."""


def out_of_line(state: StageState) -> OutOfLine | None:
    """The first round with tables that a draw by today's results would not have; `None` where all is in line."""
    if state.plan.is_bracket:
        return _out_of_bracket(state)
    if state.plan.format not in DRAWN_BY_ROUND:
        return None
    for have in state.rounds:
        number = have.row.number
        before = state.round(number - 1)
        if not have.has_begun or have.row.is_fixed:
            continue
        if before is not None and not before.is_complete:
            return OutOfLine(have, tuple(table for table in have.tables if table.has_begun), None)
        if expected_rounds.digest(state, number) == have.row.drawn_from:
            continue
        try:
            wanted = expected_rounds.next_round(state, number)
        except CannotPair:
            continue
        tables = {frozenset(table.entries) for table in wanted.tables}
        wrong = [one for one in have.tables if one.has_begun and frozenset(one.entries) not in tables]
        if wrong:
            return OutOfLine(have, tuple(wrong), wanted)
    return None


def _out_of_bracket(state: StageState) -> OutOfLine | None:
    """The same of a bracket: the result of a match says who played it, so its sources are asked who should have."""
    own = expected_rounds.bracket(state)
    resolved = expected_rounds.resolve(state, own)
    matches = {match.name: match for match in own.matches}
    for wanted in expected_rounds.bracket_rounds(state):
        have = state.round(wanted.number)
        begun = [table for table in have.tables if table.has_begun] if have else []
        wrong = [one for one in begun if one.row.name in matches and _differs(one, matches[one.row.name], resolved)]
        if have and wrong:
            return OutOfLine(have, tuple(wrong), wanted)
    return None


def _differs(table: TableState, match: knockout.Match, resolved: Mapping[str, knockout.Resolved]) -> bool:
    """Whether a match of a bracket would now seat others than who played it."""
    for slot, at in zip(match.slots, table.entries, strict=True):
        if isinstance(slot, knockout.Winner) and resolved[slot.match].winner != at:
            return True
        if isinstance(slot, knockout.Loser) and resolved[slot.match].loser != at:
            return True
    return False


def pair_again(record: Record, changed: Stage) -> int:
    """Stop what has begun out of line, in this stage and those after it, and draw it anew; how many tables fell.

    Part of an act; what it changes is kept in it, so that undoing brings it back.
    """
    fallen = 0
    before: Stage | None = None
    for stage in Stage.objects.filter(tournament=record.tournament).order_by("number"):
        stage.tournament = record.tournament
        if stage.number >= changed.number and stage.status != Stage.Status.WAITING:
            if before is not None and stage_entries.is_out_of_line(stage, before):
                fallen += _take_down(record, stage)
                continue
            fallen += _in_line(record, stage)
        before = stage
    return fallen


def _in_line(record: Record, stage: Stage) -> int:
    """Draw anew, round by round, what has begun out of line in one stage; how many tables fell."""
    fallen = 0
    for _ in range(100):
        state = load(stage)
        if scores.settle(state, record.now):
            state = load(stage)
        found = out_of_line(state)
        if found is None:
            break
        fallen += len(found.tables)
        record.keep_rounds(stage, found.round.row.number)
        for table in found.tables:
            _stop(table, record.now)
        fresh = load(stage)
        one = fresh.round(found.round.row.number)
        if found.wanted is not None:
            round_sync.follow(fresh, found.wanted, record.now)
        elif one is not None:
            round_sync.remove_round(one, record.now)
    return fallen


def _take_down(record: Record, stage: Stage) -> int:
    """Let a stage that others should play in wait again, with all that was played in it."""
    record.keep_rounds(stage, 1)
    begun = [table for one in load(stage).rounds for table in one.tables if table.has_begun]
    for table in begun:
        _stop(table, record.now)
    stage_entries.let_wait(stage, record.now)
    return len(begun)


def _stop(table: TableState, now: datetime) -> None:
    """Let a table be as if it had not begun."""
    online_tables.call_off(table.row, now, gettext("An earlier result was corrected, so the round was redrawn."))
    Result.objects.filter(pairing=table.row).update(status=Result.Status.REPLACED, confirms_at=None)
    Place.objects.filter(pairing=table.row).update(points=None, score=None, rank=None)
    Pairing.objects.filter(pk=table.row.pk).update(
        result=None, begun_at=None, done_at=None, table=None, opened_at=None, status=Pairing.Status.READY
    )


def redraw(stage_id: int, number: int, *, by: Any, **how: Unpack[How]) -> Act:
    """Draw a round anew by today's results: what was paired by hand is dropped, what has begun must not be there."""
    stage = Stage.objects.get(pk=stage_id)

    def do(record: Record) -> str:
        one = Round.objects.filter(stage_id=stage_id, number=number).first()
        state = load(Stage.objects.select_related("tournament").get(pk=stage_id))
        have = state.round(number)
        if one is None or have is None:
            raise Refused("no_round", gettext("Round not found."))
        if have.has_begun:
            raise Refused("has_begun", gettext("Matches in this round have started. Remove their results first."))
        record.keep_rounds(stage, number)
        for table in have.tables:
            Pairing.objects.filter(pk=table.row.pk).update(is_fixed=False)
        Round.objects.filter(pk=one.pk).update(is_fixed=False, drawn_from="")
        return gettext("%(round)s was redrawn.") % {"round": round_name(one.name)}

    return perform(stage.tournament_id, do, REDRAW, by=by, strict=True, **how)


# The preview


@dataclass(frozen=True)
class Line:
    """One line of a preview. `sign`: moves, kept, redrawn, falls."""

    sign: str
    sentence: str


@dataclass(frozen=True)
class Preview:
    """What an act would bring about."""

    lines: tuple[Line, ...]
    has_choice: bool
    """Whether something that has begun could be stopped and paired again."""


Snapshot = dict[str, Any]


def preview(tournament_id: int, kind: Kind, by: User, keeping: Do, stopping: Do | None = None) -> Preview:
    """What an act and all that follows from it would change, and what else would fall where nothing is kept.

    `keeping` is the act; `stopping` the same act with what has begun paired again. Nothing is changed.
    """
    before, after = try_out(tournament_id, keeping, kind, look, by=by)
    has_choice = stopping is not None and bool(after["out_of_line"])
    stopped = try_out(tournament_id, stopping, kind, look, by=by)[1] if has_choice and stopping else None
    return between(before, after, stopped)


def between(before: Snapshot, after: Snapshot, stopped: Snapshot | None = None) -> Preview:
    """What has changed from one snapshot to another; `stopped` is what would be where nothing that has begun is kept."""
    lines = list(_compare(before, after))
    kept = [name for name in after["out_of_line"] if name not in before["out_of_line"]]
    if kept:
        words = ngettext(
            "%(matches)s had already started and stays as it is.",
            "%(matches)s had already started and stay as they are.",
            len(kept),
        )
        lines.append(Line("kept", words % {"matches": _names(kept)}))
    falls = sorted(
        name for name in before["scores"] if before["scores"][name] and not (stopped or after)["scores"].get(name)
    )
    if stopped is None:
        words = gettext("The results of %(matches)s will be deleted.") if falls else gettext("No result is lost.")
        lines.append(Line("falls", words % {"matches": _names(falls)} if falls else words))
    elif falls:
        words = gettext("If matches already started are redrawn, the results of %(matches)s will be deleted.")
        lines.append(Line("falls", words % {"matches": _names(falls)}))
    return Preview(tuple(lines), bool(after["out_of_line"]))


def look(tournament: Tournament) -> Snapshot:
    """What a preview compares: standings, draws, results and what is out of line."""
    ranks: dict[str, dict[str, int]] = {}
    draws: dict[str, tuple[str, ...]] = {}
    results: dict[str, tuple[Any, ...]] = {}
    kept: list[str] = []
    for stage in Stage.objects.filter(tournament=tournament).exclude(status=Stage.Status.WAITING):
        stage.tournament = tournament
        state = load(stage)
        name_of = {at: one.entry.name for at, one in state.entries.items()}
        ranks[stage.name] = {name_of[one.entry]: one.rank for one in stage_standings.ranking(state)}
        for each in state.rounds:
            for one in each.tables:
                name = _called(state, each, one)
                draws[name] = tuple(sorted(name_of[at] for at in one.known))
                results[name] = tuple(place.score for place in one.places) if one.row.result_id else ()
        found = out_of_line(state)
        if found:
            kept += [_called(state, found.round, one) for one in found.tables]
    return {"ranks": ranks, "draws": draws, "scores": results, "out_of_line": kept}


def _called(state: StageState, one: RoundState, table: TableState) -> str:
    """What a preview calls a table: `Swiss, Round 2, table 3`, or in a bracket `Cup, WB2.1`."""
    if state.plan.is_bracket:
        return f"{state.stage.name}, {table.row.name}"
    words = gettext("%(stage)s, %(round)s, table %(number)s")
    return words % {"stage": state.stage.name, "round": round_name(one.row.name), "number": table.row.number}


def _compare(before: Snapshot, after: Snapshot) -> list[Line]:
    lines = []
    for stage, ranks in after["ranks"].items():
        was = before["ranks"].get(stage, {})
        moved = [(name, was[name], rank) for name, rank in ranks.items() if name in was and was[name] != rank]
        if moved:
            words = gettext("Standings of %(stage)s: %(moves)s.")
            lines.append(Line("moves", words % {"stage": stage, "moves": _moves(moved)}))
    redrawn = [name for name, who in after["draws"].items() if before["draws"].get(name) not in (None, who)]
    gone = [name for name in before["draws"] if name not in after["draws"]]
    fresh = [name for name in after["draws"] if name not in before["draws"]]
    if redrawn:
        words = ngettext(
            "%(matches)s will be redrawn. It has not started.",
            "%(matches)s will be redrawn. None have started.",
            len(redrawn),
        )
        lines.append(Line("redrawn", words % {"matches": _names(redrawn)}))
    if gone:
        words = ngettext(
            "%(matches)s will be removed. It has not started.",
            "%(matches)s will be removed. None have started.",
            len(gone),
        )
        lines.append(Line("redrawn", words % {"matches": _names(gone)}))
    if fresh:
        words = ngettext("%(matches)s is drawn.", "%(matches)s are drawn.", len(fresh))
        lines.append(Line("redrawn", words % {"matches": _names(fresh)}))
    return lines


def _moves(moved: Sequence[tuple[str, int, int]]) -> str:
    words = gettext("%(entry)s %(was)s to %(becomes)s")
    shown = [words % {"entry": name, "was": ordinal(was), "becomes": ordinal(rank)} for name, was, rank in moved[:4]]
    more = len(moved) - len(shown)
    if not more:
        return ", ".join(shown)
    return gettext("%(moves)s, and %(count)s more move") % {"moves": ", ".join(shown), "count": more}


def _names(names: Sequence[str]) -> str:
    shown = "; ".join(names[:5])
    if len(names) <= 5:
        return shown
    return gettext("%(matches)s and %(count)s more") % {"matches": shown, "count": len(names) - 5}
