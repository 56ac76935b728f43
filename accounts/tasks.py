"""Background work for people. Each task may run twice."""

from __future__ import annotations

from celery import shared_task

from accounts import privacy
from accounts.notice_places import sending
from accounts.services import clearing, digests, notices
from web.link_pictures import store


@shared_task
def sweep_notices() -> None:
    """Send notifications that are due and still wanted; drop the others."""
    notices.send_due()


@shared_task
def send_to_place(place_id: int) -> None:
    """Send the notifications that are due for one place of a person’s."""
    sending.OUTBOX.send_of(place_id)


@shared_task
def sweep_places() -> None:
    """Send the notifications for people’s places that are overdue."""
    sending.OUTBOX.send_due()


@shared_task
def sweep_digests() -> None:
    """Send the daily digests that are due."""
    digests.send_digests()


@shared_task
def sweep_erasures() -> None:
    """Finish failed erasures of deleted accounts."""
    privacy.finish_due()


@shared_task
def clear_old() -> None:
    """Once a day, delete what is past its age; pictures of links are looked through each time."""
    store.clear()
    clearing.clear_once_a_day()
