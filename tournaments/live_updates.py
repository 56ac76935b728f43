"""That an event has something new to show, told to every page that is open on it: its version, and never what."""

from __future__ import annotations

from gameplay import live
from tournaments.models import Tournament

EVENTS = live.Topic("event", Tournament)


def tell(tournament: Tournament) -> None:
    """Let every page that is open on a tournament hear at the commit at which version it is. It must be saved."""
    live.call_out(EVENTS, tournament.pk, tournament.version)
