"""The cut after a stage: who goes through, and what a tie across the line leads to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from engine.compete.records import CannotPair

Tie = Literal["tiebreaks", "playoff", "all"]


@dataclass(frozen=True, slots=True)
class Cut:
    """Who is through, who plays off for the places that are left, and a sentence that says why."""

    through: tuple[int, ...]
    undecided: tuple[int, ...]
    sentence: str


def cut(ranked: Sequence[tuple[int, int | Fraction]], places: int, *, tie: Tie) -> Cut:
    """The cut for a number of places.

    `ranked` are entries, the best first, each with its rank by what decides here: the standings' own rank for
    "tiebreaks", the rank by points alone for "playoff" and "all". Entries of equal rank are level. Where they are
    level across the line, "tiebreaks" takes them as listed (their tie-breaks say nothing more; the list's order
    is that of the lots), "playoff" leaves them undecided, and "all" admits every one of them.

    Raises `CannotPair` if there is no place to win, or more places than entries.
    """
    if not 1 <= places <= len(ranked):
        raise CannotPair(f"{_count(places, 'place')} cannot be filled from {_count(len(ranked), 'entry', 'entries')}.")
    order = tuple(entry for entry, _ in ranked)
    line = ranked[places - 1][1]
    if places == len(ranked):
        return Cut(order, (), "All go through." if places > 1 else "The only entry goes through.")
    if ranked[places][1] != line:
        return Cut(order[:places], (), f"The first {places} of {len(ranked)} go through.")
    ahead = tuple(entry for entry, rank in ranked[:places] if rank != line)
    level = tuple(entry for entry, rank in ranked if rank == line)
    left = places - len(ahead)
    tied = f"{len(level)} entries are level for the last {'place' if left == 1 else f'{left} places'}"
    match tie:
        case "playoff":
            return Cut(ahead, level, f"{tied} and play off for {'it' if left == 1 else 'them'}.")
        case "all":
            return Cut(
                ahead + level, (), f"{tied}, so all of them go through: {len(ahead + level)} instead of {places}."
            )
        case "tiebreaks":
            return Cut(order[:places], (), f"{tied} on every tie-break, so the order of the lots decides.")


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
