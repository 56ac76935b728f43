"""A PDF document: its font, its head and foot, and text that fits into its place."""

import logging
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.utils.translation import get_language, gettext
from fpdf import FPDF

from web.lettering import BOLD, REGULAR, UNKNOWN, drawable, path, plain

Align = Literal["L", "R", "C"]

MARGIN = 12.0
TOP, FOOT = 24.0, 12.0
"""Millimetres from the edges of the sheet to the body, and to the foot."""
LEAST = 0.7
"""Text is made smaller down to this share of its size before it is cut."""
POINT = 25.4 / 72
"""A point of type in millimetres."""


# It logs every character that a document does not need.
logging.getLogger("fontTools").setLevel(logging.WARNING)


@dataclass(frozen=True)
class Cover:
    """The head and foot of every sheet: event, club or game, address and time."""

    title: str
    address: str
    stamp: str
    at: datetime


class Paper(FPDF):
    """A document with the same head and foot on every sheet. Sizes of type in points, all others in millimetres."""

    def __init__(self, about: Cover, title: str, remark: str = "", *, is_wide: bool = False) -> None:
        super().__init__(orientation="landscape" if is_wide else "portrait", unit="mm", format="A4")
        self.about, self.heading, self.remark, self.has_unknown = about, title, remark, False
        self.set_auto_page_break(False)
        self.set_margins(MARGIN, MARGIN)
        self.c_margin = 0
        self.add_font("body", "", path(REGULAR))
        self.add_font("body", "B", path(BOLD))
        self.set_title(plain(f"{title}, {about.title}"))
        self.set_creator("Foothold")
        self.set_lang(get_language() or "en")
        self.set_creation_date(about.at)

    @property
    def inner(self) -> float:
        """The width of the body."""
        return float(self.w) - 2 * MARGIN

    @property
    def bottom(self) -> float:
        """The lower end of the body."""
        return float(self.h) - FOOT - 4

    def sheet(self, heading: str = "", remark: str | None = None) -> float:
        """Start a sheet and return the top of its body."""
        self.heading = heading or self.heading
        self.remark = self.remark if remark is None else remark
        self.add_page()
        return TOP

    def header(self) -> None:
        self.put(MARGIN, 8, self.inner, self.about.title, size=15, bold=True)
        self.put(MARGIN, 14.5, self.inner * 0.62, self.heading, size=11)
        self.put(MARGIN + self.inner * 0.62, 14.5, self.inner * 0.38, self.remark, size=9, align="R")
        self.set_line_width(0.5)
        self.line(MARGIN, 20.5, MARGIN + self.inner, 20.5)
        self.set_line_width(0.2)

    def footer(self) -> None:
        y = float(self.h) - FOOT
        if self.has_unknown:
            self.put(
                MARGIN,
                y - 3.6,
                self.inner,
                gettext("%(sign)s replaces a character that this font does not have. The page shows it.")
                % {"sign": UNKNOWN},
                size=7,
            )
        self.has_unknown = False
        part = self.inner / 3
        self.put(MARGIN, y, part * 1.2, self.about.address, size=7.5)
        self.put(MARGIN + part * 1.2, y, part * 1.4, self.about.stamp, size=7.5, align="C")
        self.put(
            MARGIN + part * 2.6,
            y,
            part * 0.4,
            gettext("Page %(number)s") % {"number": self.page_no()},
            size=7.5,
            align="R",
        )

    def put(
        self, x: float, y: float, width: float, text: str, *, size: float = 9, bold: bool = False, align: Align = "L"
    ) -> None:
        """Write a line of text with its top at `y`: made smaller if it is too wide, and cut if that is not enough."""
        text = drawable(text)
        if not text or width <= 0:
            return
        self.has_unknown |= UNKNOWN in text
        self.set_font("body", "B" if bold else "", size)
        natural = self.get_string_width(text)
        if natural > width:
            smaller = size * max(LEAST, width / natural * 0.995)
            y += (size - smaller) * POINT  # stays on its line
            size = smaller
            self.set_font_size(size)
            text = self._cut(text, width)
        self.set_xy(x, y)
        self.cell(width, size * POINT * 1.25, text, align=align)

    def _cut(self, text: str, width: float) -> str:
        """The start of the text that fits, with dots for the rest."""
        if self.get_string_width(text) <= width:
            return text
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            fits = self.get_string_width(text[:middle].rstrip() + "…") <= width
            low, high = (middle, high) if fits else (low, middle - 1)
        return text[:low].rstrip() + "…"

    def lines(self, text: str, width: float, size: float) -> list[str]:
        """A paragraph broken into lines."""
        self.set_font("body", "", size)
        lines: list[str] = []
        for word in drawable(text).split():
            if lines and self.get_string_width(f"{lines[-1]} {word}") <= width:
                lines[-1] = f"{lines[-1]} {word}"
            else:
                lines.append(word)
        return lines

    def to_bytes(self) -> bytes:
        return bytes(self.output())
