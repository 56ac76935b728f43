"""Who sits where while a draw is looked for, and what changes when two swap seats.

Entries are places in the standing order. What a seating costs is added up over all pairs at its tables: the square of
how far apart the two stand, and what it costs that they meet (again).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, groupby
from typing import NamedTuple

from engine.compete.pairing.players import Player, meetings

REACH = 4
"""So that two do not meet again, two may swap seats who stand up to so many tables apart."""


class Costs(NamedTuple):
    """What a seating costs, by place."""

    standing: list[int]
    """Twice the mean place of all who have the same score."""
    clashes: list[dict[int, int]]
    """What it costs that two sit together, other than by their standing; nothing for those who have not met."""
    repeat: int
    """The least of those costs."""
    apart: int
    """The cost of two who are kept apart: more than all else together."""


def costs(field: Sequence[Player], forbidden: Sequence[set[int]], sizes: Sequence[int]) -> Costs:
    """Weigh for a field in standing order, with the places that each is kept apart from."""
    standing: list[int] = []
    for _, run in groupby(field, key=lambda player: player.points):
        count = len(list(run))
        standing += [2 * len(standing) + count - 1] * count
    seats = max(sizes)
    # Two who swap seats over so many tables come to stand that far from each of the others at their new tables.
    repeat = 2 * (seats - 1) * (2 * seats * REACH) ** 2
    met = meetings(field)
    # To meet a third time is worse than a second, yet not as bad as that two other pairs meet a second time.
    clashes = [{other: repeat * (times + 3) // 4 for other, (times, _) in again.items()} for again in met]
    pairs = sum(size * (size - 1) // 2 for size in sizes)
    dearest = max((cost for others in clashes for cost in others.values()), default=0)
    apart = pairs * (dearest + (2 * len(field)) ** 2) + 1
    for others, no in zip(clashes, forbidden, strict=True):
        others |= dict.fromkeys(no, apart)
    return Costs(standing, clashes, repeat, apart)


class Seating:
    """Tables of places. It keeps count, so that what a swap would change is known at once."""

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
        """What each place's clashes with each table amount to."""
        for row, others in zip(self.with_table, self.clashes, strict=True):
            for other, cost in others.items():
                row[self.where[other]] += cost

    def cost(self) -> int:
        """The whole seating's cost."""
        return sum(
            self.clashes[one].get(other, 0) + (self.standing[one] - self.standing[other]) ** 2
            for table in self.tables
            for one, other in combinations(table, 2)
        )

    def unhappy(self) -> list[int]:
        """The places that sit with somebody they have met or are kept apart from."""
        return [place for place, table in enumerate(self.where) if self.with_table[place][table]]

    def change(self, one: int, other: int) -> int:
        """By how much the cost would change if two at different tables swapped seats."""
        here, there = self.where[one], self.where[other]
        mine, theirs = self.with_table[one], self.with_table[other]
        near, far = self.standing[one], self.standing[other]
        step = far - near
        change = mine[there] - mine[here] + theirs[here] - theirs[there] - 2 * self.clashes[one].get(other, 0)
        # Over a table of n, the squares of all differences add up to n times the squares, less the square of the sum.
        change += 2 * step * (self.sums[there] - self.sums[here] - step)
        return change + (self.sizes[here] - self.sizes[there]) * (far * far - near * near)

    def swap(self, one: int, other: int) -> None:
        """Let two at different tables swap seats."""
        here, there = self.where[one], self.where[other]
        step = self.standing[other] - self.standing[one]
        self.sums[here] += step
        self.sums[there] -= step
        self.where[one], self.where[other] = there, here
        self.tables[here][self.tables[here].index(one)] = other
        self.tables[there][self.tables[there].index(other)] = one
        for mover, left, joined in ((one, here, there), (other, there, here)):
            for place, cost in self.clashes[mover].items():
                row = self.with_table[place]
                row[left] -= cost
                row[joined] += cost
