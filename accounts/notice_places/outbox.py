"""Messages for places, written in the transaction that settles their notifications: neither lost nor doubled."""

from collections.abc import Sequence
from datetime import date, datetime
from functools import partial

from django.db import transaction

from accounts.models import Notice, NoticeDelivery, NoticePlace, User
from accounts.notice_places import topics
from accounts.signals import notice_delivery_due


def write(user: User, notices: Sequence[Notice], now: datetime, *, day: date | None = None) -> None:
    """Write one message for each place that gets some of these notifications. One query if there are no places.

    What a message of the same `day` has is left out: a daily email can be tried again.
    """
    rows = []
    for place in NoticePlace.objects.filter(user=user, rest=""):
        before = _sent_on(place, day) if day is not None else set()
        chosen = [row.pk for row in notices if topics.of_kind(row.kind) in place.topics and row.pk not in before]
        if chosen:
            rows.append(NoticeDelivery(place=place, notices=chosen, day=day, due_at=now))
    NoticeDelivery.objects.bulk_create(rows)
    for row in rows:
        wake = partial(notice_delivery_due.send, sender=NoticeDelivery, place_id=row.place_id)
        transaction.on_commit(wake, robust=True)


def _sent_on(place: NoticePlace, day: date) -> set[int]:
    return {pk for pks in place.deliveries.filter(day=day).values_list("notices", flat=True) for pk in pks}
