"""Schedules in which everyone mixes: tables of three to seven, and as few as possible meet twice."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from engine.compete.movements.grid import grid_rounds
from engine.compete.pairing import pods
from engine.compete.pairing.players import Player
from engine.compete.records import CannotPair, Drawn
from engine.words import say

SMALLEST, BIGGEST = 3, 7
MOST, MOST_ROUNDS = 1000, 50


def schedule(
    entries: int,
    seats: int,
    rounds: int,
    *,
    lots: str = "",
    sizes: Sequence[int] | None = None,
    last_sizes: Sequence[int] | None = None,
) -> tuple[Drawn, ...]:
    """So many rounds for entries 1 to `entries` at tables of `seats`, or at tables of these `sizes`.

    Without `sizes` they are the most even ones near to `seats`; the last round can have tables of `last_sizes`. The
    first rounds follow a construction (`grid`), and in them nobody meets twice, unless there are more seats at a table
    than tables: then as few as possible do. Further rounds, and a last one with other tables, are searched for one by
    one, for few repeats. The first rounds are the same for any number of `rounds`. `lots`, any text, draws the entries of the
    numbers; without it they are the seeds. The biggest tables come first, and the first seat goes to an entry with the
    fewest. Raises `CannotPair`.
    """
    if not 1 <= rounds <= MOST_ROUNDS:
        raise CannotPair(
            say("There must be 1 to %(most_rounds)s rounds, not %(rounds)s.", most_rounds=MOST_ROUNDS, rounds=rounds)
        )
    chosen = _sizes(entries, seats, sizes)
    last = chosen if last_sizes is None else _sizes(entries, seats, last_sizes)
    alike = rounds if last == chosen else rounds - 1
    order = list(range(1, entries + 1))
    if lots:
        # The draw has to repeat itself, and nothing is hidden.
        random.Random(f"{lots}:{entries}").shuffle(order)  # noqa: S311
    builder = _Builder(order)
    if chosen[0] - chosen[-1] <= 1:
        for tables in grid_rounds(entries, len(chosen), alike):
            if tuple(sorted(map(len, tables), reverse=True)) != chosen:
                break  # from here on the construction has less even tables than were asked for
            seated = [[order[at] for at in table] for table in tables]
            builder.add(sorted(seated, key=len, reverse=True))
    while len(builder.rounds) < rounds:
        builder.search(chosen if len(builder.rounds) < alike else last, f"{lots}:{len(builder.rounds) + 1}")
    return tuple(builder.rounds)


def _sizes(entries: int, seats: int, sizes: Sequence[int] | None) -> tuple[int, ...]:
    """The sizes of the tables, the biggest first."""
    if not SMALLEST <= seats <= BIGGEST:
        raise CannotPair(
            say(
                "Tables have %(smallest)s to %(biggest)s seats, not %(seats)s.",
                smallest=SMALLEST,
                biggest=BIGGEST,
                seats=seats,
            )
        )
    if not SMALLEST <= entries <= MOST:
        raise CannotPair(
            say(
                "This schedule is for %(smallest)s to %(most)s entries, not %(entries)s.",
                smallest=SMALLEST,
                most=MOST,
                entries=entries,
            )
        )
    chosen = pods.sizes(entries, seats) if sizes is None else tuple(sorted(sizes, reverse=True))
    if sum(chosen) != entries:
        raise CannotPair(
            say("The tables have %(sum)s seats, but there are %(entries)s entries.", sum=sum(chosen), entries=entries)
        )
    if chosen[-1] < 2:
        raise CannotPair(say("A table seats two or more."))
    return chosen


class _Builder:
    """Builds a schedule round by round, with all meetings so far and the count of first seats."""

    def __init__(self, entries: Sequence[int]) -> None:
        self.rounds: list[Drawn] = []
        self._met: dict[int, list[int]] = {entry: [] for entry in sorted(entries)}
        self._firsts: Counter[int] = Counter()

    def add(self, tables: Sequence[Sequence[int]]) -> None:
        """Take a round, and turn its tables so that first seats are shared."""
        turned = []
        for table in tables:
            first = min(range(len(table)), key=lambda seat: self._firsts[table[seat]])
            turned.append((*table[first:], *table[:first]))
        self._take(Drawn(tuple(turned)))

    def search(self, sizes: Sequence[int], lots: str) -> None:
        """Take the best round found."""
        players = [Player(entry, met=tuple(met), firsts=self._firsts[entry]) for entry, met in self._met.items()]
        drawn = pods.pair(players, sizes, lots=lots)
        self._take(Drawn(tuple(sorted(drawn.tables, key=len, reverse=True))))

    def _take(self, drawn: Drawn) -> None:
        self.rounds.append(drawn)
        for table in drawn.tables:
            self._firsts[table[0]] += 1
            for first, second in combinations(table, 2):
                self._met[first].append(second)
                self._met[second].append(first)
