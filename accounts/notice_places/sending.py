"""The outbox of people’s places: each message is sent once, tried again with growing gaps, and then its place rests.

A message is claimed before it is sent. If its worker dies in between, or no answer comes, nobody knows if it arrived:
it is sent again only where the other side knows it again. Quiet hours hold for late messages too.
"""

import logging
from datetime import datetime

from django.db import transaction
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from accounts import time_zones
from accounts.languages import language_of
from accounts.models import Notice, NoticeDelivery, NoticePlace
from accounts.notice_places import addresses
from accounts.notice_places.messages import message_of
from accounts.services import notices
from web.channels.interface import Failed, Message, Where
from web.channels.known import CHANNELS
from web.channels.retries import SENDING_TIME, next_step, send_each
from web.channels.troubles import Then, sentence_of
from web.monitoring import counters
from web.monitoring.backlog import Waiting, waiting

log = logging.getLogger(__name__)

AT_ONCE = 200
NOTICE = "notice_place"
"""The kind of the notification that a place was paused."""
Status = NoticeDelivery.Status


def send_of(place_id: int) -> None:
    """Send what is due for one place. Safe to run twice and at once."""
    send_each(_due().filter(place=place_id), send)


def send_due() -> None:
    """Send everything that is due, such as after a lost task or a dead worker."""
    send_each(_due()[:AT_ONCE], send)


def send(delivery_id: int) -> bool:
    """Send one message if it is due; whether it was taken. Safe to run twice and at once."""
    if _postpone_in_quiet_hours(delivery_id):
        return False
    _note_broken_off(delivery_id)
    until = timezone.now() + SENDING_TIME
    due = _due().order_by().filter(pk=delivery_id)
    if not due.update(status=Status.SENDING, due_at=until, attempts=F("attempts") + 1):
        return False
    delivery = _delivery(delivery_id)
    if delivery is None:
        return False
    try:
        message = _prepare(delivery)
        if message is None:
            NoticeDelivery.objects.filter(pk=delivery_id, status=Status.SENDING).delete()
            return False
        CHANNELS[delivery.place.channel].deliver(*message)
    except Failed as failed:
        _fail(delivery, failed, timezone.now())
        return False
    counters.count(counters.NOTICES, delivery.place.channel, "sent")
    _settle(delivery, Status.SENT)
    return True


def _delivery(delivery_id: int) -> NoticeDelivery | None:
    """A message with its place and person; `None` if the place has just been removed."""
    return NoticeDelivery.objects.select_related("place__user").filter(pk=delivery_id).first()


def _postpone_in_quiet_hours(delivery_id: int) -> bool:
    """Let a message that is late wait for the end of quiet hours; whether it does."""
    due = _due().order_by().filter(pk=delivery_id, status=Status.WAITING)
    delivery, now = due.select_related("place__user").first(), timezone.now()
    if delivery is None or not time_zones.is_quiet(delivery.place.user, now):
        return False
    return bool(due.update(due_at=time_zones.quiet_end(delivery.place.user, now)))


def _note_broken_off(delivery_id: int) -> None:
    """Count a sending that never came to its end as a failure, at the time when it began."""
    delivery = _due().filter(status=Status.SENDING, pk=delivery_id).select_related("place__user").first()
    if delivery is not None and delivery.due_at is not None:
        _fail(delivery, Failed("broke_off"), delivery.due_at - SENDING_TIME)


def _prepare(delivery: NoticeDelivery) -> tuple[Message, Where] | None:
    """The message and where it goes; `None` if nothing is wanted any more. Raises `Failed`."""
    place = delivery.place
    if place.rest or not place.user.is_active:
        return None
    try:
        current = [notice for notice in _notices(delivery) if notices.is_wanted(notice)]
        message = message_of(place.user, current, delivery.message_key) if current else None
    except Exception as error:
        # Its words could hold what a table hides.
        log.error("Message %s to a place could not be written: %s", delivery.pk, type(error).__name__)
        raise Failed("error") from None
    if message is None:
        return None
    where = addresses.read(place)
    if where is None or place.channel not in CHANNELS:
        raise Failed("no_address")
    return message, where


def _notices(delivery: NoticeDelivery) -> list[Notice]:
    """The notifications of a message, in order. News that is wanted once is not sent yet: this message sends it."""
    by_id = Notice.objects.in_bulk(delivery.notices)
    rows = [by_id[pk] for pk in delivery.notices if pk in by_id]
    for row in rows:
        row.was_sent = False
    return rows


def _fail(delivery: NoticeDelivery, failed: Failed, at: datetime) -> None:
    """Note a trouble at a time: tried again later, left alone, or its place rests."""
    place = delivery.place
    log.warning("Message %s to a place was not taken by %s: %s", delivery.pk, place.channel, failed.trouble)
    counters.count(counters.NOTICES, place.channel, "failed")
    then, pause = next_step(CHANNELS.get(place.channel), failed, delivery.attempts)
    if then is Then.ASK:
        _settle(delivery, Status.UNSURE, failed.trouble)
    elif then is Then.AGAIN:
        due_at = time_zones.quiet_end(place.user, at + pause)
        _change(delivery, status=Status.WAITING, trouble=failed.trouble, due_at=due_at)
    else:
        _settle(delivery, Status.FAILED, failed.trouble)
        let_rest(place, failed.trouble)


def _settle(delivery: NoticeDelivery, status: str, trouble: str = "") -> None:
    sent_at = timezone.now() if status == Status.SENT else None
    _change(delivery, status=status, trouble=trouble, due_at=None, sent_at=sent_at)


def _change(delivery: NoticeDelivery, **values: object) -> None:
    NoticeDelivery.objects.filter(pk=delivery.pk, status=Status.SENDING).update(**values)


def let_rest(place: NoticePlace, trouble: str) -> None:
    """Let a place rest that failed, and tell its person, once."""
    now = timezone.now()
    with transaction.atomic():
        if not NoticePlace.objects.filter(pk=place.pk, rest="").update(rest=NoticePlace.Rest.FAILED):
            return
        with language_of(place.user):
            title = gettext("%(place)s gets no more notifications") % {"place": place}
            body = gettext("A message was not accepted, so we paused it. %(why)s") % {"why": sentence_of(trouble)}
        notices.add(
            place.user,
            kind=NOTICE,
            key=f"{NOTICE}:{place.pk}:{now:%Y%m%d%H%M%S}",
            subject=f"{NOTICE}:{place.pk}",
            title=title,
            body=body,
            url=reverse("accounts:channels"),
            due_at=now,
        )


def is_resting(notice: Notice) -> bool:
    """Whether the place of a notification is still paused because it failed."""
    failed = NoticePlace.objects.filter(rest=NoticePlace.Rest.FAILED)
    return failed.filter(pk=int(notice.key.split(":")[1])).exists()


def messages_waiting() -> Waiting:
    """The messages that are due and not sent yet."""
    return waiting(_due().order_by(), "due_at")


def late() -> QuerySet[NoticeDelivery]:
    """Messages that should have been sent a while ago."""
    return _due(timezone.now() - SENDING_TIME).order_by()


def _due(now: datetime | None = None) -> QuerySet[NoticeDelivery]:
    return NoticeDelivery.objects.filter(due_at__lte=now or timezone.now()).order_by("due_at", "pk")
