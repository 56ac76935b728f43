"""Where events belong besides the list of events. The apps above say it, since events know of no clubs."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tournaments.models import Tournament


class Home(NamedTuple):
    """The page that an event is part of: what it is called, and its path."""

    name: str
    url: str


HomeOf = Callable[[Tournament], Home | None]
_sources: list[HomeOf] = []


def register(home_of: HomeOf) -> None:
    """Add a source of homes; it is asked only about events that are a circle's."""
    _sources.append(home_of)


def home_of(event: Tournament) -> Home | None:
    """Where an event belongs; none for one that nobody's circle holds."""
    if not event.circle:
        return None
    return next((home for source in _sources if (home := source(event)) is not None), None)
