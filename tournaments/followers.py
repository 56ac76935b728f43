"""What apps above do when an event has changed, in the same transaction, such as news to be sent."""

from collections.abc import Callable
from datetime import datetime

from tournaments.models import Tournament

Follow = Callable[[Tournament, datetime], None]
_followers: list[Follow] = []


def register(follow: Follow) -> None:
    """Add a follower: it is called with a locked event, after everything that follows from decisions was worked out."""
    _followers.append(follow)


def tell(event: Tournament, now: datetime) -> None:
    """Tell them that an event has changed. Only events of a circle have any."""
    for follow in _followers if event.circle else ():
        follow(event, now)
