"""Events that have changed: a mark in the transaction of the change. A task writes the news, so that the page that
made the change does not wait for it."""

import logging
from datetime import datetime
from functools import partial

from django.db import transaction
from django.utils import timezone

from clubs.models import NewsChange, NewsPlace
from clubs.news_places import following, quiet_hours
from clubs.signals import news_change_due
from tournaments.models import Tournament
from web.monitoring.backlog import Waiting, waiting

log = logging.getLogger(__name__)

AT_ONCE = 200


def mark(event: Tournament, now: datetime) -> None:
    """Mark a locked event that has just changed, in the same transaction. One query if its club has no places."""
    club_id = following.club_of(event)
    if club_id is None or not NewsPlace.objects.in_use().filter(club=club_id).exists():
        return
    change = NewsChange(event=event, changed_at=now, is_pressed=quiet_hours.is_pressed())
    known = {"update_conflicts": True, "unique_fields": ["event"], "update_fields": ["is_pressed"]}
    NewsChange.objects.bulk_create([change], **(known if change.is_pressed else {"ignore_conflicts": True}))
    transaction.on_commit(partial(news_change_due.send, sender=NewsChange, event_id=event.pk), robust=True)


def follow(event_id: int) -> None:
    """Write the deliveries of a marked event and remove its mark. Safe to run twice and at once.

    The event is locked, as by everything that changes it: a change comes before, or marks it again.
    """
    with transaction.atomic():
        event = Tournament.objects.select_for_update().filter(pk=event_id).first()
        change = NewsChange.objects.filter(event=event_id).first()
        if event is None or change is None:
            return
        with quiet_hours.pressed(change.is_pressed):
            following.follow(event, timezone.now(), change.changed_at)
        change.delete()


def follow_due() -> None:
    """Write those whose task was lost. The trouble of one event stops no other."""
    for event_id in list(NewsChange.objects.values_list("event_id", flat=True)[:AT_ONCE]):
        try:
            follow(event_id)
        except Exception as error:
            log.error("News of event %s could not be written: %s", event_id, type(error).__name__)


def changes_waiting() -> Waiting:
    """The marked events."""
    return waiting(NewsChange.objects.order_by(), "changed_at")
