"""Rows of rounds and tables made to follow what is wanted; what has begun is kept as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.utils.translation import gettext

from tournaments.expected_rounds import WantedRound, WantedTable
from tournaments.models import Pairing, Place, Round, SitOut, Tournament
from tournaments.services.matches import online_tables
from tournaments.stage_state import RoundState, StageState, TableState


def follow(state: StageState, wanted: WantedRound, now: datetime) -> bool:
    """Make the rows of a round what is wanted; whether anything changed.

    A table that has begun, or was paired by hand, keeps its entries. Tables are known by their names, so that a draw
    that comes out the same leaves everything in place.
    """
    have = state.round(wanted.number)
    if have is None:
        _make(state, wanted)
        return True
    changed = _set(have.row, name=wanted.name, drawn_from=wanted.drawn_from)
    left = {table.row.name: table for table in have.tables}
    fresh = []
    for want in _named_alike(wanted, have):
        table = left.pop(want.name, None)
        if table is None:
            fresh.append(want)
        elif not table.has_begun and not table.row.is_fixed:
            changed |= _redraw(state, table, want, now)
    for table in left.values():
        if not table.has_begun and not table.row.is_fixed:
            remove(table, now)
            changed = True
    _add(state, have.row, fresh)
    return _sit_out(state, have, wanted) or changed or bool(fresh)


def _named_alike(wanted: WantedRound, have: RoundState) -> Sequence[WantedTable]:
    """The tables wanted, those that are there already under the names they have there.

    In a bracket names mean places, and stay as they are.
    """
    if any(want.sources for want in wanted.tables):
        return wanted.tables
    there = {frozenset(table.entries): table.row for table in have.tables}
    same = {want.name: there[frozenset(want.entries)] for want in wanted.tables if frozenset(want.entries) in there}
    taken = {row.name for row in same.values()}
    free = iter([want for want in wanted.tables if want.name not in taken])
    named = []
    for want in wanted.tables:
        row = same.get(want.name)
        slot = next(free) if row is None else row
        named.append(replace(want, name=slot.name, number=slot.number))
    return named


def remove_round(one: RoundState, now: datetime) -> None:
    """Take back a round in which nothing has begun."""
    for table in one.tables:
        remove(table, now)
    one.row.delete()


def remove(table: TableState, now: datetime) -> None:
    """Take back a table that is not wanted any more; players who were called to it are told."""
    online_tables.call_off(table.row, now, gettext("The match was redrawn."))
    table.row.delete()


def drop_places(one: RoundState, table: TableState, gone: Sequence[int], now: datetime) -> None:
    """A table of more than two goes on without those who have left."""
    online_tables.call_off(table.row, now, gettext("A player left, so the table was redrawn."))
    for at, place in zip(table.entries, table.places, strict=True):
        if at in gone and place.entry is not None:
            SitOut.objects.get_or_create(round=one.row, entry=place.entry, defaults={"kind": "withdrawn"})
            place.delete()


def is_online(tournament: Tournament) -> bool:
    """Whether matches of a tournament are played online unless somebody says otherwise."""
    return tournament.setting != Tournament.Setting.FACE


def _make(state: StageState, wanted: WantedRound) -> None:
    row = Round.objects.create(stage=state.stage, number=wanted.number, name=wanted.name, drawn_from=wanted.drawn_from)
    _add(state, row, wanted.tables)
    SitOut.objects.bulk_create(
        SitOut(round=row, entry_id=state.entries[at].entry_id, kind=kind, points=points)
        for at, kind, points in wanted.sit_outs
    )


def _add(state: StageState, row: Round, wanted: Sequence[WantedTable]) -> None:
    online = is_online(state.stage.tournament)
    made = Pairing.objects.bulk_create(
        Pairing(
            round=row,
            name=want.name,
            number=want.number,
            group=want.group,
            boards=list(want.boards),
            is_online=online,
            status=resting(want),
        )
        for want in wanted
    )
    Place.objects.bulk_create(
        place for pairing, want in zip(made, wanted, strict=True) for place in _places(state, pairing, want)
    )


def _places(state: StageState, pairing: Pairing, want: WantedTable) -> list[Place]:
    sources = want.sources or ("",) * len(want.entries)
    return [
        Place(
            pairing=pairing,
            number=number,
            entry_id=None if at is None else state.entries[at].entry_id,
            source=source,
            side=side,
        )
        for number, (at, source, side) in enumerate(zip(want.entries, sources, want.sides, strict=True))
    ]


def resting(want: WantedTable) -> Pairing.Status:
    """The status of a table at which nothing has happened yet."""
    if want.is_idle:
        return Pairing.Status.IDLE
    return Pairing.Status.WAITS if None in want.entries else Pairing.Status.READY


def _redraw(state: StageState, table: TableState, want: WantedTable, now: datetime) -> bool:
    """Seat at a table who is wanted there; whether that changed anything."""
    if table.row.is_walkover and table.entries == want.entries:
        return False
    if table.entries == want.entries and len(table.places) == len(want.entries):
        return _set(table.row, status=resting(want), number=want.number, boards=list(want.boards))
    online_tables.call_off(table.row, now, gettext("The match was redrawn."))
    _seat(table, _places(state, table.row, want))
    _set(
        table.row,
        status=resting(want),
        number=want.number,
        boards=list(want.boards),
        is_walkover=False,
        opened_at=None,
        done_at=None,
        reminded=0,
        table=None,
    )
    return True


def _seat(table: TableState, wanted: Sequence[Place]) -> None:
    """Make the places of a table what is wanted, in the rows that are there as far as they go."""
    for have, want in zip(table.places, wanted, strict=False):
        have.entry_id, have.source, have.side, have.players = want.entry_id, want.source, want.side, []
        have.points = have.score = have.rank = None
        have.save()
    for spare in table.places[len(wanted) :]:
        spare.delete()
    Place.objects.bulk_create(wanted[len(table.places) :])


def _sit_out(state: StageState, have: RoundState, wanted: WantedRound) -> bool:
    new = {state.entries[at].entry_id: (kind.value, points) for at, kind, points in wanted.sit_outs}
    old = {row.entry_id: (row.kind, row.points) for row in have.sit_outs}
    if new == old or have.row.is_fixed:
        return False
    SitOut.objects.filter(round=have.row).delete()
    SitOut.objects.bulk_create(
        SitOut(round=have.row, entry_id=entry, kind=kind, points=points) for entry, (kind, points) in new.items()
    )
    return True


def _set(row: Round | Pairing, **values: object) -> bool:
    new = {name: value for name, value in values.items() if getattr(row, name) != value}
    for name, value in new.items():
        setattr(row, name, value)
    if new:
        row.save(update_fields=list(new))
    return bool(new)
