"""Who is in a stage, and when it begins and is over, worked out again by `tournaments.services.stages.progress`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from typing import cast

from django.utils.translation import gettext

from engine.compete import cut, fixtures, groups
from engine.compete.records import CannotPair
from tournaments import expected_rounds, stage_standings
from tournaments.models import Entry, Round, Stage, StageEntry, Tournament
from tournaments.plan import Plan
from tournaments.services.stages import round_sync
from tournaments.stage_state import StageState, has_begun, load
from web.errors import Refused


def take_down(tournament: Tournament, now: datetime) -> bool:
    """Take back everything of a tournament that has not begun after all; whether there was anything.

    Raises `Refused` where something was played already.
    """
    begun = Stage.objects.filter(tournament=tournament).exclude(status=Stage.Status.WAITING)
    if tournament.status == Tournament.Status.CANCELLED:
        return False
    changed = False
    for stage in begun:
        changed |= let_wait(stage, now)
    return changed


def fill(stage: Stage, before: Stage | None, now: datetime) -> bool:
    """Let a stage begin when the one before it is over; follow that where it was corrected; whether anything changed.

    A stage in which something has begun keeps its entries.
    """
    if stage.status == Stage.Status.WAITING:
        if before is not None and before.status != Stage.Status.OVER:
            return False
        _begin(stage, _named(stage, before) or _taken(stage, before), now)
        return True
    if before is None:
        return False
    state = load(stage)
    if not state.entries:  # that they were named was undone
        return _let_wait(state, now)
    if _has_begun(state):
        return False
    if before.status != Stage.Status.OVER:
        return _let_wait(state, now)
    if state.plan.by_hand:
        return False
    wanted = _taken(stage, before)
    if [(one.entry_id, one.group) for one in wanted] == [(one.entry_id, one.group) for one in state.entries.values()]:
        return False
    _let_wait(state, now)
    _begin(stage, wanted, now)
    return True


def _begin(stage: Stage, entries: Sequence[StageEntry], now: datetime) -> None:
    """Let a stage begin with these, named before or new."""
    StageEntry.objects.bulk_create([one for one in entries if one.pk is None])
    StageEntry.objects.bulk_update(
        [one for one in entries if one.pk is not None], ["group", "start_points", "last_round"]
    )
    stage.status, stage.started_at, stage.ended_at = Stage.Status.RUNNING, now, None
    stage.save(update_fields=["status", "started_at", "ended_at"])
    # A stage that cannot be drawn does not begin.
    expected_rounds.first_rounds(load(stage))


def close(state: StageState, now: datetime) -> bool:
    """Mark a stage over, or open again; whether that changed anything."""
    stage = state.stage
    is_over = _is_over(state, now)
    if is_over == (stage.status == Stage.Status.OVER):
        return False
    stage.status = Stage.Status.OVER if is_over else Stage.Status.RUNNING
    fields = ["status"]
    if state.plan.format != "ladder":  # a ladder's end is decided, not worked out
        stage.ended_at = now if is_over else None
        fields.append("ended_at")
    stage.save(update_fields=fields)
    return True


# Who is in, and who goes on


def draw_order(tournament: Tournament) -> list[Entry]:
    """The entries that take part, in seed order; those without a seed after them by number. One query."""
    entries = Entry.objects.filter(tournament=tournament, status=Entry.Status.ENTERED)
    taking_part = [entry for entry in entries if entry.is_in]
    return sorted(taking_part, key=lambda one: (one.seed is None, one.seed or 0, one.number))


def _named(stage: Stage, before: Stage | None) -> list[StageEntry]:
    """The entries that an organiser has named for a stage, in seed order, with their groups and what they start with.

    None where nobody was named. Raises `CannotPair` where one of them has left since.
    """
    named = list(stage.entries.select_related("entry"))
    if not named:
        return []
    if gone := [str(one.entry) for one in named if one.entry.status != Entry.Status.ENTERED]:
        raise CannotPair(
            gettext("%(entries)s left after being chosen for %(stage)s. Choose the entries again.")
            % {"entries": ", ".join(gone), "stage": stage.name}
        )
    plan = Plan.read(stage.plan_json)
    carried = _carried(load(before)) if before is not None and plan.carries else {}
    for one in named:
        one.start_points, one.last_round = carried.get(one.entry_id, Fraction(0)), None
    return _grouped(plan, named)


def _taken(stage: Stage, before: Stage | None) -> list[StageEntry]:
    """The entries that a stage takes by its plan, in seed order, with their groups and what they start with; not saved.

    Raises `CannotPair` where they are to be named, or a tie at the cut is to be played off.
    """
    plan = Plan.read(stage.plan_json)
    if before is None:
        chosen = [StageEntry(stage=stage, entry=one, byes=one.byes) for one in draw_order(stage.tournament)]
    elif plan.by_hand:
        raise CannotPair(
            gettext("%(stage)s is waiting for an organiser to choose the entries that go through.")
            % {"stage": stage.name}
        )
    else:
        state = load(before)
        carried = _carried(state) if plan.carries else {}
        chosen = [
            StageEntry(stage=stage, entry=one, start_points=carried.get(one.pk, Fraction(0)))
            for one in _through(plan, state)
        ]
    for position, row in enumerate(chosen, 1):
        row.position = position
    return _grouped(plan, chosen)


def _grouped(plan: Plan, entries: list[StageEntry]) -> list[StageEntry]:
    """The same entries, in seed order, each with the number of its group; 0 where the format has none."""
    groups = fixtures.groups(len(entries), plan.groups) if plan.format == "groups" else ()
    group_of = {at: number for number, each in enumerate(groups, 1) for at in each}
    for at, one in enumerate(entries, 1):
        one.group = group_of.get(at, 0)
    return entries


def _carried(before: StageState) -> dict[int, Fraction]:
    """By entry (id), the points with which it goes on from a stage."""
    points = stage_standings.points_of(stage_standings.table(before))
    return {before.entries[at].entry_id: value for at, value in points.items()}


def _through(plan: Plan, before: StageState) -> list[Entry]:
    """Who goes on from the stage before, in seed order; without who has left."""
    order = [before.entries[at].entry for at in _order_through(plan, before)]
    return [entry for entry in order if entry.status == Entry.Status.ENTERED]


def _order_through(plan: Plan, before: StageState) -> Sequence[int]:
    if before.plan.format == "groups" and plan.take_each:
        return groups.cross_seed(stage_standings.group_rankings(before), plan.take_each, plan.take or None)
    ranked = [(at, rank) for at, rank in _ranked(before) if before.entries[at].last_round is None]
    if not plan.take or plan.take >= len(ranked):
        return [at for at, _ in ranked]
    found = cut.cut(ranked, plan.take, tie=cast(cut.Tie, before.plan.cut_tie))
    if found.undecided:
        names = ", ".join(before.entries[at].entry.name for at in found.undecided)
        raise CannotPair(
            gettext("Tied at the cut: %(names)s. Arrange a play-off, then choose the entries that go through.")
            % {"names": names}
        )
    return found.through


def _ranked(before: StageState) -> list[tuple[int, int | Fraction]]:
    """The entries of a stage in order, each with what decides a tie at the cut: rank, or points alone."""
    ranking = stage_standings.ranking(before)
    if before.plan.cut_tie == "tiebreaks" or before.plan.is_bracket or before.plan.format in ("ladder", "pod_knockout"):
        return [(one.entry, one.rank) for one in ranking]
    points = stage_standings.points_of(stage_standings.table(before))
    return [(one.entry, -points[one.entry]) for one in ranking]


def _has_begun(state: StageState) -> bool:
    return any(one.has_begun for one in state.rounds)


def is_out_of_line(stage: Stage, before: Stage) -> bool:
    """Whether a stage that has begun would take other entries from the one before it by today's results."""
    plan = Plan.read(stage.plan_json)
    if plan.by_hand or not _has_begun(load(stage)):
        return False
    if before.status == Stage.Status.WAITING:
        return True
    try:
        wanted = [entry.pk for entry in _through(plan, load(before))]
    except CannotPair:
        return False
    return wanted != list(stage.entries.values_list("entry_id", flat=True))


def let_wait(stage: Stage, now: datetime) -> bool:
    """Let a stage wait again. Raises `Refused` where something of it has begun."""
    return _let_wait(load(stage), now)


def _let_wait(state: StageState, now: datetime) -> bool:
    stage = state.stage
    # People may sit at a venue's tables; an organiser who takes the start back knows.
    if any(has_begun(table.row) for one in state.rounds for table in one.tables):
        raise Refused(
            "has_begun",
            gettext("Matches of %(stage)s have already started. Remove their results first.") % {"stage": stage.name},
        )
    for one in state.rounds:
        round_sync.remove_round(one, now)
    if not state.plan.by_hand:
        stage.entries.all().delete()
    stage.status, stage.started_at, stage.ended_at = Stage.Status.WAITING, None, None
    stage.save(update_fields=["status", "started_at", "ended_at"])
    return True


def _is_over(state: StageState, now: datetime) -> bool:
    """Whether a stage has no match left to play."""
    plan, stage = state.plan, state.stage
    is_done = all(one.row.status == Round.Status.CLOSED for one in state.rounds) and bool(state.rounds)
    if plan.format == "ladder":
        return stage.ended_at is not None
    if plan.format == "arena":
        since = stage.started_at or now
        return now >= since + timedelta(minutes=plan.minutes) and all(one.is_complete for one in state.rounds)
    count = expected_rounds.round_count(state)
    return is_done and count is not None and len(state.rounds) >= count
