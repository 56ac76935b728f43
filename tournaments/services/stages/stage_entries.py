"""Entries, start and end of stages, worked out again by `tournaments.services.stages.progress`."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from operator import attrgetter

from django.db.models import F
from django.utils.translation import gettext

from engine.compete import fixtures
from engine.compete.records import CannotPair
from tournaments import cuts, expected_rounds, stage_standings
from tournaments.models import Entry, Round, Stage, StageEntry, Tournament
from tournaments.plan import Plan
from tournaments.services.stages import round_sync
from tournaments.stage_state import StageState, has_begun, load
from web.errors import Refused


def reset_started_stages(tournament: Tournament, now: datetime) -> bool:
    """Reset all stages of a tournament whose start was undone. Returns whether there were any.

    Raises `Refused` if something was already played.
    """
    begun = Stage.objects.filter(tournament=tournament).exclude(status=Stage.Status.WAITING)
    if tournament.status == Tournament.Status.CANCELLED:
        return False
    changed = False
    for stage in begun:
        changed |= reset_stage(stage, now)
    return changed


def fill_stage(stage: Stage, before: Stage | None, now: datetime) -> bool:
    """Start a stage when the one before it is over, and follow corrections. Returns whether anything changed.

    A stage in which a match has started keeps its entries.
    """
    if stage.status == Stage.Status.WAITING:
        if before is not None and before.status != Stage.Status.OVER:
            return False
        _begin(stage, _entries_by_hand(stage, before) or _entries_by_plan(stage, before), now)
        return True
    if before is None:
        return False
    state = load(stage)
    if not state.entries:  # that they were named was undone
        return _reset_stage(state, now)
    if _has_begun(state):
        return False
    if before.status != Stage.Status.OVER:
        return _reset_stage(state, now)
    if state.plan.by_hand:
        return False
    planned = _entries_by_plan(stage, before)
    key = attrgetter("entry_id", "group")
    if list(map(key, planned)) == list(map(key, state.entries.values())):
        return False
    _reset_stage(state, now)
    _begin(stage, planned, now)
    return True


def _begin(stage: Stage, entries: Sequence[StageEntry], now: datetime) -> None:
    """Start a stage with these entries, already saved or new."""
    StageEntry.objects.bulk_create([entrant for entrant in entries if entrant.pk is None])
    StageEntry.objects.bulk_update(
        [entrant for entrant in entries if entrant.pk is not None], ["group", "start_points", "last_round"]
    )
    stage.status, stage.started_at, stage.ended_at = Stage.Status.RUNNING, now, None
    stage.save(update_fields=["status", "started_at", "ended_at"])
    # A stage that cannot be drawn does not start.
    expected_rounds.first_rounds(load(stage))


def close_stage(state: StageState, now: datetime) -> bool:
    """Mark a stage as over, or reopen it. Returns whether that changed anything."""
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


# Entries of a stage


def draw_order(tournament: Tournament) -> list[Entry]:
    """The entries that take part, in seed order; those without a seed after them by number. One query."""
    entries = Entry.objects.filter(tournament=tournament, status=Entry.Status.ENTERED)
    return in_seed_order(entry for entry in entries if entry.is_in)


def in_seed_order(entries: Iterable[Entry]) -> list[Entry]:
    """Entries by seed; those without a seed after them by number."""
    return sorted(entries, key=lambda entry: (entry.seed is None, entry.seed or 0, entry.number))


def entrants(stage: Stage, entries: Iterable[Entry]) -> list[StageEntry]:
    """Entries in seed order as those of an event’s first stage, with their groups; not saved."""
    rows = [StageEntry(stage=stage, entry=entry, byes=entry.byes) for entry in entries]
    return _placed(Plan.read(stage.plan_json), rows)


def renumber(stage: Stage) -> None:
    """Place the entries of a stage of which nothing was played by their seeds, after these changed."""
    entrant_of = {entrant.entry: entrant for entrant in stage.entries.select_related("entry")}
    # No two may have the same position, not even in between.
    stage.entries.update(position=F("position") + len(entrant_of))
    placed = _placed(Plan.read(stage.plan_json), [entrant_of[entry] for entry in in_seed_order(entrant_of)])
    for entrant in placed:
        entrant.save(update_fields=["position", "group"])


def _entries_by_hand(stage: Stage, before: Stage | None) -> list[StageEntry]:
    """The entries chosen by an organiser, in seed order, with groups and starting points; none without a choice.

    Raises `CannotPair` if one of them has left since.
    """
    chosen = list(stage.entries.select_related("entry"))
    if not chosen:
        return []
    if gone := [str(entrant.entry) for entrant in chosen if entrant.entry.status != Entry.Status.ENTERED]:
        raise CannotPair(
            gettext("%(entries)s left after being chosen for %(stage)s. Choose the entries again.")
            % {"entries": ", ".join(gone), "stage": stage.name}
        )
    plan = Plan.read(stage.plan_json)
    carried = _carried(load(before)) if before is not None and plan.carries else {}
    for entrant in chosen:
        entrant.start_points, entrant.last_round = carried.get(entrant.entry_id, Fraction(0)), None
    return _grouped(plan, chosen)


def _entries_by_plan(stage: Stage, before: Stage | None) -> list[StageEntry]:
    """The entries that a stage takes by its plan, in seed order, with groups and starting points; not saved.

    Raises `CannotPair` if they are chosen by hand, or a tie at the cut must be played off.
    """
    plan = Plan.read(stage.plan_json)
    if before is None:
        return entrants(stage, draw_order(stage.tournament))
    if plan.by_hand:
        raise CannotPair(
            gettext("%(stage)s is waiting for an organiser to choose the entries that go through.")
            % {"stage": stage.name}
        )
    state = load(before)
    carried = _carried(state) if plan.carries else {}
    return _placed(
        plan,
        [
            StageEntry(stage=stage, entry=entry, start_points=carried.get(entry.pk, Fraction(0)))
            for entry in _through(plan, state)
        ],
    )


def _placed(plan: Plan, entries: list[StageEntry]) -> list[StageEntry]:
    """The same entries with their positions and groups."""
    for position, entrant in enumerate(entries, 1):
        entrant.position = position
    return _grouped(plan, entries)


def _grouped(plan: Plan, entries: list[StageEntry]) -> list[StageEntry]:
    """The same entries with the number of their group, 0 if the format has none."""
    groups = fixtures.groups(len(entries), plan.groups) if plan.format == "groups" else ()
    group_of = {at: number for number, each in enumerate(groups, 1) for at in each}
    for at, entrant in enumerate(entries, 1):
        entrant.group = group_of.get(at, 0)
    return entries


def _carried(before: StageState) -> dict[int, Fraction]:
    """Points carried over from a stage, by entry (id)."""
    points = stage_standings.points_of(stage_standings.table(before))
    return {before.entries[at].entry_id: value for at, value in points.items()}


def _through(plan: Plan, before: StageState) -> list[Entry]:
    """The entries that go through from the stage before, in seed order, without those that have left."""
    order = [before.entries[at].entry for at in cuts.through(plan, before)]
    return [entry for entry in order if entry.status == Entry.Status.ENTERED]


def _has_begun(state: StageState) -> bool:
    return any(round_.has_begun for round_ in state.rounds)


def is_stale(stage: Stage, before: Stage) -> bool:
    """Whether a started stage would now take other entries from the one before it."""
    plan = Plan.read(stage.plan_json)
    if plan.by_hand or not _has_begun(load(stage)):
        return False
    if before.status == Stage.Status.WAITING:
        return True
    try:
        entry_ids = [entry.pk for entry in _through(plan, load(before))]
    except CannotPair:
        return False
    return entry_ids != list(stage.entries.values_list("entry_id", flat=True))


def reset_stage(stage: Stage, now: datetime) -> bool:
    """Reset a stage to waiting. Raises `Refused` if one of its matches has started."""
    return _reset_stage(load(stage), now)


def _reset_stage(state: StageState, now: datetime) -> bool:
    stage = state.stage
    # People may sit at a venue’s tables, but an organiser who undoes the start knows.
    if any(has_begun(table.row) for round_ in state.rounds for table in round_.tables):
        raise Refused(
            "has_begun",
            gettext("Matches of %(stage)s have already started. Remove their results first.") % {"stage": stage.name},
        )
    for round_ in state.rounds:
        round_sync.remove_round(round_, now)
    if not state.plan.by_hand:
        stage.entries.all().delete()
    stage.status, stage.started_at, stage.ended_at = Stage.Status.WAITING, None, None
    stage.save(update_fields=["status", "started_at", "ended_at"])
    return True


def _is_over(state: StageState, now: datetime) -> bool:
    """Whether a stage has no match left to play."""
    plan, stage = state.plan, state.stage
    is_done = all(round_.row.status == Round.Status.CLOSED for round_ in state.rounds) and bool(state.rounds)
    if plan.format == "ladder":
        return stage.ended_at is not None
    if plan.format == "arena":
        since = stage.started_at or now
        return now >= since + timedelta(minutes=plan.minutes) and all(round_.is_complete for round_ in state.rounds)
    count = expected_rounds.round_count(state)
    return is_done and count is not None and len(state.rounds) >= count
