"""The kinds of pictures: a band with the name of the matter, and below it the news.

Each function returns a `Canvas`. Few rows in large letters: the picture is seen on a phone, 300 pixels wide.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string

from web.lettering import BOLD, HEAD, REGULAR
from web.link_pictures.canvas import EDGE, HEIGHT, WIDTH, Canvas, alike
from web.link_pictures.shapes import outlines
from web.link_pictures.tokens import club_colours

BAND = 168
ROWS = 5
"""The most rows of a table."""
FACTS = 4
INNER = WIDTH - 2 * EDGE
SEVENS = (("7", "h"), ("7", "s"), ("7", "c"), ("7", "d"), ("2", "w"))
"""Most of a book of sevens, with a wild card."""


@dataclass(frozen=True)
class Band:
    """The head of a picture: a title, a line, and a club's crest, as SVG, and colour, else the site's."""

    title: str
    line: str = ""
    crest: str = ""
    colour: str = ""

    @property
    def fill(self) -> str:
        return club_colours().get(self.colour, "accent")


@dataclass(frozen=True)
class Row:
    """A row of a table: place, name, points."""

    place: str
    name: str
    value: str
    is_first: bool = False


@dataclass(frozen=True)
class Side:
    """A side of a match; `score` is empty before the result."""

    name: str
    score: str = ""
    is_winner: bool = False


def table(band: Band, rows: Sequence[Row]) -> Canvas:
    """The first rows of a table."""
    canvas = _headed(band)
    shown = rows[:ROWS]
    top, bottom = BAND + 8, HEIGHT - (12 if len(shown) == ROWS else 56)
    height = (bottom - top) / max(len(shown), 4)
    place = max((52 + 24 * len(row.place) for row in shown), default=74)
    names = alike([row.name for row in shown], size=58, widths=[INNER - place - 200] * len(shown), font=BOLD)
    for number, (row, name) in enumerate(zip(shown, names, strict=True)):
        base = top + height * number + height / 2 + 20
        ink = band.fill if row.is_first else "ink"
        canvas.write(
            row.place, (EDGE, base), size=54, width=150, font=HEAD, fill=band.fill if row.is_first else "ink-2"
        )
        used = canvas.write(row.value, (WIDTH - EDGE, base + 3), size=66, width=340, font=HEAD, fill=ink, anchor="rs")
        canvas.write(name, (EDGE + place, base), size=58, width=INNER - place - used - 30, font=BOLD, fill=ink)
        if number + 1 < len(shown):
            line = top + height * (number + 1)
            canvas.line([(EDGE, line), (WIDTH - EDGE, line)])
    if len(shown) < ROWS:
        _signed(canvas)
    return canvas


def match(band: Band, sides: Sequence[Side], note: str = "") -> Canvas:
    """The sides of a match one below the other, the winner on white; before the result `note` says when it is."""
    canvas = _headed(band)
    shown = sides[:4]
    lines = len(shown) + bool(note)
    height = min(156.0, (HEIGHT - BAND - 84) / lines)
    top = BAND + (HEIGHT - BAND - 34 - height * lines) / 2
    size = 64 if height > 110 else 54
    room = INNER - 106 - (330 if any(side.score for side in shown) else 0)
    names = alike([side.name for side in shown], size=size, widths=[room] * len(shown), font=BOLD)
    for number, (side, name) in enumerate(zip(shown, names, strict=True)):
        start = top + height * number
        middle = start + height / 2
        if side.is_winner:
            canvas.box((EDGE, start + 6, WIDTH - EDGE, start + height - 6), fill=band.fill, radius=10)
            canvas.box((EDGE + 16, start + 6, WIDTH - EDGE, start + height - 6), fill="surface", radius=8)
        ink = "ink" if side.is_winner or not side.score else "ink-2"
        used = canvas.write(
            side.score,
            *((WIDTH - EDGE - 30, middle + (32 if size > 60 else 26)),),
            size=92 if size > 60 else 70, width=420, font=HEAD, fill=ink, anchor="rs",
        ) if side.score else 0.0  # fmt: skip
        face = BOLD if side.is_winner or not side.score else REGULAR
        canvas.write(name, (EDGE + 46, middle + 22), size=size, width=INNER - 106 - used, font=face, fill=ink)
    if note:
        canvas.write(
            note,
            (EDGE + 46, top + height * len(shown) + height / 2 + 18),
            size=52,
            width=INNER - 60,
            fill="accent",
            font=BOLD,
        )
    _signed(canvas)
    return canvas


def bracket(band: Band, before: Sequence[Sequence[Side]], last: Sequence[str], versus: str) -> Canvas:
    """The part of a bracket that is alive: up to two matches and the one they lead to; an open place is empty."""
    canvas = _headed(band)
    top, height, gap, right = BAND + 70, 146, 26, EDGE + 600
    middles = []
    for number, sides in enumerate(before[:2]):
        start = top + number * (height + gap)
        middles.append(start + height / 2)
        canvas.box((EDGE, start, right, start + height), fill="surface", outline="ink-3", width=3)
        canvas.line([(EDGE + 3, start + height / 2), (right - 3, start + height / 2)])
        for place, side in enumerate(sides[:2]):
            base = start + height / 4 + place * height / 2 + 16
            ink = "ink" if side.is_winner or not side.score else "ink-2"
            face = BOLD if side.is_winner or not side.score else REGULAR
            used = (
                canvas.write(side.score, (right - 22, base), size=46, width=220, font=BOLD, fill=ink, anchor="rs")
                if side.score
                else 0.0
            )
            canvas.write(side.name, (EDGE + 22, base), size=46, width=540 - used, font=face, fill=ink)
    knee, start = right + 38, right + 70
    middle = sum(middles) / len(middles)
    for each in middles:
        canvas.line([(right, each), (knee, each)], "ink-3", 3)
    canvas.line([(knee, min(middles)), (knee, max(middles))], "ink-3", 3)
    canvas.line([(knee, middle), (knee + 22, middle)], "ink-3", 3)
    first, second = (*last, "", "")[:2]
    for name, base in ((first, middle - 42), (second, middle + 76)):
        if name:
            canvas.write(name, (start, base), size=50, width=WIDTH - EDGE - start + 20, font=HEAD)
        else:
            canvas.line([(start, base), (start + 260, base)], "ink-3", 3)
    canvas.write(versus, (start, middle + 16), size=44, width=WIDTH - EDGE - start, fill="ink-2")
    _signed(canvas)
    return canvas


def lines(band: Band, texts: Sequence[str], call: str = "") -> Canvas:
    """Two or three large lines and what to do, such as an evening to come."""
    canvas = _headed(band)
    shown = [text for text in texts if text][:3]
    size = 74 if len(shown) < 3 else 66
    step = size * 1.25
    height = step * len(shown) + (84 if call else 0)
    base = BAND + (HEIGHT - BAND - 46 - height) / 2 + size
    for text in shown:
        canvas.write(text, (EDGE, base), size=size, width=INNER, font=HEAD)
        base += step
    if call:
        canvas.write(call, (EDGE, base + 8), size=52, width=INNER, font=BOLD, fill="accent")
    _signed(canvas)
    return canvas


def seats(band: Band, names: Sequence[str], free: int, yours: str, open_: str) -> Canvas:
    """A table that waits for players: who is there, the reader's seat, and cards."""
    canvas = _headed(band)
    shown = [*((name, "taken") for name in names)][: 4 - min(free, 2)]
    shown += [(yours, "yours"), *((open_, "free"),) * (free - 1)][: 4 - len(shown)] if free else []
    height, gap, right = 84, 18, EDGE + 520
    top = BAND + (HEIGHT - BAND - len(shown) * (height + gap) + gap) / 2
    for number, (name, kind) in enumerate(shown):
        start = top + number * (height + gap)
        box = EDGE, start, right, start + height
        if kind == "yours":
            canvas.box(box, fill="accent-soft", outline="accent", width=5)
        else:
            canvas.box(box, fill="surface" if kind == "taken" else "paper", outline="ink-3", width=3)
        ink = {"yours": "accent", "taken": "ink"}.get(kind, "ink-2")
        face = REGULAR if kind == "free" else BOLD
        canvas.write(name, (EDGE + 28, start + 58), size=52, width=464, font=face, fill=ink)
    _book(canvas, (right + 60, BAND + 86))
    _signed(canvas)
    return canvas


def facts(band: Band, rows: Sequence[tuple[str, str]]) -> Canvas:
    """Labels and values, such as the main points of a rule sheet."""
    canvas = _headed(band)
    shown = rows[:FACTS]
    top, bottom = BAND + 8, HEIGHT - 56
    height = (bottom - top) / max(len(shown), 3)
    for number, (label, value) in enumerate(shown):
        base = top + height * number + height / 2 + 18
        canvas.write(label, (EDGE, base), size=48, width=330, fill="ink-2")
        canvas.write(value, (EDGE + 350, base), size=54, width=INNER - 350, font=BOLD)
        if number + 1 < len(shown):
            line = top + height * (number + 1)
            canvas.line([(EDGE, line), (WIDTH - EDGE, line)])
    _signed(canvas)
    return canvas


def front(title: str, texts: Sequence[str]) -> Canvas:
    """The site itself: its name, a sentence and cards."""
    canvas = Canvas()
    canvas.box((0, 0, WIDTH, 18), fill="accent", radius=0)
    _mark(canvas, (EDGE - 8, 66), 4.2, "ink")
    canvas.write(title, (EDGE + 112, 146), size=88, width=600, font=HEAD, fill="accent")
    base = 290
    for text in texts[:3]:
        canvas.write(text, (EDGE, base), size=64, width=640, font=HEAD if base == 290 else REGULAR)
        base += 84
    _book(canvas, (WIDTH - EDGE - 190 - 4 * 74, 190))
    return canvas


def _headed(band: Band) -> Canvas:
    canvas = Canvas()
    canvas.box((0, 0, WIDTH, BAND), fill=band.fill, radius=0)
    left = EDGE
    if band.crest:
        fills = {"field": "#ffffff", "charge": band.fill, "line": band.fill}
        canvas.shape(outlines(band.crest), (EDGE, 30), 92 / 52, fills, stroke=3)
        left += 126
    width = WIDTH - EDGE - left
    if band.line:
        canvas.write(band.title, (left, 86), size=68, width=width, font=HEAD, fill="#ffffff")
        canvas.write(band.line, (left, 137), size=44, width=width, fill="#ffffff")
    else:
        canvas.write(band.title, (left, 108), size=72, width=width, font=HEAD, fill="#ffffff")
    return canvas


def _book(canvas: Canvas, at: tuple[float, float]) -> None:
    for number, (rank, suit) in enumerate(SEVENS):
        canvas.card((at[0] + number * 74, at[1]), rank, suit)


def _signed(canvas: Canvas) -> None:
    """The site's mark at the lower right."""
    canvas.write(
        "Foothold", (WIDTH - 46, HEIGHT - 22), size=26, width=200, font=HEAD, fill="ink-2", anchor="rs", least=26
    )
    left = canvas.words[-1].box[0]
    _mark(canvas, (left - 38, HEIGHT - 46), 30 / 24, "ink-2")


def _mark(canvas: Canvas, at: tuple[float, float], scale: float, ink: str) -> None:
    svg = render_to_string("web/mark.html")
    drawing = outlines(svg[svg.index("<svg") : svg.index("</svg>") + 6])
    canvas.shape(drawing, at, scale, {"under": ink, "over": "accent"}, stroke=1.6)
