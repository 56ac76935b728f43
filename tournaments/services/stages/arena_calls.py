"""Seating of waiting entries at the tables of an arena."""

from datetime import datetime, timedelta
from fractions import Fraction

from django.db.models import Max

from engine.compete import arena
from tournaments import stage_standings
from tournaments.models import Pairing, Place, Stage, StageEntry
from tournaments.plan import Plan
from tournaments.services.stages import round_sync
from tournaments.stage_state import RoundState, StageState


def seat(state: StageState, now: datetime) -> bool:
    """Seat the waiting entries of an arena, as far as tables can be filled. Returns whether anyone was seated."""
    if state.plan.format != "arena" or not state.rounds or is_past(state.stage, state.plan, now):
        return False
    round_ = state.rounds[0]
    waiting = _waiting(state, round_)
    playing = sum(len(table.known) for table in round_.tables if table.row.is_open)
    tables = arena.seat(waiting, state.plan.seats, lots=f"{state.lots}:{len(round_.tables)}", playing=playing)
    for entries in tables:
        _call(state, round_, entries)
        called = [state.entries[at].pk for at in entries]
        StageEntry.objects.filter(pk__in=called).update(waits_since=None)
    return bool(tables)


def is_past(stage: Stage, plan: Plan, now: datetime) -> bool:
    """Whether an arena’s time is up. Running matches are played to their end."""
    return stage.started_at is None or now >= stage.started_at + timedelta(minutes=plan.minutes)


def _waiting(state: StageState, round_: RoundState) -> list[arena.Waiting]:
    """The entries that wait for a table, longest first, with their past opponents."""
    playing = {at for table in round_.tables if table.row.is_open for at in table.known}
    points = stage_standings.points_of(stage_standings.table(state))
    met: dict[int, list[int]] = {at: [] for at in state.entries}
    for table in round_.tables:
        for at in table.known:
            met[at] += [other for other in table.known if other != at]
    entries = [
        (each.waits_since, at) for at, each in state.entries.items() if each.waits_since and each.last_round is None
    ]
    return [
        arena.Waiting(at, points.get(at, Fraction(0)), order, tuple(met[at]))
        for order, (_, at) in enumerate(sorted(entries))
        if at not in playing
    ]


def _call(state: StageState, round_: RoundState, entries: tuple[int, ...]) -> None:
    number = 1 + (Pairing.objects.filter(round=round_.row).aggregate(last=Max("number"))["last"] or 0)
    pairing = Pairing.objects.create(
        round=round_.row, name=f"A{number}", number=number, is_online=round_sync.is_online(state.stage.tournament)
    )
    Place.objects.bulk_create(
        Place(pairing=pairing, number=seat, side=seat, entry=state.entries[at].entry) for seat, at in enumerate(entries)
    )
