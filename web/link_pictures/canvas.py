"""A picture of 1200 × 630 pixels to draw on: texts that fit, shapes with smooth edges, cards.

Chats show it 300 pixels wide, so nothing that matters is under `LEAST`, which is 11 pixels there.
"""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from web.lettering import BOLD, HEAD, REGULAR
from web.link_pictures import letters
from web.link_pictures.shapes import Outline, symbol
from web.link_pictures.tokens import colours

WIDTH, HEIGHT = 1200, 630
EDGE, TOP = 52, 14
"""Words stay this far from the sides, and from top and bottom, because some sites round the corners."""
LEAST = 44
_SMOOTH = 4
"""Shapes are drawn so many times larger, and made smaller with grey edges."""
_BOTH = re.compile(r"\s+/\s+")
"""What stands between the two names of a pair."""
SUITS = {"s": "suit-s", "h": "suit-h", "d": "suit-d", "c": "suit-c", "w": "wild"}


@dataclass(frozen=True)
class Word:
    """A text on the picture, as it was written, and the place that its letters take."""

    text: str
    size: int
    box: tuple[float, float, float, float]


class Canvas:
    """A picture that is being drawn."""

    def __init__(self, background: str = "paper") -> None:
        self.image = Image.new("RGB", (WIDTH, HEIGHT), colour(background))
        self.pen = ImageDraw.Draw(self.image)
        self.words: list[Word] = []

    def write(
        self,
        text: str,
        at: tuple[float, float],
        *,
        size: int,
        width: float,
        font: str = REGULAR,
        fill: str = "ink",
        anchor: str = "ls",
        least: int = LEAST,
    ) -> float:
        """Write a text on its baseline, smaller or shortened if it is too wide; returns the width it takes."""
        text, size, font = fit(text, size=size, width=width, font=font, least=least)
        runs, length = letters.runs(text, font, size), letters.length(text, font, size)
        x, boxes = at[0] - (length if anchor[0] == "r" else 0), []
        for run in runs:
            self.pen.text((x, at[1]), run.text, font=run.face, fill=colour(fill), anchor="ls")
            boxes.append(self.pen.textbbox((x, at[1]), run.text, font=run.face, anchor="ls"))
            x += run.face.getlength(run.text)
        self.words.append(Word(text, size, _around(boxes) if boxes else (*at, *at)))
        return length

    def line(self, points: Sequence[tuple[float, float]], fill: str = "line", width: int = 2) -> None:
        self.pen.line(points, fill=colour(fill), width=width)

    def box(
        self,
        box: tuple[float, float, float, float],
        *,
        fill: str | None = None,
        outline: str | None = None,
        width: int = 0,
        radius: int = 12,
    ) -> None:
        """A rectangle with round corners."""
        left, top, right, bottom = box
        size = round(right - left), round(bottom - top)
        for each, inset in ((outline, 0), (fill, width if outline else 0)):
            if each is None:
                continue
            mask = Image.new("L", (size[0] * _SMOOTH, size[1] * _SMOOTH))
            edge = inset * _SMOOTH
            ImageDraw.Draw(mask).rounded_rectangle(
                (edge, edge, mask.width - 1 - edge, mask.height - 1 - edge), max(0, radius - inset) * _SMOOTH, fill=255
            )
            self._fill(mask, (left, top), size, each)

    def shape(
        self,
        outlines: Sequence[Outline],
        at: tuple[float, float],
        scale: float,
        fills: dict[str, str],
        stroke: float = 0,
    ) -> None:
        """SVG shapes, each in the colour of its class; those of class `line`, `under` are drawn as lines."""
        for outline in outlines:
            fill = fills.get(outline.style, fills.get("", ""))
            if not fill:
                continue
            edge = stroke * scale if outline.style in ("line", "under") else 0
            points = [point for line in outline.lines for point in line]
            left, top = (min(point[axis] for point in points) * scale - edge for axis in (0, 1))
            right, bottom = (max(point[axis] for point in points) * scale + edge for axis in (0, 1))
            size = round(right - left) + 2, round(bottom - top) + 2
            mask = Image.new("L", (size[0] * _SMOOTH, size[1] * _SMOOTH))
            brush = ImageDraw.Draw(mask)
            for line in outline.lines:
                flat = [((x * scale - left) * _SMOOTH, (y * scale - top) * _SMOOTH) for x, y in line]
                if edge:
                    closed = [*flat, flat[0]] if outline.style == "under" else flat
                    brush.line(closed, fill=255, width=round(edge * _SMOOTH), joint="curve")
                else:
                    brush.polygon(flat, fill=255)
            self._fill(mask, (at[0] + left, at[1] + top), size, fill)

    def card(self, at: tuple[float, float], rank: str, suit: str) -> None:
        """The face of a card as at the tables: rank over suit; `w` is the mark of wild cards."""
        x, y = at
        self.box((x, y, x + 190, y + 272), fill="card", outline="card-line", width=2, radius=16)
        ink = SUITS[suit]
        self.pen.text((x + 18, y + 80), rank, font=letters.own_face(HEAD, 88), fill=colour(ink), anchor="ls")
        self.shape(symbol(f"i-{suit}"), (x + 16, y + 98), 58 / 24, {"": ink})

    def png(self) -> bytes:
        """The picture as a file."""
        buffer = io.BytesIO()
        self.image.save(buffer, "PNG")
        return buffer.getvalue()

    def _fill(self, mask: Image.Image, at: tuple[float, float], size: tuple[int, int], fill: str) -> None:
        small = mask.resize(size, Image.Resampling.BOX)
        self.image.paste(Image.new("RGB", size, colour(fill)), (round(at[0]), round(at[1])), small)


def _around(boxes: Sequence[tuple[float, float, float, float]]) -> tuple[float, float, float, float]:
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def colour(name: str) -> str:
    """A colour by its name in the stylesheet, or as it is."""
    return name if name.startswith("#") else colours()[name]


def fit(text: str, *, size: int, width: float, font: str, least: int = LEAST) -> tuple[str, int, str]:
    """The text, its size and its font, so that it is no wider: last names first, then smaller, then with dots."""
    text = letters.drawable(text)
    if font == HEAD and not letters.has_serif(text):
        font = BOLD
    for candidate in dict.fromkeys((text, surnames(text))):
        if letters.length(candidate, font, size) <= width:
            return candidate, size, font
    text = surnames(text)
    while size > least and letters.length(text, font, size) > width:
        size -= 2
    size = max(size, least)
    return _cut(text, font, size, width), size, font


def alike(names: Sequence[str], *, size: int, widths: Sequence[float], font: str) -> list[str]:
    """The names of a picture in one way: all in full if they fit, else last names alone."""
    shown = [letters.drawable(name) for name in names]
    fits = all(letters.length(name, font, size) <= width for name, width in zip(shown, widths, strict=True))
    return list(names) if fits else [surnames(name) for name in names]


def surnames(text: str) -> str:
    """`Anna Vermeer / Bert Falk` as `Vermeer / Falk`; other texts as they are."""
    names = _BOTH.split(text)
    if len(names) != 2 or not all(names):
        return text
    return " / ".join(name.split()[-1] for name in names)


def _cut(text: str, font: str, size: int, width: float) -> str:
    if letters.length(text, font, size) <= width:
        return text
    while text and letters.length(f"{text}…", font, size) > width:
        text = text[:-1]
    return f"{text.rstrip(' ,/–')}…"
