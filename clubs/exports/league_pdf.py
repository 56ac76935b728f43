"""The standings of a division as PDF, on A4: with notes, the next matchday and the last results."""

from collections.abc import Sequence
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext, pgettext, pgettext_lazy

from clubs.models import Division
from clubs.public import fixtures, season
from clubs.public.fixtures import MatchRow
from clubs.public.season import TableRow
from tournaments.exports import source
from web.lettering import drawable
from web.paper import MARGIN, POINT, Align, Cover, Paper
from web.text import date_and_time, in_sentence, number, on_calendar, zone_name

ROW = 6.6
"""Height of a row."""
MORE = 3.8
"""Height added by a second line of a name."""
SIZE = 9.0
NOTE = 8.0
GAP = 6.0
"""Between the two columns below the table."""
HEADS = (
    "#",
    pgettext_lazy("head of a narrow column", "Team"),
    pgettext_lazy("head of a narrow column", "Played"),
    pgettext_lazy("head of a narrow column", "Won"),
    pgettext_lazy("head of a narrow column", "Drawn"),
    pgettext_lazy("head of a narrow column", "Lost"),
    pgettext_lazy("head of a narrow column", "For"),
    pgettext_lazy("head of a narrow column", "Against"),
    pgettext_lazy("head of a narrow column", "Diff."),
    pgettext_lazy("head of a narrow column", "Points"),
    "",
    pgettext_lazy("head of a narrow column", "Last five"),
    pgettext_lazy("head of a narrow column", "Finish"),
)
_BOLD = (1, 9)
"""The columns of names and points."""
WIDTHS = (7.0, 0.0, 10.5, 8.5, 10.5, 8.5, 14.0, 14.0, 15.0, 11.5, 7.5, 19.0, 11.0)
"""In millimetres; the name takes the rest."""
ALIGNS: tuple[Align, ...] = ("R", "L", "R", "R", "R", "R", "R", "R", "R", "R", "L", "C", "C")


def table(division: Division) -> bytes:
    """The table of a division on as few sheets as it takes, times in the zone that is active."""
    this_season = division.season
    overview = season.overview(this_season, division, fixtures.playing([division]))
    event = division.tournament
    at = overview["last_result"] or (source.as_of(event) if event is not None else this_season.created_at)
    stamp = gettext("As of %(time)s. Times in %(zone)s") % {
        "time": on_calendar(timezone.localtime(at), pgettext("date format", "D j M H:i Y")),
        "zone": zone_name(at),
    }
    title = f"{this_season.league.club.name}: {this_season.league.name}"
    about = Cover(title, source.full_url(this_season.get_absolute_url()), stamp, at)
    paper = Paper(about, f"{this_season.name}, {division.name}", overview["heading"])
    y = _rows(paper, paper.sheet(), overview)
    y = _notes(paper, y, overview)
    y = _beside(paper, y + 3, overview)
    _apart(paper, y + 3, overview["apart"])
    return paper.to_bytes()


def _rows(paper: Paper, y: float, overview: dict[str, Any]) -> float:
    rows: Sequence[TableRow] = overview["rows"]
    y = _head(paper, y)
    for team_row in rows:
        words = _words(team_row)
        name, more = _two_lines(paper, words[1])
        height = ROW + MORE if more else ROW
        if y + height + 4 > paper.bottom:
            y = _head(paper, paper.sheet())
        _cells(paper, y + 1.2, (words[0], name, *words[2:]), SIZE)
        if more:
            paper.put(MARGIN + WIDTHS[0] + 2.5, y + 1.2 + MORE, _name_width(paper), more, size=SIZE, bold=True)
        y += height
        for cut in team_row.lines:
            paper.set_dash_pattern(dash=1, gap=0.8)
            paper.line(MARGIN, y, MARGIN + paper.inner, y)
            paper.set_dash_pattern()
            paper.put(MARGIN, y + 0.4, paper.inner, f"{'▲' if cut.is_up else '▼'} {cut.words}", size=7.5)
            y += 4
        if not team_row.lines:
            _hairline(paper, y, MARGIN, paper.inner)
    for team in overview["waiting_teams"]:
        paper.put(MARGIN, y + 1.2, paper.inner, team.name, size=SIZE)
        y += ROW
    return y


def _head(paper: Paper, y: float) -> float:
    _cells(paper, y, [str(head) for head in HEADS], 7.5)
    paper.set_line_width(0.3)
    paper.line(MARGIN, y + 4.4, MARGIN + paper.inner, y + 4.4)
    paper.set_line_width(0.2)
    return y + 4.8


def _words(team_row: TableRow) -> tuple[str, ...]:
    row = team_row.row
    name = f"{row.team.name} ({row.note})" if row.note else row.team.name
    return (
        *(row.place, name, str(row.played), str(row.won), str(row.drawn), str(row.lost)),
        *(number(row.scored), number(row.conceded), team_row.difference, row.points, ",".join(row.letters)),
        *(" ".join(mark.letter for mark in row.form), row.can_finish if row.best is not None else ""),
    )


def _cells(paper: Paper, y: float, words: Sequence[str], size: float) -> None:
    x, rest = MARGIN, paper.inner - sum(WIDTHS)
    for at, (text, width) in enumerate(zip(words, WIDTHS, strict=True)):
        taken_width = width or rest
        gap = 2.5 if ALIGNS[at] == "L" else 0.0
        is_bold = size == SIZE and at in _BOLD
        paper.put(x + gap, y, taken_width - gap - 0.5, text, size=size, bold=is_bold, align=ALIGNS[at])
        x += taken_width


def _name_width(paper: Paper) -> float:
    return paper.inner - sum(WIDTHS) - 3


def _two_lines(paper: Paper, name: str) -> tuple[str, str]:
    """A name, and its second line; empty if it fits on one."""
    paper.set_font("body", "B", SIZE)
    words = name.split()
    width = _name_width(paper)
    for count in range(len(words), 0, -1):
        if paper.get_string_width(drawable(" ".join(words[:count]))) <= width:
            return " ".join(words[:count]), " ".join(words[count:])
    # Not even the first word fits: it is made smaller, the others go below.
    return words[0] if words else "", " ".join(words[1:])


def _hairline(paper: Paper, y: float, x: float, width: float) -> None:
    paper.set_draw_color(170)
    paper.set_line_width(0.1)
    paper.line(x, y, x + width, y)
    paper.set_draw_color(0)
    paper.set_line_width(0.2)


def _notes(paper: Paper, y: float, overview: dict[str, Any]) -> float:
    """Reasons for the order of tied teams, and the tie-breaks."""
    y += 2
    standings = overview["table"]
    sentences = [f"{tie.letter}  {tie.sentence}" for tie in standings.ties] if standings else []
    if overview["level_words"]:
        sentences.append(gettext("Tied on points: %(words)s.") % {"words": overview["level_words"]})
    for sentence in sentences:
        for line in paper.lines(sentence, paper.inner, NOTE):
            if y + 3.7 > paper.bottom:
                y = paper.sheet()
            paper.put(MARGIN, y, paper.inner, line, size=NOTE)
            y += NOTE * POINT * 1.3
    return y


def _beside(paper: Paper, y: float, overview: dict[str, Any]) -> float:
    """The next matchday and the last results, side by side."""
    width = (paper.inner - GAP) / 2
    days = [day for day in (overview["next"], overview["last"]) if day is not None]
    tallest = max((10 + 10.5 * len(day.matches) for day in days), default=0.0)
    if y + tallest > paper.bottom:
        y = paper.sheet()
    if overview["next"]:
        title = gettext("Next: %(day)s") % {"day": in_sentence(overview["next"].name)}
        _matches(paper, y, MARGIN, width, overview["next"].matches, title)
    if overview["last"]:
        title = gettext("Results of %(day)s") % {"day": in_sentence(overview["last"].name)}
        played = [row for row in overview["last"].matches if row.is_done]
        _matches(paper, y, MARGIN + width + GAP, width, played, title)
    return y + tallest


def _apart(paper: Paper, y: float, rows: Sequence[MatchRow]) -> None:
    """The matches to be played later, on as many sheets as they take."""
    at = 0
    while at < len(rows):
        room = int((paper.bottom - y - 10) // 11)
        if room < 1:
            y = paper.sheet()
            continue
        _matches(paper, y, MARGIN, (paper.inner - GAP) / 2, rows[at : at + room], gettext("Still to be played"), True)
        at, y = at + room, paper.bottom


def _matches(
    paper: Paper, y: float, x: float, width: float, rows: Sequence[MatchRow], title: str, says_day: bool = False
) -> None:
    paper.put(x, y, width, title, size=10.5, bold=True)
    y += 5.4
    paper.line(x, y, x + width, y)
    for row in rows:
        if y + 10.5 > paper.bottom:
            return
        match = row.match
        for at, (name, side) in enumerate(row.sides):
            paper.put(x, y + 0.8 + 3.7 * at, width - 18, name, size=8.5, bold=side.has_won)
            paper.put(x + width - 17, y + 0.8 + 3.7 * at, 17, side.score, size=8.5, bold=side.has_won, align="R")
        when = date_and_time(match.starts_at) if match.starts_at and not match.is_done else ""
        if match.deadline_at and not match.is_done and not when:
            when = gettext("by %(time)s") % {"time": date_and_time(match.deadline_at)}
        of_day = match.round_words if says_day else ""
        details = "; ".join(part for part in (of_day, when, row.note, row.where) if part)
        paper.put(x, y + 7.9, width, details, size=7)
        y += 11
        _hairline(paper, y, x, width)
