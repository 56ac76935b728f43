"""Live updates: tell open pages that an event has a new version, without its content."""

from gameplay import live
from tournaments.models import Tournament

EVENTS = live.Topic("event", Tournament)


def tell(tournament: Tournament) -> None:
    """Tell every open page of a tournament its version on commit. It must be saved."""
    live.call_out(EVENTS, tournament.pk, tournament.version)
