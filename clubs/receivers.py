"""Signals that clubs react to: deleted accounts, and work that is due."""

import logging
from collections.abc import Collection
from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import account_deleted, account_renamed
from clubs import tasks
from clubs.services import erasure
from clubs.services.members import membership
from clubs.signals import invitation_due, news_change_due, news_due, newsletter_due, reply_letters_due
from web.task_queue import queue

log = logging.getLogger(__name__)


@receiver(account_deleted)
def forget(*, user: User, addresses: Collection[str] = (), **_: Any) -> None:
    """Remove the name of a deleted account from clubs."""
    erasure.forget(user.pk, addresses)


@receiver(account_renamed)
def follow_name(*, user: User, was: str, **_: Any) -> None:
    """Show the new name of an account in the clubs that know it by the name before."""
    membership.follow_account(user, was)


@receiver(invitation_due)
def wake_post(*, letter_id: int, **_: Any) -> None:
    """Queue the sending of an invitation email; if the broker is down, the sweeper finds it."""
    queue(log, "invitation %s", letter_id, tasks.send_invitation)


@receiver(newsletter_due)
def wake_newsletter(*, newsletter_id: int, **_: Any) -> None:
    """Queue the sending of a newsletter's copies; if the broker is down, the sweeper finds them."""
    queue(log, "newsletter %s", newsletter_id, tasks.send_newsletter)


@receiver(reply_letters_due)
def wake_reply_letters(*, question_id: int, **_: Any) -> None:
    """Queue the sending of letters about who comes; if the broker is down, the sweeper finds them."""
    queue(log, "letters of question %s", question_id, tasks.send_reply_letters)


@receiver(news_due)
def wake_news(*, place_id: int, **_: Any) -> None:
    """Queue the sending of news to a place; if the broker is down, the sweeper finds it."""
    queue(log, "news for place %s", place_id, tasks.send_news)


@receiver(news_change_due)
def wake_news_change(*, event_id: int, **_: Any) -> None:
    """Queue the writing of news about an event; if the broker is down, the sweeper finds it."""
    queue(log, "news of event %s", event_id, tasks.follow_event)
