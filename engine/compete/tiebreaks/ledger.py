"""The rounds of an event turned over: what each entry did in every round, in whole numbers on one scale.

Points are fractions; a thousand entries' worth of fractions is slow to add. Here every amount of points is multiplied
by one common denominator, the ledger's `scale`, and stays exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from engine.compete.records import Kind, Played, Round, Unplayed
from engine.errors import BadInput

WON_UNPLAYED = frozenset({Kind.BYE, Kind.FORFEIT_WIN})
FORFEITS = frozenset({Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS})


class Line(NamedTuple):
    """What one entry did in one round; points and results are scaled.

    `opponents` are those it met and `results` what it scored against each; where nobody was met both are empty and
    `kind` says why, or is nothing too while the result is awaited.
    """

    points: int
    kind: Kind | None
    opponents: tuple[int, ...] = ()
    results: tuple[int, ...] = ()
    won: bool = False


AWAITED = Line(0, None)
ABSENT = Line(0, Kind.ZERO_BYE)


@dataclass(frozen=True, slots=True)
class Ledger:
    """What every entry did, round by round.

    `points` are the totals with what entries started with; `win` and `draw` are what a match won or drawn brings. All
    are scaled. `rounds` is how many rounds there are to score in. A round that was not played stands for `dummies`
    opponents, as many as most tables give; `in_pods` says that most tables have more than two sides.
    """

    scale: int
    lines: dict[int, list[Line]]
    start: dict[int, int]
    points: dict[int, int]
    win: int
    draw: int
    rounds: int
    dummies: int
    in_pods: bool
    is_round_robin: bool


def open_ledger(
    rounds: Sequence[Round],
    *,
    entries: Iterable[int] = (),
    start: Mapping[int, Fraction] | None = None,
    win: Fraction | None = None,
    draw: Fraction | None = None,
    total_rounds: int | None = None,
    is_round_robin: bool = False,
) -> Ledger:
    """The ledger of these rounds, for everyone named in them or in `entries`.

    Whoever is missing from a round altogether was absent, without points. Where `win` and `draw` are not given they
    are read off the tables (`_usual_points`). Raises `BadInput` for an entry that is twice in a round, a table without
    opponents and lists of unequal length.
    """
    start = start or {}
    opponents = (missed.opponent for played in rounds for missed in played.unplayed if missed.opponent is not None)
    everyone = sorted({*entries, *start, *opponents, *(entry for played in rounds for entry in _named(played))})
    scale = _common_scale(rounds, [*start.values(), *(value for value in (win, draw) if value is not None)])
    points_of_win, points_of_draw = _usual_points(rounds, scale)
    if win is not None:
        points_of_win = int(win * scale)
    points_of_draw = int(draw * scale) if draw is not None else (points_of_draw or points_of_win // 2)
    lines: dict[int, list[Line]] = {entry: [] for entry in everyone}
    for number, played in enumerate(rounds, 1):
        here = _lines_of(played, scale, points_of_draw, is_round_robin, number)
        for entry, sheet in lines.items():
            sheet.append(here.get(entry, ABSENT))
    begun = {entry: int(Fraction(start.get(entry, 0)) * scale) for entry in everyone}
    totals = {entry: begun[entry] + sum(line[0] for line in lines[entry]) for entry in everyone}
    dummies, in_pods = _usual_table(rounds)
    return Ledger(
        scale=scale,
        lines=lines,
        start=begun,
        points=totals,
        win=points_of_win,
        draw=points_of_draw,
        rounds=max(total_rounds or 0, len(rounds)),
        dummies=dummies,
        in_pods=in_pods,
        is_round_robin=is_round_robin,
    )


def _named(played: Round) -> Iterable[int]:
    """Every entry that a round names."""
    for table in played.tables:
        yield from table.entries
    for missed in played.unplayed:
        yield missed.entry
    yield from played.awaited


def _common_scale(rounds: Sequence[Round], values: Collection[Fraction]) -> int:
    """A number that makes all points whole, and their halves, and their average over any table."""
    denominators = {value.denominator for value in values}
    sizes = {2}
    for played in rounds:
        for table in played.tables:
            denominators.update([value.denominator for value in table.points])
            sizes.add(len(table.entries))
        denominators.update([missed.points.denominator for missed in played.unplayed])
    return lcm(*denominators) * lcm(*sizes)


def _sides(table: Played) -> tuple[int, ...]:
    """Which side each seat is on; without partners each is a side alone."""
    return table.sides or tuple(range(len(table.entries)))


def _usual_points(rounds: Sequence[Round], scale: int) -> tuple[int, int]:
    """What a win and a draw bring, scaled, as the tables have it; 0 for a draw that nobody knows.

    A win brings what most tables of two sides that had a winner shared out in all, and a draw what most level ones
    gave to each. Where no table has two sides, a win brings what came first at most tables, and a draw the average.
    """
    decisive: Counter[int] = Counter()
    level: Counter[int] = Counter()
    best: Counter[int] = Counter()
    average: Counter[int] = Counter()
    for played in rounds:
        for table in played.tables:
            points = [value.numerator * (scale // value.denominator) for value in table.points]
            one, other = points if len(points) == 2 else _two_sides(table, points)
            if one is not None and other is not None:
                if one == other:
                    level[one] += 1
                else:
                    decisive[one + other] += 1
            elif points:
                best[max(points)] += 1
                average[sum(points) // len(points)] += 1
    if decisive or level:
        draw = _most_common(level)
        return _most_common(decisive) or 2 * draw or scale, draw
    if best:
        return _most_common(best) or scale, _most_common(average)
    given = [missed.points for played in rounds for missed in played.unplayed if missed.kind in WON_UNPLAYED]
    return int(max(given, default=Fraction(0)) * scale) or scale, 0


def _two_sides(table: Played, points: list[int]) -> tuple[int | None, int | None]:
    """The points of either side of a larger table, if it has just two."""
    by_side = dict(zip(_sides(table), points, strict=False))
    if len(by_side) != 2:
        return None, None
    one, other = by_side.values()
    return one, other


def _most_common(counter: Counter[int]) -> int:
    """What was counted most often, among equals the largest; nothing and negative amounts do not count."""
    return max(((count, value) for value, count in counter.items() if value > 0), default=(0, 0))[1]


def _usual_table(rounds: Sequence[Round]) -> tuple[int, bool]:
    """How many opponents an entry meets at most tables, and whether those tables have more than two sides."""
    shapes: Counter[tuple[int, bool]] = Counter()
    for played in rounds:
        for table in played.tables:
            if len(table.entries) == 2:
                shapes[1, False] += 1
                continue
            sides = _sides(table)
            shapes[len(sides) - sides.count(sides[0]), len(set(sides)) > 2] += 1
    return max(shapes, key=lambda shape: (shapes[shape], shape)) if shapes else (1, False)


def _lines_of(played: Round, scale: int, draw: int, is_round_robin: bool, number: int) -> dict[int, Line]:
    """The line of everyone whom the round names."""
    lines: dict[int, Line] = {}
    named = 0
    for table in played.tables:
        for kept in (table.scores, table.sides, table.books, table.outs):
            if len(table.points) != len(table.entries) or (kept and len(kept) != len(table.entries)):
                raise BadInput(f"Round {number}: a table lists not as many numbers as entries.")
        points = [value.numerator * (scale // value.denominator) for value in table.points]
        named += len(points)
        if len(points) == 2 and not table.sides:
            (one, other), (first, second) = table.entries, points
            lines[one] = Line(first, None, (other,), (first,), first > second and first > draw)
            lines[other] = Line(second, None, (one,), (second,), second > first and second > draw)
        else:
            lines.update(_table_lines(table, points, scale, draw, number))
    for missed in played.unplayed:
        named += 1
        lines[missed.entry] = _unplayed_line(missed, scale, draw, is_round_robin)
    for entry in played.awaited:
        named += 1
        lines[entry] = AWAITED
    if named != len(lines):
        counts = Counter(_named(played))
        twice = next(entry for entry, count in counts.items() if count > 1)
        raise BadInput(f"Round {number}: entry {twice} is there twice.")
    return lines


def _table_lines(table: Played, points: list[int], scale: int, draw: int, number: int) -> Iterable[tuple[int, Line]]:
    """The lines of a table with more than two entries: partners are no opponents.

    Between two sides the points are the result, as at a table of two. Among more sides the points are for a place;
    against each of the others an entry scored 1, a half or 0, as it has more, as many or fewer points.
    """
    sides = _sides(table)
    is_pod = len(set(sides)) > 2
    for seat, entry in enumerate(table.entries):
        own = points[seat]
        others = [other for other in range(len(points)) if sides[other] != sides[seat]]
        if not others:
            raise BadInput(f"Round {number}: entry {entry} has nobody to play against.")
        won = all(own > points[other] for other in others) and (is_pod or own > draw)
        if is_pod:
            results = tuple(scale if own > points[o] else scale // 2 if own == points[o] else 0 for o in others)
        else:
            results = (own,) * len(others)
        yield entry, Line(own, None, tuple(table.entries[other] for other in others), results, won)


def _unplayed_line(missed: Unplayed, scale: int, draw: int, is_round_robin: bool) -> Line:
    """The line of a round that was not played.

    In a round robin a match won or lost by forfeit counts like one that was played, where the opponent is known
    (C.07 15.2, 15.6).
    """
    points = missed.points.numerator * (scale // missed.points.denominator)
    won = missed.kind in WON_UNPLAYED and points > draw
    if is_round_robin and missed.kind in FORFEITS and missed.opponent is not None:
        return Line(points, missed.kind, (missed.opponent,), (points,), won)
    return Line(points, missed.kind, (), (), won)
