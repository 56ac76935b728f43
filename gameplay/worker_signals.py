"""Waking the worker for a table whose bot, or standing order, should move.

The table's `bot_due_at` is what counts; this only saves the time until the sweeper looks. A broker that is down must
not turn a move that was saved into an error.
"""

from datetime import timedelta
from functools import partial

from django.db import transaction

from gameplay.models import Table
from gameplay.signals import bot_due, deadline_near


def after_commit(table_id: int) -> None:
    """Queue the bots' task for the table once this transaction is committed."""
    transaction.on_commit(partial(bot_due.send, sender=Table, table_id=table_id), robust=True)


def at_deadline(wait: timedelta) -> None:
    """Have deadlines looked at after this time, once this transaction is committed: an evening counts seconds."""
    transaction.on_commit(partial(deadline_near.send, sender=Table, seconds=wait.total_seconds()), robust=True)
