"""Large bodies count for whoever sends them, until they are received and read."""

from collections.abc import Callable
from functools import partial

from django.http import HttpRequest

from accounts.budgets import BYTES, release
from accounts.budgets import hold as hold_of
from accounts.queries import player_of


def hold(request: HttpRequest, size: int) -> Callable[[], None]:
    """Count a body for the person or guest, by token or session, and the address; returns what gives it back.

    Raises `TooMuch`.
    """
    sender = getattr(request, "sender", None) or player_of(request)
    return partial(release, hold_of(BYTES, sender, size))
