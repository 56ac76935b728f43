"""Background work at tables. Each task takes ids, calls one service, and may run twice."""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from celery import shared_task, signals

from gameplay.reviews import services as reviews
from gameplay.services import bot_queue, clocks, invitations, quick_matches
from web.task_queue import queue

log = logging.getLogger(__name__)


@shared_task
def play_bots(table_id: int = 0) -> None:
    """Play due turns of bots, whichever table called: the queue is in the database (`gameplay.services.bot_queue`)."""
    bot_queue.play_due(_call_another)


@shared_task
def sweep_bots() -> None:
    """Play due turns of bots whose call was lost, or whose worker died."""
    bot_queue.play_due(_call_another)


@shared_task
def work_on_reviews(review_id: int = 0) -> None:
    """Work on all reviews that are due, whichever called; bots' turns come first, between slices."""
    reviews.work_all(give_way=partial(bot_queue.play_due, _call_another))


@shared_task
def sweep_reviews() -> None:
    """Work on reviews whose call was lost, or whose worker died."""
    reviews.work_all(give_way=partial(bot_queue.play_due, _call_another))


def _call_another() -> None:
    queue(log, "the call of another worker for table %s", 0, play_bots)


@signals.worker_shutting_down.connect
def stop_bots(**kwargs: Any) -> None:
    """End the task that plays bots soon when its worker is asked to end."""
    bot_queue.stop()


@shared_task
def sweep_deadlines() -> None:
    """Act on passed deadlines; remind of near ones."""
    clocks.sweep()


@shared_task
def sweep_quick_matches() -> None:
    """Start quick matches with bots whose wait is over."""
    quick_matches.sweep()


@shared_task
def send_invitation(invitation_id: int) -> None:
    """Send the email of one invitation."""
    invitations.send_letter(invitation_id)


@shared_task
def sweep_letters() -> None:
    """Send overdue emails with invitations."""
    invitations.send_due_letters()
