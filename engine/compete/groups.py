"""From groups to a knockout: the seed order in which group mates meet again as late as they can."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import rustworkx

from engine.compete.pairing.knockout import seed_order
from engine.compete.records import CannotPair
from engine.words import say


def cross_seed(
    groups: Sequence[Sequence[int]],
    advance: int,
    places: int | None = None,
    *,
    best: Callable[[int], Any] | None = None,
    extras: Sequence[Sequence[int]] | None = None,
) -> tuple[int, ...]:
    """The entries of the knockout in seed order, from each group's finishing order.

    The top `advance` of each group go through: first all group winners, in the order of their groups, then all seconds,
    and so on. With more `places` than that, the best others fill them: better placed in their group first, then by the
    key `best`, the lowest first (the entry's number, unless given). Within those of one place the order is free, and is
    chosen so that as few group mates as possible can meet in the first round, then in the second, …

    With `extras`, the others that go through are known: those of one place together, the best first.

    Raises `CannotPair` if a group is too small, or the places are fewer than those who advance or more than there
    are entries.
    """
    if not groups or advance < 1 or min(map(len, groups)) < advance:
        raise CannotPair(
            say(
                "The top %(advance)s of each group cannot go through, because a group has only %(smallest)s.",
                advance=advance,
                smallest=_smallest(groups),
            )
        )
    certain, entries = advance * len(groups), sum(map(len, groups))
    places = certain if places is None else places
    if not certain <= places <= entries:
        raise CannotPair(
            say(
                "The top %(advance)s of %(count)s groups are %(certain)s of %(entries)s entries, so "
                "%(places)s cannot go through.",
                advance=advance,
                count=len(groups),
                certain=certain,
                entries=entries,
                places=places,
            )
        )
    pots = [[group[place] for group in groups] for place in range(advance)]
    pots += [list(pot) for pot in extras or ()] or _extras(groups, advance, places - certain, best or int)
    return _spread(pots, {entry: number for number, group in enumerate(groups) for entry in group})


def _smallest(groups: Sequence[Sequence[int]]) -> int:
    return min(map(len, groups), default=0)


def _extras(groups: Sequence[Sequence[int]], advance: int, count: int, best: Callable[[int], Any]) -> list[list[int]]:
    """The best entries that do not go through by place alone, those of one place together."""
    pots: list[list[int]] = []
    for place in range(advance, max(map(len, groups))):
        placed = sorted((group[place] for group in groups if place < len(group)), key=best)
        if pot := placed[: count - sum(map(len, pots))]:
            pots.append(pot)
    return pots


def _spread(pots: list[list[int]], group_of: dict[int, int]) -> tuple[int, ...]:
    """The pots one after another, each in the order that keeps group mates apart longest."""
    order = [entry for pot in pots for entry in pot]
    size = 1 << (len(order) - 1).bit_length()
    leaf = {seed - 1: leaf for leaf, seed in enumerate(seed_order(size))}
    rounds = size.bit_length() - 1

    def cost(entry: int, place: int, mates: Sequence[int]) -> int:
        """Cost of this entry at this place: a meeting in a round weighs more than all possible ones in later rounds."""
        return sum(
            size ** (rounds - (leaf[place] ^ leaf[other]).bit_length())
            for other in mates
            if group_of[order[other]] == group_of[entry]
        )

    start = len(pots[0])
    for pot in pots[1:]:
        seats = range(start, start + len(pot))
        before = range(start)
        chosen = _assign([[cost(entry, place, before) for place in seats] for entry in pot])
        for entry, seat in zip(pot, chosen, strict=True):
            order[start + seat] = entry
        start += len(pot)
    return tuple(order)


def _assign(costs: list[list[int]]) -> list[int]:
    """By row, the column it gets, each another one, so that the sum is least; of equal ones nearest the diagonal."""
    count = len(costs)
    steps = count * count + 1
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(range(2 * count))
    ceiling = max(map(max, costs)) * steps + count
    graph.add_edges_from(
        [
            (row, count + column, ceiling - costs[row][column] * steps - abs(row - column))
            for row in range(count)
            for column in range(count)
        ]
    )
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return [column - count for _, column in sorted((min(pair), max(pair)) for pair in matched)]
