"""The next round among people whose partners rotate, from all partners and opponents before.

Partners are a matching of the people, and tables a matching of the resulting pairs. Each is the one with the least
to repeat, exactly; of several such rounds, which differ by lot, the best is taken.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

import rustworkx

from engine.compete.records import Drawn

TRIES = 6
"""Of so many rounds the best is taken; of fewer where there are more than `MANY` people, so that it is quick."""

MANY = 40

PARTNER, OPPONENT, NOISE = 10_000, 100, 10
"""Cost of being partners again, and of being opponents again; less than that decides by lot."""

_Pair = tuple[int, int]
_Table = tuple[int, int, int, int]


class Rotation:
    """Rounds of people from 1 to `entries`, one after the other: how often each was with each, and sat out."""

    def __init__(self, entries: int, lots: str) -> None:
        self._byes = [0] * (entries + 1)
        self._firsts = [0] * (entries + 1)
        self._tries = max(1, min(TRIES, TRIES * MANY**3 // entries**3))
        self._partners = [[0] * (entries + 1) for _ in range(entries + 1)]
        self._opponents = [[0] * (entries + 1) for _ in range(entries + 1)]
        # The draw has to repeat itself, and nothing is hidden.
        self._chance = random.Random(f"{lots}:{entries}")  # noqa: S311

    def next_round(self) -> Drawn:
        """The next round: byes to those who had fewest, no partner again while that can be helped, then opponents."""
        drawn = min([self._try() for _ in range(self._tries)], key=self._repeats)
        self._count(drawn)
        return drawn

    def _count(self, drawn: Drawn) -> None:
        for entry in drawn.byes:
            self._byes[entry] += 1
        for table in drawn.tables:
            self._firsts[table[0]] += 1
            for first, second in combinations(range(4), 2):
                counts = self._partners if second - first == 2 else self._opponents
                counts[table[first]][table[second]] += 1
                counts[table[second]][table[first]] += 1

    def _try(self) -> Drawn:
        pairs, byes = self._pairs()
        return Drawn(tuple(sorted(self._tables(pairs))), tuple(sorted(byes)))

    def _repeats(self, drawn: Drawn) -> tuple[int, int]:
        """Repeats of a round, by how often each was before: partners, then opponents."""
        partners = opponents = 0
        for a, b, c, d in drawn.tables:
            partners += 2 * (self._partners[a][c] + self._partners[b][d]) + 2
            opponents += sum(2 * self._opponents[first][second] + 1 for first in (a, c) for second in (b, d))
        return partners, opponents

    def _pairs(self) -> tuple[list[_Pair], list[int]]:
        """Pairs of partners, and entries that sit out."""
        queue = sorted(range(1, len(self._byes)), key=lambda entry: self._byes[entry])
        spare = len(queue) % 4
        most = self._byes[queue[spare - 1]] if spare else -1
        surely = [entry for entry in queue[:spare] if self._byes[entry] < most]
        playing = [entry for entry in queue if entry not in surely]
        # Whoever is matched with a place outside sits out.
        outside = [-place for place in range(1, spare - len(surely) + 1)]
        edges = [(a, b, self._partner_cost(a, b)) for a, b in combinations(playing, 2)]
        edges += [(a, b, self._noise()) for a in playing if self._byes[a] == most for b in outside]
        matched = _matching([*playing, *outside], edges)
        return [pair for pair in matched if min(pair) > 0], surely + [max(pair) for pair in matched if min(pair) < 0]

    def _tables(self, pairs: Sequence[_Pair]) -> list[_Table]:
        edges = [
            (first, second, self._across_cost(pairs[first], pairs[second]))
            for first, second in combinations(range(len(pairs)), 2)
        ]
        matched = _matching(range(len(pairs)), edges)
        return [self._seated(*pairs[first], *pairs[second]) for first, second in matched]

    def _seated(self, a: int, c: int, b: int, d: int) -> _Table:
        """Two pairs at their table. The player who has had the first seat least often gets it."""
        turned = ((a, b, c, d), (b, c, d, a), (c, d, a, b), (d, a, b, c))
        return min(turned, key=lambda table: self._firsts[table[0]])

    def _partner_cost(self, first: int, second: int) -> int:
        repeats = (2 * self._partners[first][second] + 1) * PARTNER
        return repeats + self._opponents[first][second] * OPPONENT + self._noise()

    def _across_cost(self, pair: _Pair, other: _Pair) -> int:
        repeats = sum(2 * self._opponents[a][b] + 1 for a in pair for b in other) * OPPONENT
        return repeats + sum(self._partners[a][b] for a in pair for b in other) * NOISE + self._noise()

    def _noise(self) -> int:
        return int(self._chance.random() * NOISE)


def _matching(nodes: Sequence[int], edges: Sequence[tuple[int, int, int]]) -> list[_Pair]:
    """The cheapest pairs that leave nobody over, the lower first."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    index = dict(zip(nodes, graph.add_nodes_from(list(nodes)), strict=True))
    top = 1 + max((cost for _, _, cost in edges), default=0)
    graph.add_edges_from([(index[first], index[second], top - cost) for first, second, cost in edges])
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(graph[a], graph[b]), max(graph[a], graph[b])) for a, b in matched)
