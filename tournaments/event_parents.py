"""Parent pages of events other than the list of events. Apps above register them, because events know no clubs."""

from collections.abc import Callable
from typing import NamedTuple

from tournaments.models import Tournament


class Home(NamedTuple):
    """Parent page of an event: its name and path, and the colour and the crest, as SVG, of its club.

    `night` is the page from which the club runs its evenings, empty for an event online; `is_league` says that it
    is part of a season, whose matchdays and rounds are run from there, without check-in.
    """

    name: str
    url: str
    colour: str = ""
    crest: str = ""
    night: str = ""
    is_league: bool = False


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
