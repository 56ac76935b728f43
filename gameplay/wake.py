"""Waking the worker for a table whose bot, or standing order, should move.

The table's `bot_due_at` is what counts; this only saves the time until the sweeper looks. A broker that is down must
not turn a move that was saved into an error.
"""

from __future__ import annotations

import logging

from django.db import transaction

log = logging.getLogger(__name__)


def after_commit(table_id: int) -> None:
    """Queue the bots' task for the table once this transaction is committed."""

    def wake() -> None:
        from gameplay.tasks import play_bots

        try:
            play_bots.delay(table_id)
        except Exception:
            log.warning("The broker did not take the wake-up call for table %s; the sweeper will.", table_id)

    transaction.on_commit(wake, robust=True)
