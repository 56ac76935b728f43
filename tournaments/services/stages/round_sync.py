"""Make the rows of rounds and tables match the expected rounds. Started tables are kept."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.utils.translation import gettext

from tournaments.expected_rounds import ExpectedRound, ExpectedTable
from tournaments.models import Pairing, Place, Round, SitOut, Tournament
from tournaments.services.matches import online_tables
from tournaments.stage_state import RoundState, StageState, TableState


def follow(state: StageState, expected: ExpectedRound, now: datetime) -> bool:
    """Make the rows of a round match the expected one. Returns whether anything changed.

    A table that has started, or was paired by hand, keeps its entries. Tables are matched by name, so that an
    identical draw leaves everything in place.
    """
    have = state.round(expected.number)
    if have is None:
        _make(state, expected)
        return True
    changed = _set(have.row, name=expected.name, drawn_from=expected.drawn_from)
    spare = {table.row.name: table for table in have.tables}
    fresh = []
    for want in _named_alike(expected, have):
        table = spare.pop(want.name, None)
        if table is None:
            fresh.append(want)
        elif not table.has_begun and not table.row.is_fixed:
            changed |= _redraw(state, table, want, now)
    for table in spare.values():
        if not table.has_begun and not table.row.is_fixed:
            remove(table, now)
            changed = True
    _add(state, have.row, fresh)
    return _sit_out(state, have, expected) or changed or bool(fresh)


def _named_alike(expected: ExpectedRound, have: RoundState) -> Sequence[ExpectedTable]:
    """The expected tables; those with the entries of an existing table take its name.

    In a bracket names mean places, and stay as they are.
    """
    if any(want.sources for want in expected.tables):
        return expected.tables
    there = {frozenset(table.entries): table.row for table in have.tables}
    same = {want.name: there[frozenset(want.entries)] for want in expected.tables if frozenset(want.entries) in there}
    used_names = {pairing.name for pairing in same.values()}
    free = iter([want for want in expected.tables if want.name not in used_names])
    tables = []
    for want in expected.tables:
        pairing = same.get(want.name)
        slot = next(free) if pairing is None else pairing
        tables.append(replace(want, name=slot.name, number=slot.number))
    return tables


def remove_round(round_: RoundState, now: datetime) -> None:
    """Delete a round in which nothing has started."""
    for table in round_.tables:
        remove(table, now)
    round_.row.delete()


def remove(table: TableState, now: datetime) -> None:
    """Delete a table that is no longer expected, and tell the players called to it."""
    online_tables.stop_table(table.row, now, gettext("The match was redrawn."))
    table.row.delete()


def drop_places(round_: RoundState, table: TableState, gone: Sequence[int], now: datetime) -> None:
    """Remove entries that have left from a table of more than two."""
    online_tables.stop_table(table.row, now, gettext("A player left, so the table was redrawn."))
    for at, place in zip(table.entries, table.places, strict=True):
        if at in gone and place.entry is not None:
            SitOut.objects.get_or_create(round=round_.row, entry=place.entry, defaults={"kind": "withdrawn"})
            place.delete()


def is_online(tournament: Tournament) -> bool:
    """Whether matches of a tournament are played online by default."""
    return tournament.setting != Tournament.Setting.FACE


def _make(state: StageState, expected: ExpectedRound) -> None:
    number, name = expected.number, expected.name
    new = Round.objects.create(stage=state.stage, number=number, name=name, drawn_from=expected.drawn_from)
    _add(state, new, expected.tables)
    SitOut.objects.bulk_create(
        SitOut(round=new, entry_id=state.entries[at].entry_id, kind=kind, points=points)
        for at, kind, points in expected.sit_outs
    )


def _add(state: StageState, round_: Round, expected: Sequence[ExpectedTable]) -> None:
    online = is_online(state.stage.tournament)
    pairings = Pairing.objects.bulk_create(
        Pairing(
            round=round_,
            name=want.name,
            number=want.number,
            group=want.group,
            boards=list(want.boards),
            is_online=online,
            status=resting(want),
        )
        for want in expected
    )
    Place.objects.bulk_create(
        place for pairing, want in zip(pairings, expected, strict=True) for place in _places(state, pairing, want)
    )


def _places(state: StageState, pairing: Pairing, want: ExpectedTable) -> list[Place]:
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


def resting(want: ExpectedTable) -> Pairing.Status:
    """The status of a table without any play."""
    if want.is_idle:
        return Pairing.Status.IDLE
    return Pairing.Status.WAITS if None in want.entries else Pairing.Status.READY


def _redraw(state: StageState, table: TableState, want: ExpectedTable, now: datetime) -> bool:
    """Seat the expected entries at a table. Returns whether anything changed."""
    if table.row.is_walkover and table.entries == want.entries:
        return False
    if table.entries == want.entries and len(table.places) == len(want.entries):
        return _set(table.row, status=resting(want), number=want.number, boards=list(want.boards))
    online_tables.stop_table(table.row, now, gettext("The match was redrawn."))
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


def _seat(table: TableState, expected: Sequence[Place]) -> None:
    """Make the places of a table match the expected ones, reusing existing rows."""
    for have, want in zip(table.places, expected, strict=False):
        have.entry_id, have.source, have.side, have.players = want.entry_id, want.source, want.side, []
        have.points = have.score = have.rank = None
        have.save()
    for spare in table.places[len(expected) :]:
        spare.delete()
    Place.objects.bulk_create(expected[len(table.places) :])


def _sit_out(state: StageState, have: RoundState, expected: ExpectedRound) -> bool:
    new = {state.entries[at].entry_id: (kind.value, points) for at, kind, points in expected.sit_outs}
    old = {sit_out.entry_id: (sit_out.kind, sit_out.points) for sit_out in have.sit_outs}
    if new == old or have.row.is_fixed:
        return False
    SitOut.objects.filter(round=have.row).delete()
    SitOut.objects.bulk_create(
        SitOut(round=have.row, entry_id=entry, kind=kind, points=points) for entry, (kind, points) in new.items()
    )
    return True


def _set(instance: Round | Pairing, **values: object) -> bool:
    new = {name: value for name, value in values.items() if getattr(instance, name) != value}
    for name, value in new.items():
        setattr(instance, name, value)
    if new:
        instance.save(update_fields=list(new))
    return bool(new)
