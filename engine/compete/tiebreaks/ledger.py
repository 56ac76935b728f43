"""The rounds of an event by entry: its results in every round, in whole numbers on one scale.

Points are fractions; a thousand entries' worth of fractions is slow to add. Here every amount of points is
multiplied by one common denominator, the ledger's `scale`, and stays exact.
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


class LedgerLine(NamedTuple):
    """Results of an entry in one round; points and results are scaled.

    `opponents` are those it met and `results` its score against each; without an opponent both are empty and `kind`
    gives the reason, or is nothing too while the result is awaited.
    """

    points: int
    kind: Kind | None
    opponents: tuple[int, ...] = ()
    results: tuple[int, ...] = ()
    won: bool = False


AWAITED = LedgerLine(0, None)
ABSENT = LedgerLine(0, Kind.ZERO_BYE)


@dataclass(frozen=True, slots=True)
class Ledger:
    """Results of every entry, round by round.

    `points` are the totals with those at the start; `win` and `draw` are the points of a match won or drawn. All are
    scaled. `rounds` is the number of rounds to score in. An unplayed round counts as `dummies` opponents, as many as
    most tables give; `in_pods` says that most tables have more than two sides.
    """

    scale: int
    lines: dict[int, list[LedgerLine]]
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

    An entry missing from a round altogether was absent, without points. If `win` and `draw` are not given they are
    read off the tables (`_usual_points`). Raises `BadInput` for an entry that is twice in a round, a table without
    opponents and lists of unequal length.
    """
    start = start or {}
    opponents = (missed.opponent for played in rounds for missed in played.unplayed if missed.opponent is not None)
    everyone = sorted({*entries, *start, *opponents, *(entry for played in rounds for entry in _entries_of(played))})
    scale = _common_scale(rounds, [*start.values(), *(value for value in (win, draw) if value is not None)])
    points_of_win, points_of_draw = _usual_points(rounds, scale)
    if win is not None:
        points_of_win = int(win * scale)
    points_of_draw = int(draw * scale) if draw is not None else (points_of_draw or points_of_win // 2)
    lines: dict[int, list[LedgerLine]] = {entry: [] for entry in everyone}
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


def _entries_of(played: Round) -> Iterable[int]:
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
    """Side of each seat; without partners each seat is a side of its own."""
    return table.sides or tuple(range(len(table.entries)))


def _usual_points(rounds: Sequence[Round], scale: int) -> tuple[int, int]:
    """Points of a win and a draw, scaled, as the tables have it; 0 for an unknown draw.

    A win brings the sum of points at most tables of two sides with a winner, and a draw the points of each side at
    most drawn ones. If no table has two sides, a win brings the first's points at most tables, a draw the average.
    """
    decisive: Counter[int] = Counter()
    level: Counter[int] = Counter()
    best: Counter[int] = Counter()
    average: Counter[int] = Counter()
    for played in rounds:
        for table in played.tables:
            points = [value.numerator * (scale // value.denominator) for value in table.points]
            first, second = points if len(points) == 2 else _two_sides(table, points)
            if first is not None and second is not None:
                if first == second:
                    level[first] += 1
                else:
                    decisive[first + second] += 1
            elif points:
                best[max(points)] += 1
                average[sum(points) // len(points)] += 1
    if decisive or level:
        draw = _most_common(level)
        return _most_common(decisive) or 2 * draw or scale, draw
    if best:
        return _most_common(best) or scale, _most_common(average)
    awards = [missed.points for played in rounds for missed in played.unplayed if missed.kind in WON_UNPLAYED]
    return int(max(awards, default=Fraction(0)) * scale) or scale, 0


def _two_sides(table: Played, points: list[int]) -> tuple[int | None, int | None]:
    """The points of either side of a larger table, if it has just two."""
    by_side = dict(zip(_sides(table), points, strict=False))
    if len(by_side) != 2:
        return None, None
    first, second = by_side.values()
    return first, second


def _most_common(counter: Counter[int]) -> int:
    """The most frequent amount, the largest of several; nothing and negative amounts do not count."""
    return max(((count, value) for value, count in counter.items() if value > 0), default=(0, 0))[1]


def _usual_table(rounds: Sequence[Round]) -> tuple[int, bool]:
    """Number of opponents at most tables, and whether those tables have more than two sides."""
    shapes: Counter[tuple[int, bool]] = Counter()
    for played in rounds:
        for table in played.tables:
            if len(table.entries) == 2:
                shapes[1, False] += 1
                continue
            sides = _sides(table)
            shapes[len(sides) - sides.count(sides[0]), len(set(sides)) > 2] += 1
    return max(shapes, key=lambda shape: (shapes[shape], shape)) if shapes else (1, False)


def _lines_of(played: Round, scale: int, draw: int, is_round_robin: bool, number: int) -> dict[int, LedgerLine]:
    """The line of everyone whom the round names."""
    lines: dict[int, LedgerLine] = {}
    count = 0
    for table in played.tables:
        for numbers in (table.scores, table.sides, table.books, table.outs):
            if len(table.points) != len(table.entries) or (numbers and len(numbers) != len(table.entries)):
                raise BadInput(f"Round {number}: a table lists not as many numbers as entries.")
        points = [value.numerator * (scale // value.denominator) for value in table.points]
        count += len(points)
        if len(points) == 2 and not table.sides:
            (first_entry, second_entry), (first, second) = table.entries, points
            lines[first_entry] = LedgerLine(first, None, (second_entry,), (first,), first > second and first > draw)
            lines[second_entry] = LedgerLine(second, None, (first_entry,), (second,), second > first and second > draw)
        else:
            lines.update(_table_lines(table, points, scale, draw, number))
    for missed in played.unplayed:
        count += 1
        lines[missed.entry] = _unplayed_line(missed, scale, draw, is_round_robin)
    for entry in played.awaited:
        count += 1
        lines[entry] = AWAITED
    if count != len(lines):
        counts = Counter(_entries_of(played))
        twice = next(entry for entry, count in counts.items() if count > 1)
        raise BadInput(f"Round {number}: entry {twice} is there twice.")
    return lines


def _table_lines(
    table: Played, points: list[int], scale: int, draw: int, number: int
) -> Iterable[tuple[int, LedgerLine]]:
    """The lines of a table with more than two entries: partners are no opponents.

    Between two sides the points are the result, as at a table of two. Among more sides the points are for a place;
    against each of the others an entry scored 1, a half or 0, as it has more, as many or fewer points.
    """
    sides = _sides(table)
    is_pod = len(set(sides)) > 2
    for seat, entry in enumerate(table.entries):
        score = points[seat]
        opponents = [other for other in range(len(points)) if sides[other] != sides[seat]]
        if not opponents:
            raise BadInput(f"Round {number}: entry {entry} has nobody to play against.")
        won = all(score > points[other] for other in opponents) and (is_pod or score > draw)
        if is_pod:
            results = tuple(scale if score > points[o] else scale // 2 if score == points[o] else 0 for o in opponents)
        else:
            results = (score,) * len(opponents)
        yield entry, LedgerLine(score, None, tuple(table.entries[other] for other in opponents), results, won)


def _unplayed_line(missed: Unplayed, scale: int, draw: int, is_round_robin: bool) -> LedgerLine:
    """The line of a round that was not played.

    In a round robin a match won or lost by forfeit counts like one that was played, where the opponent is known
    (C.07 15.2, 15.6).
    """
    points = missed.points.numerator * (scale // missed.points.denominator)
    won = missed.kind in WON_UNPLAYED and points > draw
    if is_round_robin and missed.kind in FORFEITS and missed.opponent is not None:
        return LedgerLine(points, missed.kind, (missed.opponent,), (points,), won)
    return LedgerLine(points, missed.kind, (), (), won)
