"""Formats without rounds: an arena, where whoever is free plays whoever is free, and a ladder of challenges."""

from __future__ import annotations

from datetime import datetime, timedelta
from fractions import Fraction

from django.db.models import Max, Q
from django.utils.translation import gettext

from accounts.models import User
from engine.compete import arena, ladder
from tournaments import standing
from tournaments.load import RoundState, StageState, load
from tournaments.models import Act, Pairing, Place, Stage, StageEntry
from tournaments.plan import Plan
from tournaments.services import rows
from tournaments.services.history import Record, perform
from web.errors import Refused


def seat(state: StageState, now: datetime) -> bool:
    """In an arena: call to tables who waits, as far as tables can be filled; whether anybody was called."""
    if state.plan.format != "arena" or not state.rounds or is_past(state.stage, state.plan, now):
        return False
    one = state.rounds[0]
    waiting = _waiting(state, one)
    playing = sum(len(table.known) for table in one.tables if table.row.is_open)
    made = arena.seat(waiting, state.plan.seats, lots=f"{state.lots}:{len(one.tables)}", playing=playing)
    for entries in made:
        _call(state, one, entries)
        called = [state.entries[at].pk for at in entries]
        StageEntry.objects.filter(pk__in=called).update(waits_since=None)
    return bool(made)


def is_past(stage: Stage, plan: Plan, now: datetime) -> bool:
    """Whether an arena's time is up: what is being played is played to its end."""
    return stage.started_at is None or now >= stage.started_at + timedelta(minutes=plan.minutes)


def free(stage_id: int, entry_id: int, *, by: User, is_free: bool = True, now: datetime | None = None) -> Act:
    """In an arena: say that an entry waits for its next table, or does not for now. Twice does no harm."""
    stage = Stage.objects.get(pk=stage_id)

    def do(record: Record) -> str:
        own = Stage.objects.get(pk=stage_id)
        plan = Plan.read(own.plan_json)
        if plan.format != "arena" or own.status != Stage.Status.RUNNING or is_past(own, plan, record.now):
            raise Refused("not_running", gettext("The arena is not open."))
        one = _entry(own, entry_id)
        if is_free and _is_playing(own, [entry_id]):
            raise Refused("playing", gettext("Finish the match you are in first."))
        if is_free and one.waits_since is None:
            record.change(one, waits_since=record.now)
        elif not is_free:
            record.change(one, waits_since=None)
        return f"{one.entry} {'waits for a table' if is_free else 'takes a break'}."

    return perform(stage.tournament_id, do, kind="free", by=by, now=now)


def challenge(
    stage_id: int, challenger_id: int, challenged_id: int, *, by: User, request_key: str | None = None
) -> Act:
    """In a ladder: challenge an entry above (ids of entries). Raises `Refused` where the ladder does not allow it."""
    stage = Stage.objects.get(pk=stage_id)

    def do(record: Record) -> str:
        own = Stage.objects.select_related("tournament").get(pk=stage_id)
        state = load(own)
        if state.plan.format != "ladder" or own.status != Stage.Status.RUNNING or own.ended_at is not None:
            raise Refused("not_running", gettext("The ladder is not open."))
        one, other = _entry(own, challenger_id), _entry(own, challenged_id)
        busy = {at for each in state.rounds for table in each.tables if table.row.is_open for at in table.known}
        sentence = ladder.why_not(
            standing.ladder_order(state), one.position, other.position, reach=state.plan.reach, busy=busy
        )
        if sentence is not None:
            raise Refused("no_challenge", sentence)
        number = 1 + max((table.row.number for each in state.rounds for table in each.tables), default=0)
        pairing = Pairing(
            round=state.rounds[0].row,
            name=f"C{number}",
            number=number,
            is_online=rows.is_online(own.tournament),
            is_fixed=True,
        )
        record.create(pairing)
        for at, each in enumerate((one, other)):
            record.create(Place(pairing=pairing, number=at, side=at, entry=each.entry))
        return gettext("%(challenger)s challenged %(challenged)s.") % {
            "challenger": one.entry,
            "challenged": other.entry,
        }

    return perform(stage.tournament_id, do, kind="challenge", by=by, request_key=request_key)


def _waiting(state: StageState, one: RoundState) -> list[arena.Waiting]:
    """Who waits for a table, the longest first, with whom they met."""
    playing = {at for table in one.tables if table.row.is_open for at in table.known}
    points = standing.points_of(standing.table(state))
    met: dict[int, list[int]] = {at: [] for at in state.entries}
    for table in one.tables:
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


def _call(state: StageState, one: RoundState, entries: tuple[int, ...]) -> None:
    number = 1 + (Pairing.objects.filter(round=one.row).aggregate(last=Max("number"))["last"] or 0)
    pairing = Pairing.objects.create(
        round=one.row, name=f"A{number}", number=number, is_online=rows.is_online(state.stage.tournament)
    )
    Place.objects.bulk_create(
        Place(pairing=pairing, number=seat, side=seat, entry=state.entries[at].entry) for seat, at in enumerate(entries)
    )


def _entry(stage: Stage, entry_id: int) -> StageEntry:
    one = StageEntry.objects.filter(stage=stage, entry_id=entry_id, last_round=None).select_related("entry").first()
    if one is None:
        raise Refused("not_in", gettext("That entry does not take part."))
    return one


def _is_playing(stage: Stage, entries: list[int]) -> bool:
    is_open = ~Q(pairing__status__in=(Pairing.Status.DONE, Pairing.Status.IDLE))
    return Place.objects.filter(is_open, pairing__round__stage=stage, entry_id__in=entries).exists()
