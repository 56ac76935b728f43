"""What all pages of a table's history read first: the reader, the table, and numbers of the address."""

from typing import NamedTuple

from django.http import HttpRequest

from accounts.queries import player_of
from gameplay.access import open_table
from gameplay.models import Seat, Table


class Visit(NamedTuple):
    """A reader and a table."""

    table: Table
    seat: Seat | None
    seats: list[Seat]

    @property
    def number(self) -> int | None:
        """The reader's seat; `None` for a spectator."""
        return None if self.seat is None else self.seat.number


def visit(request: HttpRequest, slug: str) -> Visit:
    """The table, the reader's seat and all seats. Raises `Http404` if the reader must not know of it."""
    table, seat = open_table(player_of(request), slug)
    return Visit(table, seat, list(Seat.objects.filter(table=table)))


def whole_number(text: str | None, default: int, low: int, high: int) -> int:
    """A whole number of an address, within its limits."""
    if text is None or not (text.isascii() and text.isdigit() and len(text) < 8):
        return default
    return min(max(int(text), low), high)
