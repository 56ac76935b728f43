"""A series over evenings: what an evening is worth to each person, and standings of the best of them, their mean or sum.

A series counts one figure of every evening, its measure, and adds up the figures by one way of counting. Everything is
exact; people with the same figure share their rank.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Generic, TypeVar

from engine.errors import BadInput
from engine.words import later, say

Person = TypeVar("Person", bound=Hashable)

POINTS: Final = "points"
PLACE: Final = "place"
PERCENT: Final = "percent"

MEASURES: Final = {
    POINTS: (
        later("Points of the evening"),
        later("The points of the evening’s standings. A final only decides places."),
    ),
    PLACE: (
        later("Place points"),
        later("Last place is worth 1 point, each place above it one more. Tied places share their points."),
    ),
    PERCENT: (
        later("Percentage"),
        later("The share of the match points that could be won in the matches played, in percent."),
    ),
}
"""Measures of an evening by name: title and explanation."""

BEST: Final = "best"
AVERAGE: Final = "average"
SUM: Final = "sum"

WAYS: Final = {
    BEST: (later("Best evenings"), later("Each person’s best evenings add up. The others are dropped.")),
    AVERAGE: (later("Average"), later("The average of all evenings that a person played.")),
    SUM: (later("Sum"), later("All evenings add up.")),
}
"""Ways of counting by name: title and explanation."""


@dataclass(frozen=True, slots=True)
class Counting:
    """How evenings add up: the best `number` of them, the average for people with at least `number`, or the sum."""

    way: str = SUM
    number: int = 1

    def __post_init__(self) -> None:
        if self.way not in WAYS:
            raise BadInput(
                say(
                    "Way of counting “%(name)s” not found. Use one of these: %(join)s.",
                    name=self.way,
                    join=", ".join(WAYS),
                )
            )
        if self.number < 1:
            raise BadInput(say("A series counts at least one evening."))


@dataclass(frozen=True, slots=True)
class Result(Generic[Person]):
    """What an evening brought its people: partners share one result."""

    people: tuple[Person, ...]
    points: Fraction | None = None
    rank: int | None = None
    """The place of the evening, 1 the best; shared where equal."""
    won: Fraction | None = None
    """Points of the matches played, as a part of `most`."""
    most: Fraction | None = None
    """Points that could be won in the matches played."""


@dataclass(frozen=True, slots=True)
class SeriesRow(Generic[Person]):
    """A person in the standings of a series."""

    person: Person
    rank: int | None
    """Shared where equal; `None` for people with too few evenings for an average."""
    total: Fraction
    values: tuple[Fraction | None, ...]
    """The worth of each evening; `None` where the person did not play, or the evening has no such figure."""
    counted: frozenset[int]
    """The evenings (by their index) that make up the total; the others were dropped."""

    @property
    def played(self) -> int:
        """The number of evenings with a figure."""
        return sum(value is not None for value in self.values)


def check_measure(measure: str) -> None:
    """Raise `BadInput` for a measure that does not exist."""
    if measure not in MEASURES:
        raise BadInput(
            say("Measure “%(name)s” not found. Use one of these: %(join)s.", name=measure, join=", ".join(MEASURES))
        )


def worth(results: Sequence[Result[Person]], measure: str) -> dict[Person, Fraction]:
    """The figure of an evening for each person, by the measure; people for whom it has none are left out.

    Raises `BadInput` for a person who is in two results, or a percentage above what can be won.
    """
    people = [person for result in results for person in result.people]
    if len(set(people)) < len(people):
        raise BadInput(say("A person cannot have two results on one evening."))
    values = _place_points(results) if measure == PLACE else [_figure(result, measure) for result in results]
    return {
        person: value
        for result, value in zip(results, values, strict=True)
        if value is not None
        for person in result.people
    }


def standings(evenings: Sequence[Mapping[Person, Fraction]], counting: Counting) -> tuple[SeriesRow[Person], ...]:
    """The standings over evenings, each the worth by person, in the order they were played.

    Best first; people with the same total share their rank and stay in the order in which they first appeared. People
    with too few evenings for an average follow without a rank.
    """
    everyone = list(dict.fromkeys(person for evening in evenings for person in evening))
    lines = [_line(person, tuple(evening.get(person) for evening in evenings), counting) for person in everyone]
    ranked = sorted((line for line in lines if _is_ranked(line, counting)), key=lambda line: -line.total)
    others = sorted((line for line in lines if not _is_ranked(line, counting)), key=lambda line: -line.total)
    ranks: dict[Fraction, int] = {}
    for place, line in enumerate(ranked, 1):
        ranks.setdefault(line.total, place)
    return (*(replace(line, rank=ranks[line.total]) for line in ranked), *others)


def best(values: Sequence[Fraction | None], number: int) -> frozenset[int]:
    """The indexes of the best values, as many as there may be; of equal ones the earlier."""
    played = [at for at, value in enumerate(values) if value is not None]
    return frozenset(sorted(played, key=lambda at: (-(values[at] or 0), at))[:number])


def _line(person: Person, values: tuple[Fraction | None, ...], counting: Counting) -> SeriesRow[Person]:
    chosen = best(values, counting.number if counting.way == BEST else len(values))
    total = sum((value for at in chosen if (value := values[at]) is not None), Fraction(0))
    if counting.way == AVERAGE and chosen:
        total /= len(chosen)
    return SeriesRow(person, None, total, values, chosen)


def _is_ranked(line: SeriesRow[Person], counting: Counting) -> bool:
    return counting.way != AVERAGE or line.played >= counting.number


def _figure(result: Result[Person], measure: str) -> Fraction | None:
    if measure == POINTS:
        return result.points
    if result.won is None or not result.most:
        return None
    if result.won > result.most:
        raise BadInput(
            say("Nobody can win more points than there are: %(won)s of %(most)s.", won=result.won, most=result.most)
        )
    return 100 * result.won / result.most


def _place_points(results: Sequence[Result[Person]]) -> list[Fraction | None]:
    """One point for the last place, one more for each above; tied places share theirs."""
    ranks = [result.rank for result in results]
    if all(rank is None for rank in ranks):
        ranks = _ranks([result.points for result in results])
    placed: Collection[int] = [rank for rank in ranks if rank is not None]
    return [
        None
        if rank is None
        else sum(other > rank for other in placed) + Fraction(sum(other == rank for other in placed) + 1, 2)
        for rank in ranks
    ]


def _ranks(points: Sequence[Fraction | None]) -> list[int | None]:
    """Ranks by points, for an evening that names none."""
    known = [each for each in points if each is not None]
    return [None if each is None else 1 + sum(other > each for other in known) for each in points]
