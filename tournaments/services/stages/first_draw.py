"""The draw of the first round as organisers see it before the start, and drawn again."""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Unpack

from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import Rows
from engine.compete.records import CannotPair
from tournaments import expected_rounds
from tournaments.expected_rounds import ExpectedTable
from tournaments.forecast import Session
from tournaments.models import Act, Entry, Pairing, Stage, Tournament
from tournaments.plan import ENDLESS, Plan
from tournaments.services.action_context import check_not_begun
from tournaments.services.entries import check_ins, waiting_list
from tournaments.services.history import declare, perform
from tournaments.services.records import ActionRequest, Record
from tournaments.services.stages import draw_lots, stage_entries
from tournaments.stage_state import planned
from web.errors import Refused
from web.text import several


def _check_undo(record: Record, act: Act) -> None:
    check_not_begun(record)


DRAW_AGAIN = declare(draw_lots.DRAW_AGAIN, needs="play", undo=Rows(first=_check_undo))


@dataclass(frozen=True)
class DrawnTable:
    """A table of the first round: its number, and the entries of each side."""

    number: int
    sides: tuple[tuple[Entry, ...], ...]
    remarks: tuple[tuple[Entry, str], ...] = ()
    """What is known about its entries, such as `comes at 19:30`."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(entry for side in self.sides for entry in side)

    @property
    def lines(self) -> tuple[tuple[Entry, ...], ...]:
        """Its entries as they are shown: two sides below each other, several in one line."""
        return self.sides if len(self.sides) == 2 else (self.entries,)


@dataclass(frozen=True)
class FirstDraw:
    """The first round as it would be drawn now."""

    tables: tuple[DrawnTable, ...]
    byes: tuple[Entry, ...]
    key: str
    """The same for the same entries at the same tables."""
    can_change: bool
    """Whether it can be drawn again: not where it follows seeds that somebody gave."""

    @property
    def words(self) -> str:
        """`13 entries: 3 tables of 4`."""
        sizes = tuple(len(table.entries) for table in self.tables)
        seated = sum(sizes) + len(self.byes)
        return f"{several(seated, 'entry', 'entries')}: {Session('', sizes).tables}"


def draw(event: Tournament, absent: Collection[int] = ()) -> FirstDraw | None:
    """The first round with every entry but some absent ones (ids), as starting the event would draw it.

    `None` if there is no draw: in a format without one, with too few entries, or once the event has started.
    """
    stage = Stage.objects.filter(tournament=event, number=1).first()
    if stage is None or event.has_begun or Plan.read(stage.plan_json).format in ENDLESS:
        return None
    stage.tournament = event
    entries = _present(event, absent)
    try:
        state = planned(stage, stage_entries.entrants(stage, entries))
        first = expected_rounds.first_rounds(state)[0]
    except CannotPair:
        return None
    entry_of = {at: entrant.entry for at, entrant in state.entries.items()}
    drawn = [table for table in first.tables if not table.is_idle and None not in table.entries]
    tables = tuple(DrawnTable(table.number, _sides(table, entry_of)) for table in drawn)
    key = _key((table.number, [entry.pk for entry in table.entries]) for table in tables)
    seated = {entry.pk for table in tables for entry in table.entries}
    byes = tuple(entry for entry in entry_of.values() if entry.pk not in seated)
    return FirstDraw(tables, byes, key, draw_lots.can_change(state.plan.format, event))


def of_marked(event: Tournament) -> FirstDraw | None:
    """The first round with the entries that would play if the event started now, as they are marked."""
    entries = Entry.objects.filter(tournament=event, status=Entry.Status.ENTERED)
    needs = event.has_check_in
    return draw(event, [each.pk for each in entries if each.is_here is False or (needs and each.is_here is None)])


def _present(event: Tournament, absent: Collection[int]) -> list[Entry]:
    """The entries that would play, in seed order, with those that move up from the waiting list."""
    entries = Entry.objects.filter(tournament=event, status=Entry.Status.ENTERED).exclude(pk__in=absent)
    present = list(entries)
    return stage_entries.in_seed_order([*present, *waiting_list.next_in_line(event, len(present))])


def _sides(table: ExpectedTable, entry_of: dict[int, Entry]) -> tuple[tuple[Entry, ...], ...]:
    seats = [(side, entry_of[at]) for side, at in zip(table.sides, table.entries, strict=True) if at is not None]
    return tuple(tuple(entry for side, entry in seats if side == number) for number in sorted(set(table.sides)))


def started_key(event: Tournament) -> str:
    """The key of the first round of an event that has started."""
    tables = Pairing.objects.filter(round__stage__tournament=event, round__stage__number=1, round__number=1)
    playing = tables.exclude(status__in=(Pairing.Status.IDLE, Pairing.Status.WAITS)).prefetch_related("places")
    rows = [(table, sorted(table.places.all(), key=lambda place: (place.side, place.number))) for table in playing]
    return _key((table.number, [place.entry_id for place in places]) for table, places in rows)


def _key(tables: Iterable[tuple[int, Sequence[int | None]]]) -> str:
    return hashlib.sha256(repr(sorted(tables)).encode()).hexdigest()[:16]


def draw_again(
    tournament_id: int, by: User, *, absent: Collection[int] | None = None, **how: Unpack[ActionRequest]
) -> Act:
    """Draw the first round by other lots before the start; with `absent` (ids), all other entries are here.

    Raises `Refused` once the event has started, in a format without a draw, or if it follows seeds that somebody gave.
    """

    def do(record: Record) -> str:
        tournament = record.tournament
        check_not_begun(record)
        stage = Stage.objects.filter(tournament=tournament, number=1).first()
        if stage is None:
            raise Refused("no_stage", gettext("The event has no stage yet."))
        plan = Plan.read(stage.plan_json)
        if plan.format in ENDLESS:
            raise Refused("no_draw", gettext("%(format)s has no draw to change.") % {"format": plan.title})
        if not draw_lots.can_change(plan.format, tournament):
            raise Refused("seeded", gettext("The draw follows the seeds. Change the seeds to change it."))
        if absent is not None:
            check_ins.call_roll(record, absent)
        draw_lots.change_lots(record, plan.format)
        return gettext("The first round was redrawn.")

    return perform(tournament_id, do, DRAW_AGAIN, by=by, **how)
