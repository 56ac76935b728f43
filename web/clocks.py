"""The clock that a time is shown by: of what is played face to face that of the place, of what is online the reader's.

The pages of a place go by its clock, and their headings name its zone; a time by another clock names its own.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, tzinfo

from django.utils import timezone

from web.text import date_and_time, zone_name

_UNSET = object()
_reader: ContextVar[object] = ContextVar("reader", default=_UNSET)


@contextmanager
def read_in(zone: tzinfo, *, is_known: bool = True) -> Iterator[None]:
    """Within it, times are for a reader in this zone; or if theirs is not known for anybody, so that all are named."""
    token = _reader.set(zone if is_known else None)
    try:
        with timezone.override(zone):
            yield
    finally:
        _reader.reset(token)


def go_by(clock: tzinfo | None) -> None:
    """Show the times of the rest of this request by a place's clock; `None` is the reader's. The page names the zone."""
    timezone.activate(clock or reader_zone())


def reader_zone() -> tzinfo:
    """The reader's zone; that of the page if it is not known."""
    zone = _reader.get()
    return zone if isinstance(zone, tzinfo) else timezone.get_current_timezone()


def local(at: datetime, clock: tzinfo | None) -> datetime:
    """A moment by a place's clock; `None`, which is online, by the reader's."""
    return at.astimezone(clock or reader_zone())


def by_clock(at: datetime, clock: tzinfo | None, write: Callable[[datetime], str] = date_and_time) -> str:
    """A moment by a place's clock, or online by the reader's: `Thu 26 Nov 19:00`.

    With its zone where the page's clock shows another time, or nobody knows that of the reader: `Thu 26 Nov 19:00 London
    (GMT)`. `write` gets the moment by that clock.
    """
    there = local(at, clock)
    is_alike = _reader.get() is not None and there.utcoffset() == timezone.localtime(at).utcoffset()
    with timezone.override(clock or reader_zone()):
        words = write(there)
        return words if is_alike else f"{words} {zone_name(at)}"
