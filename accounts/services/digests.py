"""The daily digest by email: everything that waits for a person, at eight by their own clock."""

import logging
from datetime import date, datetime, time, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts import time_zones
from accounts.models import Notice, User
from accounts.notice_places import outbox
from accounts.services import mail, notices

log = logging.getLogger(__name__)

HOUR = time(8)
"""Time of the digest by the person's own clock; later if that is in their quiet hours."""
OLDEST = timedelta(days=60)


def send_digests(now: datetime | None = None) -> int:
    """Send the digests due at `now`; how many were sent. A person gets one a day at most, and none that is empty."""
    now = now or timezone.now()
    return sum(_send_safely(user, now) for user in _subscribers().iterator(chunk_size=500) if _is_due(user, now))


def _subscribers() -> QuerySet[User]:
    return User.objects.filter(notice_digest=True, notice_email=True, is_active=True).order_by("pk")


def _is_due(user: User, now: datetime) -> bool:
    local = now.astimezone(user.zone)
    is_new = user.digest_on is None or user.digest_on < local.date()
    return is_new and local.time() >= HOUR and not time_zones.is_quiet(user, now)


def _send_safely(user: User, now: datetime) -> bool:
    try:
        return _send(user, now)
    except Exception as error:
        log.error("The digest of person %s failed: %s", user.pk, type(error).__name__)
        return False


def _send(user: User, now: datetime) -> bool:
    """Send one digest; the day is taken first, so that two sweeps cannot both send it."""
    before, today = user.digest_on, now.astimezone(user.zone).date()
    lines, new = _lines(user, now)
    with transaction.atomic():
        if not _take_day(user, today):
            return False
        _settle(new, lines, now)
        outbox.write(user, lines, now, day=today)
    if not lines:
        return False
    trouble = mail.send_digest(user, lines)
    notices.keep_trouble(lines, trouble)
    if trouble in mail.NOT_TAKEN:
        _give_back(user, before, today, new)
        return False
    return True


def _settle(new: list[Notice], lines: list[Notice], now: datetime) -> None:
    """Settle the new notifications; those in the digest count as sent."""
    Notice.objects.filter(pk__in=[notice.pk for notice in new]).update(settled_at=now, was_sent=False)
    Notice.objects.filter(pk__in=[notice.pk for notice in new if notice in lines]).update(was_sent=True)


def _give_back(user: User, before: date | None, today: date, new: list[Notice]) -> None:
    """Reset after the mail server refused the message: the next sweep tries again."""
    Notice.objects.filter(pk__in=[notice.pk for notice in new]).update(settled_at=None, was_sent=False)
    User.objects.filter(pk=user.pk, digest_on=today).update(digest_on=before)


def _take_day(user: User, today: date) -> bool:
    untaken = Q(digest_on=None) | Q(digest_on__lt=today)
    return User.objects.filter(untaken, pk=user.pk).update(digest_on=today) == 1


def _lines(user: User, now: datetime) -> tuple[list[Notice], list[Notice]]:
    """The latest notification for each thing that waits, oldest first; and all that were in no digest yet.

    Kinds with a check are listed every day while it holds; others once.
    """
    recent = user.notices.filter(due_at__lte=now, created_at__gte=now - OLDEST).order_by("due_at", "pk")
    new = [notice for notice in recent if notice.settled_at is None]
    waiting = [
        notice
        for notice in recent
        if (notice.settled_at is None or (notice.was_sent and notices.can_be_asked(notice.kind)))
        and notices.is_wanted(notice)
    ]
    by_subject = {notice.subject or notice.key: notice for notice in waiting}
    return list(by_subject.values()), new
