"""The site's SVG shapes as outlines to fill: crests, suits and the mark, from the templates that pages use."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

from django.conf import settings
from fontTools.pens.basePen import BasePen
from fontTools.svgLib.path import parse_path

Point = tuple[float, float]
CURVE = 12
"""Straight lines that stand for a curve."""
_TURN = re.compile(r"rotate\((-?[\d.]+) (-?[\d.]+) (-?[\d.]+)\)")


@dataclass(frozen=True)
class Outline:
    """A shape of a drawing: its class in the stylesheet, and its lines in the drawing's own units."""

    style: str
    lines: tuple[tuple[Point, ...], ...]


class _Flat(BasePen):  # type: ignore[misc]  # fontTools has no types
    """Collects a path as straight lines."""

    def __init__(self) -> None:
        super().__init__(None)
        self.lines: list[list[Point]] = []

    def _moveTo(self, point: Point) -> None:
        self.lines.append([point])

    def _lineTo(self, point: Point) -> None:
        self.lines[-1].append(point)

    def _curveToOne(self, first: Point, second: Point, last: Point) -> None:
        start = self.lines[-1][-1]
        for step in range(1, CURVE + 1):
            t = step / CURVE
            weights = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
            points = (start, first, second, last)
            x, y = (sum(w * p[axis] for w, p in zip(weights, points, strict=True)) for axis in (0, 1))
            self.lines[-1].append((x, y))


def outlines(svg: str) -> tuple[Outline, ...]:
    """The shapes of an SVG drawing in order: its paths, circles and rectangles."""
    shapes = (_outline(element) for element in fromstring(svg).iter())  # noqa: S314  the site's own drawings
    return tuple(shape for shape in shapes if shape)


@lru_cache(maxsize=16)
def symbol(name: str) -> tuple[Outline, ...]:
    """A symbol of the cards by its id: `i-h` is a heart."""
    sprite = fromstring((Path(settings.BASE_DIR) / "templates" / "gameplay" / "cards.svg").read_text())  # noqa: S314
    element = next(each for each in sprite.iter() if each.get("id") == name)
    shapes = (_outline(each) for each in element.iter())
    return tuple(shape for shape in shapes if shape)


def _outline(element: Element) -> Outline | None:
    kind, style = element.tag.rpartition("}")[2], element.get("class", "")
    if kind == "path":
        pen = _Flat()
        parse_path(element.get("d"), pen)
        return Outline(style, tuple(map(tuple, pen.lines)))
    if kind == "circle":
        x, y, radius = (float(element.get(name, 0)) for name in ("cx", "cy", "r"))
        return Outline(style, (_arc(x, y, radius, 0, 360),))
    if kind == "rect" and element.get("x"):
        return Outline(style, (_turned(_rectangle(element), element.get("transform", "")),))
    return None


def _rectangle(element: Element) -> tuple[Point, ...]:
    x, y, width, height, radius = (float(element.get(name, 0)) for name in ("x", "y", "width", "height", "rx"))
    right, bottom = x + width - radius, y + height - radius
    corners = (right, y + radius, 270), (right, bottom, 0), (x + radius, bottom, 90), (x + radius, y + radius, 180)
    return tuple(point for cx, cy, start in corners for point in _arc(cx, cy, radius, start, start + 90))


def _arc(x: float, y: float, radius: float, start: int, end: int) -> tuple[Point, ...]:
    angles = [math.radians(angle) for angle in range(start, end + 1, 6)]
    return tuple((x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles)


def _turned(points: Sequence[Point], transform: str) -> tuple[Point, ...]:
    if not (turn := _TURN.search(transform)):
        return tuple(points)
    angle, cx, cy = math.radians(float(turn[1])), float(turn[2]), float(turn[3])
    cos, sin = math.cos(angle), math.sin(angle)
    return tuple((cx + (x - cx) * cos - (y - cy) * sin, cy + (x - cx) * sin + (y - cy) * cos) for x, y in points)
