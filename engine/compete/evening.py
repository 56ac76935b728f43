"""Scorings of an evening: what adds up to an entry's points, and what a round counts that it had to sit out.

Match points add up, or card points, or card points are divided by the deals played, so that an entry that came late, left
early or sat out compares with the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Final

from engine.compete.records import Kind, Round
from engine.compete.tiebreaks.ledger import Ledger, LedgerLine
from engine.errors import BadInput
from engine.words import later

RESULT: Final = "result"
TOTAL: Final = "total"
AVERAGE: Final = "average"

SCORINGS: Final = {
    RESULT: (later("Match points"), later("The match points of all rounds add up.")),
    TOTAL: (later("Total card points"), later("The card points of all deals add up.")),
    AVERAGE: (later("Average card points"), later("Card points divided by the number of deals the entry played.")),
}
"""Scorings by name: title and explanation."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """A scoring of an evening.

    `sit_out` is the worth of a round that an entry had to sit out, in the scoring's points: the mean of its played rounds
    if it is `None`, which leaves an average as it is. `win_bonus` are card points for each match won.
    """

    kind: str = RESULT
    sit_out: Fraction | None = None
    win_bonus: int = 0

    def __post_init__(self) -> None:
        if self.kind not in SCORINGS:
            raise BadInput(f"There is no scoring “{self.kind}”. There are: {', '.join(SCORINGS)}.")
        if self.win_bonus and not self.is_of_cards:
            raise BadInput("A bonus for a win goes with card points, not with match points.")

    @property
    def is_of_cards(self) -> bool:
        """Whether card points count, not match points."""
        return self.kind != RESULT


def score(ledger: Ledger, rounds: Sequence[Round], scoring: Scoring) -> Ledger:
    """The ledger with the points of this scoring, in all and by round; who won and met whom stays.

    Of card points only those at tables count. Points at the start are the scoring's points. Raises `BadInput` for a
    table without card points where they are needed.
    """
    cards = _card_points(rounds) if scoring.is_of_cards else []
    values = {entry: _values(entry, lines, ledger.scale, cards, scoring) for entry, lines in ledger.lines.items()}
    totals = {
        entry: ledger.start[entry] + _total(entry, ledger, values[entry], cards, scoring) for entry in ledger.lines
    }
    factor = lcm(
        *(total.denominator for total in totals.values()),
        *(value.denominator for each in values.values() for value in each),
    )
    return replace(
        ledger,
        scale=ledger.scale * factor,
        lines={
            entry: [_scaled(line, value, factor) for line, value in zip(lines, values[entry], strict=True)]
            for entry, lines in ledger.lines.items()
        },
        start={entry: points * factor for entry, points in ledger.start.items()},
        points={entry: int(total * factor) for entry, total in totals.items()},
        win=ledger.win * factor,
        draw=ledger.draw * factor,
    )


_Cards = list[dict[int, tuple[int, int]]]
"""Round by round, each entry's card points and the deals it played for them."""


def _card_points(rounds: Sequence[Round]) -> _Cards:
    cards: _Cards = []
    for number, played in enumerate(rounds, 1):
        here: dict[int, tuple[int, int]] = {}
        for index, table in enumerate(played.tables, 1):
            if not table.scores:
                raise BadInput(f"Round {number}, table {index}: this scoring needs the card points of each entry.")
            here.update(
                (entry, (points, table.deals)) for entry, points in zip(table.entries, table.scores, strict=True)
            )
        cards.append(here)
    return cards


def _values(
    entry: int, lines: Sequence[LedgerLine], scale: int, cards: _Cards, scoring: Scoring
) -> list[Fraction | int]:
    """The scaled points of each round; a round sat out is worth what the scoring says."""
    values: list[Fraction | int] = [line.points for line in lines]
    if scoring.is_of_cards:
        bonus = scoring.win_bonus * scale
        for at, line in enumerate(lines):
            points, deals = cards[at].get(entry, (0, 1))
            value = points * scale + (bonus if line.won and entry in cards[at] else 0)
            values[at] = value if deals == 1 or scoring.kind == TOTAL else Fraction(value, deals)
    sat_out = [at for at, line in enumerate(lines) if line.kind is Kind.SIT_OUT]
    if sat_out:
        worth = _mean(lines, values) if scoring.sit_out is None else scoring.sit_out * scale
        for at in sat_out:
            values[at] = worth
    return values


def _mean(lines: Sequence[LedgerLine], values: Sequence[Fraction | int]) -> Fraction:
    """The mean of the rounds played; 0 if there are none."""
    played = [value for line, value in zip(lines, values, strict=True) if line.opponents and line.kind is None]
    return Fraction(sum(played)) / len(played) if played else Fraction(0)


def _total(
    entry: int, ledger: Ledger, values: Sequence[Fraction | int], cards: _Cards, scoring: Scoring
) -> Fraction | int:
    """All points of an entry, scaled, without those at the start."""
    if scoring.kind != AVERAGE:
        return sum(values)
    points = sum(value * here[entry][1] for value, here in zip(values, cards, strict=True) if entry in here)
    deals = sum(here[entry][1] for here in cards if entry in here)
    fixed = 0 if scoring.sit_out is None else scoring.sit_out * ledger.scale
    sat_out = sum(line.kind is Kind.SIT_OUT for line in ledger.lines[entry])
    return (Fraction(points) / deals if deals else Fraction(0)) + fixed * sat_out


def _scaled(line: LedgerLine, value: Fraction | int, factor: int) -> LedgerLine:
    """The line worth this, on a scale so many times as fine."""
    _, kind, opponents, results, won = line
    if factor == 1:
        return LedgerLine(int(value), kind, opponents, results, won)
    return LedgerLine(int(value * factor), kind, opponents, tuple(result * factor for result in results), won)
