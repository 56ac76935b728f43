"""A person's clock: time zones by name, and quiet hours across changes of daylight saving."""

from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.http import HttpRequest

from accounts.models import User

COOKIE = f"{settings.COOKIE_PREFIX}zone"
"""The cookie in which `static/js/zone.js` keeps the browser's zone."""


_RENAMED = {
    "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
    "America/Godthab": "America/Nuuk",
    "America/Indianapolis": "America/Indiana/Indianapolis",
    "Asia/Calcutta": "Asia/Kolkata",
    "Asia/Katmandu": "Asia/Kathmandu",
    "Asia/Rangoon": "Asia/Yangon",
    "Asia/Saigon": "Asia/Ho_Chi_Minh",
    "Atlantic/Faeroe": "Atlantic/Faroe",
    "Europe/Kiev": "Europe/Kyiv",
}
"""Current names of zones, by the old names that browsers still report."""


@cache
def names() -> tuple[str, ...]:
    """The zones to choose from: places and UTC, without the old aliases and the fixed offsets."""
    places = (
        "Africa/",
        "America/",
        "Antarctica/",
        "Asia/",
        "Atlantic/",
        "Australia/",
        "Europe/",
        "Indian/",
        "Pacific/",
    )
    return ("UTC", *sorted(name for name in available_timezones() if name.startswith(places) and name not in _RENAMED))


@cache
def is_zone(name: str) -> bool:
    """Whether there is a time zone of that name."""
    return name in available_timezones()


def guess(request: HttpRequest) -> str:
    """The zone that the visitor's browser reported; UTC when it did not, or not well."""
    name = request.COOKIES.get(COOKIE, "").replace("%2F", "/")
    return canonical(name) if len(name) <= 64 and is_zone(name) else "UTC"


def canonical(name: str) -> str:
    """The name that a zone has today."""
    return _RENAMED.get(name, name)


def zone_of(request: HttpRequest, user: User | None) -> ZoneInfo:
    """The zone to show times in: that of a member's profile, else the browser's."""
    return user.zone if user is not None and not user.is_guest else ZoneInfo(guess(request))


def is_quiet(user: User, moment: datetime) -> bool:
    """Whether the moment lies in the person's quiet hours, by their own clock."""
    start, end = user.quiet_from, user.quiet_until
    if start is None or end is None or start == end:
        return False
    clock = moment.astimezone(user.zone).time()
    return start <= clock < end if start < end else clock >= start or clock < end


def quiet_end(user: User, moment: datetime) -> datetime:
    """The first moment from `moment` on that is not quiet, in UTC."""
    if not is_quiet(user, moment) or user.quiet_until is None:
        return moment
    day = moment.astimezone(user.zone).date()
    ends = (instant for step in range(3) for instant in _instants(day + timedelta(step), user.quiet_until, user.zone))
    return next(end for end in ends if end > moment and not is_quiet(user, end))


def _instants(day: date, clock: time, zone: ZoneInfo) -> list[datetime]:
    """Moments when the clock shows that time: one, two if it goes back, the first after a skipped time."""
    wall = [datetime.combine(day, clock, tzinfo=zone).replace(fold=fold) for fold in (0, 1)]
    moments = sorted(local.astimezone(UTC) for local in wall)
    if moments[0].astimezone(zone).time() != clock and moments[0] != moments[1]:
        # In a gap the two readings lie before and after it by its width: the clock skips at the end of the earlier one.
        return [_first_after_gap(moments[0], moments[1], zone)]
    return moments


def _first_after_gap(before: datetime, after: datetime, zone: ZoneInfo) -> datetime:
    """The moment between two readings of a skipped time at which the clock goes forward, to the minute."""
    offset = before.astimezone(zone).utcoffset()
    minutes = range(int((after - before) / timedelta(minutes=1)) + 1)
    moments = (before + timedelta(minutes=minute) for minute in minutes)
    return next(moment for moment in moments if moment.astimezone(zone).utcoffset() != offset)
