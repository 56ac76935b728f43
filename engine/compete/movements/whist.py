"""Evenings on which partners rotate: people play for themselves, in each round with another partner.

Four sit at a table; the seats opposite one another, 0 and 2, 1 and 3, are partners.
"""

from __future__ import annotations

import random
from functools import lru_cache

from engine.compete.movements.partnering import Rotation
from engine.compete.movements.whist_designs import design
from engine.compete.records import CannotPair, Drawn
from engine.words import say

LEAST, MOST = 4, 100

MOST_ROUNDS = 200
"""Twice as many as the most people need to have been partners to all."""

_LOTS = {14: "1", 18: "1", 26: "2", 27: "1", 34: "2", 38: "1"}
"""Lots by which rounds without a design do not come to repeat partners before they must, by the number of people; for
other numbers up to 43 the first ones tried do as well."""


def rotating_partners(entries: int, *, rounds: int | None = None, lots: str = "") -> tuple[Drawn, ...]:
    """Every round for people 1 to `entries`; the first rounds are the same for any number of `rounds`.

    If a whist design is known, its rounds: everyone is partner to everyone else once and opponent twice; after the
    last they repeat from the first. Else each round is the best found after those before: nobody has the same
    partner again while that can be avoided, then opponents are as even as they can be. If people do not fill whole
    tables, those sit out who have done so least often. Without `rounds` there are as many as the design has, or as
    many as it takes for all to sit out equally often. `lots`, any text, draws the people of the schedule's numbers;
    without it they are the seeds. Raises `CannotPair`.
    """
    if not LEAST <= entries <= MOST:
        raise CannotPair(
            say(
                "Partners rotate among %(least)s to %(most)s people, not %(entries)s.",
                least=LEAST,
                most=MOST,
                entries=entries,
            )
        )
    count = entries - (entries % 4 == 0) if rounds is None else rounds
    if not 1 <= count <= MOST_ROUNDS:
        raise CannotPair(
            say("There must be 1 to %(most_rounds)s rounds, not %(count)s.", most_rounds=MOST_ROUNDS, count=count)
        )
    people = list(range(entries + 1))
    if lots:
        drawn = people[1:]
        # The draw has to repeat itself, and nothing is hidden.
        random.Random(f"{lots}:{entries}").shuffle(drawn)  # noqa: S311
        people[1:] = drawn
    return tuple(
        Drawn(
            tuple(tuple(people[entry] for entry in table) for table in round_.tables),
            tuple(sorted(people[entry] for entry in round_.byes)),
        )
        for round_ in _schedule(entries, count)
    )


@lru_cache(maxsize=64)
def _schedule(entries: int, count: int) -> tuple[Drawn, ...]:
    rounds = [_drawn(tables, entries) for tables in design(entries)]
    if rounds:
        return tuple(rounds[number % len(rounds)] for number in range(count))
    rotation = Rotation(entries, _LOTS.get(entries, ""))
    return tuple(rotation.next_round() for _ in range(count))


def _drawn(tables: tuple[tuple[int, ...], ...], entries: int) -> Drawn:
    """A round of a design, whose people are numbered from 0."""
    playing = {at for table in tables for at in table}
    return Drawn(
        tuple(tuple(at + 1 for at in table) for table in tables),
        tuple(at + 1 for at in range(entries) if at not in playing),
    )
