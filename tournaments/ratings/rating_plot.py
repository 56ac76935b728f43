"""The plot of a rating over time, worked out for an SVG of fixed size; the browser only draws it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from django.utils import timezone
from django.utils.translation import gettext, pgettext

from web.text import on_calendar, several

WIDTH, HEIGHT = 360, 204
LEFT, RIGHT, TOP, BOTTOM = 46, 348, 26, 178
"""The frame of the plot within the picture; the labels of the axes are around it."""
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)
MOST_POINTS = 300
"""More than can be told apart; of longer histories some are left out, never the first or the last."""
MOST_MONTHS = 5
"""Months named below the plot."""
_EDGE = 14
"""Room that half a label needs at the right."""


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
    """Dates below."""
    summary: str
    """The same in a sentence, for those who do not see it."""


def plot(start: int, curve: Sequence[tuple[datetime, int]]) -> Plot | None:
    """The plot of a rating that began with `start`; `curve` has the end of each match and the rating after it, in order.

    `None` where there is no line to draw: before the first match.
    """
    if not curve:
        return None
    ratings = [start, *(rating for _, rating in curve)]
    ends = [curve[0][0], *(at for at, _ in curve)]
    ticks = ticks_for(min(ratings), max(ratings))
    low, high = ticks[0], ticks[-1]
    x = _scale(ends)

    def y(rating: int) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * (rating - low) / (high - low), 1)

    points = [(x(ends[number]), y(ratings[number])) for number in _drawn_matches(len(curve))]
    return Plot(
        points=" ".join(f"{x_at:g},{y_at:g}" for x_at, y_at in points),
        last=points[-1],
        down=tuple(Tick(y(rating), str(rating)) for rating in ticks),
        along=tuple(_dates(ends[0], ends[-1], x)),
        summary=gettext("Over %(matches)s from %(first)s to %(last)s. Lowest %(lowest)s, highest %(highest)s.")
        % {
            "matches": several(len(curve), "match", "matches"),
            "first": ratings[0],
            "last": ratings[-1],
            "lowest": min(ratings),
            "highest": max(ratings),
        },
    )


def _scale(ends: Sequence[datetime]) -> Callable[[datetime], float]:
    """Where a moment is along the plot; if all are the same, at the right."""
    first, span = ends[0], (ends[-1] - ends[0]).total_seconds()
    return lambda at: round(LEFT + (RIGHT - LEFT) * ((at - first).total_seconds() / span if span else 1), 1)


def _dates(first: datetime, last: datetime, x: Callable[[datetime], float]) -> Iterator[Tick]:
    """The first days of months, some of them if they are many; of a shorter time its ends."""
    months = list(_months(timezone.localtime(first), timezone.localtime(last)))
    step = next(step for step in (1, 2, 3, 6, *range(12, 12 + len(months), 12)) if len(months) <= MOST_MONTHS * step)
    labelled = [month for month in months if (month.year * 12 + month.month - 1) % step == 0]
    if len(labelled) > 1:
        pattern = pgettext("date format", "M Y")
        yield from (Tick(x(month), on_calendar(month, pattern)) for month in labelled if x(month) <= RIGHT - _EDGE)
        return
    pattern = pgettext("date format", "j M")
    labels = [(at, on_calendar(timezone.localtime(at), pattern)) for at in (first, last)]
    if labels[0][1] != labels[1][1]:
        yield Tick(x(first), labels[0][1])
    yield Tick(RIGHT - _EDGE, labels[1][1])


def _months(first: datetime, last: datetime) -> Iterator[datetime]:
    """The first moment of each month between two moments."""
    year, month = first.year, first.month
    while (at := first.replace(year=year, month=month, day=1, hour=0, minute=0, second=0, microsecond=0)) <= last:
        if at >= first:
            yield at
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)


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


def _drawn_matches(matches: int) -> list[int]:
    """Numbers of matches that the line goes through."""
    if matches <= MOST_POINTS:
        return list(range(matches + 1))
    numbers = [round(number * matches / MOST_POINTS) for number in range(MOST_POINTS + 1)]
    return [number for number, following in pairwise(numbers) if number != following] + [matches]
