"""Calendars as files (RFC 5545), for whatever has dates.

Times are in UTC, so that no change of clocks moves them. A UID is made of what never changes, so that a calendar that
is fetched again changes its entries and does not double them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings

from tournaments.exports import source
from tournaments.exports.lettering import plain

if TYPE_CHECKING:  # the library takes long to load
    from icalendar import Event

LONGEST = 1000
"""Letters of a description."""


@dataclass(frozen=True)
class Appointment:
    """Something that stands in a calendar: a moment, a stretch of time, or a day."""

    uid: str
    """What it is called for ever within this site."""
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
    """Whether it was called off; None where the calendar does not say."""


def write(kind: str, name: str, found: Iterable[Appointment]) -> bytes:
    """The file: a calendar of this name, made by the part of the site that `kind` names."""
    from icalendar import Calendar  # which takes long to load

    calendar = Calendar()
    calendar.add("prodid", f"-//Foothold//{kind}//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", plain(name))
    calendar.add("refresh-interval", timedelta(hours=1), parameters={"VALUE": "DURATION"})
    for one in found:
        calendar.add_component(_event(one))
    return bytes(calendar.to_ical())


def _event(one: Appointment) -> Event:
    from icalendar import Event  # which takes long to load

    event = Event()
    event.add("uid", f"{one.uid}@{urlsplit(settings.SITE_URL).hostname or 'localhost'}")
    event.add("dtstamp", one.made_at.astimezone(UTC).replace(microsecond=0))
    event.add("sequence", one.version)
    event.add("dtstart", _when(one.begins))
    if one.ends is not None and one.ends > one.begins:
        event.add("dtend", _when(one.ends))
    event.add("summary", plain(one.title))
    if one.lines:
        event.add("description", "\n".join(plain(line) for line in one.lines)[:LONGEST])
    if one.place:
        event.add("location", plain(one.place))
    event.add("url", source.whole(one.url))
    if one.is_off is not None:
        event.add("status", "CANCELLED" if one.is_off else "CONFIRMED")
    return event


def _when(at: datetime | date) -> datetime | date:
    return at.astimezone(UTC) if isinstance(at, datetime) else at
