"""Consequences of corrected results: pairings to redraw, to keep, or to delete; and previews of them."""

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
from tournaments.expected_rounds import ExpectedRound
from tournaments.models import Act, Pairing, Place, Result, Round, Stage, Tournament
from tournaments.plan import DRAWN_BY_ROUND, Plan
from tournaments.round_names import match_words, round_name
from tournaments.services.history import declare, perform, try_out
from tournaments.services.matches import online_tables, scores
from tournaments.services.records import ActionRequest, Do, Record
from tournaments.services.stages import draw_lots, round_sync, stage_entries
from tournaments.stage_state import RoundState, StageState, TableState, has_begun, load
from web.errors import Refused
from web.text import ordinal

REDRAW = declare("redraw", needs="play", undo=Rows())


@dataclass(frozen=True)
class StalePairings:
    """Started tables of a round that would be drawn differently now."""

    round: RoundState
    tables: tuple[TableState, ...]
    expected: ExpectedRound | None
    """The round as it would be drawn now, or `None` if it cannot be drawn yet."""


def find_stale_pairings(state: StageState) -> StalePairings | None:
    """The first round with tables that a draw by the current results would not have, or `None`."""
    if state.plan.is_bracket:
        return _stale_in_bracket(state)
    if state.plan.format not in DRAWN_BY_ROUND:
        return None
    for have in state.rounds:
        number = have.row.number
        before = state.round(number - 1)
        if not have.has_begun or have.row.is_fixed:
            continue
        if before is not None and not before.is_complete:
            return StalePairings(have, tuple(table for table in have.tables if table.has_begun), None)
        if expected_rounds.digest(state, number) == have.row.drawn_from:
            continue
        try:
            expected = expected_rounds.next_round(state, number)
        except CannotPair:
            continue
        tables = {frozenset(table.entries) for table in expected.tables}
        wrong = [table for table in have.tables if table.has_begun and frozenset(table.entries) not in tables]
        if wrong:
            return StalePairings(have, tuple(wrong), expected)
    return None


def _stale_in_bracket(state: StageState) -> StalePairings | None:
    """The same for a bracket: the results of earlier matches say who should have played."""
    bracket = expected_rounds.bracket(state)
    resolved = expected_rounds.resolve(state, bracket)
    matches = {match.name: match for match in bracket.matches}
    for expected in expected_rounds.bracket_rounds(state):
        have = state.round(expected.number)
        begun = [table for table in have.tables if table.has_begun] if have else []
        in_bracket = [table for table in begun if table.row.name in matches]
        wrong = [table for table in in_bracket if _differs(table, matches[table.row.name], resolved)]
        if have and wrong:
            return StalePairings(have, tuple(wrong), expected)
    return None


def _differs(table: TableState, match: knockout.Match, resolved: Mapping[str, knockout.Resolved]) -> bool:
    """Whether a match of a bracket would now seat other entries."""
    for slot, at in zip(match.slots, table.entries, strict=True):
        if isinstance(slot, knockout.Winner) and resolved[slot.match].winner != at:
            return True
        if isinstance(slot, knockout.Loser) and resolved[slot.match].loser != at:
            return True
    return False


def redraw_stale(record: Record, changed: Stage) -> int:
    """Stop and redraw stale pairings of this stage and those after it. Returns the number of tables stopped.

    Part of an action, with its changes saved in it, so that undoing restores them.
    """
    fallen = 0
    before: Stage | None = None
    for stage in Stage.objects.filter(tournament=record.tournament).order_by("number"):
        stage.tournament = record.tournament
        if stage.number >= changed.number and stage.status != Stage.Status.WAITING:
            if before is not None and stage_entries.is_stale(stage, before):
                fallen += _take_down(record, stage)
                continue
            fallen += _redraw_stage(record, stage)
        before = stage
    return fallen


def keep_announced(record: Record, corrected: Round) -> None:
    """Keep the later rounds of a stage that people were called to, although a draw by the new results would differ.

    In a knockout the new winners play: there only matches that have started stay.
    """
    stage = corrected.stage
    if Plan.read(stage.plan_json).format not in ("swiss", "swiss_pods"):
        return
    open_rounds = Round.objects.filter(stage=stage, number__gt=corrected.number, status=Round.Status.OPEN)
    for round_ in open_rounds.filter(kept_at=None):
        record.change(round_, kept_at=record.now)


def _redraw_stage(record: Record, stage: Stage) -> int:
    """Redraw the stale pairings of one stage, round by round. Returns the number of tables stopped."""
    fallen = 0
    for _ in range(100):
        state = load(stage)
        if scores.apply_scores(state, record.now):
            state = load(stage)
        stale = find_stale_pairings(state)
        if stale is None:
            break
        fallen += len(stale.tables)
        record.keep_rounds(stage, stale.round.row.number)
        for table in stale.tables:
            _stop(table, record.now)
        Round.objects.filter(pk=stale.round.row.pk).update(kept_at=None)
        fresh = load(stage)
        round_ = fresh.round(stale.round.row.number)
        if stale.expected is not None:
            round_sync.follow(fresh, stale.expected, record.now)
        elif round_ is not None:
            round_sync.remove_round(round_, record.now)
    return fallen


def _take_down(record: Record, stage: Stage) -> int:
    """Reset a stage that other entries should play, with all its matches. Returns the number of tables stopped."""
    record.keep_rounds(stage, 1)
    begun = [table for round_ in load(stage).rounds for table in round_.tables if table.has_begun]
    for table in begun:
        _stop(table, record.now)
    stage_entries.reset_stage(stage, record.now)
    return len(begun)


def _stop(table: TableState, now: datetime) -> None:
    """Reset a table to the state before its start."""
    online_tables.stop_table(table.row, now, gettext("An earlier result was corrected, so the round was redrawn."))
    Result.objects.filter(pairing=table.row).update(status=Result.Status.REPLACED, confirms_at=None)
    Place.objects.filter(pairing=table.row).update(points=None, score=None, rank=None)
    Pairing.objects.filter(pk=table.row.pk).update(
        result=None, begun_at=None, done_at=None, table=None, opened_at=None, status=Pairing.Status.READY
    )


def redraw(stage_id: int, number: int, *, by: Any, **how: Unpack[ActionRequest]) -> Act:
    """Redraw a round by the current results, or by other lots where lots decide, dropping pairings by hand.

    Raises `Refused` if one of its matches has started, or nothing would change.
    """
    stage = Stage.objects.get(pk=stage_id)

    def do(record: Record) -> str:
        round_ = Round.objects.filter(stage_id=stage_id, number=number).first()
        state = load(Stage.objects.select_related("tournament").get(pk=stage_id))
        have = state.round(number)
        if round_ is None or have is None:
            raise Refused("no_round", gettext("Round not found."))
        if any(has_begun(table.row) for table in have.tables):
            raise Refused("has_begun", gettext("Matches in this round have started. Remove their results first."))
        is_by_lot = draw_lots.is_by_lot(state, number)
        if not is_by_lot and _is_as_drawn(state, have):
            raise Refused("same_draw", gettext("The draw would be the same. To change it, swap entries."))
        record.keep_rounds(stage, number)
        if is_by_lot:
            draw_lots.change_lots(record, state.plan.format)
            stage_entries.renumber(stage)
        # The lots of the first round are those of the rounds after it that were drawn with it.
        rounds = Round.objects.filter(stage=stage) if is_by_lot else Round.objects.filter(pk=round_.pk)
        # People who were called are called again, to the new tables.
        Pairing.objects.filter(round__in=rounds).update(is_fixed=False, opened_at=None)
        rounds.update(is_fixed=False, kept_at=None, drawn_from="")
        return gettext("%(round)s was redrawn.") % {"round": round_name(round_.name)}

    return perform(stage.tournament_id, do, REDRAW, by=by, strict=True, **how)


def _is_as_drawn(state: StageState, round_: RoundState) -> bool:
    """Whether a round is as it was drawn, and would be drawn like that again."""
    if round_.row.is_fixed or any(table.row.is_fixed for table in round_.tables):
        return False
    if state.plan.format not in DRAWN_BY_ROUND:
        return True  # its results move winners on, and nothing else
    return round_.row.drawn_from == expected_rounds.digest(state, round_.row.number)


# The preview


@dataclass(frozen=True)
class PreviewLine:
    """Line of a preview. `sign`: moves, kept, redrawn, falls."""

    sign: str
    sentence: str


@dataclass(frozen=True)
class Preview:
    """Preview of an action."""

    lines: tuple[PreviewLine, ...]
    has_choice: bool
    """Whether matches that are announced or started could be stopped and redrawn."""


Snapshot = dict[str, Any]


def preview(tournament_id: int, kind: Kind, by: User, keeping: Do, stopping: Do | None = None) -> Preview:
    """Preview of an action, and of the results lost if nothing is kept.

    `keeping` is the action; `stopping` the same action that redraws started matches. Nothing is changed.
    """
    before, after = try_out(tournament_id, keeping, kind, take_snapshot, by=by)
    has_choice = stopping is not None and bool(after["stale"])
    stopped = try_out(tournament_id, stopping, kind, take_snapshot, by=by)[1] if has_choice and stopping else None
    return compare_snapshots(before, after, stopped)


def compare_snapshots(before: Snapshot, after: Snapshot, stopped: Snapshot | None = None) -> Preview:
    """Differences between two snapshots; `stopped` is the snapshot if nothing already started is kept."""
    lines = list(_changes(before, after))
    stale = [name for name in after["stale"] if name not in before["stale"]]
    if stale:
        words = ngettext(
            "%(matches)s was already announced and stays as it is.",
            "%(matches)s were already announced and stay as they are.",
            len(stale),
        )
        lines.append(PreviewLine("kept", words % {"matches": _names(stale)}))
    falls = sorted(
        name for name in before["scores"] if before["scores"][name] and not (stopped or after)["scores"].get(name)
    )
    if stopped is None:
        words = gettext("The results of %(matches)s will be deleted.") if falls else gettext("No result is lost.")
        lines.append(PreviewLine("falls", words % {"matches": _names(falls)} if falls else words))
    elif falls:
        words = gettext("If they are redrawn, the results of %(matches)s will be deleted.")
        lines.append(PreviewLine("falls", words % {"matches": _names(falls)}))
    return Preview(tuple(lines), bool(after["stale"]))


def take_snapshot(tournament: Tournament) -> Snapshot:
    """Snapshot for previews: standings, draws, results and stale tables."""
    ranks: dict[str, dict[str, int]] = {}
    draws: dict[str, tuple[str, ...]] = {}
    results: dict[str, tuple[Any, ...]] = {}
    stale_tables: list[str] = []
    for stage in Stage.objects.filter(tournament=tournament).exclude(status=Stage.Status.WAITING):
        stage.tournament = tournament
        state = load(stage)
        name_of = {at: entrant.entry.name for at, entrant in state.entries.items()}
        ranks[stage.name] = {name_of[ranked.entry]: ranked.rank for ranked in stage_standings.ranking(state)}
        for round_ in state.rounds:
            for table in round_.tables:
                name = _table_name(state, round_, table)
                draws[name] = tuple(sorted(name_of[at] for at in table.known))
                results[name] = tuple(place.score for place in table.places) if table.row.result_id else ()
        stale = find_stale_pairings(state)
        if stale:
            stale_tables += [_table_name(state, stale.round, table) for table in stale.tables]
    return {"ranks": ranks, "draws": draws, "scores": results, "stale": stale_tables}


def _table_name(state: StageState, round_: RoundState, table: TableState) -> str:
    """Name of a table in a preview: `Swiss, Round 2, table 3`, or in a bracket `Cup, semi-final 1`."""
    if state.plan.is_bracket:
        return f"{state.stage.name}, {match_words(round_.row.name, table.row.name, table.row.number)}"
    words = gettext("%(stage)s, %(round)s, table %(number)s")
    return words % {"stage": state.stage.name, "round": round_name(round_.row.name), "number": table.row.number}


def _changes(before: Snapshot, after: Snapshot) -> list[PreviewLine]:
    lines = []
    for stage, ranks in after["ranks"].items():
        was = before["ranks"].get(stage, {})
        moved = [(name, was[name], rank) for name, rank in ranks.items() if name in was and was[name] != rank]
        if moved:
            words = gettext("Standings of %(stage)s: %(moves)s.")
            lines.append(PreviewLine("moves", words % {"stage": stage, "moves": _moves(moved)}))
    redrawn = [name for name, names in after["draws"].items() if before["draws"].get(name) not in (None, names)]
    gone = [name for name in before["draws"] if name not in after["draws"]]
    fresh = [name for name in after["draws"] if name not in before["draws"]]
    if redrawn:
        words = ngettext(
            "%(matches)s will be redrawn. It has not started.",
            "%(matches)s will be redrawn. None have started.",
            len(redrawn),
        )
        lines.append(PreviewLine("redrawn", words % {"matches": _names(redrawn)}))
    if gone:
        words = ngettext(
            "%(matches)s will be removed. It has not started.",
            "%(matches)s will be removed. None have started.",
            len(gone),
        )
        lines.append(PreviewLine("redrawn", words % {"matches": _names(gone)}))
    if fresh:
        words = ngettext("%(matches)s is drawn.", "%(matches)s are drawn.", len(fresh))
        lines.append(PreviewLine("redrawn", words % {"matches": _names(fresh)}))
    return lines


def _moves(moved: Sequence[tuple[str, int, int]]) -> str:
    words = gettext("%(entry)s %(was)s to %(becomes)s")
    moves = [words % {"entry": name, "was": ordinal(was), "becomes": ordinal(rank)} for name, was, rank in moved[:4]]
    more = len(moved) - len(moves)
    if not more:
        return ", ".join(moves)
    return gettext("%(moves)s, and %(count)s more move") % {"moves": ", ".join(moves), "count": more}


def _names(names: Sequence[str]) -> str:
    first_names = "; ".join(names[:5])
    if len(names) <= 5:
        return first_names
    return gettext("%(matches)s and %(count)s more") % {"matches": first_names, "count": len(names) - 5}
