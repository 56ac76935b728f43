"""Pairing by hand: two entries change places, or one goes to another table or sits out. What is paired so stays so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

from accounts.models import User
from engine.compete.records import Kind
from engine.errors import BadInput
from tournaments import drawing, feasible
from tournaments.load import has_begun, load
from tournaments.models import Act, Pairing, Place, Round, SitOut, Stage, StageEntry, Tournament
from tournaments.plan import DRAWN_BY_ROUND, ENDLESS, Plan
from tournaments.services import matches
from tournaments.services.acts import How, check_alive
from tournaments.services.history import Record, perform
from web.errors import Refused

SITS_OUT = (Kind.ZERO_BYE, Kind.HALF_BYE, Kind.BYE)
"""As what an entry can sit out a round into which it was drawn."""


@dataclass(frozen=True)
class Seat:
    """Where an entry is in a round: at a table, or out with a bye."""

    place: Place | None = None
    out: SitOut | None = None

    @property
    def row(self) -> Place | SitOut:
        """Whichever it is."""
        found = self.place or self.out
        assert found is not None  # noqa: S101  one of them always is
        return found


def swap(round_id: int, by: User, *, one: int, other: int, **how: Unpack[How]) -> Act:
    """Let two entries (ids) change places in a round: two tables, or a table and a bye.

    In a bracket, or where all rounds are fixed from the start, they change places in the whole draw. Raises `Refused`
    where something of it has begun.
    """

    def do(record: Record) -> str:
        row, plan = _round(record, round_id)
        if one == other:
            raise Refused("same_entry", "Name two different entries.")
        if plan.format not in DRAWN_BY_ROUND:
            return _swap_in_draw(record, row.stage, plan, one, other)
        first, second = _seat(row, one), _seat(row, other)
        tables = _tables(first, second)
        if len(tables) < 2 and first.place and second.place:
            raise Refused("same_table", f"{first.row.entry} and {second.row.entry} are at one table already.")
        if not tables:
            raise Refused("both_out", "Neither of them plays in this round.")
        names = f"{first.row.entry} and {second.row.entry}"
        _free(record, tables)
        for seat, entry in ((first, other), (second, one)):
            record.change(seat.row, entry_id=entry, **({"players": []} if seat.place else {}))
        record.change(row, is_fixed=True)
        return f"{names} changed places in {row.name.lower()} of {row.stage}."

    return perform(_event_of(round_id), do, kind="pair", by=by, strict=True, **how)


def move(
    round_id: int, by: User, *, entry: int, table: int | None, kind: str = Kind.ZERO_BYE, **how: Unpack[How]
) -> Act:
    """Seat an entry (id) at another table of a round, by its number, or with `None` let it sit out as `kind`.

    Only at tables of three entries or more, where another number can play as well. Raises `Refused`.
    """

    def do(record: Record) -> str:
        row, plan = _round(record, round_id)
        if plan.format not in ("swiss_pods", "pod_knockout"):
            raise Refused("fixed_size", f"{plan.title}: tables keep their size. Let two entries change places.")
        if kind not in SITS_OUT:
            raise Refused("bad_choice", "Who sits out has no points, half a point or full points.")
        seat = _seat(row, entry)
        target = None if table is None else _table(row, table)
        if (seat.out and target is None) or (seat.place and target and seat.place.pairing_id == target.pk):
            raise Refused("same_table", f"{seat.row.entry} is there already.")
        name = str(seat.row.entry)
        tables = [*_tables(seat), *([target] if target else [])]
        _check_sizes(record.tournament, plan, seat.place.pairing if seat.place else None, target)
        _free(record, tables)
        record.delete(seat.row)
        if target is None:
            points = drawing.sit_out_points(load(row.stage), Kind(kind))
            record.create(SitOut(round=row, entry_id=entry, kind=kind, points=points))
        else:
            number = 1 + max(place.number for place in target.places.all())
            record.create(Place(pairing=target, number=number, side=number, entry_id=entry))
        record.change(row, is_fixed=True)
        where = f"table {target.number}" if target else "no table"
        return f"{name} was moved to {where} in {row.name.lower()} of {row.stage}."

    return perform(_event_of(round_id), do, kind="pair", by=by, strict=True, **how)


# What is moved


def _event_of(round_id: int) -> int:
    found = Round.objects.filter(pk=round_id).values_list("stage__tournament_id", flat=True).first()
    if found is None:
        raise Refused("no_round", "This round is not there any more.")
    return found


def _round(record: Record, round_id: int) -> tuple[Round, Plan]:
    check_alive(record)
    row = Round.objects.select_related("stage__tournament").filter(pk=round_id).first()
    if row is None or record.tournament.status != Tournament.Status.RUNNING:
        raise Refused("no_round", "This round is not there any more.")
    plan = Plan.read(row.stage.plan_json)
    if plan.format in ENDLESS:
        raise Refused("no_draw", f"{plan.title}: there is no draw to change.")
    return row, plan


def _seat(row: Round, entry: int) -> Seat:
    places = Place.objects.filter(pairing__round=row, entry=entry)
    place = places.select_related("pairing__round__stage__tournament", "pairing__table", "entry").first()
    if place is not None:
        return Seat(place=place)
    out = SitOut.objects.filter(round=row, entry=entry).select_related("entry").first()
    if out is None:
        raise Refused("not_in_round", f"That entry does not take part in {row.name.lower()}.")
    if out.kind not in SITS_OUT:
        raise Refused("left", f"{out.entry} has left, and cannot be paired.")
    return Seat(out=out)


def _table(row: Round, number: int) -> Pairing:
    found = row.pairings.select_related("round__stage__tournament", "table").filter(number=number).first()
    if found is None:
        raise Refused("no_table", f"There is no table {number} in this round.")
    return found


def _tables(*seats: Seat) -> list[Pairing]:
    return list({seat.place.pairing_id: seat.place.pairing for seat in seats if seat.place}.values())


def _check_sizes(tournament: Tournament, plan: Plan, left: Pairing | None, target: Pairing | None) -> None:
    """Raise where one of two tables would have a size that the rules do not know."""
    changed = [(left, -1), (target, +1)]
    for table, by in changed:
        if table is None:
            continue
        size = table.places.count() + by
        if size < 2:
            raise Refused("too_small", f"At table {table.number} nobody would be left to play against.")
        try:
            tournament.rules.shape(size * tournament.side_size, feasible.team_size(tournament, plan))
        except BadInput as error:
            raise Refused("bad_size", f"Table {table.number} would have {size} entries. {error.sentence}") from None


def _free(record: Record, tables: Sequence[Pairing]) -> None:
    """Check that nothing was played at some tables, and let them be called anew to whoever sits there now."""
    for table in tables:
        if has_begun(table):
            raise Refused("has_begun", f"Table {table.number} has begun: take its result back first.")
        matches.call_off(table, record.now, "The table was paired anew by an organiser.")
        Pairing.objects.filter(pk=table.pk).update(opened_at=None, reminded=0)
        table.refresh_from_db()
        record.change(table, is_fixed=True)
        # To be undone only while nothing is played there; then the players are called once more.
        record.hold(table, "begun_at", "result", opened_at=None)


# The whole draw


def _swap_in_draw(record: Record, stage: Stage, plan: Plan, one: int, other: int) -> str:
    """Let two entries change their numbers in the draw of a stage, from which all of it follows."""
    found = {row.entry_id: row for row in StageEntry.objects.filter(stage=stage, entry__in=(one, other))}
    if len(found) < 2:
        raise Refused("not_in_stage", f"Name two entries of {stage}.")
    first, second = found[one], found[other]
    tables = Pairing.objects.filter(round__stage=stage).select_related("table")
    if plan.is_bracket:
        tables = tables.filter(places__entry__in=(one, other)).distinct()
    if any(has_begun(table) or table.is_walkover for table in tables):
        what = "Their matches have" if plan.is_bracket else "Play has"
        raise Refused("has_begun", f"{what} begun: the draw stays as it is.")
    (position, group), (new_position, new_group) = (first.position, first.group), (second.position, second.group)
    free = 1 + max(StageEntry.objects.filter(stage=stage).values_list("position", flat=True))
    record.change(first, position=free, group=new_group)
    record.change(second, position=position, group=group)
    record.change(first, position=new_position)
    if stage.number > 1 and not plan.by_hand:
        record.change(stage, plan_json=plan.but(by_hand=True).write())
        return f"{first.entry} and {second.entry} changed places in the draw of {stage}, which is now made by hand."
    return f"{first.entry} and {second.entry} changed places in the draw of {stage}."
