"""State of a bracket after some results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from engine.compete.pairing.knockout.bracket import Bracket, Loser, Match, Nobody, Seed, Slot, Winner, require, sources
from engine.errors import BadInput

Pair = tuple[int | None, int | None]

State = Literal["waits", "ready", "done", "bye", "void", "unneeded"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a match between two entries. Without a winner both have forfeited, and both are out."""

    entries: Pair
    winner: int | None


@dataclass(frozen=True, slots=True)
class Resolved:
    """A match with its present state.

    `state` is `waits` (an entry is not known yet), `ready` (two entries are to play, or are playing), `done`, `bye`
    (one entry goes through), `void` (nobody is here) or `unneeded` (a conditional match that is not played). `None`
    among the entries is one not known yet, or nobody; `winner` and `loser` are set once there are any.
    """

    entries: Pair
    sources: tuple[Slot, Slot]
    state: State
    winner: int | None = None
    loser: int | None = None

    @property
    def is_over(self) -> bool:
        """Whether it is settled which entry, if any, goes through from here."""
        return self.state not in ("waits", "ready")


def resolve(
    bracket: Bracket, decided: Mapping[str, Outcome], *, begun: Mapping[str, Pair] | None = None
) -> dict[str, Resolved]:
    """Every match with its state, in play order, after the results in `decided`; `begun` are matches being played.

    A decided or begun match keeps the entries it began with, even if the matches before it now send others there: an
    earlier result was corrected after it had begun. After a double forfeit the next match is a bye for the entry from
    the other side.

    Raises `BadInput` if the bracket has no match of a name, or a winner is none of the match's entries.
    """
    begun = begun or {}
    require(bracket, (*decided, *begun))
    resolved: dict[str, Resolved] = {}
    for match in bracket.matches:
        if match.name in decided:
            resolved[match.name] = _resolve_played(match, decided[match.name])
        elif match.name in begun:
            resolved[match.name] = Resolved(begun[match.name], match.slots, "ready")
        else:
            resolved[match.name] = _open(match, resolved)
    return resolved


def _resolve_played(match: Match, outcome: Outcome) -> Resolved:
    first, second = outcome.entries
    winner = outcome.winner
    if winner is None:
        return Resolved(outcome.entries, match.slots, "done")
    if winner not in outcome.entries:
        raise BadInput(f"Entry {winner} cannot win {match.name}: it does not play there.")
    return Resolved(outcome.entries, match.slots, "done", winner, second if winner == first else first)


def _open(match: Match, resolved: Mapping[str, Resolved]) -> Resolved:
    first, second = (arrival(slot, resolved) for slot in match.slots)
    if match.is_conditional and (before := resolved[sources(match)[0]]).is_over:
        lost_by_the_first = before.state == "done" and before.winner is not None and before.winner == before.entries[1]
        if not lost_by_the_first:
            return Resolved((None, None), match.slots, "unneeded")
    if first.is_open or second.is_open:
        return Resolved((first.entry, second.entry), match.slots, "waits")
    # After a correction one entry may come from both sides; it does not play against itself.
    entries = (first.entry, second.entry if second.entry != first.entry else None)
    present = [entry for entry in entries if entry is not None]
    if len(present) == 2:
        return Resolved(entries, match.slots, "ready")
    if present:
        return Resolved(entries, match.slots, "bye", present[0])
    return Resolved(entries, match.slots, "void")


@dataclass(frozen=True, slots=True)
class Arrival:
    """Occupant of a slot: an entry, nobody, or (`is_open`) one of several, not known yet."""

    entry: int | None = None
    is_open: bool = False


def arrival(slot: Slot, resolved: Mapping[str, Resolved]) -> Arrival:
    """Occupant of this slot, from the matches before it as resolved."""
    match slot:
        case Seed(number):
            return Arrival(number)
        case Nobody():
            return Arrival()
        case Winner(name) | Loser(name):
            before = resolved[name]
            if not before.is_over:
                return Arrival(is_open=True)
            return Arrival(before.winner if isinstance(slot, Winner) else before.loser)
