"""Parts of an event's public pages, cached until the event has something new to show."""

from collections.abc import Callable

from django.utils.safestring import SafeString

from tournaments.models import Tournament
from web import fragment_cache as parts


def cached(tournament: Tournament, stamp: str, name: str, make: Callable[[], SafeString], *, timed: bool) -> SafeString:
    """A part of an event's pages, from the cache or made now. `stamp` is `live.stamp`, which changes with everything
    that its pages show; `timed` if it shows times."""
    return parts.cached(f"event|{tournament.pk}|{stamp}|{name}", make, timed=timed)
