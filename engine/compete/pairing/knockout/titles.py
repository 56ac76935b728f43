"""What the rounds of a bracket are called."""

from __future__ import annotations

from engine.compete.pairing.knockout.bracket import Bracket
from engine.errors import BadInput

_SINGLE = {1: "Final", 2: "Semi-finals", 4: "Quarter-finals"}
_DOUBLE = {1: "Last two", 2: "Semi-finals"}
_NAMED = {"GF1": "Final", "GF2": "Decider", "TP1": "Third place"}


def round_title(bracket: Bracket, name: str) -> str:
    """What people call a round: `Quarter-finals` for the `WB2` of sixteen, `Second chance, round 2` for an `LB2`.

    Raises `BadInput` if the bracket has no such round.
    """
    if name not in bracket.rounds:
        raise BadInput(f"This bracket of {bracket.entries} has no round {name!r:.20}.")
    if name in _NAMED:
        return _NAMED[name]
    number = int(name[2:])
    if name.startswith("LB"):
        return f"Second chance, round {number}"
    matches = (1 << (bracket.entries - 1).bit_length()) >> number
    if bracket.kind == "double":
        return _DOUBLE[matches] if matches in _DOUBLE and bracket.entries > 2 else f"Round {number}"
    return _SINGLE.get(matches, f"Round of {2 * matches}")
