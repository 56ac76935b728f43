"""The hours in which nothing goes out by itself, by the club's clock."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from clubs.coming.days import moment

FROM, TO = time(22), time(8)
_at_once: ContextVar[bool] = ContextVar("news_at_once", default=False)


@contextmanager
def pressed(is_pressed: bool = True) -> Iterator[None]:
    """Within it, news goes at once, because somebody has just pressed a button to publish it."""
    token = _at_once.set(is_pressed)
    try:
        yield
    finally:
        _at_once.reset(token)


def is_pressed() -> bool:
    """Whether somebody has just pressed a button to publish it."""
    return _at_once.get()


def due_at(zone: ZoneInfo, now: datetime) -> datetime:
    """When news of this moment goes out: now or, if it is late, in the morning."""
    return now if is_pressed() else awake(zone, now)


def awake(zone: ZoneInfo, at: datetime) -> datetime:
    """A moment, moved out of the quiet hours."""
    there = at.astimezone(zone)
    if TO <= there.time() < FROM:
        return at
    day = there.date() if there.time() < TO else there.date() + timedelta(days=1)
    return moment(zone, day, TO)
