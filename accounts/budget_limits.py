"""Limits of budgets that operators have changed, as this process knows them: read again after a few seconds."""

import logging
import time
from collections.abc import Mapping

from django.db import DatabaseError, connection

from accounts.models import BudgetLimit

log = logging.getLogger(__name__)

FRESH = 5.0
"""Seconds after which they are read again."""

_changed: Mapping[tuple[str, str], int | None] = {}
_read_at = float("-inf")


def changed() -> Mapping[tuple[str, str], int | None]:
    """Changed limits by the name of a budget and a kind or subject, such as `address` or `person:5`; `None` if lifted."""
    global _changed, _read_at
    now = time.monotonic()
    if now - _read_at >= FRESH:
        _read_at = now
        _changed = _read(_changed)
    return _changed


def read_again() -> None:
    """Read them at the next use."""
    global _read_at
    _read_at = float("-inf")


def _read(before: Mapping[tuple[str, str], int | None]) -> Mapping[tuple[str, str], int | None]:
    had_connection = connection.connection is not None
    try:
        rows = BudgetLimit.objects.values_list("budget", "subject", "limit")
        return {(budget, subject): limit for budget, subject, limit in rows}
    except DatabaseError as error:
        log.warning("The limits of budgets could not be read (%s).", type(error).__name__)
        return before
    finally:
        if not had_connection:
            # A thread of its own, such as that of a live stream, must not keep one.
            connection.close()
