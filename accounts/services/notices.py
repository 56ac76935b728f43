"""Notifications: an outbox, sent by a task when they are due and still wanted.

How a notification is sent. A sweep takes one person after the other. In one transaction it locks that person's due
notifications, drops those no longer wanted, moves those that would break quiet hours, and settles the rest; only after
this is committed is the one message sent. So nothing is sent twice, however many sweeps run at once: a process that
dies between the commit and the mail server loses that one message, which is still on the page.

If the mail server surely did not take the message (no connection, or a refusal), the notifications are opened again
with a later `due_at`, `ATTEMPTS` times in all. If that is unclear, it is not asked again. Push is tried once, with the
first attempt: the services at the other end keep messages themselves.

Their own places outside the site get a message of their own, written with the settling (`accounts.notice_places`).

People who want one email a day get the digest instead: see `accounts.services.digests`.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from accounts import time_zones
from accounts.models import Notice, User
from accounts.notice_places import outbox
from accounts.notice_places.topics import Topic, assign
from accounts.services import mail, push
from web.database.fast_writes import insert
from web.errors import Refused
from web.monitoring import counters
from web.monitoring.backlog import Waiting, waiting

log = logging.getLogger(__name__)

GRACE = timedelta(minutes=2)
"""Delay of a notification about a turn, so that players who move at once or are looking get none."""
ATTEMPTS = 3
"""Most attempts to send an email."""
PAUSE = timedelta(minutes=5)
"""Delay before a failed notification is tried again; longer with each attempt."""
PEOPLE_A_SWEEP = 500

Wanted = Callable[[Notice], bool]
_questions: dict[str, Wanted] = {}


def register(kind: str, topic: Topic, is_wanted: Wanted | None = None) -> None:
    """Register a kind with its topic, and the check whether it is still wanted when it is due; without, it always is."""
    assign(kind, topic)
    if is_wanted is not None:
        _questions[kind] = is_wanted


def add(
    user: User, *, kind: str, key: str, subject: str, title: str, url: str, due_at: datetime, body: str = ""
) -> None:
    """Put a notification into the outbox, in the transaction of its cause. A known key is skipped."""
    notice = Notice(
        user=user, kind=kind, key=key, subject=subject, title=title[:200], url=url, due_at=due_at, body=body
    )
    insert([notice], skip_known=True)


def listed_notices(user: User, now: datetime | None = None) -> QuerySet[Notice]:
    """The list on the site, newest first: all that is due and was not dropped."""
    due = user.notices.filter(due_at__lte=now or timezone.now())
    return due.filter(Q(settled_at=None) | Q(was_sent=True)).order_by("-due_at", "-pk")


def unread_count(user: User) -> int:
    """The number of unread notifications."""
    return listed_notices(user).filter(read_at=None).count()


def mark_read(user: User, *, subject: str | None = None) -> None:
    """Mark notifications as read: all, or those of one subject, such as the current table."""
    unread = user.notices.filter(read_at=None, due_at__lte=timezone.now())
    if subject is not None:
        unread = unread.filter(subject=subject)
    unread.update(read_at=timezone.now())


def send_due(now: datetime | None = None) -> int:
    """Send everything due at `now`; returns the number of people notified. One person's trouble stops no other."""
    now = now or timezone.now()
    people = _due(now).order_by("user_id")
    people_told = 0
    for user_id in people.values_list("user_id", flat=True).distinct()[:PEOPLE_A_SWEEP]:
        try:
            people_told += _tell(user_id, now)
        except Exception as error:
            # Its words could hold what a table hides.
            log.error("Person %s could not be told: %s", user_id, type(error).__name__)
    return people_told


def is_wanted(notice: Notice) -> bool:
    """Whether a notification should still be sent; always for kinds without a check."""
    question = _questions.get(notice.kind)
    return question is None or question(notice)


def can_be_asked(kind: str) -> bool:
    """Whether this kind has a check that it is still wanted."""
    return kind in _questions


def waiting_to_be_sent(now: datetime | None = None) -> Waiting:
    """Notifications that are due and not sent yet."""
    return waiting(_due(now or timezone.now()), "due_at")


def failed_before() -> int:
    """The number of notifications to be tried again because the mail server refused them."""
    return Notice.objects.filter(settled_at=None, attempts__gt=0).count()


def _due(now: datetime) -> QuerySet[Notice]:
    """Notifications sent singly, not with a digest."""
    return _unsettled(now).exclude(user__notice_digest=True, user__notice_email=True)


def _unsettled(now: datetime) -> QuerySet[Notice]:
    return Notice.objects.filter(settled_at=None, due_at__lte=now)


def _tell(user_id: int, now: datetime) -> bool:
    """Send one person everything due in one message; whether there was anything."""
    with transaction.atomic():
        user, claimed = _claim(user_id, now)
    if not claimed or not user.is_active:
        return False
    if claimed[0].attempts == 0:
        push.send(user, claimed)
    if user.notice_email:
        trouble = mail.send_notices(user, claimed)
        keep_trouble(claimed, trouble)
        if trouble in mail.NOT_TAKEN:
            _try_again(claimed, now)
    return True


def _claim(user_id: int, now: datetime) -> tuple[User, list[Notice]]:
    """Settle a person's due notifications; returns those to send now, oldest first. The caller holds the transaction.

    A failed attempt is repeated alone, so that nothing new is pushed late or twice with it.
    """
    user = User.objects.get(pk=user_id)
    locked = _unsettled(now).filter(user=user).order_by("due_at", "pk")
    if connection.features.has_select_for_update_skip_locked:
        locked = locked.select_for_update(skip_locked=True)
    due = list(locked)
    due_now, unsure = _sort(due)
    _postpone(unsure, now + PAUSE)
    unwanted = [notice.pk for notice in due if notice not in due_now and notice not in unsure]
    Notice.objects.filter(pk__in=unwanted).update(settled_at=now, was_sent=False)
    if time_zones.is_quiet(user, now):
        _postpone(due_now, time_zones.quiet_end(user, now))
        return user, []
    batch = [notice for notice in due_now if notice.attempts == due_now[0].attempts]
    Notice.objects.filter(pk__in=[notice.pk for notice in batch]).update(settled_at=now, was_sent=True)
    if batch and batch[0].attempts == 0 and user.is_active:
        outbox.write(user, batch, now)
    return user, batch


def _sort(due: list[Notice]) -> tuple[list[Notice], list[Notice]]:
    """The notifications still wanted, and those whose check failed."""
    still_wanted, unsure = [], []
    for notice in due:
        try:
            with transaction.atomic():
                if is_wanted(notice):
                    still_wanted.append(notice)
        except Exception as error:
            log.error("Whether notice %s is wanted could not be told: %s", notice.pk, type(error).__name__)
            unsure.append(notice)
    return still_wanted, unsure


def _postpone(notices: list[Notice], due_at: datetime) -> None:
    Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(due_at=due_at)


def send_again(notice_id: int, now: datetime | None = None) -> Notice:
    """Put a notification whose email failed into the outbox again, without push. Raises `Refused`."""
    now = now or timezone.now()
    with transaction.atomic():
        notice = Notice.objects.select_for_update(of=("self",)).select_related("user").filter(pk=notice_id).first()
        if notice is None or not notice.was_sent or notice.trouble in ("", Notice.Trouble.BOUNCED):
            raise Refused("not_failed", gettext("This notification is waiting to be sent, or has just been sent."))
        user = notice.user
        if not user.is_active or not user.notice_email or not mail.address_of(user):
            raise Refused("no_mail", gettext("This account does not receive email now, so nothing was sent."))
        notice.settled_at, notice.was_sent, notice.attempts, notice.due_at = None, False, 1, now
        notice.save(update_fields=["settled_at", "was_sent", "attempts", "due_at"])
        return notice


def keep_trouble(notices: list[Notice], trouble: str) -> None:
    """Save the trouble with the email about these notifications, if it is new."""
    if trouble or any(notice.trouble for notice in notices):
        Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(trouble=trouble)


def _try_again(notices: list[Notice], now: datetime) -> None:
    """Open refused notifications again, unless the attempts are used up."""
    attempts = notices[0].attempts + 1
    if attempts < ATTEMPTS:
        Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(
            settled_at=None, attempts=attempts, due_at=now + attempts * PAUSE
        )
    else:
        counters.count(counters.NOTICES, "email", "given_up")
