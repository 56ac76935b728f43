"""Arena evenings: for a fixed time, free entries are seated with other free entries."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import lcm

from engine.compete.records import CannotPair
from engine.words import say

PASSES = 20
"""So often at most all exchanges between tables are tried in turn."""

_Cost = tuple[int, int, int]
"""Of two at one table: whether they come from the same table, how far their points are apart, how often they met."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """An entry that waits for a table.

    `since` orders the queue, the lowest waiting longest; `met` has the opponents so far, table by table, the latest
    last, as often as they met.
    """

    entry: int
    points: Fraction
    since: int
    met: tuple[int, ...] = ()


def seat(waiting: Sequence[Waiting], seats: int, *, lots: str = "", playing: int = 0) -> tuple[tuple[int, ...], ...]:
    """Tables of `seats` for the entries that wait longest, as many as can be filled; the others continue to wait.

    Of the ways to share them out over the tables the search prefers those in which few sit with players of their
    last table, then points at a table are near, then few have met before. A table without a new player is not seated
    while `playing` others are still at tables and will be free: else two tables that never finish together never
    mix. `lots` decides between equals and on first seats. Raises `CannotPair`.
    """
    if seats < 2:
        raise CannotPair(say("A table seats two or more."))
    if len({player.entry for player in waiting}) < len(waiting):
        raise CannotPair(say("Nobody can wait twice."))
    queue = sorted(waiting, key=lambda player: (player.since, _lot(lots, player.entry)))
    called = queue[: len(queue) // seats * seats]
    by_points = sorted(called, key=lambda player: -player.points)
    tables = [by_points[at : at + seats] for at in range(0, len(called), seats)]
    costs = _costs(called, seats)
    _improve(tables, costs)
    if playing:
        tables = [table for table in tables if not all(costs[a.entry, b.entry][0] for a, b in _pairs(table))]
    return tuple(
        tuple(sorted((player.entry for player in table), key=lambda at: _lot(f"{lots} seats", at))) for table in tables
    )


def _costs(called: Sequence[Waiting], seats: int) -> dict[tuple[int, int], _Cost]:
    """Cost of two entries at one table, by both orders of the two."""
    unit = lcm(*(player.points.denominator for player in called))
    costs = {}
    for a, b in _pairs(called):
        just = b.entry in a.met[1 - seats :] and a.entry in b.met[1 - seats :]
        apart = int(abs(a.points - b.points) * unit)
        costs[a.entry, b.entry] = costs[b.entry, a.entry] = (int(just), apart, a.met.count(b.entry))
    return costs


def _improve(tables: list[list[Waiting]], costs: dict[tuple[int, int], _Cost]) -> None:
    """Exchange any two whose tables are the better for it, until none are."""

    def cost(here: int, place: int, player: Waiting) -> _Cost:
        """Cost of a player in another's place at a table."""
        company = [costs[player.entry, other.entry] for at, other in enumerate(tables[here]) if at != place]
        return sum(c[0] for c in company), sum(c[1] for c in company), sum(c[2] for c in company)

    for _ in range(PASSES):
        improved = False
        for here, there in combinations(range(len(tables)), 2):
            for i in range(len(tables[here])):
                for j in range(len(tables[there])):
                    player, other = tables[here][i], tables[there][j]
                    before = map(sum, zip(cost(here, i, player), cost(there, j, other), strict=True))
                    after = map(sum, zip(cost(here, i, other), cost(there, j, player), strict=True))
                    if tuple(after) < tuple(before):
                        tables[here][i], tables[there][j] = other, player
                        improved = True
        if not improved:
            return


def _pairs(company: Sequence[Waiting]) -> combinations[tuple[Waiting, Waiting]]:
    return combinations(company, 2)


def _lot(lots: str, entry: int) -> bytes:
    return hashlib.sha256(f"{lots}:{entry}".encode()).digest()
