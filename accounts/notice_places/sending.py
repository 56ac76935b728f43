"""The outbox of people’s places. Quiet hours hold for late messages too."""

import logging
from datetime import datetime

from django.db import transaction
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
from web.channels.outbox import Outbox
from web.channels.troubles import sentence_of

log = logging.getLogger(__name__)

NOTICE = "notice_place"
"""The kind of the notification that a place was paused."""


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


def _awake(delivery: NoticeDelivery, at: datetime) -> datetime:
    return time_zones.quiet_end(delivery.place.user, at)


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


OUTBOX = Outbox(NoticeDelivery, ("place__user",), _prepare, _awake, let_rest)
