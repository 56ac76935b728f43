"""Ranks that each entry can still reach, while matches are open.

A range is never wrong: with any results of the open matches, within the limits of `Gains`, the entry's rank lies in it.
And it never widens as results come in, or as a round that was only counted becomes tables that are named.

How: open tables hang together if they share entries. A few tables that hang together are followed through every way
they can end, so that one side's win is another's loss; the outcome is exact for that part. If too many tables hang
together, and in rounds not yet drawn, each entry is taken alone, at the least and the most it can get: looser, but
right. How many ways are "too many" depends on the tables alone, and an open table that is played only makes parts
smaller, so that a part once followed exactly stays so.

Tie-breaks are not looked at: entries that can be tied can be in either order.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import factorial, lcm, prod

from engine.errors import BadInput

MOST_WAYS = 7000
"""A part of the open tables that can end in more ways than this is not followed through: eight matches of two with
three results each just are, which takes a tenth of a second."""

_FAR = 10**9
"""A rank behind all others."""


@dataclass(frozen=True, slots=True)
class Gains:
    """Possible gains at one table, by seats in any order.

    `least` and `most` bound the gain of an entry in one round, a bye or a forfeit included. `splits` are all ways to
    share the points of a table, each as points that any of its entries may get, such as ((2, 0), (1, 1)); without
    them everyone's points may be anything in between, independently.
    """

    least: Fraction
    most: Fraction
    splits: tuple[tuple[Fraction, ...], ...] = ()


def gains_by_result(
    *, win: Fraction | int = 2, draw: Fraction | int = 1, loss: Fraction | int = 0, nobody: Fraction | int | None = 0
) -> Gains:
    """Gains at a table of two: won, drawn or, if `nobody` is not None, lost by both, each for that many points."""
    both = () if nobody is None else ((Fraction(nobody), Fraction(nobody)),)
    splits = ((Fraction(win), Fraction(loss)), (Fraction(draw), Fraction(draw)), *both)
    return _gains(splits)


def gains_by_place(points: Sequence[Fraction | int]) -> Gains:
    """Gains at a larger table: so many points for each place, shared by those who share it, and none for absentees."""
    exact = [Fraction(value) for value in points]
    return Gains(min(*exact, Fraction(0)), max(exact))


def _gains(splits: tuple[tuple[Fraction, ...], ...]) -> Gains:
    """Gains with the bounds of the splits."""
    values = [value for split in splits for value in split]
    return Gains(min(values), max(values), splits)


def possible_ranks(
    points: Mapping[int, Fraction],
    open_tables: Sequence[tuple[int, ...]],
    *,
    gains: Gains | Mapping[int, Gains],
    unknown_rounds: int = 0,
    entries: Sequence[int] | None = None,
) -> dict[int, tuple[int, int]]:
    """The best and the worst rank each entry can end on, by entry.

    `points` are those held now; `entries` without points hold none, and an entry in neither is not ranked. `gains`
    are those of a table, for all tables or by number of entries. `unknown_rounds` are those still to be drawn, in
    which everyone gets between the least and the most of all gains. Raises `BadInput` for a size of table that has
    no gains, and for splits that do not fit the table.
    """
    everyone = sorted({*points, *(entries or ())})
    held = {entry: Fraction(points.get(entry, 0)) for entry in everyone}
    by_size = dict(gains) if isinstance(gains, Mapping) else {len(table): gains for table in open_tables} or {2: gains}
    if unknown_rounds < 0 or (unknown_rounds and not by_size):
        raise BadInput("Rounds to be drawn cannot be fewer than none, and need gains.")
    race = _Race(held, by_size, unknown_rounds)
    parts = [race.part(tables) for tables in _hang_together(open_tables)]
    busy = {entry for part in parts for entry in part.members}
    parts += [race.part((), entry) for entry in everyone if entry not in busy]
    return _ranks(parts)


class _Race:
    """The numbers of one question, whole on a common scale."""

    def __init__(self, held: Mapping[int, Fraction], gains: Mapping[int, Gains], unknown_rounds: int) -> None:
        values = [value for gain in gains.values() for value in (gain.least, gain.most, *sum(gain.splits, ()))]
        self.scale = lcm(*(value.denominator for value in (*held.values(), *values)))
        self.held = {entry: int(value * self.scale) for entry, value in held.items()}
        self.gains = gains
        bounds = [(gain.least, gain.most) for gain in gains.values()]
        self.unknown_least = int(unknown_rounds * min((low for low, _ in bounds), default=Fraction(0)) * self.scale)
        self.unknown_most = int(unknown_rounds * max((high for _, high in bounds), default=Fraction(0)) * self.scale)
        self.has_unknown = unknown_rounds > 0

    def part(self, tables: Sequence[tuple[int, ...]], alone: int | None = None) -> _Part:
        """Endings of a part of the open tables, or of an entry that is at none."""
        seats = [entry for table in tables for entry in table] if alone is None else [alone]
        members = tuple(entry for entry in dict.fromkeys(seats) if entry in self.held)
        bounds = dict.fromkeys(members, (self.unknown_least, self.unknown_most))
        for table in tables:
            gain = self._gains_of(table)
            for entry in table:
                if entry in bounds:
                    low, high = bounds[entry]
                    bounds[entry] = (low + int(gain.least * self.scale), high + int(gain.most * self.scale))
        ends = {entry: (self.held[entry] + low, self.held[entry] + high) for entry, (low, high) in bounds.items()}
        # A round to be drawn could join parts that were followed apart, and the range would widen.
        if self.has_unknown or prod(self._ways(table) for table in tables) > MOST_WAYS:
            return _Part(members, tuple(ends[entry] for entry in members), None)
        return _Part(members, tuple(ends[entry] for entry in members), tuple(self._endings(members, tables)))

    def _gains_of(self, table: tuple[int, ...]) -> Gains:
        """Gains of this table. Raises `BadInput`."""
        gains = self.gains.get(len(table))
        if gains is None:
            raise BadInput(f"There are no gains for a table of {len(table)}.")
        if any(len(split) != len(table) for split in gains.splits):
            raise BadInput(f"The gains for a table of {len(table)} are not for as many entries.")
        return gains

    def _ways(self, table: tuple[int, ...]) -> int:
        """In how many ways a table can end, each order of a split counted; too many if nobody says how."""
        splits = self._gains_of(table).splits
        orders = (factorial(len(split)) // prod(factorial(split.count(won)) for won in set(split)) for split in splits)
        return sum(orders) or MOST_WAYS + 1

    def _endings(self, members: tuple[int, ...], tables: Sequence[tuple[int, ...]]) -> set[tuple[int, ...]]:
        """Every set of final points of the members that the tables can lead to."""
        seat = {entry: index for index, entry in enumerate(members)}
        endings = {tuple(self.held[entry] for entry in members)}
        for table in tables:
            results = {
                tuple(int(value * self.scale) for value in order)
                for split in self._gains_of(table).splits
                for order in permutations(split)
            }
            reached = set()
            for ending, result in product(endings, results):
                points = list(ending)
                for entry, gained in zip(table, result, strict=True):
                    if entry in seat:
                        points[seat[entry]] += gained
                reached.add(tuple(points))
            endings = reached
        return endings


class _Part:
    """Entries that hang together: the possible endings of each, and, if followed through, all ways together."""

    def __init__(
        self, members: tuple[int, ...], bounds: tuple[tuple[int, int], ...], endings: tuple[tuple[int, ...], ...] | None
    ) -> None:
        self.members = members
        self.bounds = bounds
        self.endings = endings
        self.orders = None if endings is None else {tuple(sorted(ending)) for ending in endings}
        self.fewest_above = cache(self._fewest_above)
        self.most_not_below = cache(self._most_not_below)

    def _fewest_above(self, points: int) -> int:
        """The fewest members that can end with more than these points."""
        if self.orders is None:
            return sum(low > points for low, _ in self.bounds)
        return min(len(order) - bisect_right(order, points) for order in self.orders)

    def _most_not_below(self, points: int) -> int:
        """The most members that can end with at least these points."""
        if self.orders is None:
            return sum(high >= points for _, high in self.bounds)
        return max(len(order) - bisect_left(order, points) for order in self.orders)

    def member_endings(self, index: int) -> Iterator[tuple[int, int, int]]:
        """For each possible ending of a member: its points, the fewest others above it then, the most not below."""
        if self.endings is None:
            low, high = self.bounds[index]
            # At its most an entry has its best rank, at its least its worst; the other bound is left to the other one.
            yield high, self.fewest_above(high), 0
            yield low, len(self.members), self.most_not_below(low) - 1
            return
        bounds: dict[int, tuple[int, int]] = {}
        for ending in self.endings:
            points = ending[index]
            above = sum(end > points for end in ending)
            not_below = sum(end >= points for end in ending) - 1
            fewest, most = bounds.get(points, (above, not_below))
            bounds[points] = (min(fewest, above), max(most, not_below))
        for points, (fewest, most) in bounds.items():
            yield points, fewest, most


def _ranks(parts: Sequence[_Part]) -> dict[int, tuple[int, int]]:
    """Best and worst rank of everyone: the parts end independently of one another."""

    @cache
    def above(points: int) -> int:
        return sum(part.fewest_above(points) for part in parts)

    @cache
    def not_below(points: int) -> int:
        return sum(part.most_not_below(points) for part in parts)

    ranks: dict[int, tuple[int, int]] = {}
    for part in parts:
        for index, entry in enumerate(part.members):
            best, worst = _FAR, 0
            for points, fewest, most in part.member_endings(index):
                best = min(best, 1 + fewest + above(points) - part.fewest_above(points))
                worst = max(worst, 1 + most + not_below(points) - part.most_not_below(points))
            ranks[entry] = (best, worst)
    return dict(sorted(ranks.items()))


def _hang_together(tables: Collection[tuple[int, ...]]) -> list[list[tuple[int, ...]]]:
    """The tables in parts that share no entry."""
    leader: dict[int, int] = {}

    def find(entry: int) -> int:
        while leader.setdefault(entry, entry) != entry:
            leader[entry] = leader[leader[entry]]
            entry = leader[entry]
        return entry

    for table in tables:
        for entry in table:
            leader[find(entry)] = find(table[0])
    parts: dict[int, list[tuple[int, ...]]] = {}
    for table in tables:
        parts.setdefault(find(table[0]), []).append(table)
    return list(parts.values())
