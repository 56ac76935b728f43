"""Calendars as files (RFC 5545), for everything with a date.

Times are in UTC, so that no change of clocks moves them. A UID is made of parts that never change, so that a calendar
that is fetched again changes its entries and does not double them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings

from tournaments.exports import source
from web.lettering import plain

if TYPE_CHECKING:  # the library takes long to load
    from icalendar import Event

LONGEST = 1000
"""The most characters of a description."""


@dataclass(frozen=True)
class Appointment:
    """An entry in a calendar: a moment, a stretch of time, or a day."""

    uid: str
    """An id that stays the same within this site."""
    title: str
    begins: datetime | date
    ends: datetime | date | None
    url: str
    """The path of its page."""
    made_at: datetime
    version: int
    lines: Sequence[str] = ()
    place: str = ""
    is_off: bool | None = None
    """Whether it was cancelled; `None` if the calendar does not say."""


def write(kind: str, name: str, appointments: Iterable[Appointment]) -> bytes:
    """The file: a calendar of this name, made by the part of the site that `kind` names."""
    from icalendar import Calendar  # takes long to load

    calendar = Calendar()
    calendar.add("prodid", f"-//Foothold//{kind}//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", plain(name))
    calendar.add("refresh-interval", timedelta(hours=1), parameters={"VALUE": "DURATION"})
    for appointment in appointments:
        calendar.add_component(_event(appointment))
    return bytes(calendar.to_ical())


def _event(appointment: Appointment) -> Event:
    from icalendar import Event  # takes long to load

    event = Event()
    event.add("uid", f"{appointment.uid}@{urlsplit(settings.SITE_URL).hostname or 'localhost'}")
    event.add("dtstamp", appointment.made_at.astimezone(UTC).replace(microsecond=0))
    event.add("sequence", appointment.version)
    event.add("dtstart", _when(appointment.begins))
    if appointment.ends is not None and appointment.ends > appointment.begins:
        event.add("dtend", _when(appointment.ends))
    event.add("summary", plain(appointment.title))
    if appointment.lines:
        event.add("description", "\n".join(plain(line) for line in appointment.lines)[:LONGEST])
    if appointment.place:
        event.add("location", plain(appointment.place))
    event.add("url", source.full_url(appointment.url))
    if appointment.is_off is not None:
        event.add("status", "CANCELLED" if appointment.is_off else "CONFIRMED")
    return event


def _when(at: datetime | date) -> datetime | date:
    return at.astimezone(UTC) if isinstance(at, datetime) else at
