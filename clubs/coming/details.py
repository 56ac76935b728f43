"""What people add to their answer: a note to the organiser, and the times of those who come later or leave early."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

from django.utils.dateparse import parse_time
from django.utils.translation import gettext

from clubs.coming.occasions import Occasion
from clubs.models import Reply
from web.errors import Refused

LONGEST_NOTE = 140
LONGEST = timedelta(hours=12)
"""Times are looked for so long after the start, if nobody said when it ends: an evening can pass midnight."""
FIELDS = ("note", "comes_at", "leaves_at")


@dataclass(frozen=True)
class Details:
    """What was added. A note of `None` keeps the note there is."""

    note: str | None = None
    comes_at: time | None = None
    leaves_at: time | None = None
    unchanged: frozenset[str] = frozenset()
    """Times that stay as they are."""


def read(typed: Mapping[str, Any], *, keeps_note: bool = False, keeps_all: bool = False) -> Details:
    """The details of a form or a request; with `keeps_note` an empty note keeps the old one, with `keeps_all` empty times
    do so too. Raises `Refused`."""
    note = clean_note(str(typed.get("note") or ""))
    comes_at, leaves_at = _time(typed, "comes_at"), _time(typed, "leaves_at")
    times = {"comes_at": comes_at, "leaves_at": leaves_at}
    unchanged = frozenset(name for name, at in times.items() if keeps_all and at is None)
    return Details(None if (keeps_note or keeps_all) and not note else note, comes_at, leaves_at, unchanged)


def clean_note(text: str) -> str:
    """A note in one line. Raises `Refused`."""
    note = " ".join(text.split())
    if len(note) > LONGEST_NOTE:
        sentence = gettext("At most %(most)s characters.") % {"most": LONGEST_NOTE}
        raise Refused("too_long", sentence, field="note")
    if not note.isprintable():
        raise Refused("bad_words", gettext("The note contains a character that cannot be shown."), field="note")
    return note


def _time(typed: Mapping[str, Any], field: str) -> time | None:
    text = str(typed.get(field) or "").strip()
    if not text:
        return None
    try:
        at = parse_time(text[:8])
    except ValueError:
        at = None
    if at is None:
        raise Refused("bad_time", gettext("Enter a time, such as 19:30."), field=field)
    return at.replace(second=0, microsecond=0, tzinfo=None)


def check(occasion: Occasion, details: Details) -> None:
    """Raise `Refused` for times outside of the meeting, or in the wrong order."""
    starts_at = occasion.starts_at
    if starts_at is None:
        return
    for field in ("comes_at", "leaves_at"):
        at = getattr(details, field)
        if at is not None and not timedelta() < _after(occasion, starts_at, at) < _length(occasion, starts_at):
            sentence = gettext("Enter a time during the meeting: %(clock)s.") % {"clock": occasion.clock}
            raise Refused("not_during", sentence, field=field)
    both = [_after(occasion, starts_at, at) for at in (details.comes_at, details.leaves_at) if at is not None]
    if len(both) == 2 and both[0] >= both[1]:
        raise Refused("bad_order", gettext("Enter a time after you arrive."), field="leaves_at")


def _after(occasion: Occasion, starts_at: datetime, at: time) -> timedelta:
    """How long after the start a clock shows this time, at most a day."""
    begins = starts_at.astimezone(occasion.club.zone)
    minutes = (at.hour - begins.hour) * 60 + at.minute - begins.minute
    return timedelta(minutes=minutes % (24 * 60))


def _length(occasion: Occasion, starts_at: datetime) -> timedelta:
    return occasion.ends_at - starts_at if occasion.ends_at is not None else LONGEST


def times_of(reply: Reply) -> list[str]:
    """When somebody comes later or leaves early, in words."""
    words = []
    if reply.comes_at is not None:
        words.append(gettext("comes at %(time)s") % {"time": f"{reply.comes_at:%H:%M}"})
    if reply.leaves_at is not None:
        words.append(gettext("leaves at %(time)s") % {"time": f"{reply.leaves_at:%H:%M}"})
    return words
