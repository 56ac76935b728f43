"""A locked table: sitting down at it, writing back what changed, telling of it."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext

from accounts.models import User
from accounts.services import notices
from engine.play.events import Event
from engine.play.state import State
from gameplay import live, queries, worker_signals
from gameplay.log.log_language import say_at, say_to
from gameplay.models import Happening, Move, Seat, Table
from web.database.fast_writes import update
from web.errors import NotAllowed

_SEAT_FIELDS = (
    *(
        "time_left",
        "missed_in_a_row",
        "turns_missed",
        "reminded",
        "looked_at",
        "seen_number",
        "is_ready",
        "is_lifting",
        "lift",
        "standing",
    ),
)
_FIXED = {"id", "slug", "created_at", "rules_json", "rules_ref", "seat_count", "team_size"}
_TABLE_FIELDS = tuple(field.attname for field in Table._meta.concrete_fields if field.name not in _FIXED)


_FOR_DAYS = ("turn", "deal")
"""Kinds of notifications that come too late for an evening, whose players are at the table."""


@dataclass
class Sitting:
    """A locked table with its seats in order, and the time by the database."""

    table: Table
    seats: list[Seat]
    now: datetime
    happened: list[Event] = field(default_factory=list, repr=False)
    """Effects of the moves, hidden cards and all: `seen_by` redacts them for each seat."""
    new_moves: list[Move] = field(default_factory=list, repr=False)
    """Of the log, to be written with the changes."""
    table_before: dict[str, Any] = field(default_factory=dict, repr=False)
    seats_before: list[dict[str, Any]] = field(default_factory=list, repr=False)
    """The stored values of the table and of each seat, so that only changes are written."""
    state: State | None = None
    """The position after the last moves, if there were any."""

    def __post_init__(self) -> None:
        self.table_before = match_values(self.table)
        self.seats_before = [match_values(seat) for seat in self.seats]

    def seat_of(self, user: User) -> Seat:
        """The seat of this person. Raises `NotAllowed`."""
        for seat in self.seats:
            if seat.user_id is not None and seat.user_id == user.pk:
                return seat
        raise NotAllowed("no_seat", gettext("You have no seat at this table."))


def sit_down(table_id: int, now: datetime | None = None) -> Sitting:
    """Lock a table and fetch its seats with the players and their absences. Call inside a transaction."""
    table, db_now = Table.objects.locked(table_id)
    return Sitting(table, queries.seats_of(table), now or db_now)


def save(sitting: Sitting) -> None:
    """Write changes of the table and its seats back, and inform the live pages."""
    table = sitting.table
    table.failed_at = None
    if table.clock == Table.Clock.LIVE and table.deadline_at not in (None, sitting.table_before["deadline_at"]):
        worker_signals.at_deadline(table.deadline_at - sitting.now)
    table.bump()
    rows: list[tuple[Table | Seat, dict[str, Any]]] = [
        *zip(sitting.seats, sitting.seats_before, strict=True),
        (table, sitting.table_before),
    ]
    changes = [(row, changed) for row, before in rows if (changed := _changed(row, before))]
    update(*changes, new=sitting.new_moves, returning=live.call())  # the table is last: its version always changes
    sitting.new_moves = []


def _changed(row: Table | Seat, before: dict[str, Any]) -> list[str]:
    """The names of changed values; they are the new state before the next change."""
    changed = {name: value for name, value in match_values(row).items() if value != before[name]}
    before.update(changed)
    return list(changed)


def match_values(row: Table | Seat) -> dict[str, Any]:
    """Values of a table or a seat that a match changes."""
    held = row.__dict__
    return {name: held[name] for name in (_TABLE_FIELDS if isinstance(row, Table) else _SEAT_FIELDS)}


def tell(sitting: Sitting, kind: Happening.Kind, sentence: str, seat: int | None = None, /, **values: object) -> None:
    """Write a line of the log without a move; `sentence` is marked for translators and names its values."""
    Happening.objects.create(
        table=sitting.table,
        at=sitting.now,
        after_move=sitting.table.move_count,
        kind=kind,
        seat=seat,
        sentence=say_at(sitting.seats, sentence, **values)[:300],
    )


def send_notice(
    sitting: Sitting,
    user: User,
    kind: str,
    key: str,
    words: str,
    body: str = "",
    /,
    *,
    wait: timedelta = notices.GRACE,
    **values: object,
) -> None:
    """Put news of a table into a person's outbox, due after `wait`; `words` are marked and name their values."""
    table = sitting.table
    if table.clock == Table.Clock.LIVE and kind in _FOR_DAYS:
        return
    notices.add(
        user,
        kind=kind,
        key=key,
        subject=f"table:{table.pk}",
        title=f"{table.name}: {say_to(user, words, **values)}",
        url=table.get_absolute_url(),
        due_at=sitting.now + wait,
        body=body,
    )
