"""The position of a table: read from its snapshot, viewed by a seat, saved after a change."""

from django.utils.translation import gettext

from engine.play.events import NOTHING_SEEN, PublicLog
from engine.play.position import read_position, write_without_rules
from engine.play.state import State
from engine.play.view import View, view
from gameplay.models import Table
from web.errors import Refused


class NoPosition(Refused):
    """The match has not begun, so there is nothing to see or to play yet."""

    def __init__(self) -> None:
        super().__init__("not_started", gettext("The match has not started yet."))


def state_of(table: Table) -> State:
    """The whole position, hidden cards and all: for the services only. Raises `NoPosition` before the start."""
    if table.snapshot is None:
        raise NoPosition
    return read_position({**table.snapshot, "rules": table.rules})


def view_of(table: Table, seat: int | None, state: State | None = None, *, log: PublicLog = NOTHING_SEEN) -> View:
    """The view of the seat (or a spectator, `None`) of the table, or of another position of it; `log` for bots."""
    return view(state_of(table) if state is None else state, seat, is_sealed=table.is_sealed, log=log)


def keep(table: Table, state: State) -> None:
    """Write the position into the table's snapshot, which goes without the rules; the caller saves the row."""
    table.snapshot = write_without_rules(state)
