"""Days and times of repeating meetings, by a club's clock."""

import calendar
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from clubs.models import RepeatingMeeting

DAY, WEEK = timedelta(days=1), timedelta(days=7)
EVENING = time(18)
"""When people are asked and reminded, by the club's clock."""
Nth = RepeatingMeeting.Nth


def days_of(repeating: RepeatingMeeting, after: date | None, until: date) -> Iterator[date]:
    """Its days after one day and until another, in order, without the skipped ones."""
    first = repeating.first_day if after is None else max(repeating.first_day, after + DAY)
    last = until if repeating.last_day is None else min(until, repeating.last_day)
    skipped = set(repeating.skipped)
    for day in _planned(repeating, first, last):
        if day.isoformat() not in skipped:
            yield day


def is_day_of(repeating: RepeatingMeeting, day: date) -> bool:
    """Whether a meeting is planned on this day, skipped or not."""
    return day >= repeating.first_day and day in _planned(repeating, day, day)


def _planned(repeating: RepeatingMeeting, first: date, last: date) -> Iterator[date]:
    if repeating.every == RepeatingMeeting.Every.WEEK:
        day = first + (repeating.weekday - first.weekday()) % 7 * DAY
        while day <= last:
            yield day
            day += WEEK
        return
    year, month = first.year, first.month
    while date(year, month, 1) <= last:
        if first <= (day := nth_of_month(year, month, repeating.weekday, repeating.nth)) <= last:
            yield day
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)


def nth_of_month(year: int, month: int, weekday: int, nth: int) -> date:
    """Such as the second Tuesday of a month; `Nth.LAST` for the last one."""
    first_weekday, length = calendar.monthrange(year, month)
    first = 1 + (weekday - first_weekday) % 7
    day = first + 7 * (nth - 1)
    return date(year, month, day if nth != Nth.LAST and day <= length else first + (length - first) // 7 * 7)


def moment(zone: ZoneInfo, day: date, at: time) -> datetime:
    """The moment, in UTC, at which clocks of the zone show this time on this day.

    A time that they show twice is its first one; one that they skip is as much later as they are put forward.
    """
    return datetime.combine(day, at, zone).astimezone(UTC)


def evening_before(zone: ZoneInfo, at: datetime, days: int) -> datetime:
    """The moment in the evening, so many days before a moment, by the zone's clocks."""
    return moment(zone, at.astimezone(zone).date() - days * DAY, EVENING)
