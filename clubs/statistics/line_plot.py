"""Plots of several lines, worked out for an SVG of fixed size; the browser only draws them.

Every line ends in a letter, which stands before the team in the table of the same numbers: so nobody has to tell lines
apart by their colours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from string import ascii_uppercase

from tournaments.ratings.rating_plot import Tick, ticks_for

WIDTH, HEIGHT = 360, 260
LEFT, RIGHT, TOP, BOTTOM = 34, 326, 26, 218
"""The frame of the plot within the picture; letters stand right of it, words of the axes around it."""
APART = 12
"""Letters at the right are at least so far from each other."""
STYLES = 8
"""Kinds of lines that the stylesheet knows."""
MOST_NUMBERS = 10
"""So many numbers of matchdays find room below."""


@dataclass(frozen=True)
class Drawn:
    """A line of the picture."""

    letter: str
    points: str
    """As SVG's `points`."""
    dots: tuple[tuple[float, float], ...]
    end: float
    """How high its letter stands."""
    style: int


@dataclass(frozen=True)
class Plot:
    """What the picture shows. Coordinates are those of a picture of WIDTH by HEIGHT, y downwards."""

    lines: tuple[Drawn, ...]
    down: tuple[Tick, ...]
    along: tuple[Tick, ...]


def letter(index: int) -> str:
    """The letter of a line: A to Z, then AA and on."""
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
    low, high = min(0, *(int(one // 1) for one in every)), max(int(-(-one // 1)) for one in every)
    ticks = ticks_for(low, high)
    return _plot(days, lines, ticks, top=ticks[-1], bottom=ticks[0])


def _plot(
    days: Sequence[int],
    lines: Sequence[Sequence[Fraction]],
    ticks: Sequence[int],
    *,
    top: int,
    bottom: int,
) -> Plot:
    """`top` and `bottom` are the values at the upper and the lower end."""
    wide = max(1, len(days) - 1)

    def x(index: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * (index / wide if len(days) > 1 else 1), 1)

    def y(value: int | Fraction) -> float:
        return round(TOP + (BOTTOM - TOP) * float((value - top) / Fraction(bottom - top)), 1)

    found = [tuple((x(index), y(value)) for index, value in enumerate(line)) for line in lines]
    ends = _spread([own[-1][1] for own in found])
    step = -(-len(days) // MOST_NUMBERS)
    named = [index for index in range(len(days)) if (len(days) - 1 - index) % step == 0]
    return Plot(
        lines=tuple(
            Drawn(letter(index), " ".join(f"{one:g},{other:g}" for one, other in own), own, ends[index], index % STYLES)
            for index, own in enumerate(found)
        ),
        down=tuple(Tick(y(value), str(value).replace("-", "−")) for value in ticks),
        along=tuple(Tick(x(index), str(days[index])) for index in named),
    )


def _spread(wanted: Sequence[float]) -> list[float]:
    """Heights near these, in the same order, that leave room for a letter each."""
    found = list(wanted)
    order = sorted(range(len(wanted)), key=lambda index: (wanted[index], index))
    room = min(APART, (BOTTOM - TOP + 2 * APART) / max(1, len(wanted)))
    for before, index in pairwise(order):
        found[index] = max(found[index], found[before] + room)
    lowest: float = BOTTOM + APART
    for index in reversed(order):
        found[index] = min(found[index], lowest)
        lowest = found[index] - room
    return [round(one, 1) for one in found]
