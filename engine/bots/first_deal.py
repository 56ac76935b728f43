"""The rules and the cards of a guided first deal (`engine.bots.guide`)."""

from __future__ import annotations

from hashlib import sha256

from engine.play.rules import Rules

RULES = Rules.make(
    "standard",
    {
        "decks": 2,
        "stacks": [7, 5],
        "opening": "none",
        "contract": {"clean": 0, "dirty": 1, "wild": 0},
        "partner_foot": "none",
        "permission": "none",
        "length": {"deals": 1},
    },
)
"""Short: few cards, any meld opens, one book goes out."""

KEY = sha256(b"Foothold, a first deal, 7942").digest()
"""Chosen so that a player who follows the hints meets every lesson, whatever novices do in the other seats.

No other deal has a key that somebody chose.
"""
