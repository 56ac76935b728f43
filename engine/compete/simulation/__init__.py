"""A whole competition played out in advance: its rounds, tables, byes, advancement and standings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from engine.compete.records import CannotPair
from engine.compete.simulation import duplicate, knockouts, ladders, meetings
from engine.compete.simulation.results import HOW, Request
from engine.compete.simulation.schedule import Advance, Course, Seated, Session, Simulation, Standing

__all__ = ["FORMATS", "HOW", "MOST", "Advance", "Format", "Seated", "Session", "Simulation", "Standing", "simulate"]

MOST: Final = 1024
"""Entries of the largest competition that is simulated."""

MOST_ROUNDS: Final = 100


class Format(NamedTuple):
    """A format: its function and its options: the seats of a table (or else their number), how many advance, the
    number of rounds."""

    title: str
    play: Callable[[Request], Course]
    seats: int | None = 2
    has_advance: bool = False
    has_rounds: bool = False
    most: int = MOST


FORMATS: Final = {
    "round_robin": Format("Round robin", meetings.round_robin, most=200),
    "double_round_robin": Format("Double round robin", meetings.double_round_robin, most=140),
    "swiss": Format("Swiss", meetings.swiss_rounds, has_rounds=True, most=512),
    "swiss_pods": Format("Swiss in pods", meetings.swiss_pods, seats=None, has_rounds=True),
    "single_elimination": Format("Single elimination", knockouts.single_elimination),
    "double_elimination": Format("Double elimination", knockouts.double_elimination),
    "groups_knockout": Format("Groups, then knockout", knockouts.groups_knockout, seats=None, has_advance=True),
    "pod_knockout": Format("Knockout in pods", knockouts.pod_knockout, seats=None, has_advance=True),
    "rotating_partners": Format("Rotating partners", meetings.rotating_partners, seats=4, has_rounds=True),
    "howell": Format("Howell", duplicate.howell_pairs, has_rounds=True),
    "mitchell": Format("Mitchell", duplicate.mitchell_pairs, has_rounds=True),
    "ladder": Format("Ladder", ladders.climb, has_rounds=True),
}
"""Every format by name."""


def simulate(
    format: str,
    entries: int,
    *,
    seats: int | None = None,
    advance: int | None = None,
    rounds: int | None = None,
    results: str = "better-seed",
    seed: str = "0",
) -> Simulation:
    """Play out a competition of entries 1 to `entries`, numbered by seed.

    `seats` are the size of a table, or of a group before a knockout; `advance` is how many of each go through. The
    format decides all options not given. `results` is one of `HOW`; "random" is the same again from the same `seed`.

    Raises `CannotPair`, with a sentence, if it cannot be played.
    """
    if format not in FORMATS:
        raise CannotPair(f"There is no format {format!r:.40}; there are {', '.join(FORMATS)}.")
    if results not in HOW:
        raise CannotPair(f"There are no results {results!r:.40}; there are {', '.join(HOW)}.")
    kind = FORMATS[format]
    _check(kind, entries, seats, advance, rounds)
    request = Request(entries, seats, advance, rounds, results, seed)
    course = kind.play(request)
    if rounds is not None and rounds != len(course.rounds):
        raise CannotPair(f"{kind.title}: {entries} entries play {len(course.rounds)} rounds, not {rounds}.")
    return Simulation(
        format=format,
        title=kind.title,
        entries=entries,
        settings={**course.settings, "results": results, **({"seed": seed} if results == "random" else {})},
        rounds=course.rounds,
        advancement=course.advancement,
        standings=course.standings,
    )


def _check(kind: Format, entries: int, seats: int | None, advance: int | None, rounds: int | None) -> None:
    """Refuse what no entries, or no format, can have."""
    if not 2 <= entries <= kind.most:
        raise CannotPair(f"{kind.title} is simulated for 2 to {kind.most:,} entries, not for {entries:,}.")
    if seats is not None and seats != (kind.seats or seats):
        raise CannotPair(f"{kind.title}: every table has {kind.seats} seats, not {seats:,}.")
    if seats is not None and seats < 2:
        raise CannotPair(f"A table has at least 2 seats, not {seats}.")
    if advance is not None and not kind.has_advance:
        raise CannotPair(f"{kind.title}: nobody advances from table to table, so how many do cannot be chosen.")
    if advance is not None and advance < 1:
        raise CannotPair(f"At least one of each must advance, not {advance}.")
    if rounds is not None and not 1 <= rounds <= MOST_ROUNDS:
        raise CannotPair(f"A competition has 1 to {MOST_ROUNDS} rounds, not {rounds:,}.")
