"""Wall charts as PDF, A4 landscape: a bracket with its second chance on one sheet up to 16 entries, on two up to 32;
bigger ones cut into sections. And knockouts at bigger tables, level by level."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, gettext_noop

from tournaments.exports.paper import cover
from tournaments.exports.source import Part
from tournaments.models import Tournament
from tournaments.public import bracket, levels
from tournaments.public.bracket import Drawn, Half
from tournaments.public.matches import Match, Side
from tournaments.public.names import links_of
from web.errors import Refused
from web.lettering import drawable
from web.paper import MARGIN, POINT, TOP, Paper

MOST = 16
"""The most boxes above each other on one sheet."""
GAP = 5.0
TALLEST = 13.0
WIDEST = 64.0
TITLE = 9.0
LARGEST = 1.8
"""How much larger a small bracket can be drawn."""
KEY = gettext_noop(
    "Bold: won.  * result corrected.  w/o: walkover.  Heavy frame: being played.  Dashed: bye, or only if needed.  Small number: seed."
)


@dataclass(frozen=True)
class Stack:
    """A round as a column of a band: its title and its boxes from the top; an empty one is an unreachable place."""

    title: str
    boxes: tuple[Match | None, ...]


@dataclass(frozen=True)
class Band:
    """Columns that belong together, next to each other."""

    title: str
    stacks: tuple[Stack, ...]

    @property
    def tall(self) -> int:
        """The number of boxes in its tallest column."""
        return max(len(stack.boxes) for stack in self.stacks)


def wall_chart(event: Tournament, part: Part) -> bytes:
    """The chart of a bracket or of a knockout at bigger tables. Raises `Refused` for other formats."""
    if not part.state.plan.is_bracket and part.state.plan.format != "pod_knockout":
        raise Refused("no_chart", gettext("%(format)s has no bracket to draw.") % {"format": part.state.plan.title})
    paper = Paper(cover(event), part.stage.name, is_wide=True)
    links = links_of(event)
    if not part.state.rounds:
        paper.put(MARGIN, paper.sheet(), paper.inner, gettext("No draw yet."))
    elif part.state.plan.is_bracket:
        drawn = bracket.drawn(part.state, part.entrants, links, live={}, corrected=part.corrected)
        for bands in sheets(drawn):
            _sheet(paper, bands, "  ".join(f"{words}." for words in drawn.codes))
    else:
        _levels(paper, levels.levels(part.state, part.entrants, links, live={}, corrected=part.corrected))
    return paper.to_bytes()


def sheets(drawn: Drawn) -> list[list[Band]]:
    """The bands of each sheet."""
    halves = [_sections(half) for half in drawn.halves]
    if drawn.third is not None:
        third = Band(gettext("Third place"), (Stack("", (drawn.third,)),))
        halves.append([third])
    if drawn.paper == "one":
        return [[band for half in halves for band in half]]
    pages = [[band] for half in halves for band in half]
    if drawn.third is not None:
        (third,) = pages.pop()
        pages[-1].append(third)
    return pages


def _sections(half: Half) -> list[Band]:
    """A half in one band; one that is too tall in sections of the draw, and its last rounds apart."""
    stacks = [Stack(f"{column.title}  {column.remark}".strip(), column.boxes) for column in half.columns]
    tallest = max(len(stack.boxes) for stack in stacks)
    count = tallest // MOST
    if tallest <= MOST:
        return [Band(half.title, tuple(stacks))]
    wide = [stack for stack in stacks if len(stack.boxes) >= count]
    rest = [stack for stack in stacks if len(stack.boxes) < count]
    sections = [
        Band(
            gettext("%(half)s, section %(number)s of %(count)s")
            % {"half": half.title, "number": at + 1, "count": count},
            tuple(Stack(stack.title, _share(stack.boxes, at, count)) for stack in wide),
        )
        for at in range(count)
    ]
    return [*sections, *([Band(gettext("%(half)s, last rounds") % {"half": half.title}, tuple(rest))] if rest else [])]


def _share(boxes: tuple[Match | None, ...], at: int, count: int) -> tuple[Match | None, ...]:
    size = len(boxes) // count
    return boxes[at * size : (at + 1) * size]


# Drawing


def _sheet(paper: Paper, bands: Sequence[Band], codes: str) -> None:
    top = paper.sheet()
    columns, rows = max(len(band.stacks) for band in bands), sum(band.tall for band in bands)
    wide, free = (paper.inner + GAP) / columns - GAP, paper.bottom - 7.2 - top
    # A small bracket is drawn as large as the sheet lets it be.
    scale = max(1.0, min(LARGEST, wide / WIDEST, free / (TITLE * len(bands) + (TALLEST + 4) * rows)))
    title = TITLE * scale
    unit = min((TALLEST + 4) * scale, (free - title * len(bands)) / rows)
    y = top
    for band in bands:
        _band(paper, y, band, unit, min(WIDEST * scale, wide), scale)
        y += title + unit * band.tall
    paper.put(MARGIN, paper.bottom - 3.4, paper.inner, gettext(KEY), size=7)
    paper.put(MARGIN, paper.bottom - 6.6, paper.inner, codes, size=7)


def _band(paper: Paper, y: float, band: Band, unit: float, width: float, scale: float) -> None:
    paper.put(MARGIN, y, paper.inner, band.title, size=9.5 * scale, bold=True)
    top, height = y + 8.4 * scale, unit * band.tall
    tall = min(TALLEST * scale, unit - 0.9)
    for at, stack in enumerate(band.stacks):
        x = MARGIN + at * (width + GAP)
        paper.put(x, y + 4.4 * scale, width + GAP - 1, stack.title, size=7 * scale)
        middles = _middles(top, height, len(stack.boxes))
        following = band.stacks[at + 1].boxes if at + 1 < len(band.stacks) else ()
        _lines(paper, x + width, stack.boxes, middles, following, _middles(top, height, len(following)))
        for match, middle in zip(stack.boxes, middles, strict=True):
            if match is not None:
                _box(paper, x, middle - tall / 2, width, tall, match, scale)


def _middles(top: float, height: float, count: int) -> list[float]:
    return [top + (at + 0.5) * height / count for at in range(count)]


def _lines(
    paper: Paper,
    x: float,
    boxes: Sequence[Match | None],
    middles: Sequence[float],
    following: Sequence[Match | None],
    onward: Sequence[float],
) -> None:
    """Lines from a column to the next: two to one, or one to one."""
    if not following or len(boxes) not in (len(following), 2 * len(following)):
        return
    paper.set_line_width(0.15)
    each = len(boxes) // len(following)
    for at, middle in enumerate(middles):
        if boxes[at] is None or following[at // each] is None:
            continue
        goal = onward[at // each]
        paper.line(x, middle, x + GAP / 2, middle)
        paper.line(x + GAP / 2, middle, x + GAP / 2, goal)
        paper.line(x + GAP / 2, goal, x + GAP, goal)


def _box(paper: Paper, x: float, y: float, width: float, height: float, match: Match, scale: float) -> None:
    """A match: its title and state, and a line for each side."""
    is_open = match.kind in ("bye", "maybe")
    paper.set_line_width(0.6 if match.kind == "live" else 0.2)
    if is_open:
        paper.set_dash_pattern(dash=0.8, gap=0.6)
    paper.rect(x, y, width, height)
    paper.set_dash_pattern()
    paper.set_line_width(0.1)
    head = height * 0.24
    line = (height - head) / max(2, len(match.sides))
    small = min(6.5 * scale, head / POINT * 0.82)
    paper.put(x + 0.8, y + head * 0.06, width * 0.45, match.short, size=small)
    paper.put(x + width * 0.45, y + head * 0.06, width * 0.55 - 0.8, match.note, size=small, align="R")
    for at, side in enumerate(match.sides):
        top = y + head + at * line
        paper.line(x, top, x + width, top)
        _side(paper, x, top, width, line, side, scale)


def _side(paper: Paper, x: float, y: float, width: float, height: float, side: Side, scale: float) -> None:
    size = min(8.5 * scale, height / POINT * 0.74)
    inset = max(0.0, (height - size * POINT * 1.25) / 2)
    paper.set_font("body", "B", size)
    score = min(width / 2, paper.get_string_width(drawable(side.score)) + 0.6) if side.score else 0.0
    paper.put(x + 0.6, y + inset + size * POINT * 0.2, 3.4 * scale, side.seed, size=size * 0.75, align="R")
    inner = 4.8 * scale
    paper.put(x + inner, y + inset, width - inner - 1.2 - score, side.tight, size=size, bold=side.has_won)
    if side.score:
        paper.put(x + width - score - 0.8, y + inset, score, side.score, size=size, bold=side.has_won, align="R")


# Knockouts at bigger tables

ACROSS = 4


def _levels(paper: Paper, tiers: Sequence[levels.Level]) -> None:
    y = paper.sheet()
    width = (paper.inner - GAP * (ACROSS - 1)) / ACROSS
    for level in tiers:
        tallest = max((len(table.seats) for table in level.tables), default=0)
        height = 5.0 + 4.6 * tallest
        if y + 7 + height > paper.bottom and y > TOP:
            y = paper.sheet()
        paper.put(MARGIN, y, paper.inner, level.title, size=10.5, bold=True)
        paper.put(MARGIN + 40, y + 0.5, paper.inner - 40, level.to_come or level.remark, size=8.5, align="R")
        y += 6
        for start in range(0, len(level.tables), ACROSS):
            if y + height > paper.bottom:
                y = paper.sheet()
            for at, table in enumerate(level.tables[start : start + ACROSS]):
                _pod(paper, MARGIN + at * (width + GAP), y, width, table)
            y += height + 3
        y += 2


def _pod(paper: Paper, x: float, y: float, width: float, table: levels.Table) -> None:
    paper.set_line_width(0.6 if table.match.kind == "live" else 0.2)
    paper.rect(x, y, width, 5.0 + 4.6 * len(table.seats))
    paper.set_line_width(0.1)
    paper.put(x + 1, y + 0.8, width * 0.45, table.match.title, size=8)
    paper.put(x + width * 0.45, y + 0.8, width * 0.55 - 1, table.match.note, size=7, align="R")
    for at, seat in enumerate(table.seats):
        top = y + 5 + 4.6 * at
        paper.line(x, top, x + width, top)
        place = f"{seat.side.place}." if seat.side.place else ""
        paper.put(x + 0.8, top + 0.6, 4.5, place, size=7.5, align="R")
        paper.put(x + 6.5, top + 0.5, width - 20, seat.side.names, size=8.5, bold=seat.goes_on)
        paper.put(x + width - 14, top + 0.5, 13, seat.side.score, size=8.5, align="R", bold=seat.goes_on)
