"""The cut after a stage: the entries that go through, and the effect of a tie across the line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from engine.compete.records import CannotPair
from engine.words import later, say, say_several

Tie = Literal["playoff", "all"]


@dataclass(frozen=True, slots=True)
class Cut:
    """Entries that are through, entries that play off for the remaining places, and a sentence with the reason."""

    through: tuple[int, ...]
    undecided: tuple[int, ...]
    sentence: str


def cut(ranked: Sequence[tuple[int, int | Fraction]], places: int, *, tie: Tie) -> Cut:
    """The cut for a number of places.

    `ranked` are entries, the best first, each with its rank by what decides here. Entries of equal rank are level.
    Where they are level across the line, "playoff" leaves them undecided, and "all" admits every one of them; their
    order in the list never decides.

    Raises `CannotPair` if there is no place to win, or more places than entries.
    """
    if not 1 <= places <= len(ranked):
        raise CannotPair(
            say(
                "%(places)s cannot be filled from %(entries)s.",
                places=_count(places, say_several("place", "places", places)),
                entries=_count(len(ranked), say_several("entry", "entries", len(ranked))),
            )
        )
    order = tuple(entry for entry, _ in ranked)
    line = ranked[places - 1][1]
    if places == len(ranked):
        return Cut(order, (), say("All go through.") if places > 1 else say("The only entry goes through."))
    if ranked[places][1] != line:
        return Cut(
            order[:places], (), say("The first %(places)s of %(count)s go through.", places=places, count=len(ranked))
        )
    ahead = tuple(entry for entry, rank in ranked[:places] if rank != line)
    level = tuple(entry for entry, rank in ranked if rank == line)
    open_places = places - len(ahead)
    values = {"entries": len(level), "left": open_places, "all": len(ahead + level), "places": places}
    singular, plural = _TIED[tie]
    sentence = say(singular if open_places == 1 else plural) % values
    match tie:
        case "playoff":
            return Cut(ahead, level, sentence)
        case "all":
            return Cut(ahead + level, (), sentence)


_TIED: dict[str, tuple[str, str]] = {
    "playoff": (
        later("%(entries)s entries are tied for the last place and play off for it."),
        later("%(entries)s entries are tied for the last %(left)s places and play off for them."),
    ),
    "all": (
        later(
            "%(entries)s entries are tied for the last place, so all of them go through: %(all)s instead of %(places)s."
        ),
        later(
            "%(entries)s entries are tied for the last %(left)s places, so all of them go through: "
            "%(all)s instead of %(places)s."
        ),
    ),
}
"""Sentences about a tie across the line, for one place and for several."""


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}"
