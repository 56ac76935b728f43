"""Scoring a match: match points for card points at a table, or over a whole field.

All match points are exact fractions. Card points of different rules differ in size; if a published scale of bridge
is used, `unit` is the number of card points for one point of that scale.
"""

from __future__ import annotations

import inspect
from bisect import bisect_right
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

from engine.errors import BadInput
from engine.words import later, say

Points = tuple[Fraction, ...]

VICTORY_UNIT: Final = 300
"""Card points for one IMP of a victory point scale.

The margins of deals between equal sides vary by some 2,000 card points (standard deviation, standard rules), those of
boards of bridge by some 6 or 7 IMPs.
"""

IMP_UNIT: Final = 10
"""Card points for one point of bridge in the IMP table, where the same deals are compared across tables."""

_IMP_STEPS: Final = (
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600,
    750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000,
)  # fmt: skip
"""The least difference for 1, 2, … 24 IMPs: Laws of Duplicate Bridge 2017, Law 78B."""


def by_result(
    scores: Sequence[int], *, win: Fraction | int = 2, draw: Fraction | int = 1, loss: Fraction | int = 0
) -> Points:
    """Match points of two sides: a win for the side with more card points."""
    if len(scores) != 2:
        raise BadInput(say("Points by result are for two sides, not %(count)s.", count=len(scores)))
    first, second = scores
    if first == second:
        return (Fraction(draw), Fraction(draw))
    return (Fraction(win), Fraction(loss)) if first > second else (Fraction(loss), Fraction(win))


def by_place(scores: Sequence[int], *, points: Sequence[Fraction | int] | None = None) -> Points:
    """Match points by place; sides that share places share their points.

    `points` are those for each place, the first first; without it one less than there are sides, and so on to 0.
    """
    for_places = list(range(len(scores) - 1, -1, -1)) if points is None else list(points)
    if len(for_places) != len(scores):
        raise BadInput(
            say(
                "There are %(count)s sides, but points for %(count_2)s places.",
                count=len(scores),
                count_2=len(for_places),
            )
        )
    if any(later > sooner for sooner, later in pairwise(for_places)):
        raise BadInput(say("A place must not earn more points than the one before it."))
    ordered = sorted(scores, reverse=True)
    shared = {}
    for score in set(scores):
        first, level = ordered.index(score), ordered.count(score)
        shared[score] = Fraction(sum(Fraction(value) for value in for_places[first : first + level])) / level
    return tuple(shared[score] for score in scores)


def normalised(points: Fraction | int, size: int) -> Fraction:
    """Points by place at a table of this size as a share of the most, so that tables of different sizes compare.

    These are the points of `by_place` without a list: the others left behind, (size − place) of (size − 1).
    """
    return Fraction(points) / (size - 1) if size > 1 else Fraction(1)


def normalised_places(scores: Sequence[int]) -> Points:
    """The share of the other sides that were left behind, half of those who are level: 1 for first place, 0 for last."""
    return tuple(normalised(points, len(scores)) for points in by_place(scores))


def victory_points(scores: Sequence[int], *, deals: int = 1, unit: int = VICTORY_UNIT) -> Points:
    """Twenty victory points shared by the margin, to a hundredth: the continuous scale of the World Bridge Federation.

    With τ = (√5 − 1) / 2, a margin of m units over n deals brings the winner 10 + 10 · (1 − τ^(3m / b)) / (1 − τ³),
    where b = 15√n, and 20 from b on. (WBF Scoring Panel, "The new WBF IMP to VP scales", 2013; its tables correct a few
    values by a hundredth, which is left out here.)
    """
    if len(scores) != 2:
        raise BadInput(say("Victory points are for two sides, not %(count)s.", count=len(scores)))
    if deals < 1 or unit < 1:
        raise BadInput(say("Victory points need at least one deal and a unit of at least 1."))
    with localcontext() as context:
        context.prec = 40
        tau = (Decimal(5).sqrt() - 1) / 2
        share = Decimal(abs(scores[0] - scores[1])) / (unit * 15 * Decimal(deals).sqrt())
        more = 10 + 10 * (1 - tau ** (3 * share)) / (1 - tau**3) if share < 1 else Decimal(20)
        winner = Fraction(more.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP))
    return (winner, 20 - winner) if scores[0] >= scores[1] else (20 - winner, winner)


def matchpoints(scores: Sequence[int]) -> Points:
    """A board over the field: two points for each score that is less, one for each that is equal.

    `scores` are those of everyone who held the same cards; alone on a board there is nobody to beat.
    """
    ordered = sorted(scores)
    below = {score: ordered.index(score) for score in set(scores)}
    return tuple(Fraction(2 * below[score] + ordered.count(score) - 1) for score in scores)


def imps(difference: int, *, unit: int = IMP_UNIT) -> int:
    """The international match points of a difference in card points, 0 to 24, with its sign."""
    if unit < 1:
        raise BadInput(say("The unit of IMPs must be at least 1."))
    worth = bisect_right(_IMP_STEPS, abs(difference) // unit)
    return worth if difference >= 0 else -worth


def cross_imps(scores: Sequence[int], *, unit: int = IMP_UNIT) -> Points:
    """A board over the field: the average of the IMPs against every other score of those who held the same cards."""
    comparisons = max(1, len(scores) - 1)
    return tuple(Fraction(sum(imps(score - other, unit=unit) for other in scores), comparisons) for score in scores)


class Scoring(NamedTuple):
    """A way to score: its title, a sentence, its function, and the points of both sides in a walkover.

    `is_for_field` says that the scores are those of one board over the whole field and not those of one table.
    """

    title: str
    explanation: str
    work: Callable[..., Points]
    walkover: Callable[..., tuple[Fraction, Fraction]]
    is_for_field: bool = False


def _walkover_by_result(
    *, win: Fraction | int = 2, draw: Fraction | int = 1, loss: Fraction | int = 0
) -> tuple[Fraction, Fraction]:
    """A win for the side that came; no points for the other, even where a loss brings some."""
    return Fraction(win), Fraction(0)


def _walkover_by_place(*, points: Sequence[Fraction | int] | None = None, sides: int = 2) -> tuple[Fraction, Fraction]:
    """The points of the first place, and none."""
    return Fraction(points[0] if points else sides - 1), Fraction(0)


def _walkover_normalised() -> tuple[Fraction, Fraction]:
    """All, and nothing."""
    return Fraction(1), Fraction(0)


def _walkover_victory(*, deals: int = 1, unit: int = VICTORY_UNIT) -> tuple[Fraction, Fraction]:
    """Twelve victory points for the side that came, as is usual for a bye in events for teams, and none."""
    return Fraction(12), Fraction(0)


def _walkover_matchpoints(*, others: int = 1) -> tuple[Fraction, Fraction]:
    """Three fifths of a top ("average plus" in the Laws, 12C2) and nothing; a top is two for each other pair."""
    return Fraction(6, 5) * others, Fraction(0)


def _walkover_imps(*, unit: int = IMP_UNIT) -> tuple[Fraction, Fraction]:
    """Three IMPs, what average plus is on that scale, and three less than none."""
    return Fraction(3), Fraction(-3)


SCORINGS: Final = {
    "by_result": Scoring(
        later("By result"),
        later("A set number of points for a win, a draw and a loss."),
        by_result,
        _walkover_by_result,
    ),
    "by_place": Scoring(
        later("By place"),
        later(
            "A set number of points for first place, second place and so on. Entries that share "
            "places share their points."
        ),
        by_place,
        _walkover_by_place,
    ),
    "normalised_places": Scoring(
        later("By place, tables of any size"),
        later("The share of the other entries at the table with a lower place: 1 for first place, 0 for last."),
        normalised_places,
        _walkover_normalised,
    ),
    "victory_points": Scoring(
        later("Victory points"),
        later("20 points shared by the margin: 10 each if tied. The first card points of a lead count the most."),
        victory_points,
        _walkover_victory,
    ),
    "matchpoints": Scoring(
        later("Matchpoints"),
        later("On each deal, two points for each lower score with the same cards, and one for each equal score."),
        matchpoints,
        _walkover_matchpoints,
        is_for_field=True,
    ),
    "cross_imps": Scoring(
        later("Cross-IMPs"),
        later("On each deal, the difference from everyone with the same cards on the IMP scale of bridge, on average."),
        cross_imps,
        _walkover_imps,
        is_for_field=True,
    ),
}
"""Every way to score, by name."""


def score(name: str, scores: Sequence[int], /, **settings: Any) -> Points:
    """Match points for card points, in the order of `scores`. `settings` are those of the way named, such as `win`
    or `deals`. Raises `BadInput` for a name, a setting or a number of scores that the way does not have."""
    way = _way(name)
    _check_settings(way.title, way.work, settings)
    if not scores:
        raise BadInput(say("There are no scores."))
    return way.work(scores, **settings)


def walkover(name: str, /, **settings: Any) -> tuple[Fraction, Fraction]:
    """Match points for an unplayed match of the side that came and the side that did not.

    `settings` are those of the way named; by place also `sides`, their number at the table, if no list of points
    gives it, and for matchpoints `others`, the number of others with the same cards.
    """
    way = _way(name)
    _check_settings(way.title, way.walkover, settings)
    return way.walkover(**settings)


def _way(name: str) -> Scoring:
    """The way of this name, or a sentence."""
    if name not in SCORINGS:
        raise BadInput(
            say("Scoring “%(name)s” not found. Use one of these: %(join)s.", name=name, join=", ".join(SCORINGS))
        )
    return SCORINGS[name]


def _check_settings(title: str, work: Callable[..., object], settings: dict[str, Any]) -> None:
    """Refuse settings that the way does not have."""
    names = _settings_of(work)
    for name in settings:
        if name not in names:
            raise BadInput(say("“%(title)s” does not have a setting “%(name)s”.", title=title, name=name))


@cache
def _settings_of(work: Callable[..., object]) -> frozenset[str]:
    """The names of the settings that a way has."""
    parameters = inspect.signature(work).parameters.values()
    return frozenset(parameter.name for parameter in parameters if parameter.kind is inspect.Parameter.KEYWORD_ONLY)
