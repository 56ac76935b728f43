"""Matches of an event as tests ask for them, and short rules to play them by."""

from engine.play.rules import Rules
from tournaments.models import Pairing

ONE_DEAL = Rules.make("standard", {"length": {"deals": 1}}).write()
TWO_DEALS = Rules.make("standard", {"length": {"deals": 2}}).write()


def pairings(event):
    """The matches of the event in order, freshly read."""
    matches = Pairing.objects.filter(round__stage__tournament=event).select_related("table", "round__stage__tournament")
    return list(matches.order_by("number"))


def fresh(pairing):
    """A match as it is now."""
    return Pairing.objects.select_related("table", "round__stage__tournament").get(pk=pairing.pk)
