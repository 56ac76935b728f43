"""What tournaments do about news from tables and of people."""

from __future__ import annotations

import logging
from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import account_deleted
from gameplay.signals import table_over

log = logging.getLogger(__name__)


@receiver(table_over)
def rate_table(*, table_id: int, **_: Any) -> None:
    """Queue the ratings of a match that is over; if the broker is down, the sweeper finds the table."""
    from tournaments import tasks

    try:
        tasks.take_result.delay(table_id)
        tasks.rate.delay(table_id)
    except Exception:
        log.warning("The broker did not take the rating of table %s; the sweeper will.", table_id)


@receiver(account_deleted)
def forget(*, user: User, **_: Any) -> None:
    """Take the name of somebody whose account is gone off events."""
    from tournaments.services import forgetting

    forgetting.forget(user.pk)
