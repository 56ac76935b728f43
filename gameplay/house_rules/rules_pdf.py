"""A rule sheet as PDF: two columns on two sheets of A4, in type as large as fits, with changed rules marked."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from django.utils.translation import gettext

from engine.play.rule_sheet.sheet import Section
from web.paper import MARGIN, POINT, TOP, Cover, Paper

SHEETS, COLUMNS = 2, 2
LARGEST, SMALLEST, STEP = 10.5, 5.0, 0.25
"""Sizes of type to try, in points. At the smallest it takes as many sheets as it needs."""
GAP, INDENT = 8.0, 3.0
"""Millimetres between columns, and before the text of a rule."""
RULE, CHANGED = "•", "≠"
"""The signs before rules."""


class PrintedLine(NamedTuple):
    """A line of a column: `height` and `before`, the space above it, in millimetres."""

    text: str
    size: float
    height: float
    before: float = 0.0
    is_heading: bool = False
    mark: str = ""
    """The sign at the first line of a rule."""
    follow: int = 0
    """How many lines below it stay with it."""


def rules_pdf(
    about: Cover, title: str, sections: Sequence[Section], changed: Collection[str] = (), *, intro: str = ""
) -> bytes:
    """The rule sheet; `changed` are sentences that differ from the published rules, `intro` comes first."""
    remark = gettext("%(sign)s marks house rules") % {"sign": CHANGED} if changed else ""
    paper = Paper(about, title, remark)
    width = (paper.inner - GAP * (COLUMNS - 1)) / COLUMNS
    size = LARGEST
    while True:
        lines = list(_lines(paper, sections, changed, intro, size, width))
        columns = _fill(lines, paper.bottom - TOP)
        if len(columns) <= SHEETS * COLUMNS or size <= SMALLEST:
            break
        size -= STEP
    for at, column in enumerate(columns):
        if at % COLUMNS == 0:
            paper.sheet()
        _write(paper, MARGIN + at % COLUMNS * (width + GAP), width, column)
    return paper.to_bytes()


def _lines(
    paper: Paper, sections: Sequence[Section], changed: Collection[str], intro: str, size: float, width: float
) -> Iterator[PrintedLine]:
    height = size * POINT * 1.25
    for text in paper.lines(intro, width - INDENT, size):
        yield PrintedLine(text, size, height)
    for section in sections:
        yield PrintedLine(section.title, size + 1.5, height * 1.3, height * 0.6, is_heading=True, follow=2)
        for sentence in section.sentences:
            broken = paper.lines(sentence.text, width - INDENT, size)
            mark = CHANGED if sentence.text in changed else RULE
            for number, text in enumerate(broken):
                rest = len(broken) - number - 1
                yield (
                    PrintedLine(text, size, height, follow=rest)
                    if number
                    else PrintedLine(text, size, height, height * 0.2, mark=mark, follow=rest)
                )


def _fill(lines: Sequence[PrintedLine], room: float) -> list[list[PrintedLine]]:
    """The columns: a rule is not broken between two, and a heading stays with the rule below it."""
    columns: list[list[PrintedLine]] = [[]]
    used = 0.0
    for at, line in enumerate(lines):
        together = lines[at : at + line.follow + 1] if line.mark or line.is_heading else [line]
        needed = sum(each.height + each.before for each in together)
        if columns[-1] and used + needed > room:
            columns.append([])
            used = 0.0
        used += line.height + (line.before if columns[-1] else 0)
        columns[-1].append(line)
    return columns


def _write(paper: Paper, x: float, width: float, lines: Sequence[PrintedLine]) -> None:
    y = TOP
    for line in lines:
        y += line.before if line is not lines[0] else 0
        if line.is_heading:
            paper.put(x, y, width, line.text, size=line.size, bold=True)
        else:
            paper.put(x, y, INDENT, line.mark, size=line.size, bold=line.mark == CHANGED)
            paper.put(x + INDENT, y, width - INDENT, line.text, size=line.size)
        y += line.height
