"""Parts of an event's public pages, kept until the event has something new to show."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.safestring import SafeString

from tournaments.models import Tournament
from web import fragment_cache as parts


def kept(tournament: Tournament, stamp: str, what: str, make: Callable[[], SafeString], *, timed: bool) -> SafeString:
    """A part of an event's pages: as kept, or made now. `stamp` is `live.stamp`, which grows with everything that its
    pages would show; `timed` says that it shows times."""
    return parts.kept(f"event|{tournament.pk}|{stamp}|{what}", make, timed=timed)
