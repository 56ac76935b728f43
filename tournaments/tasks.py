"""Background work of tournaments. Each task takes ids, calls one service, and may run twice."""

import logging

from celery import shared_task

from tournaments import link_pages
from tournaments.ratings import services as ratings
from tournaments.services.entries import invitation_emails
from tournaments.services.matches import deadlines, results
from tournaments.services.stages import progress
from web.task_queue import queue

log = logging.getLogger(__name__)


@shared_task
def rate(table_id: int) -> None:
    """Rate the people of one table that is over."""
    ratings.rate(table_id)


@shared_task
def rate_tournament(tournament_id: int) -> None:
    """Rate the people of one tournament by its current results."""
    ratings.rate_tournament(tournament_id)


@shared_task
def sweep_ratings() -> None:
    """Rate what lost tasks should have rated."""
    ratings.sweep()


@shared_task
def advance(tournament_id: int) -> None:
    """Work out everything that follows from decisions."""
    progress.advance(tournament_id)
    queue(log, "the pictures of tournament %s", tournament_id, draw_pictures)


@shared_task
def draw_pictures(tournament_id: int) -> None:
    """Draw the pictures of links that a result changes; without it they are drawn when somebody asks."""
    link_pages.draw_ahead(tournament_id)


@shared_task
def take_result(table_id: int) -> None:
    """Take the result of an online match from its table."""
    results.record_table_result(table_id)


@shared_task
def sweep() -> None:
    """Do lost and due work. One event’s trouble stops no other."""
    deadlines.sweep()


@shared_task
def send_letter(letter_id: int) -> None:
    """Send one invitation email to an entry."""
    invitation_emails.send(letter_id)


@shared_task
def sweep_letters() -> None:
    """Send invitation emails that are still unsent."""
    invitation_emails.send_due()
