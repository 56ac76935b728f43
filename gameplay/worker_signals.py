"""Waking the worker for a table whose bot, or standing order, should move.

The table's `bot_due_at` is what counts; this only saves the time until the sweeper looks. A broker that is down must
not turn a move that was saved into an error.
"""

from functools import partial

from django.db import transaction

from gameplay.models import Table
from gameplay.signals import bot_due


def after_commit(table_id: int) -> None:
    """Queue the bots' task for the table once this transaction is committed."""
    transaction.on_commit(partial(bot_due.send, sender=Table, table_id=table_id), robust=True)
