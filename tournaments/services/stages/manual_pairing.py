"""Pairing by hand: swap two entries, or move one to another table or a bye. Such pairings stay fixed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import Rows
from engine.compete.records import Kind
from engine.errors import BadInput
from tournaments import expected_rounds, plan_checks, terms
from tournaments.models import Act, Pairing, Place, Round, SitOut, Stage, StageEntry, Tournament
from tournaments.plan import DRAWN_BY_ROUND, ENDLESS, Plan
from tournaments.round_names import round_words
from tournaments.services.action_context import check_alive
from tournaments.services.history import declare, perform
from tournaments.services.matches import online_tables
from tournaments.services.records import ActionRequest, Record
from tournaments.stage_state import has_begun, load
from web.errors import Refused

PAIR = declare("pair", needs="play", undo=Rows())

SITS_OUT = (Kind.ZERO_BYE, Kind.HALF_BYE, Kind.BYE, Kind.SIT_OUT)
"""Byes that an entry can get in a round into which it was drawn."""


@dataclass(frozen=True)
class Seat:
    """Place of an entry in a round: at a table, or out with a bye."""

    place: Place | None = None
    out: SitOut | None = None

    @property
    def row(self) -> Place | SitOut:
        """The place or the bye."""
        row = self.place or self.out
        assert row is not None  # noqa: S101  one of them always is
        return row


def swap(round_id: int, by: User, *, one: int, other: int, **how: Unpack[ActionRequest]) -> Act:
    """Swap two entries (ids) in a round: between two tables, or a table and a bye.

    In a bracket, or if all rounds are fixed from the start, they are swapped in the whole draw. Raises `Refused` if
    one of their matches has started.
    """

    def do(record: Record) -> str:
        round_, plan = _round(record, round_id)
        if one == other:
            raise Refused("same_entry", gettext("Choose two different entries."))
        if plan.format not in DRAWN_BY_ROUND:
            return _swap_in_draw(record, round_.stage, plan, one, other)
        first, second = _seat(round_, one), _seat(round_, other)
        tables = _tables(first, second)
        if len(tables) < 2 and first.place and second.place:
            raise Refused(
                "same_table",
                gettext("%(first)s and %(second)s are already at one table.")
                % {"first": first.row.entry, "second": second.row.entry},
            )
        if not tables:
            raise Refused("both_out", gettext("Neither of them plays in this round."))
        first_name, second_name = str(first.row.entry), str(second.row.entry)
        _free(record, tables)
        for seat, entry in ((first, other), (second, one)):
            record.change(seat.row, entry_id=entry, **({"players": []} if seat.place else {}))
        record.change(round_, is_fixed=True)
        words = gettext("%(first)s and %(second)s were swapped in %(round)s of %(stage)s.")
        values = {"first": first_name, "second": second_name, "round": round_words(round_.name), "stage": round_.stage}
        return words % values

    return perform(_event_of(round_id), do, PAIR, by=by, strict=True, **how)


def move(
    round_id: int, by: User, *, entry: int, table: int | None, kind: str = Kind.ZERO_BYE, **how: Unpack[ActionRequest]
) -> Act:
    """Move an entry (id) to another table of a round by number, or with `None` give it the bye `kind`.

    Only at tables of three entries or more, which can vary in size. Raises `Refused`.
    """

    def do(record: Record) -> str:
        round_, plan = _round(record, round_id)
        if plan.format not in ("swiss_pods", "pod_knockout"):
            raise Refused(
                "fixed_size",
                gettext("%(format)s: tables keep their size. Swap two entries instead.") % {"format": plan.title},
            )
        if kind not in SITS_OUT:
            raise Refused("bad_choice", gettext("A bye gives no points, half a point or full points."))
        seat = _seat(round_, entry)
        target = None if table is None else _table(round_, table)
        if (seat.out and target is None) or (seat.place and target and seat.place.pairing_id == target.pk):
            raise Refused("same_table", gettext("%(entry)s already has this place.") % {"entry": seat.row.entry})
        name = str(seat.row.entry)
        tables = [*_tables(seat), *([target] if target else [])]
        _check_sizes(record.tournament, plan, seat.place.pairing if seat.place else None, target)
        _free(record, tables)
        record.delete(seat.row)
        if target is None:
            points = expected_rounds.sit_out_points(load(round_.stage), Kind(kind))
            record.create(SitOut(round=round_, entry_id=entry, kind=kind, points=points))
        else:
            number = 1 + max(place.number for place in target.places.all())
            record.create(Place(pairing=target, number=number, side=number, entry_id=entry))
        record.change(round_, is_fixed=True)
        values = {"entry": name, "round": round_words(round_.name), "stage": round_.stage}
        if target is None:
            return gettext("%(entry)s was removed from the table (%(round)s of %(stage)s).") % values
        words = gettext("%(entry)s was moved to table %(number)s in %(round)s of %(stage)s.")
        return words % {**values, "number": target.number}

    return perform(_event_of(round_id), do, PAIR, by=by, strict=True, **how)


# Lookups


def _event_of(round_id: int) -> int:
    tournament_id = Round.objects.filter(pk=round_id).values_list("stage__tournament_id", flat=True).first()
    if tournament_id is None:
        raise Refused("no_round", gettext("This round no longer exists."))
    return tournament_id


def _round(record: Record, round_id: int) -> tuple[Round, Plan]:
    check_alive(record)
    round_ = Round.objects.select_related("stage__tournament").filter(pk=round_id).first()
    if round_ is None or record.tournament.status != Tournament.Status.RUNNING:
        raise Refused("no_round", gettext("This round no longer exists."))
    plan = Plan.read(round_.stage.plan_json)
    if plan.format in ENDLESS:
        raise Refused("no_draw", gettext("%(format)s has no draw to change.") % {"format": plan.title})
    return round_, plan


def _seat(round_: Round, entry: int) -> Seat:
    places = Place.objects.filter(pairing__round=round_, entry=entry)
    place = places.select_related("pairing__round__stage__tournament", "pairing__table", "entry").first()
    if place is not None:
        return Seat(place=place)
    out = SitOut.objects.filter(round=round_, entry=entry).select_related("entry").first()
    if out is None:
        raise Refused(
            "not_in_round", gettext("That entry does not take part in %(round)s.") % {"round": round_words(round_.name)}
        )
    if out.kind == Kind.WITHDRAWN:
        raise Refused("left", gettext("%(entry)s has left and cannot be paired.") % {"entry": out.entry})
    return Seat(out=out)


def _table(round_: Round, number: int) -> Pairing:
    pairing = round_.pairings.select_related("round__stage__tournament", "table").filter(number=number).first()
    if pairing is None:
        raise Refused("no_table", gettext("This round has no table %(number)s.") % {"number": number})
    return pairing


def _tables(*seats: Seat) -> list[Pairing]:
    return list({seat.place.pairing_id: seat.place.pairing for seat in seats if seat.place}.values())


def _check_sizes(tournament: Tournament, plan: Plan, source: Pairing | None, target: Pairing | None) -> None:
    """Raise `Refused` if one of two tables would have a size that the rules do not allow."""
    changed = [(source, -1), (target, +1)]
    for table, by in changed:
        if table is None:
            continue
        size = table.places.count() + by
        if size < 2:
            raise Refused(
                "too_small",
                gettext("At table %(number)s nobody would be left to play against.") % {"number": table.number},
            )
        try:
            terms.of_round(table.round).rules.shape(
                size * tournament.side_size, plan_checks.team_size(tournament, plan)
            )
        except BadInput as error:
            raise Refused(
                "bad_size",
                gettext("Table %(number)s would have %(size)s entries. %(sentence)s")
                % {"number": table.number, "size": size, "sentence": error.sentence},
            ) from None


def _free(record: Record, tables: Sequence[Pairing]) -> None:
    """Check that nothing was played at some tables, and reset them so that their new players are called."""
    for table in tables:
        if has_begun(table):
            raise Refused(
                "has_begun",
                gettext("Table %(number)s has started. Remove its result first.") % {"number": table.number},
            )
        online_tables.stop_table(table, record.now, gettext("An organiser changed the pairings at this table."))
        Pairing.objects.filter(pk=table.pk).update(opened_at=None, reminded=0)
        table.refresh_from_db()
        record.change(table, is_fixed=True)
        # Can only be undone while nothing is played there; then the players are called again.
        record.hold(table, "begun_at", "result", opened_at=None)


# The whole draw


def _swap_in_draw(record: Record, stage: Stage, plan: Plan, one: int, other: int) -> str:
    """Swap the positions of two entries in the draw of a stage, from which all rounds follow."""
    seats = {each.entry_id: each for each in StageEntry.objects.filter(stage=stage, entry__in=(one, other))}
    if len(seats) < 2:
        raise Refused("not_in_stage", gettext("Choose two entries of %(stage)s.") % {"stage": stage})
    first, second = seats[one], seats[other]
    tables = Pairing.objects.filter(round__stage=stage).select_related("table")
    if plan.is_bracket:
        tables = tables.filter(places__entry__in=(one, other)).distinct()
    if any(has_begun(table) or table.is_walkover for table in tables):
        sentence = gettext("Play has started, so the draw stays as it is.")
        if plan.is_bracket:
            sentence = gettext("Their matches have started, so the draw stays as it is.")
        raise Refused("has_begun", sentence)
    (position, group), (new_position, new_group) = (first.position, first.group), (second.position, second.group)
    free = 1 + max(StageEntry.objects.filter(stage=stage).values_list("position", flat=True))
    record.change(first, position=free, group=new_group)
    record.change(second, position=position, group=group)
    record.change(first, position=new_position)
    if stage.number > 1 and not plan.by_hand:
        record.change(stage, plan_json=plan.but(by_hand=True).write())
        return gettext(
            "%(first)s and %(second)s were swapped in the draw of %(stage)s. The draw is now made by hand."
        ) % {"first": first.entry, "second": second.entry, "stage": stage}
    return gettext("%(first)s and %(second)s were swapped in the draw of %(stage)s.") % {
        "first": first.entry,
        "second": second.entry,
        "stage": stage,
    }
