"""Asking for the review of a deal, and working on those that were asked for."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta

from django.db import InterfaceError, OperationalError, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext

from accounts.budgets import BOT_TIME, spend
from accounts.models import User
from engine.errors import EngineError
from gameplay.log.match_history import is_open
from gameplay.models import Deal, DealReview, Table
from gameplay.reviews.work import work_on
from gameplay.services.bots import where
from gameplay.services.sitting import sit_down
from gameplay.signals import review_due
from web.errors import Refused
from web.monitoring import error_reporting

log = logging.getLogger(__name__)

COST = 20_000
"""Milliseconds of the budget of thinking that a review uses: about what it takes."""
CLAIM = timedelta(minutes=2)
"""Time for a slice; after it another worker may try."""
_MOST_ATTEMPTS = 20


def ask_review(table_id: int, user: User, *, deal: int) -> DealReview:
    """The review of a deal that is over, worked out from now on if nobody asked before. Twice does no harm.

    For players of the table. Raises `NotAllowed`, `Refused` or `TooMuch`.
    """
    with transaction.atomic():
        sitting = sit_down(table_id)
        sitting.seat_of(user)
        row = Deal.objects.filter(table=sitting.table, number=deal, ended_at__isnull=False).first()
        if row is None or not is_open(sitting.table, deal):
            raise Refused("not_over", gettext("This deal is not over yet."))
        review = DealReview.objects.filter(deal=row).first()
        if review is not None and (review.is_done or review.due_at is not None):
            return review
        spend(BOT_TIME, user, COST)
        review, _ = DealReview.objects.update_or_create(
            deal=row, defaults={"due_at": sitting.now, "progress": {}, "is_done": False}
        )
        transaction.on_commit(lambda: review_due.send_robust(sender=Table, review_id=review.pk))
        return review


def work_all(give_way: Callable[[], object]) -> None:
    """Work on all reviews that are due, a slice of each in turn, until none is; `give_way` is called between slices."""
    while (review := _claim()) is not None:
        _work(review)
        give_way()


def _claim() -> DealReview | None:
    """Take the review that has waited longest; `None` if none is due."""
    due = DealReview.objects.filter(due_at__lte=Now()).order_by("due_at", "pk")
    for review in due.select_related("deal__table")[:_MOST_ATTEMPTS]:
        # Due still, else another worker was quicker.
        if DealReview.objects.filter(pk=review.pk, due_at__lte=Now()).update(due_at=Now() + CLAIM):
            review.refresh_from_db(fields=["progress"])
            return review
    return None


def _work(review: DealReview) -> None:
    """Do one slice. A review that fails is given up: players can ask again."""
    rows = DealReview.objects.filter(pk=review.pk)
    try:
        work_on(review)
    except (OperationalError, InterfaceError):
        raise  # the database is away: another worker goes on after the claim
    except EngineError as error:  # bots that never end such a deal, or a log of older rules
        log.warning("Review %s was given up: %s", review.pk, where(error))
        rows.update(due_at=None)
        return
    except Exception as error:
        log.error("Review %s failed: %s", review.pk, where(error))
        error_reporting.report(error)
        rows.update(due_at=None)
        return
    rows.update(progress=review.progress, is_done=review.is_done, due_at=None if review.is_done else Now())
