"""The outbox of news for places. What was due by day and is late waits for the morning."""

import logging
from contextlib import suppress
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from accounts.languages import language_of
from accounts.services import notices
from clubs.models import NewsDelivery, NewsPlace
from clubs.news_places import addresses, corrections, following, messages, quiet_hours
from clubs.services import lookups
from clubs.services.history import Record, Rows, Site, declare, perform
from web.channels.interface import Failed, Message, Where
from web.channels.known import CHANNELS
from web.channels.outbox import Outbox
from web.channels.troubles import sentence_of
from web.errors import Refused

log = logging.getLogger(__name__)

NOTICE = "club_place"
FAILED = declare("place_failed", needs=Site("A place that does not take news."), undo=Rows("news"), archived=True)
Status = NewsDelivery.Status


def _prepare(delivery: NewsDelivery) -> tuple[Message, Where] | None:
    """The message of a delivery and its address; `None` if nothing is to be sent. Raises `Failed`."""
    place = delivery.place
    try:
        facts = corrections.facts_of(delivery, timezone.now())
        message = messages.message_of(delivery) if _is_wanted(delivery) else None
    except Exception as error:
        log.exception("Delivery %s of news could not be written", delivery.pk)
        raise Failed("error") from error
    if message is None:
        return None
    if place.rest:
        OUTBOX.settle(delivery, Status.FAILED)
        return None
    where = addresses.read(place)
    if where is None or place.channel not in CHANNELS:
        raise Failed("no_address")
    if delivery.kind == "results":
        # Others were undone; once they are played again, they are news.
        OUTBOX.change(delivery, about=list(messages.results_of(delivery).values_list("pk", flat=True)))
    OUTBOX.change(delivery, facts=facts)
    return message, where


def _is_wanted(delivery: NewsDelivery) -> bool:
    """Whether its place and its club still want news, and its meeting has not started."""
    place, meeting = delivery.place, delivery.meeting
    if place.removed_at is not None or place.club.archived_at is not None:
        return False
    return meeting is None or meeting.starts_at > timezone.now()


def _awake(delivery: NewsDelivery, at: datetime) -> datetime:
    return quiet_hours.awake(delivery.place.club.zone, at)


def _was_due_by_day(delivery: NewsDelivery) -> bool:
    return delivery.due_at is not None and _awake(delivery, delivery.due_at) == delivery.due_at


def _correct(delivery: NewsDelivery) -> None:
    """Write a correction if results have changed while the message was sent."""
    if delivery.event is not None:
        following.correct(delivery.place, delivery.event, timezone.now())


def let_rest(place: NewsPlace, trouble: str) -> None:
    """Let a place rest that failed, and tell the organisers, once."""

    def do(record: Record) -> str:
        locked = NewsPlace.objects.filter(pk=place.pk, rest="", removed_at=None).first()
        if locked is None:
            raise Refused("nothing_new", gettext("This has already been done."))
        record.change(locked, rest=NewsPlace.Rest.FAILED.value)
        return gettext("%(place)s was paused because it failed. %(why)s") % {
            "place": locked,
            "why": sentence_of(trouble),
        }

    with suppress(Refused), transaction.atomic():
        perform(place.club_id, do, FAILED, by=None)
        now = timezone.now()
        url = reverse("clubs:news_places", args=[place.club.slug])
        for organiser in lookups.organisers(place.club):
            if organiser.user is None:
                continue
            with language_of(organiser.user, settings.LANGUAGE_CODE):
                title = gettext("%(place)s gets no more news") % {"place": place}
                body = gettext("A message was not accepted, so we paused it. %(why)s") % {"why": sentence_of(trouble)}
            notices.add(
                organiser.user,
                kind=NOTICE,
                key=f"{NOTICE}:{place.pk}:{now:%Y%m%d%H%M%S}",
                subject=f"club:{place.club_id}",
                title=f"{place.club.name}: {title}",
                body=body,
                url=url,
                due_at=now,
            )


OUTBOX = Outbox(
    NewsDelivery,
    ("place__club", "event", "meeting__club"),
    _prepare,
    _awake,
    let_rest,
    can_wait=_was_due_by_day,
    after=_correct,
)
