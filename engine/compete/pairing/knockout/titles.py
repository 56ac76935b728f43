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
    title, number = _title(bracket, name)
    return say(title, number=number) if number else say(title)


def english_round_title(bracket: Bracket, name: str) -> str:
    """The same in English, to be stored and translated later."""
    title, number = _title(bracket, name)
    return title % {"number": number} if number else title


def _title(bracket: Bracket, name: str) -> tuple[str, int]:
    """The title in English, and the number in it, 0 for none."""
    if name not in bracket.rounds:
        raise BadInput(f"This bracket of {bracket.entries} has no round {name!r:.20}.")
    if name in _NAMED:
        return _NAMED[name], 0
    number = int(name[2:])
    if name.startswith("LB"):
        return later("Second chance, round %(number)s"), number
    matches = (1 << (bracket.entries - 1).bit_length()) >> number
    if bracket.kind == "double":
        if matches in _DOUBLE and bracket.entries > 2:
            return _DOUBLE[matches], 0
        return later("Round %(number)s"), number
    return (_SINGLE[matches], 0) if matches in _SINGLE else (later("Round of %(number)s"), 2 * matches)
