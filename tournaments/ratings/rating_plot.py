"""The plot of a rating, match by match, worked out for an SVG of fixed size; the browser only draws it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.translation import gettext

from web.text import several

WIDTH, HEIGHT = 360, 220
LEFT, RIGHT, TOP, BOTTOM = 46, 348, 26, 178
"""The frame of the plot within the picture; the labels of the axes are around it."""
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)
MOST_POINTS = 300
"""More than can be told apart; of longer histories some are left out, never the first or the last."""
FEWEST = 2


@dataclass(frozen=True)
class Tick:
    """A mark of an axis: position and label."""

    at: float
    label: str


@dataclass(frozen=True)
class Plot:
    """Content of the picture. Coordinates are those of a picture of WIDTH by HEIGHT, y downwards."""

    points: str
    """The line, as SVG's `points`."""
    last: tuple[float, float]
    down: tuple[Tick, ...]
    """Ratings at the left, lowest first."""
    along: tuple[Tick, ...]
    """Numbers of matches below."""
    summary: str
    """The same in a sentence, for those who do not see it."""


def plot(ratings: Sequence[int]) -> Plot | None:
    """The plot of a rating that began with the first of these and stood at each other after a match.

    `None` where there is no line to draw: before the first match.
    """
    if len(ratings) < FEWEST:
        return None
    matches = len(ratings) - 1
    ticks = ticks_for(min(ratings), max(ratings))
    low, high = ticks[0], ticks[-1]

    def x(number: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * number / matches, 1)

    def y(rating: int) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * (rating - low) / (high - low), 1)

    points = [(x(number), y(ratings[number])) for number in _drawn_matches(matches)]
    return Plot(
        points=" ".join(f"{x_at:g},{y_at:g}" for x_at, y_at in points),
        last=points[-1],
        down=tuple(Tick(y(rating), str(rating)) for rating in ticks),
        along=tuple(Tick(x(number), str(number)) for number in _numbers(matches)),
        summary=gettext("Over %(matches)s from %(first)s to %(last)s. Lowest %(lowest)s, highest %(highest)s.")
        % {
            "matches": several(matches, "match", "matches"),
            "first": ratings[0],
            "last": ratings[-1],
            "lowest": min(ratings),
            "highest": max(ratings),
        },
    )


def ticks_for(lowest: int, highest: int) -> list[int]:
    """Round numbers that enclose these, evenly apart, three to six of them where steps are as long as that takes."""
    highest = max(highest, lowest + 1)
    for step in STEPS:
        first, last = lowest // step * step, -(-highest // step) * step
        if (last - first) // step <= 5:
            ticks = list(range(first, last + 1, step))
            return ticks if len(ticks) > 2 else [first, last, last + step]
    step = -(-(highest - lowest) // (4 * STEPS[-1])) * STEPS[-1]
    return list(range(lowest // step * step, -(-highest // step) * step + 1, step))


def _numbers(matches: int) -> list[int]:
    """Numbers of matches on the axis: the start, the last, and one or two between."""
    return sorted({0, matches} | ({round(matches / 3), round(2 * matches / 3)} if matches >= 6 else set()))


def _drawn_matches(matches: int) -> list[int]:
    """Numbers of matches that the line goes through."""
    if matches <= MOST_POINTS:
        return list(range(matches + 1))
    numbers = [round(number * matches / MOST_POINTS) for number in range(MOST_POINTS + 1)]
    return [number for number, following in pairwise(numbers) if number != following] + [matches]
