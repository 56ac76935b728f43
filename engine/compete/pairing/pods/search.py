"""Search for a seating that costs little, in three ways that follow one another; each keeps the best it came across.

`mend` takes a place with an opponent it has met, and makes the best swap, even if things get worse by it, and does
not undo it soon (tabu search): quick, and enough for big fields. `anneal` tries swaps at random and takes worse ones
too, fewer and fewer of them (simulated annealing, by thresholds): better if there is little room. `descend` makes
every swap that helps until none does. Their chances follow from a seed, and there are no clocks.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.compete.pairing.pods.seating import REACH, Costs, Seating

WIDTH = 2 * REACH
"""In big fields nobody is moved further than so many tables at once."""
SMALL = 150
"""Fields up to here are annealed as well."""
SWAPS_AN_ENTRY = 1_000
MOST_SWAPS = 60_000
MENDING = 3_000
PATIENCE = 600
"""Length of each search: in steps, so that the same input gives the same seating on any machine."""


def best_seating(tables: Sequence[Sequence[int]], costs: Costs, seed: str) -> Seating:
    """The best seating found from the given one, in which like scores sit together; that one where none is better."""
    start = Seating(tables, costs)
    if not start.unhappy() and (len(set(start.sizes)) <= 1 or not start.cost()):
        return start
    # The draw has to repeat itself, and nothing is hidden.
    chances = random.Random(seed)  # noqa: S311
    best = mend(Seating(tables, costs), costs, chances)
    descend(best)
    if len(costs.standing) <= SMALL:
        other = anneal(Seating(tables, costs), costs, chances)
        descend(other)
        best = min(best, other, key=Seating.cost)
    return best


def mend(seating: Seating, costs: Costs, chances: random.Random) -> Seating:
    """Move places with a clash, until there is none or nothing has got better for a while."""
    cost = least = seating.cost()
    best = [table.copy() for table in seating.tables]
    tabu: dict[tuple[int, int], int] = {}
    since = 0
    for step in range(MENDING):
        unhappy = seating.unhappy()
        if not unhappy or step - since > PATIENCE:
            break
        place = unhappy[int(chances.random() * len(unhappy))]
        here = seating.where[place]
        chosen: tuple[int, int] | None = None
        for there in _near(seating, here):
            is_tabu = tabu.get((place, there), 0) > step
            for other in seating.tables[there]:
                change = seating.change(place, other)
                if chosen is not None and change >= chosen[0]:
                    continue
                if (is_tabu or tabu.get((other, here), 0) > step) and cost + change >= least:
                    continue
                chosen = change, other
        if chosen is None:
            continue
        change, other = chosen
        tabu[place, here] = step + 5 + int(chances.random() * 10)
        tabu[other, seating.where[other]] = step + 5 + int(chances.random() * 10)
        seating.swap(place, other)
        cost += change
        if cost < least:
            least, since, best = cost, step, [table.copy() for table in seating.tables]
    return Seating(best, costs)


def anneal(seating: Seating, costs: Costs, chances: random.Random) -> Seating:
    """Swap at random, at first at almost any cost, in the end only for the better."""
    cost = least = seating.cost()
    best = [table.copy() for table in seating.tables]
    count = len(costs.standing)
    steps = min(SWAPS_AN_ENTRY * count, MOST_SWAPS)
    # The bigger the field, the more there is to spoil of the order it begins with.
    warmth = costs.repeat * min(2.0, 48 / count)
    cooling = 0.02 ** (1 / steps)
    # The effect of a swap is written out as in `Seating.change`: nearly all of a draw's time is spent here.
    chance, where, standing, sums = chances.random, seating.where, seating.standing, seating.sums
    with_table, clashes, sizes = seating.with_table, seating.clashes, seating.sizes
    is_even = len(set(sizes)) <= 1
    for _ in range(steps):
        warmth *= cooling
        place, other = int(chance() * count), int(chance() * count)
        here, there = where[place], where[other]
        if here == there:
            continue
        mine, theirs, step = with_table[place], with_table[other], standing[other] - standing[place]
        change = mine[there] - mine[here] + theirs[here] - theirs[there]
        change += 2 * step * (sums[there] - sums[here] - step)
        if other in clashes[place]:
            change -= 2 * clashes[place][other]
        if not is_even:
            change += (sizes[here] - sizes[there]) * (standing[other] ** 2 - standing[place] ** 2)
        if change <= 0 or change < warmth * chance():
            seating.swap(place, other)
            cost += change
            if cost < least:
                least, best = cost, [table.copy() for table in seating.tables]
    return Seating(best, costs)


def descend(seating: Seating) -> None:
    """Make the best swap of each in turn, as long as any helps."""
    helped = True
    while helped:
        helped = False
        for place in range(len(seating.where)):
            there = _near(seating, seating.where[place])
            swaps = ((seating.change(place, other), other) for table in there for other in seating.tables[table])
            change, other = min(swaps, default=(0, 0))
            if change < 0:
                seating.swap(place, other)
                helped = True


def _near(seating: Seating, table: int) -> list[int]:
    """The other tables, or those not far from this one, where there are many."""
    return [
        number
        for number in range(max(0, table - WIDTH), min(len(seating.tables), table + WIDTH + 1))
        if number != table
    ]
