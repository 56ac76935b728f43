"""Being away: announced by the person, or begun by the site when time runs out, within a yearly allowance.

An absence lasts whole days of the person's own clock, so a change of daylight saving costs nobody an hour of one.
"""

from __future__ import annotations

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
"""How far ahead an absence may be announced."""
_DAY = timedelta(days=1)


def midnight(user: User, day: date) -> datetime:
    """The beginning of a day by the person's own clock, in UTC."""
    return datetime(day.year, day.month, day.day, tzinfo=user.zone).astimezone(UTC)


def announce(user: User, starts_at: datetime, ends_at: datetime, now: datetime) -> Absence:
    """Be away from `starts_at` to `ends_at`; joined with the absences it overlaps or touches.

    What has passed cannot be announced: an absence begins now at the earliest.
    """
    starts_at = max(starts_at, now)
    if ends_at <= starts_at:
        raise Refused("absence_past", gettext("An absence must end after it starts, and not in the past."))
    if ends_at > now + FURTHEST:
        raise Refused("absence_far", gettext("You can add an absence at most a year ahead."))
    with transaction.atomic():
        _lock(user)
        joined = list(user.absences.filter(starts_at__lte=ends_at, ends_at__gte=starts_at, ends_at__gt=now))
        starts_at = min([starts_at, *(one.starts_at for one in joined)])
        ends_at = max([ends_at, *(one.ends_at for one in joined)])
        user.absences.filter(pk__in=[one.pk for one in joined]).delete()
        _check_allowance(user, starts_at, ends_at)
        absence = Absence.objects.create(user=user, starts_at=starts_at, ends_at=ends_at)
        free_time.tell(user)
    return absence


def cancel(user: User, absence_id: int, now: datetime) -> None:
    """Take back an absence that has not begun, or end the one that runs. Twice does no harm."""
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
        free_time.tell(user)


def shorten(user: User, absence_id: int, ends_at: datetime, now: datetime) -> None:
    """End an absence earlier than announced, and not before now."""
    with transaction.atomic():
        _lock(user)
        absence = user.absences.filter(pk=absence_id, ends_at__gt=now).first()
        if absence is None:
            raise NotAllowed("absence_gone", gettext("That absence is over or was cancelled."))
        if not max(now, absence.starts_at) < ends_at <= absence.ends_at:
            raise Refused("absence_end", gettext("Choose an end between now and the current end of the absence."))
        absence.ends_at = ends_at
        absence.save(update_fields=["ends_at"])
        free_time.tell(user)


def start_automatic(user: User, now: datetime, days: int) -> Absence | None:
    """Begin an absence for a person whose time ran out: `days`, or what the allowance leaves; `None` if it is used up.

    Somebody who is away already stays away as announced.
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
        free_time.tell(user)
    return absence


def days_used(user: User, year: int) -> int:
    """Days of that year, by the person's own clock, that absences took or will take; a part of a day counts whole."""
    return _days(user, year, [(one.starts_at, one.ends_at) for one in user.absences.all()])


def days_left(user: User, year: int) -> int:
    """Days of the yearly allowance that are left."""
    return max(0, settings.ABSENCE_DAYS_A_YEAR - days_used(user, year))


def _lock(user: User) -> None:
    """One change of a person's absences at a time."""
    User.objects.select_for_update().only("pk").get(pk=user.pk)


def _wall(moment: datetime, zone: ZoneInfo) -> datetime:
    """What the person's calendar and clock show, without the zone: days between are days of the calendar."""
    return moment.astimezone(zone).replace(tzinfo=None)


def _days(user: User, year: int, spans: list[tuple[datetime, datetime]]) -> int:
    first, last = datetime(year, 1, 1), datetime(year + 1, 1, 1)
    walls = ((_wall(start, user.zone), _wall(end, user.zone)) for start, end in spans)
    used = sum((max(timedelta(), min(end, last) - max(start, first)) for start, end in walls), timedelta())
    return math.ceil(used / _DAY)


def _check_allowance(user: User, starts_at: datetime, ends_at: datetime) -> None:
    for year in range(_wall(starts_at, user.zone).year, _wall(ends_at, user.zone).year + 1):
        left = days_left(user, year)
        wanted = _days(user, year, [(starts_at, ends_at)])
        if wanted > left:
            raise Refused(
                "absence_allowance",
                ngettext(
                    "That would use %(wanted)s in %(year)s. Of %(most)s a year, you have %(left)s day left.",
                    "That would use %(wanted)s in %(year)s. Of %(most)s a year, you have %(left)s days left.",
                    left,
                )
                % {"wanted": several(wanted, "day"), "year": year, "most": settings.ABSENCE_DAYS_A_YEAR, "left": left},
                left=left,
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
