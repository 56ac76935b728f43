"""Reactions to signals about tables and people, and queueing of due work."""

import logging
from typing import Any

from accounts.models import User
from accounts.signals import account_deleted, account_renamed
from gameplay.signals import table_over
from tournaments import tasks
from tournaments.services import erasure, person_names
from tournaments.signals import advance_due, letter_due, ratings_due
from web.task_queue import queue

log = logging.getLogger(__name__)


def connect() -> None:
    """Listen to the tables, to the people's app and to events. Called once, when the app is ready."""
    table_over.connect(rate_table, dispatch_uid="tournaments.rate_table")
    account_deleted.connect(forget, dispatch_uid="tournaments.forget")
    account_renamed.connect(follow_name, dispatch_uid="tournaments.follow_name")
    advance_due.connect(wake_advance, dispatch_uid="tournaments.wake_advance")
    ratings_due.connect(wake_ratings, dispatch_uid="tournaments.wake_ratings")
    letter_due.connect(wake_post, dispatch_uid="tournaments.wake_post")


def rate_table(*, table_id: int, **_: Any) -> None:
    """Queue the ratings of a match that is over; if the broker is down, the sweeper finds the table."""
    queue(log, "the rating of table %s", table_id, tasks.take_result, tasks.rate)


def forget(*, user: User, **_: Any) -> None:
    """Anonymise a person in events whose account is deleted."""
    erasure.anonymise(user.pk)


def follow_name(*, user: User, was: str, **_: Any) -> None:
    """Show the new name of an account in its events."""
    person_names.follow_account(user, was)


def wake_advance(*, tournament_id: int, **_: Any) -> None:
    """Queue the advancing of an event; if the broker is down, the sweeper finds it."""
    queue(log, "the advancing of tournament %s", tournament_id, tasks.advance)


def wake_ratings(*, tournament_id: int, **_: Any) -> None:
    """Queue the rating of an event, which the sweeper finds if the broker is down, and the pictures of its links."""
    queue(log, "the rating of tournament %s", tournament_id, tasks.draw_pictures, tasks.rate_tournament)


def wake_post(*, letter_id: int, **_: Any) -> None:
    """Queue an invitation email. If the broker is down, the sweeper finds it."""
    queue(log, "letter %s", letter_id, tasks.send_letter)
