"""Plots of several lines, computed for an SVG of fixed size; the browser only draws them.

Every line ends in the letter of its team in the table next to it, so colours alone tell nothing apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from string import ascii_uppercase

from tournaments.ratings.rating_plot import Tick, ticks_for

WIDTH, HEIGHT = 360, 260
LEFT, RIGHT, TOP, BOTTOM = 34, 326, 26, 218
"""The frame of the plot within the picture; letters are to its right, axis labels around it."""
APART = 12
"""Least distance between letters at the right."""
STYLES = 8
"""Kinds of lines that the stylesheet knows."""
MOST_NUMBERS = 10
"""Most matchday numbers that fit below."""


@dataclass(frozen=True)
class PlotLine:
    """A line of the picture."""

    letter: str
    points: str
    """SVG `points`."""
    dots: tuple[tuple[float, float], ...]
    end: float
    """Height of its letter."""
    style: int


@dataclass(frozen=True)
class Plot:
    """Content of the picture. Coordinates are those of a picture of WIDTH by HEIGHT, y downwards."""

    lines: tuple[PlotLine, ...]
    down: tuple[Tick, ...]
    along: tuple[Tick, ...]


def letter(index: int) -> str:
    """The letter of a line: A to Z, then AA, AB, and so on."""
    ahead = "" if index < len(ascii_uppercase) else letter(index // len(ascii_uppercase) - 1)
    return ahead + ascii_uppercase[index % len(ascii_uppercase)]


def places(days: Sequence[int], lines: Sequence[Sequence[int]]) -> Plot:
    """Places after each matchday, the first at the top."""
    last = max((place for line in lines for place in line), default=1)
    ticks = list(range(1, last + 1)) if last <= MOST_NUMBERS else [1, *range(5, last + 1, 5)]
    values = [[Fraction(place) for place in line] for line in lines]
    return _plot(days, values, ticks, top=1, bottom=max(2, last))


def points(days: Sequence[int], lines: Sequence[Sequence[Fraction]]) -> Plot:
    """Points after each matchday, the most at the top."""
    every = [point for line in lines for point in line] or [Fraction(0)]
    low, high = min(0, *(int(value // 1) for value in every)), max(int(-(-value // 1)) for value in every)
    ticks = ticks_for(low, high)
    return _plot(days, lines, ticks, top=ticks[-1], bottom=ticks[0])


def _plot(
    days: Sequence[int], lines: Sequence[Sequence[Fraction]], ticks: Sequence[int], *, top: int, bottom: int
) -> Plot:
    """`top` and `bottom` are the values at the upper and the lower end."""
    wide = max(1, len(days) - 1)

    def x(index: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * (index / wide if len(days) > 1 else 1), 1)

    def y(value: int | Fraction) -> float:
        return round(TOP + (BOTTOM - TOP) * float((value - top) / Fraction(bottom - top)), 1)

    curves = [tuple((x(index), y(value)) for index, value in enumerate(line)) for line in lines]
    ends = _spread([curve[-1][1] for curve in curves])
    step = -(-len(days) // MOST_NUMBERS)
    labelled = [index for index in range(len(days)) if (len(days) - 1 - index) % step == 0]
    return Plot(
        lines=tuple(
            PlotLine(letter(index), " ".join(f"{x:g},{y:g}" for x, y in curve), curve, ends[index], index % STYLES)
            for index, curve in enumerate(curves)
        ),
        down=tuple(Tick(y(value), str(value).replace("-", "−")) for value in ticks),
        along=tuple(Tick(x(index), str(days[index])) for index in labelled),
    )


def _spread(heights: Sequence[float]) -> list[float]:
    """Heights near these, in the same order, with room for a letter each."""
    spread = list(heights)
    order = sorted(range(len(heights)), key=lambda index: (heights[index], index))
    room = min(APART, (BOTTOM - TOP + 2 * APART) / max(1, len(heights)))
    for before, index in pairwise(order):
        spread[index] = max(spread[index], spread[before] + room)
    lowest: float = BOTTOM + APART
    for index in reversed(order):
        spread[index] = min(spread[index], lowest)
        lowest = spread[index] - room
    return [round(height, 1) for height in spread]
