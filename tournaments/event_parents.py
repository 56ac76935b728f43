"""Parent pages of events other than the list of events. Apps above register them, because events know no clubs."""

from collections.abc import Callable
from typing import NamedTuple

from tournaments.models import Tournament


class Home(NamedTuple):
    """Parent page of an event: its name and path."""

    name: str
    url: str


HomeOf = Callable[[Tournament], Home | None]
_sources: list[HomeOf] = []


def register(home_of: HomeOf) -> None:
    """Add a source of homes; it is asked only about events that are a circle's."""
    _sources.append(home_of)


def home_of(event: Tournament) -> Home | None:
    """Parent page of an event, or `None`."""
    if not event.circle:
        return None
    return next((home for source in _sources if (home := source(event)) is not None), None)
