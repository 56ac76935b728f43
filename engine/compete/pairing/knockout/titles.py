"""Titles of the rounds of a bracket."""

from __future__ import annotations

from engine.compete.pairing.knockout.bracket import Bracket
from engine.errors import BadInput
from engine.words import later, say

_SINGLE = {1: later("Final"), 2: later("Semi-finals"), 4: later("Quarter-finals")}
_DOUBLE = {1: later("Last two"), 2: later("Semi-finals")}
_NAMED = {"GF1": later("Final"), "GF2": later("Decider"), "TP1": later("Third place")}


def round_title(bracket: Bracket, name: str) -> str:
    """Title of a round: `Quarter-finals` for the `WB2` of sixteen, `Second chance, round 2` for an `LB2`.

    Raises `BadInput` if the bracket has no such round.
    """
    if name not in bracket.rounds:
        raise BadInput(f"This bracket of {bracket.entries} has no round {name!r:.20}.")
    if name in _NAMED:
        return say(_NAMED[name])
    number = int(name[2:])
    if name.startswith("LB"):
        return say("Second chance, round %(number)s", number=number)
    matches = (1 << (bracket.entries - 1).bit_length()) >> number
    if bracket.kind == "double":
        if matches in _DOUBLE and bracket.entries > 2:
            return say(_DOUBLE[matches])
        return say("Round %(number)s", number=number)
    return say(_SINGLE[matches]) if matches in _SINGLE else say("Round of %(entries)s", entries=2 * matches)
