"""Absences: added by the person, or by the site when time runs out, within a yearly allowance.

An absence lasts whole days of the person's own clock, so daylight saving time costs nobody an hour of one.
"""

import math
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext, ngettext

from accounts.models import Absence, User
from accounts.services import free_time
from web.errors import NotAllowed, Refused
from web.text import several

FURTHEST = timedelta(days=400)
"""The longest time ahead for an absence."""
_DAY = timedelta(days=1)


def midnight(user: User, day: date) -> datetime:
    """The beginning of a day by the person's own clock, in UTC."""
    return datetime(day.year, day.month, day.day, tzinfo=user.zone).astimezone(UTC)


def add(user: User, starts_at: datetime, ends_at: datetime, now: datetime) -> Absence:
    """Add an absence from `starts_at` to `ends_at`; joined with the absences it overlaps or touches.

    It starts now at the earliest, because the past cannot be changed.
    """
    starts_at = max(starts_at, now)
    if ends_at <= starts_at:
        raise Refused("absence_past", gettext("An absence must end after it starts, and not in the past."))
    if ends_at > now + FURTHEST:
        raise Refused("absence_far", gettext("You can add an absence at most a year ahead."))
    with transaction.atomic():
        _lock(user)
        joined = list(user.absences.filter(starts_at__lte=ends_at, ends_at__gte=starts_at, ends_at__gt=now))
        starts_at = min([starts_at, *(absence.starts_at for absence in joined)])
        ends_at = max([ends_at, *(absence.ends_at for absence in joined)])
        user.absences.filter(pk__in=[absence.pk for absence in joined]).delete()
        _check_allowance(user, starts_at, ends_at)
        absence = Absence.objects.create(user=user, starts_at=starts_at, ends_at=ends_at)
        free_time.announce_change(user)
    return absence


def cancel(user: User, absence_id: int, now: datetime) -> None:
    """Cancel an absence that has not started, or end the current one. Twice does no harm."""
    with transaction.atomic():
        _lock(user)
        absence = user.absences.filter(pk=absence_id).first()
        if absence is None or absence.ends_at <= now:
            return
        if absence.starts_at >= now:
            absence.delete()
        else:
            absence.ends_at = now
            absence.save(update_fields=["ends_at"])
        free_time.announce_change(user)


def shorten(user: User, absence_id: int, ends_at: datetime, now: datetime) -> None:
    """End an absence earlier than planned, and not before now."""
    with transaction.atomic():
        _lock(user)
        absence = user.absences.filter(pk=absence_id, ends_at__gt=now).first()
        if absence is None:
            raise NotAllowed("absence_gone", gettext("That absence is over or was cancelled."))
        if not max(now, absence.starts_at) < ends_at <= absence.ends_at:
            raise Refused("absence_end", gettext("Choose an end between now and the current end of the absence."))
        absence.ends_at = ends_at
        absence.save(update_fields=["ends_at"])
        free_time.announce_change(user)


def start_automatic(user: User, now: datetime, days: int) -> Absence | None:
    """Start an absence for a person whose time ran out: `days`, or the rest of the allowance; `None` if it is used up.

    A current absence stays as it is.
    """
    with transaction.atomic():
        _lock(user)
        running = user.absences.filter(starts_at__lte=now, ends_at__gt=now).first()
        if running is not None:
            return running
        ends_at = _longest(user, now, days)
        if ends_at is None:
            return None
        # The part of it that was announced is in that absence already.
        following = user.absences.filter(starts_at__gt=now, starts_at__lt=ends_at).first()
        absence = Absence.objects.create(
            user=user, starts_at=now, ends_at=following.starts_at if following else ends_at, is_automatic=True
        )
        free_time.announce_change(user)
    return absence


def days_used(user: User, year: int) -> int:
    """Days of that year, by the person's own clock, that absences took or will take; a part of a day counts whole."""
    return _days(user, year, [(absence.starts_at, absence.ends_at) for absence in user.absences.all()])


def days_left(user: User, year: int) -> int:
    """Days of the yearly allowance that are left."""
    return max(0, settings.ABSENCE_DAYS_A_YEAR - days_used(user, year))


def _lock(user: User) -> None:
    """Allow one change of a person's absences at a time."""
    User.objects.select_for_update().only("pk").get(pk=user.pk)


def _wall(moment: datetime, zone: ZoneInfo) -> datetime:
    """The time on the person's calendar and clock, without the zone: days between are days of the calendar."""
    return moment.astimezone(zone).replace(tzinfo=None)


def _days(user: User, year: int, spans: list[tuple[datetime, datetime]]) -> int:
    first, last = datetime(year, 1, 1), datetime(year + 1, 1, 1)
    walls = ((_wall(start, user.zone), _wall(end, user.zone)) for start, end in spans)
    used = sum((max(timedelta(), min(end, last) - max(start, first)) for start, end in walls), timedelta())
    return math.ceil(used / _DAY)


def _check_allowance(user: User, starts_at: datetime, ends_at: datetime) -> None:
    for year in range(_wall(starts_at, user.zone).year, _wall(ends_at, user.zone).year + 1):
        rest = days_left(user, year)
        days = _days(user, year, [(starts_at, ends_at)])
        if days > rest:
            raise Refused(
                "absence_allowance",
                ngettext(
                    "That would use %(wanted)s in %(year)s. Of %(most)s a year, you have %(left)s day left.",
                    "That would use %(wanted)s in %(year)s. Of %(most)s a year, you have %(left)s days left.",
                    rest,
                )
                % {"wanted": several(days, "day"), "year": year, "most": settings.ABSENCE_DAYS_A_YEAR, "left": rest},
                left=rest,
            )


def _longest(user: User, now: datetime, days: int) -> datetime | None:
    """The end of an absence of at most so many days from now that the allowance still covers."""
    for length in range(days, 0, -1):
        wall = _wall(now, user.zone) + length * _DAY
        ends_at = wall.replace(tzinfo=user.zone).astimezone(UTC)
        try:
            _check_allowance(user, now, ends_at)
        except Refused:
            continue
        return ends_at
    return None
