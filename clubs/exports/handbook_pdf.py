"""The members’ handbook as PDF, on A4: in two columns, members first."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.utils.translation import gettext

from clubs.models import Club
from clubs.public.handbook import Entry, Handbook, day_and_clock, handbook
from tournaments.exports import source
from web.paper import MARGIN, POINT, TOP, Cover, Paper

GAP = 8.0
"""Between the two columns."""
HEADING, NAME, SIZE = 11.0, 9.5, 8.5
Text = tuple[str, float, bool]
"""A line, its size, and whether it is bold."""


def book(club: Club, now: datetime) -> bytes:
    """The handbook on as few sheets as it takes, times by the club’s clock."""
    contents = handbook(club, now)
    stamp = gettext("As of %(time)s") % {"time": day_and_clock(club, now)}
    paper = Paper(
        Cover(club.name, source.full_url(club.get_absolute_url()), stamp, now),
        gettext("Members’ handbook"),
        gettext("For members only"),
    )
    _Columns(paper).write(_blocks(contents))
    return paper.to_bytes()


def _blocks(contents: Handbook) -> Iterator[list[Text]]:
    """What stays together in a column: a heading with its first entry, and each other entry."""
    members = [_member(line) for line in contents.members]
    officers = [[(f"{line.name}, {line.role}", NAME, False)] for line in contents.officers]
    leagues = [
        (league, [[(line.team.name, NAME, True), (", ".join(line.players), SIZE, False)] for line in lines])
        for league, lines in contents.teams.items()
    ]
    days = [
        [(day.when, SIZE, True), (", ".join(filter(None, [day.title, day.place])), SIZE, False)]
        for day in contents.days
    ]
    parts: Sequence[tuple[str, list[list[Text]]]] = (
        (gettext("Members"), members),
        (gettext("Owners and organisers"), officers),
        *leagues,
        (gettext("Dates, times in %(zone)s") % {"zone": contents.zone}, days),
    )
    for title, blocks in parts:
        for at, block in enumerate(blocks):
            yield [*([(title, HEADING, True)] if not at else []), *block]


def _member(line: Entry) -> list[Text]:
    address = line.details.get("address", "").splitlines()
    rest = [line.details.get(name, "") for name in ("phone", "email")]
    return [(line.name, NAME, True), *((text, SIZE, False) for text in (*address, *rest) if text)]


class _Columns:
    """Two columns that are filled one after the other, sheet by sheet."""

    def __init__(self, paper: Paper) -> None:
        self.paper, self.y, self.column = paper, paper.sheet(), 0

    @property
    def width(self) -> float:
        return (self.paper.inner - GAP) / 2

    def write(self, blocks: Iterator[list[Text]]) -> None:
        for block in blocks:
            lines = [
                (line, size, bold)
                for text, size, bold in block
                for line in (self.paper.lines(text, self.width, size) or [""])
            ]
            if self.y + sum(_height(size) for _, size, _ in lines) > self.paper.bottom:
                self._go_on()
            for text, size, bold in lines:
                x = MARGIN + self.column * (self.width + GAP)
                self.paper.put(x, self.y, self.width, text, size=size, bold=bold)
                self.y += _height(size)
            self.y += 1.6

    def _go_on(self) -> None:
        self.column = 1 - self.column
        self.y = TOP if self.column else self.paper.sheet()


def _height(size: float) -> float:
    return size * POINT * 1.35 + (1.2 if size == HEADING else 0)
