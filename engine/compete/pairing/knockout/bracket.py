"""A bracket: matches of two, each slot filled by a seed or from an earlier match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.errors import BadInput


@dataclass(frozen=True, slots=True)
class Seed:
    """The entry with this number, from 1."""

    number: int


@dataclass(frozen=True, slots=True)
class Winner:
    """The winner of the match of this name."""

    match: str


@dataclass(frozen=True, slots=True)
class Loser:
    """The loser of the match of this name."""

    match: str


@dataclass(frozen=True, slots=True)
class Nobody:
    """A bye for the other slot, known from the start."""


Slot = Seed | Winner | Loser | Nobody


@dataclass(frozen=True, slots=True)
class Match:
    """A match of a bracket: its name, as in `WB2.1`, the round it belongs to, as in `WB2`, and its two slots.

    A conditional match is played only if the one before it was lost by the entry that sat in its first slot.
    """

    name: str
    round: str
    slots: tuple[Slot, Slot]
    is_conditional: bool = False

    @property
    def is_played(self) -> bool:
        """Whether two entries meet here, as far as the bracket alone decides it."""
        return Nobody() not in self.slots


@dataclass(frozen=True, slots=True)
class Bracket:
    """The matches in an order in which they can be played. A match that nobody can reach is left out."""

    matches: tuple[Match, ...]
    entries: int
    kind: Literal["single", "double"]

    @property
    def rounds(self) -> tuple[str, ...]:
        """The rounds in play order."""
        return tuple(dict.fromkeys(match.round for match in self.matches))


def sources(match: Match) -> tuple[str, ...]:
    """The names of the matches from which this one is filled."""
    return tuple(slot.match for slot in match.slots if isinstance(slot, Winner | Loser))


def depends_on(bracket: Bracket, name: str) -> tuple[str, ...]:
    """Every match that descends from the one of this name, in play order.

    Raises `BadInput` if the bracket has no such match.
    """
    require(bracket, (name,))
    names = {name}
    for match in bracket.matches:
        if not names.isdisjoint(sources(match)):
            names.add(match.name)
    return tuple(match.name for match in bracket.matches if match.name in names and match.name != name)


def require(bracket: Bracket, names: tuple[str, ...]) -> None:
    """Raise `BadInput` unless the bracket has matches of all these names."""
    if not names:
        return
    match_names = {match.name for match in bracket.matches}
    for name in names:
        if name not in match_names:
            raise BadInput(f"This bracket of {bracket.entries} has no match {name!r:.20}.")
