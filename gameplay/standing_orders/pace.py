"""How long an order waits before a move, so that it looks like any other move of its player."""

from datetime import timedelta
from secrets import SystemRandom

from gameplay.models import Table

_SHORTEST, _LONGEST = 2.0, 8.0
"""Seconds that an order waits, as long as a player who is there might."""


def pause(table: Table) -> timedelta:
    """How long an order waits before its next move; not in practice, where nobody could learn from it."""
    return timedelta() if table.is_practice else timedelta(seconds=SystemRandom().uniform(_SHORTEST, _LONGEST))
