"""Swiss rounds at tables of two, by one matching of least cost over all players at once.

Goals of a draw, the weightiest first:

1. entries to be kept apart do not meet; if that is impossible, the draw is refused
2. as few tables as possible at which the two have met before
3. if the number is odd, the bye goes to a player with the fewest byes (or wins by forfeit)
4. if some must meet again, pairs that have met least often, then pairs with their last meeting longest ago
5. the bye goes to as low a score as possible
6. score differences: the sum of their squares over all tables is least, so that floaters are few and float little
7. the bye goes to the lowest seed of its score
8. within a score, the upper half meets the lower half in order (1 against n/2 + 1, and so on): the sum of squares of
   how far tables are from that is least; the lowest of a score group float down, to the highest of the next

Each is settled before the next is looked at: its unit outweighs the largest sum of all that follow. The
terms are those of FIDE C.04.1 and C.04.3 (the Dutch system); this differs in that it looks for the best of all draws
rather than going through them in a prescribed order, and that seats, which matter little at cards, decide nothing.
Within a table the first seat goes to the player who has had it less often; between equals it changes from table
to table, to the better and to the worse of the two by turns.

Seeds are used as they are: for a first round, or equal scores, drawn by lot put the players in an order drawn by lot.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import accumulate, groupby
from math import isqrt, lcm
from typing import NamedTuple

import rustworkx

from engine.compete.pairing.players import Player, first_table, meetings, places_apart, standing_order
from engine.compete.records import CannotPair, Drawn

LARGEST = 2**120
"""The matching counts in 128 bits with a sign and doubles its weights on the way."""


def rounds_for(entries: int) -> int:
    """The usual number of rounds: enough that no more than one entry can win them all, which is log2, rounded up."""
    return max(entries - 1, 0).bit_length()


def pair(
    players: Sequence[Player], *, apart: Collection[frozenset[int]] = (), byes: Collection[int] = (), lots: str = ""
) -> Drawn:
    """Draw the next round for `players`, who are in seed order; the best table first, nobody twice.

    The entries of `byes` have one already, on request, and are left out, of the tables and of the draw's `byes`,
    which names the entry without an opponent if the number is odd. Each set in `apart` is kept apart. `lots`, any
    text, decides at which tables the better of two equals sits first. Raises `CannotPair` if two that are kept apart
    would have to meet. The same input gives the same draw.
    """
    field = standing_order([player for player in players if player.entry not in set(byes)])
    forbidden = places_apart(field, apart)
    drawn = _draw(field, forbidden, repeats=False) or _draw(field, forbidden, repeats=True)
    if drawn is None:
        raise CannotPair(_why_not(field, forbidden))
    tables, bye = drawn
    return Drawn(
        tuple(_seated(field[high], field[low], at) for at, (high, low) in enumerate(tables, first_table(lots))),
        () if bye is None else (field[bye].entry,),
    )


class _Group(NamedTuple):
    """The places `first` to `end` (without it) of the standing order, which have the same score."""

    first: int
    end: int
    score: int
    """In the steps in which this draw counts scores."""
    step: int
    """Ideal distance, in places, of two opponents within the group."""


class _Units(NamedTuple):
    """Unit costs, the lightest first; each outweighs all that can come of those before it."""

    slide: int
    bye_seed: int
    difference: int
    bye_score: int
    freshness: int
    meeting: int
    second_bye: int
    repeat: int
    all: int


def _draw(
    field: Sequence[Player], forbidden: Sequence[set[int]], *, repeats: bool
) -> tuple[list[tuple[int, int]], int | None] | None:
    """Pairs of places, the best table first, and the place with the bye; nothing where there is no such draw."""
    count = len(field)
    met = meetings(field)
    groups, units = _scale(field, met, repeats=repeats)
    barred = [apart if repeats else apart | opponents.keys() for apart, opponents in zip(forbidden, met, strict=True)]
    edges = _edges(field, groups, units, barred)
    if repeats:
        edges = [(high, low, weight - _repeat_cost(met, high, low, units)) for high, low, weight in edges]
    if count % 2:
        edges += _bye_edges(field, groups, units)
    matched = _matching(count + count % 2, edges)
    if matched is None:
        return None
    bye = next((high for high, low in matched if low == count), None)
    tables = [(high, low) for high, low in matched if low != count]
    return sorted(tables, key=lambda table: (-field[table[0]].points, -field[table[1]].points, table[0])), bye


def _matching(count: int, edges: list[tuple[int, int, int]]) -> list[tuple[int, int]] | None:
    """The heaviest perfect matching of so many nodes, lower number first; nothing where there is no perfect one."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(count))
    graph.add_edges_from(edges)
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(matched) < count:
        return None
    return sorted((min(pair), max(pair)) for pair in matched)


def _scale(
    field: Sequence[Player], met: Sequence[dict[int, tuple[int, int]]], *, repeats: bool
) -> tuple[list[_Group], _Units]:
    """The score groups, and units that rank the goals in any field."""
    runs = [list(run) for _, run in groupby(range(len(field)), lambda place: field[place].points)]
    tables = (len(field) + 1) // 2
    largest = max((len(run) for run in runs), default=0)
    counts = [meeting for opponents in met for meeting in opponents.values()] if repeats else []
    scale = lcm(*(player.points.denominator for player in field))
    scores = [int(field[run[0]].points * scale) for run in runs]
    spread = scores[0] - scores[-1] if scores else 0
    totals = [
        tables * 2 * largest**2,
        largest,
        tables * spread**2,
        len(runs),
        tables * max((last for _, last in counts), default=0),
        tables * max((times for times, _ in counts), default=0),
        max((player.byes for player in field), default=0),
        tables,
    ]
    units = _ladder(totals)
    if units.all > LARGEST:
        # Scores so finely divided that their squares do not fit are counted in the finest equal steps that do.
        steps = isqrt(LARGEST // (units.all // (totals[2] + 1)) // tables)
        scores = [(score - scores[-1]) * steps // max(spread, 1) for score in scores]
        totals[2] = tables * steps**2
        units = _ladder(totals)
    groups = [
        _Group(run[0], run[-1] + 1, score, step)
        for run, score, step in zip(runs, scores, _steps(field, runs), strict=True)
    ]
    return groups, units


def _ladder(totals: Sequence[int]) -> _Units:
    return _Units(*accumulate(totals, lambda unit, total: unit * (total + 1), initial=1))


def _steps(field: Sequence[Player], runs: Sequence[Sequence[int]]) -> list[int]:
    """For each score group, half the number of those who find an opponent within it, where only odd groups float."""
    fewest = min((player.byes for player in field), default=0)
    with_bye = max((at for at, run in enumerate(runs) if any(field[place].byes == fewest for place in run)), default=0)
    steps, up = [], 0
    for at, run in enumerate(runs):
        unpaired = len(run) - up - (len(field) % 2 and at == with_bye)
        up = unpaired % 2
        steps.append(unpaired // 2)
    return steps


def _edges(
    field: Sequence[Player], groups: Sequence[_Group], units: _Units, barred: Sequence[set[int]]
) -> list[tuple[int, int, int]]:
    """Every two places that may meet, with a weight that is the greater the better their table is."""
    edges: list[tuple[int, int, int]] = []
    rise = [units.slide * (place - group.first) ** 2 for group in groups for place in range(group.first, group.end)]
    for at, group in enumerate(groups):
        stray = [units.slide * (apart - group.step) ** 2 for apart in range(group.end - group.first)]
        for place in range(group.first, group.end):
            no = barred[place]
            peers = range(place + 1, group.end)
            edges += [(place, other, units.all - stray[other - place]) for other in peers if other not in no]
            fall = units.all - units.slide * (group.end - 1 - place) ** 2
            for lower in groups[at + 1 :]:
                base = fall - units.difference * (group.score - lower.score) ** 2
                floaters = range(lower.first, lower.end)
                edges += [(place, other, base - rise[other]) for other in floaters if other not in no]
    return edges


def _bye_edges(field: Sequence[Player], groups: Sequence[_Group], units: _Units) -> list[tuple[int, int, int]]:
    """Edges to the bye, which is one more node."""
    return [
        (
            place,
            len(field),
            units.all
            - units.second_bye * field[place].byes
            - units.bye_score * (len(groups) - 1 - at)
            - units.bye_seed * (group.end - 1 - place),
        )
        for at, group in enumerate(groups)
        for place in range(group.first, group.end)
    ]


def _repeat_cost(met: Sequence[dict[int, tuple[int, int]]], high: int, low: int, units: _Units) -> int:
    """Cost of a meeting of two that have met."""
    if low not in met[high]:
        return 0
    times, last = met[high][low]
    return units.repeat + units.meeting * times + units.freshness * last


def _why_not(field: Sequence[Player], forbidden: Sequence[set[int]]) -> str:
    """Name the fewest tables that would seat two entries that are kept apart."""
    count = len(field)
    edges = [(high, low, int(low not in forbidden[high])) for high in range(count) for low in range(high + 1, count)]
    if count % 2:
        edges += [(place, count, 1) for place in range(count)]
    matched = _matching(count + count % 2, edges) or []
    clashes = [
        f"{field[high].entry} and {field[low].entry}"
        for high, low in matched
        if low != count and low in forbidden[high]
    ]
    return (
        f"These entries are to be kept apart and would have to meet: {'; '.join(clashes)}. In every other draw as many "
        "tables would have to seat entries that are to be kept apart, or more."
    )


def _seated(upper: Player, lower: Player, number: int) -> tuple[int, int]:
    """The entries of a table by seat; `number` counts the tables, and `one` is ahead of `other`."""
    balance, opposite = (2 * player.firsts - len(player.met) for player in (upper, lower))
    is_upper_first = balance < opposite or (balance == opposite and number % 2 == 0)
    return (upper.entry, lower.entry) if is_upper_first else (lower.entry, upper.entry)
