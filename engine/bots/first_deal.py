"""The rules, the cards and the other players of a guided first deal (`engine.bots.guide`)."""

from __future__ import annotations

from hashlib import sha256

from engine.bots.novice import Novice
from engine.play.moves import Move
from engine.play.rules import Rules
from engine.play.view import View

RULES = Rules.make(
    "standard",
    {
        "decks": 2,
        "stacks": [7, 5],
        "opening": "none",
        "contract": {"clean": 0, "dirty": 1, "wild": 0},
        "partner_foot": "none",
        "permission": "none",
        "stock_out": "reshuffle",
        "length": {"deals": 1},
    },
)
"""Short: few cards, any meld opens, one book goes out. The pile becomes stock, so there is time to go out."""

KEY = sha256(b"Foothold, a first deal, 7942").digest()
"""Chosen so that a player who follows the hints meets every lesson, whatever novices do in the other seats.

No other deal has a key that somebody chose.
"""

_LEFT = 2
"""Cards that a host keeps, so that one is left after the discard."""


class Host(Novice):
    """A novice that leaves going out to the newcomer."""

    def choose(self, view: View) -> Move:
        """The move to make now."""
        move = super().choose(view)
        is_on_foot = view.seat is not None and view.position.feet[view.seat] is None
        if move.kind == "meld" and is_on_foot and len(view.hand) - _laid(move) < _LEFT:
            return self._end_turn(view, view.legal_moves())
        return move


def _laid(move: Move) -> int:
    return sum(len(group.cards) for group in move.groups)
