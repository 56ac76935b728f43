"""The outbox of news for places: each message is sent once, tried again with growing gaps, and then its place rests.

A delivery is claimed before it is sent. If its worker dies in between, or no answer comes, nobody knows if the message
arrived: it is sent again only where the other side knows it again, else people decide.
"""

import logging
from contextlib import suppress
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
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
from web.channels.retries import SENDING_TIME, next_step, send_each
from web.channels.troubles import Then, sentence_of
from web.errors import Refused
from web.monitoring import counters
from web.monitoring.backlog import Waiting, waiting

log = logging.getLogger(__name__)

AT_ONCE = 200
NOTICE = "club_place"
FAILED = declare("place_failed", needs=Site("A place that does not take news."), undo=Rows("news"), archived=True)
Status = NewsDelivery.Status


def send_of(place_id: int) -> None:
    """Send what is due for one place. Safe to run twice and at once."""
    send_each(_due().filter(place=place_id), send)


def send_due() -> None:
    """Send everything that is due, such as after a lost task or a dead worker."""
    send_each(_due()[:AT_ONCE], send)


def send(delivery_id: int) -> bool:
    """Send one delivery if it is due; whether it was taken. Safe to run twice and at once."""
    if _postpone_at_night(delivery_id):
        return False
    _note_broken_off(delivery_id)
    until = timezone.now() + SENDING_TIME
    due = _due().order_by().filter(pk=delivery_id)
    if not due.update(status=Status.SENDING, due_at=until, attempts=F("attempts") + 1):
        return False
    delivery = _delivery(delivery_id)
    place = delivery.place
    try:
        message = _prepare(delivery)
        if message is None:
            return False
        CHANNELS[delivery.place.channel].deliver(*message)
    except Failed as failed:
        _fail(delivery, failed, timezone.now())
        return False
    counters.count(counters.NOTICES, place.channel, "sent")
    _settle(delivery, Status.SENT)
    if delivery.event is not None:
        following.correct(place, delivery.event, timezone.now())
    return True


def _delivery(delivery_id: int) -> NewsDelivery:
    return NewsDelivery.objects.select_related("place__club", "event", "meeting__club").get(pk=delivery_id)


def _note_broken_off(delivery_id: int) -> None:
    """Count a sending that never came to its end as a failure, at the time when it began."""
    if _due().filter(pk=delivery_id, status=Status.SENDING).exists():
        delivery = _delivery(delivery_id)
        if delivery.due_at is not None:
            _fail(delivery, Failed("broke_off"), delivery.due_at - SENDING_TIME)


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
        NewsDelivery.objects.filter(pk=delivery.pk).delete()
        return None
    if place.rest:
        _settle(delivery, Status.FAILED)
        return None
    where = addresses.read(place)
    if where is None or place.channel not in CHANNELS:
        raise Failed("no_address")
    if delivery.kind == "results":
        # Others were undone; once they are played again, they are news.
        _change(delivery, about=list(messages.results_of(delivery).values_list("pk", flat=True)))
    _change(delivery, facts=facts)
    return message, where


def _postpone_at_night(delivery_id: int) -> bool:
    """Let a message wait for the morning that was due by day and is late; whether it was."""
    due = _due().order_by().filter(pk=delivery_id, status=Status.WAITING)
    delivery = due.select_related("place__club").first()
    if delivery is None or delivery.due_at is None:
        return False
    zone, now = delivery.place.club.zone, timezone.now()
    morning = quiet_hours.awake(zone, now)
    if morning == now or quiet_hours.awake(zone, delivery.due_at) != delivery.due_at:
        return False
    return bool(due.update(due_at=morning))


def _is_wanted(delivery: NewsDelivery) -> bool:
    """Whether its place and its club still want news, and its meeting has not started."""
    place, meeting = delivery.place, delivery.meeting
    if place.removed_at is not None or place.club.archived_at is not None:
        return False
    return meeting is None or meeting.starts_at > timezone.now()


def _fail(delivery: NewsDelivery, failed: Failed, at: datetime) -> None:
    """Note a trouble at a time: tried again later, left to people, or its place rests."""
    place = delivery.place
    log.warning("Delivery %s of news was not taken by %s: %s", delivery.pk, place.channel, failed.trouble)
    counters.count(counters.NOTICES, place.channel, "failed")
    then, pause = next_step(CHANNELS.get(place.channel), failed, delivery.attempts)
    if then is Then.ASK:
        _settle(delivery, Status.UNSURE, failed.trouble)
    elif then is Then.AGAIN:
        due_at = quiet_hours.awake(place.club.zone, at + pause)
        _change(delivery, status=Status.WAITING, trouble=failed.trouble, due_at=due_at)
    else:
        _settle(delivery, Status.FAILED, failed.trouble)
        let_rest(place, failed.trouble)


def _settle(delivery: NewsDelivery, status: str, trouble: str = "") -> None:
    sent_at = timezone.now() if status == Status.SENT else None
    _change(delivery, status=status, trouble=trouble, due_at=None, sent_at=sent_at)


def _change(delivery: NewsDelivery, **values: object) -> None:
    NewsDelivery.objects.filter(pk=delivery.pk, status=Status.SENDING).update(**values)


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


def news_waiting() -> Waiting:
    """The deliveries that are due and not sent yet."""
    return waiting(_due().order_by(), "due_at")


def unsent() -> QuerySet[NewsDelivery]:
    """Deliveries that are not sent yet."""
    return NewsDelivery.objects.filter(due_at__isnull=False)


def late() -> QuerySet[NewsDelivery]:
    """Deliveries that should have been sent a while ago."""
    return _due(timezone.now() - SENDING_TIME).order_by()


def _due(now: datetime | None = None) -> QuerySet[NewsDelivery]:
    return unsent().filter(due_at__lte=now or timezone.now()).order_by("due_at", "pk")
