"""Who is here: at a table, watching it, or anywhere on the site. Nothing of it is stored for its own sake.

A player is at a table whose page they look at (`Seat.looked_at`, which the page’s script renews every 45 seconds and
every move sets). Spectators are counted by the streams of their open pages. A person is on the site while they hold a
stream, or for a minute after a request: all that is known of a reader without scripts between two moves. Counts are
shared by all processes and soon forgotten.

These are the facts. Whoever shows them leaves out people who hide their presence (`User.shows_presence`).
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from accounts import budgets
from accounts.budgets import HELD, REQUESTS, STREAMS, Budget, Lease, Subject, subject_of
from accounts.models import User
from gameplay.models import Seat, Table

HERE = timedelta(seconds=100)
"""After looking at the page within this time, a player is at the table: two renewals, and some seconds for the way."""


class _Watching(Budget):
    def limit(self, subject: Subject) -> int | None:
        return 1_000_000


WATCHING = _Watching("watching", "", "", HELD, None, None, None)
"""Open pages of spectators by table: counted like a budget, without a limit."""


def is_here(seat: Seat, now: datetime) -> bool:
    """Whether the player of a seat is at the table now; never for a bot or an empty seat. Asks nothing of the database."""
    return seat.user_id is not None and seat.looked_at is not None and now - seat.looked_at < HERE


def shown_here(seats: Sequence[Seat], now: datetime) -> set[int]:
    """Numbers of the seats whose players are at the table and do not hide it. The seats come with their players."""
    return {seat.number for seat in seats if seat.user is not None and seat.user.shows_presence and is_here(seat, now)}


def watch(table_id: int) -> Lease:
    """Count a spectator’s open page until the lease is released."""
    return budgets.hold(WATCHING, Subject("table", str(table_id)))


def watching(table: Table) -> int:
    """The number of spectators’ pages that are open now; 0 where nobody can watch."""
    if table.watching == Table.Watching.NOBODY or table.is_practice:
        return 0
    return budgets.used(WATCHING, Subject("table", str(table.pk)))


def is_on_site(user: User) -> bool:
    """Whether the person has a page with live updates open, or asked for anything within the last minute."""
    return any(budgets.used(budget, subject_of(user)) for budget in (STREAMS, REQUESTS))


def shown_on_site(users: Iterable[User]) -> set[Any]:
    """The ids of those who are on the site and do not hide it."""
    return {user.pk for user in users if user.shows_presence and user.is_active and is_on_site(user)}
