"""Numbers and times in words, in the zone that is active for the reader."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_WITHOUT_MINUTES = 10 * _HOUR
"""From here on a duration in hours is told without its minutes."""


def number(value: int) -> str:
    """A whole number with commas between thousands and a real minus sign: `−1,250`."""
    return f"{value:,}".replace("-", "−")


def duration(length: timedelta) -> str:
    """How long, in at most two units, rounded down: `2 d 6 h`, `3 h 10 min`, `41 min`."""
    seconds = max(0, int(length.total_seconds()))
    if seconds < _MINUTE:
        return "under 1 min"
    if seconds < _HOUR:
        return f"{seconds // _MINUTE} min"
    if seconds < _DAY:
        minutes = seconds % _HOUR // _MINUTE if seconds < _WITHOUT_MINUTES else 0
        return _two(f"{seconds // _HOUR} h", minutes, "min")
    return _two(f"{seconds // _DAY} d", seconds % _DAY // _HOUR, "h")


def _two(first: str, value: int, unit: str) -> str:
    return f"{first} {value} {unit}" if value else first


def moment(at: datetime, now: datetime) -> str:
    """A moment as the reader's calendar has it: `14:25 today`, `09:00 tomorrow`, `Sun 16:10`, `13 Dec 20:00`."""
    local, today = timezone.localtime(at), timezone.localtime(now).date()
    days = (local.date() - today).days
    clock = f"{local:%H:%M}"
    near = {-1: f"{clock} yesterday", 0: f"{clock} today", 1: f"{clock} tomorrow"}
    if days in near:
        return near[days]
    if 1 < days < 7:
        return f"{local:%a} {clock}"
    year = "" if local.year == today.year else f" {local.year}"
    return f"{local.day} {local:%b}{year} {clock}"


def date_and_time(at: datetime) -> str:
    """A moment for what may be read on another day: `Thu 26 Nov 20:15`."""
    local = timezone.localtime(at)
    return f"{local:%a} {local.day} {local:%b} {local:%H:%M}"


def zone_name(now: datetime) -> str:
    """The reader's zone for the top of a list of times: `Toronto (EST)`, `Kolkata (IST)`, `UTC`."""
    local = timezone.localtime(now)
    name = timezone.get_current_timezone_name()
    place = name.rpartition("/")[2].replace("_", " ")
    short = local.tzname() or ""
    return place if not short or short == place or not short.isalpha() else f"{place} ({short})"


def several(count: int, one: str, more: str | None = None) -> str:
    """A count with its noun: `1 table`, `1,204 tables`."""
    return f"{number(count)} {one if count == 1 else more or one + 's'}"
