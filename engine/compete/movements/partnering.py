"""The next round among people whose partners rotate, from who was whose partner and opponent before.

Partners are a matching of the people, and tables a matching of the pairs so made. Each is the one with the least to
repeat, exactly; of several such rounds, that differ by lot, the best is taken.
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
"""What it costs to be partners again, and to be opponents again; less than that decides by lot."""

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
            for one, other in combinations(range(4), 2):
                counts = self._partners if other - one == 2 else self._opponents
                counts[table[one]][table[other]] += 1
                counts[table[other]][table[one]] += 1

    def _try(self) -> Drawn:
        pairs, byes = self._pairs()
        return Drawn(tuple(sorted(self._tables(pairs))), tuple(sorted(byes)))

    def _repeats(self, drawn: Drawn) -> tuple[int, int]:
        """What a round repeats, by how often it was before: partners, then opponents."""
        partners = opponents = 0
        for a, b, c, d in drawn.tables:
            partners += 2 * (self._partners[a][c] + self._partners[b][d]) + 2
            opponents += sum(2 * self._opponents[one][other] + 1 for one in (a, c) for other in (b, d))
        return partners, opponents

    def _pairs(self) -> tuple[list[_Pair], list[int]]:
        """Who play together, and who sit out."""
        queue = sorted(range(1, len(self._byes)), key=lambda entry: self._byes[entry])
        spare = len(queue) % 4
        most = self._byes[queue[spare - 1]] if spare else -1
        surely = [entry for entry in queue[:spare] if self._byes[entry] < most]
        others = [entry for entry in queue if entry not in surely]
        # Whoever is matched with a place outside sits out.
        outside = [-place for place in range(1, spare - len(surely) + 1)]
        edges = [(a, b, self._partner_cost(a, b)) for a, b in combinations(others, 2)]
        edges += [(a, b, self._noise()) for a in others if self._byes[a] == most for b in outside]
        matched = _matching([*others, *outside], edges)
        return [pair for pair in matched if min(pair) > 0], surely + [max(pair) for pair in matched if min(pair) < 0]

    def _tables(self, pairs: Sequence[_Pair]) -> list[_Table]:
        edges = [
            (one, other, self._across_cost(pairs[one], pairs[other]))
            for one, other in combinations(range(len(pairs)), 2)
        ]
        matched = _matching(range(len(pairs)), edges)
        return [self._seated(*pairs[one], *pairs[other]) for one, other in matched]

    def _seated(self, a: int, c: int, b: int, d: int) -> _Table:
        """Two pairs at their table; the first seat goes to who has had it least often."""
        turned = ((a, b, c, d), (b, c, d, a), (c, d, a, b), (d, a, b, c))
        return min(turned, key=lambda table: self._firsts[table[0]])

    def _partner_cost(self, one: int, other: int) -> int:
        again = (2 * self._partners[one][other] + 1) * PARTNER
        return again + self._opponents[one][other] * OPPONENT + self._noise()

    def _across_cost(self, pair: _Pair, others: _Pair) -> int:
        again = sum(2 * self._opponents[one][other] + 1 for one in pair for other in others) * OPPONENT
        return again + sum(self._partners[one][other] for one in pair for other in others) * NOISE + self._noise()

    def _noise(self) -> int:
        return int(self._chance.random() * NOISE)


def _matching(nodes: Sequence[int], edges: Sequence[tuple[int, int, int]]) -> list[_Pair]:
    """The cheapest pairs that leave nobody over, the lower first."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    index = dict(zip(nodes, graph.add_nodes_from(list(nodes)), strict=True))
    top = 1 + max((cost for _, _, cost in edges), default=0)
    graph.add_edges_from([(index[one], index[other], top - cost) for one, other, cost in edges])
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(graph[a], graph[b]), max(graph[a], graph[b])) for a, b in matched)
