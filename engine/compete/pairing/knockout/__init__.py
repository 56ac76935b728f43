"""Knockout of two entries a match: brackets, their state after some results, and the places they lead to."""

from engine.compete.pairing.knockout.bracket import (
    Bracket,
    Loser,
    Match,
    Nobody,
    Seed,
    Slot,
    Winner,
    depends_on,
    sources,
)
from engine.compete.pairing.knockout.drawing import MOST, double, seed_order, single
from engine.compete.pairing.knockout.placing import places, possible_places
from engine.compete.pairing.knockout.resolving import Outcome, Resolved, resolve
from engine.compete.pairing.knockout.titles import english_round_title, round_title

__all__ = [
    "MOST",
    "Bracket",
    "Loser",
    "Match",
    "Nobody",
    "Outcome",
    "Resolved",
    "Seed",
    "Slot",
    "Winner",
    "depends_on",
    "double",
    "english_round_title",
    "places",
    "possible_places",
    "resolve",
    "round_title",
    "seed_order",
    "single",
    "sources",
]
