"""Seats during the search for a draw, and the effect of a swap of two seats.

Entries are places in the standing order. The cost of a seating is a sum over all pairs at its tables: the square of
the distance of the two in the order, and the cost of their meeting (again).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, groupby
from typing import NamedTuple

from engine.compete.pairing.players import Player, meetings

REACH = 4
"""To keep two from meeting again, two entries up to so many tables apart may swap seats."""


class Costs(NamedTuple):
    """Costs of a seating, by place."""

    standing: list[int]
    """Twice the mean place of all entries with the same score."""
    clashes: list[dict[int, int]]
    """Cost of two at one table, other than by their standing; nothing for those who have not met."""
    repeat: int
    """The least of those costs."""
    apart: int
    """Cost of two entries that are kept apart: more than all else together."""


def costs(field: Sequence[Player], forbidden: Sequence[set[int]], sizes: Sequence[int]) -> Costs:
    """Weigh for a field in standing order, with the places that each is kept apart from."""
    standing: list[int] = []
    for _, run in groupby(field, key=lambda player: player.points):
        count = len(list(run))
        standing += [2 * len(standing) + count - 1] * count
    seats = max(sizes)
    # Two that swap seats over so many tables are then that far from each of the others at their new tables.
    repeat = 2 * (seats - 1) * (2 * seats * REACH) ** 2
    met = meetings(field)
    # To meet a third time is worse than a second, yet not as bad as that two other pairs meet a second time.
    clashes = [{other: repeat * (times + 3) // 4 for other, (times, _) in opponents.items()} for opponents in met]
    pairs = sum(size * (size - 1) // 2 for size in sizes)
    dearest = max((cost for place_clashes in clashes for cost in place_clashes.values()), default=0)
    apart = pairs * (dearest + (2 * len(field)) ** 2) + 1
    for place_clashes, no in zip(clashes, forbidden, strict=True):
        place_clashes |= dict.fromkeys(no, apart)
    return Costs(standing, clashes, repeat, apart)


class Seating:
    """Tables of places. It keeps count, so that the effect of a swap is known at once."""

    __slots__ = ("clashes", "sizes", "standing", "sums", "tables", "where", "with_table")

    def __init__(self, tables: Sequence[Sequence[int]], costs: Costs) -> None:
        self.tables = [list(table) for table in tables]
        self.standing, self.clashes = costs.standing, costs.clashes
        self.sizes = [len(table) for table in tables]
        self.sums = [sum(self.standing[place] for place in table) for table in tables]
        self.where = [0] * len(self.standing)
        for number, table in enumerate(self.tables):
            for place in table:
                self.where[place] = number
        self.with_table = [[0] * len(self.tables) for _ in self.standing]
        """Sum of each place's clashes with each table."""
        for row, clashes in zip(self.with_table, self.clashes, strict=True):
            for other, cost in clashes.items():
                row[self.where[other]] += cost

    def cost(self) -> int:
        """The whole seating's cost."""
        return sum(
            self.clashes[place].get(other, 0) + (self.standing[place] - self.standing[other]) ** 2
            for table in self.tables
            for place, other in combinations(table, 2)
        )

    def unhappy(self) -> list[int]:
        """The places that sit with an entry they have met or are kept apart from."""
        return [place for place, table in enumerate(self.where) if self.with_table[place][table]]

    def change(self, place: int, other: int) -> int:
        """By how much the cost would change if two at different tables swapped seats."""
        here, there = self.where[place], self.where[other]
        mine, theirs = self.with_table[place], self.with_table[other]
        near, far = self.standing[place], self.standing[other]
        step = far - near
        change = mine[there] - mine[here] + theirs[here] - theirs[there] - 2 * self.clashes[place].get(other, 0)
        # Over a table of n, the squares of all differences add up to n times the squares, less the square of the sum.
        change += 2 * step * (self.sums[there] - self.sums[here] - step)
        return change + (self.sizes[here] - self.sizes[there]) * (far * far - near * near)

    def swap(self, place: int, other: int) -> None:
        """Swap the seats of two places at different tables."""
        here, there = self.where[place], self.where[other]
        step = self.standing[other] - self.standing[place]
        self.sums[here] += step
        self.sums[there] -= step
        self.where[place], self.where[other] = there, here
        self.tables[here][self.tables[here].index(place)] = other
        self.tables[there][self.tables[there].index(other)] = place
        for mover, old, new in ((place, here, there), (other, there, here)):
            for neighbour, cost in self.clashes[mover].items():
                row = self.with_table[neighbour]
                row[old] -= cost
                row[new] += cost
