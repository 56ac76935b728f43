"""Tie-breaks from an entry's own results: wins, walkovers, points round by round, card points, books, lots."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import accumulate
from math import lcm

from engine.compete.records import Kind, Played, Round
from engine.compete.tiebreaks.column import Column
from engine.compete.tiebreaks.ledger import Ledger


def match_points(ledger: Ledger) -> Column:
    """All points, with those an entry started with."""
    return Column(ledger.points, ledger.scale)


def wins(ledger: Ledger) -> Column:
    """The rounds that were won, with or without play (C.07 7.1).

    Won is a table on which everyone else has fewer points and, between two sides, which brought more than a draw; and
    a bye or a walkover that brought more than a draw.
    """
    return Column({entry: sum(line.won for line in lines) for entry, lines in ledger.lines.items()})


def fewest_walkovers(ledger: Ledger) -> Column:
    """The matches given away: fewer is better."""
    walkovers = {entry: sum(line.kind is Kind.FORFEIT_LOSS for line in lines) for entry, lines in ledger.lines.items()}
    return Column(walkovers, fewer_wins=True)


def cumulative(ledger: Ledger) -> Column:
    """The sum of the points after each round (C.07 7.5). Points from before the start belong to no round."""
    values = {
        entry: sum(accumulate(line.points for line in lines if line.kind is not None or line.opponents))
        for entry, lines in ledger.lines.items()
    }
    return Column(values, ledger.scale)


def best_rounds(ledger: Ledger, number: int) -> Column:
    """The points of the `number` rounds that brought the most."""
    values = {
        entry: sum(sorted((line.points for line in lines), reverse=True)[:number])
        for entry, lines in ledger.lines.items()
    }
    return Column(values, ledger.scale)


def lots(ledger: Ledger, seed: str) -> Column:
    """Places in a draw by lot, 1 first: entries in the order of SHA-256 of "seed:entry".

    Two entries keep their order when others come or go.
    """
    drawn = sorted(ledger.lines, key=lambda entry: sha256(f"{seed}:{entry}".encode()).digest())
    return Column({entry: place for place, entry in enumerate(drawn, 1)}, fewer_wins=True)


def points_scored(ledger: Ledger, rounds: Sequence[Round]) -> Column:
    """All card points; no value for anyone if no table kept them."""
    return _table_sums(ledger, rounds, "scores")


def books(ledger: Ledger, rounds: Sequence[Round]) -> Column:
    """All books; no value for anyone if no table counted them."""
    return _table_sums(ledger, rounds, "books")


def going_out(ledger: Ledger, rounds: Sequence[Round]) -> Column:
    """Number of times an entry was the first to go out; no value for anyone if no table kept it."""
    return _table_sums(ledger, rounds, "outs")


def _table_sums(ledger: Ledger, rounds: Sequence[Round], field: str) -> Column:
    """The sum of each entry's numbers under this name at all tables."""
    sums: dict[int, int] = defaultdict(int)
    has_any = False
    for played in rounds:
        for table in played.tables:
            amounts: tuple[int, ...] = getattr(table, field)
            has_any = has_any or bool(amounts)
            for entry, amount in zip(table.entries, amounts, strict=False):
                sums[entry] += amount
    return Column({entry: sums[entry] if has_any else None for entry in ledger.lines})


def spread(ledger: Ledger, rounds: Sequence[Round], cap: int | None = None) -> Column:
    """Card points less the average of the opponents' at the table, over all tables; nothing where none kept them.

    With a cap, one table brings or costs no more than that.
    """
    tables = [table for played in rounds for table in played.tables if table.scores]
    sums: dict[int, Fraction | int] = defaultdict(int)
    for table in tables:
        for entry, difference in zip(table.entries, _differences(table), strict=True):
            sums[entry] += difference if cap is None else max(-cap, min(cap, difference))
    scale = lcm(*(total.denominator for total in sums.values()))
    return Column({entry: int(sums[entry] * scale) if tables else None for entry in ledger.lines}, scale)


def _differences(table: Played) -> list[Fraction | int]:
    """For each seat its card points less the average of its opponents'."""
    scores = table.scores
    if len(scores) == 2:
        return [scores[0] - scores[1], scores[1] - scores[0]]
    sides = table.sides or tuple(range(len(scores)))
    differences: list[Fraction | int] = []
    for own_score, side in zip(scores, sides, strict=True):
        other_scores = [score for score, other in zip(scores, sides, strict=True) if other != side]
        differences.append(own_score - Fraction(sum(other_scores), len(other_scores)))
    return differences
