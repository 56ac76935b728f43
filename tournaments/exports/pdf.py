"""Standings, crosstables and schedule as PDF, on A4."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext, gettext_noop, pgettext

from tournaments import outcome
from tournaments.exports import source
from tournaments.exports.paper import cover
from tournaments.exports.source import Part
from tournaments.models import Tournament
from tournaments.public import bracket, progress
from tournaments.public import standings as public
from tournaments.public.crosstable import OUT, Crosstable, crosstables
from tournaments.public.matches import Match
from tournaments.public.names import links_of
from tournaments.round_names import round_name
from web.lettering import drawable
from web.paper import MARGIN, POINT, Align, Cover, Paper
from web.text import date_and_time, join_words

ROW = 5.6
"""Height of a row."""
SIZE = 9.0
NAME = 40.0
"""The least width of a column of names."""
WIDEST = 26.0
"""The most that a column of figures takes."""


@dataclass
class Column:
    """A column of a table: its cells by row, and their style."""

    title: str
    cells: list[str] = field(default_factory=list)
    align: Align = "R"
    bold: bool = False
    width: float = 0.0


def standings(event: Tournament, part: Part) -> bytes:
    """The standings of a stage with every tie-break; of a knockout the places."""
    about, title = cover(event), part.stage.name
    if part.state.plan.is_bracket or part.state.plan.format == "pod_knockout":
        return _places(about, part)
    tables = public.tables(part.state, part.entrants, part.following)
    prepared = [(table, _columns(table)) for table in tables]
    probe = Paper(about, title, progress.words(part.state))
    is_wide = any(_set_widths(probe, columns, probe.inner) < NAME for _, columns in prepared)
    paper = Paper(about, title, progress.words(part.state), is_wide=is_wide)
    y = _won(paper, paper.sheet(), part)
    for table, columns in prepared:
        _set_widths(paper, columns, paper.inner)
        if table is not tables[0]:
            y += 4
        cuts = {at: line.cut for at, line in enumerate(table.lines) if line.cut}
        y = _table(paper, y, table.title if len(tables) > 1 else "", columns, cuts)
        y = _sentences(paper, y, table)
    return paper.to_bytes()


def _columns(table: public.Table) -> list[Column]:
    lines = table.lines
    names = [f"{line.entrant.name}{f' ({line.note})' if line.note else ''}" for line in lines]
    columns = [
        Column("#", [line.place for line in lines]),
        Column(gettext("Name"), names, align="L"),
        Column(pgettext("column", "Pl."), [str(line.tally.played) for line in lines]),
    ]
    if table.has_duels:
        columns.append(Column(pgettext("column", "W"), [str(line.tally.won) for line in lines]))
        columns.append(Column(pgettext("column", "D"), [str(line.tally.drawn) for line in lines]))
        columns.append(Column(pgettext("column", "L"), [str(line.tally.lost) for line in lines]))
    for at, column in enumerate(table.columns):
        columns.append(Column(column.title, [line.values[at].words for line in lines]))
    if table.has_points:
        columns.append(Column(gettext("Points"), [line.points for line in lines], bold=True))
        if table.whys:
            columns.append(Column("", [",".join(line.letters) for line in lines], align="L"))
    if table.has_ranges:
        columns.append(Column(gettext("Can finish"), [line.range for line in lines], align="C"))
    return columns


def _set_widths(paper: Paper, columns: Sequence[Column], inner: float) -> float:
    """Give every column its width. Returns the width of the names, which may be too small."""
    rest = inner
    names = columns[1]
    for column in columns:
        if column is names:
            continue
        paper.set_font("body", "B", SIZE)
        widest = max((paper.get_string_width(cell) for cell in column.cells), default=0.0)
        paper.set_font("body", "", 7.5)
        column.width = min(WIDEST, max(widest, paper.get_string_width(column.title)) + 3)
        rest -= column.width
    names.width = max(rest, NAME / 2)
    return rest


def _table(paper: Paper, y: float, title: str, columns: Sequence[Column], cuts: dict[int, str]) -> float:
    """Write a table from `y` on, over as many sheets as it needs, and return its lower end."""
    if y + 4 * ROW > paper.bottom:
        y = paper.sheet()
    if title:
        paper.put(MARGIN, y, paper.inner, title, size=11, bold=True)
        y += 6
    y = _head(paper, y, columns)
    for at in range(len(columns[0].cells)):
        if y + ROW > paper.bottom:
            y = _head(paper, paper.sheet(), columns)
        x = MARGIN
        for column in columns:
            gap = 2.5 if column.align == "L" else 0
            paper.put(x + gap, y + 0.9, column.width - gap, column.cells[at], size=SIZE, bold=column.bold,
                      align=column.align)  # fmt: skip
            x += column.width
        y += ROW
        if at in cuts:
            paper.set_dash_pattern(dash=1, gap=0.8)
            paper.line(MARGIN, y, MARGIN + paper.inner, y)
            paper.set_dash_pattern()
            paper.put(MARGIN, y + 0.3, paper.inner, f"▲ {cuts[at]}", size=7)
            y += 3.6
        else:
            _hairline(paper, y)
    return y


def _head(paper: Paper, y: float, columns: Sequence[Column]) -> float:
    x = MARGIN
    for column in columns:
        gap = 2.5 if column.align == "L" else 0
        paper.put(x + gap, y, column.width - gap, column.title, size=7.5, align=column.align)
        x += column.width
    paper.set_line_width(0.3)
    paper.line(MARGIN, y + 4.2, MARGIN + paper.inner, y + 4.2)
    return y + 4.6


def _hairline(paper: Paper, y: float) -> None:
    paper.set_draw_color(170)
    paper.set_line_width(0.1)
    paper.line(MARGIN, y, MARGIN + paper.inner, y)
    paper.set_draw_color(0)
    paper.set_line_width(0.2)


def _sentences(paper: Paper, y: float, table: public.Table) -> float:
    """Write the sentences on the order of the standings."""
    y += 2
    for why in table.whys:
        words = gettext("%(upper)s and %(lower)s, both %(points)s, share the place.")
        if why.words:
            words = gettext("%(upper)s is ahead of %(lower)s, both %(points)s, %(why)s.")
        values = {"upper": why.upper.name, "lower": why.lower.name, "points": why.points, "why": why.words}
        for line in paper.lines(f"{why.letter}  {words % values}", paper.inner, 7.5):
            if y + 3.4 > paper.bottom:
                y = paper.sheet()
            paper.put(MARGIN, y, paper.inner, line, size=7.5)
            y += 7.5 * POINT * 1.3
    return y


def _places(about: Cover, part: Part) -> bytes:
    paper = Paper(
        about,
        part.stage.name,
        gettext("Places") if part.stage.status == "over" else gettext("Where each can still finish"),
    )
    places = bracket.places(part.state, part.entrants) if part.state.rounds else ()
    columns = [Column("#", [place.words for place in places]), Column(gettext("Name"), align="L")]
    columns[1].cells = [
        " ".join([place.entrant.name, *(f"({note})" for note in (place.entrant.status, place.by) if note)])
        for place in places
    ]
    y = paper.sheet()
    if not places:
        paper.put(MARGIN, y, paper.inner, gettext("No draw yet."))
        return paper.to_bytes()
    y = _won(paper, y, part)
    _set_widths(paper, columns, paper.inner)
    _table(paper, y, "", columns, {})
    return paper.to_bytes()


def _won(paper: Paper, y: float, part: Part) -> float:
    """Write who won, if this is the last stage and over, and what decided a tie. Returns the lower end."""
    if part.following is not None:
        return y
    won = outcome.of_state(part.state)
    words = gettext("Won by %(names)s") % {"names": won.names} if won.champions else ""
    for text, is_bold in ((words, True), (won.sentence, False)):
        if text:
            paper.put(MARGIN, y, paper.inner, text, size=10, bold=is_bold)
            y += 5.5
    return y


# Crosstables

WIDE = 14.0
"""The width of a column of a crosstable if there is room."""
BY_ROUND = gettext_noop(
    "A letter says won, drawn or lost. The number after it is the opponent’s. A dot means no result yet."
)
AGAINST_ALL = gettext_noop("Points against each opponent. The columns are in the order of the rows.")


def crosstable(event: Tournament, part: Part) -> bytes:
    """A crosstable by opponent or by round; columns that do not fit continue on the next sheet."""
    about, title = cover(event), gettext("%(stage)s: crosstable") % {"stage": part.stage.name}
    tables = crosstables(part.state, part.entrants, links_of(event))
    probe = Paper(about, title)
    is_wide = any(len(_sections(probe, table)) > 1 for table in tables)
    paper = Paper(about, title, progress.words(part.state), is_wide=is_wide)
    y = paper.sheet()
    if not part.state.rounds:
        paper.put(MARGIN, y, paper.inner, gettext("No draw yet."))
        return paper.to_bytes()
    for table in tables:
        for at, columns in enumerate(_sections(paper, table)):
            y = _table(paper, paper.sheet() if at else y, table.title if len(tables) > 1 else "", columns, {}) + 4
    if y + 4 > paper.bottom:
        y = paper.sheet()
    paper.put(MARGIN, y - 2, paper.inner, gettext(BY_ROUND if tables[0].by_round else AGAINST_ALL), size=7)
    return paper.to_bytes()


def _sections(paper: Paper, table: Crosstable) -> list[list[Column]]:
    """The columns of a crosstable, in as many parts as it takes for each to fit on a sheet next to the names."""
    crossings, count = [_crossing(table, at) for at in range(len(table.heads))], 1
    while True:
        each = -(-len(crossings) // count) or 1
        sections = [_beside(table, crossings[at : at + each]) for at in range(0, len(crossings), each)]
        if each == 1 or all(_set_widths(paper, columns, paper.inner) >= NAME for columns in sections):
            for columns in sections:
                _bring_near(paper, columns)
            return sections
        count += 1


def _bring_near(paper: Paper, columns: Sequence[Column]) -> None:
    """Give room that the names do not need to the other columns, so that a row is easy to follow."""
    names, *others = columns[1:-1]
    paper.set_font("body", "", SIZE)
    needed = max(NAME, max((paper.get_string_width(drawable(cell)) for cell in names.cells), default=0.0) + 6)
    spare = max(0.0, names.width - needed) / len(others) if others else 0.0
    for column in others:
        more = min(spare, max(0.0, WIDE - column.width))
        column.width += more
        names.width -= more


def _crossing(table: Crosstable, at: int) -> Column:
    """A column of the crosstable itself: the results against one opponent, or in one round."""
    rows = [line.cells[at] for line in table.lines]
    words = [" ".join("■" if cell.kind == "self" else cell.text for cell in cells) for cells in rows]
    return Column(table.heads[at].text, words, align="C")


def _beside(table: Crosstable, crossings: Sequence[Column]) -> list[Column]:
    """Columns of a crosstable between the names and the points."""
    lines = table.lines
    columns = [
        Column("#", [line.place for line in lines]),
        Column(gettext("Name"), [line.entrant.name for line in lines], align="L"),
    ]
    if table.by_round:
        columns.append(Column(pgettext("column", "No."), [str(line.entrant.seed or "") for line in lines]))
    return [*columns, *crossings, Column(gettext("Points"), [line.points for line in lines], bold=True)]


# Schedule


def schedule(event: Tournament, parts: Sequence[Part]) -> bytes:
    """All rounds that are drawn: pairings, tables, times and results."""
    paper = Paper(cover(event), gettext("Schedule"))
    y = paper.sheet()
    is_empty = True
    for part in parts:
        for each in source.rounds(part):
            is_empty = False
            name = round_name(each.name) if len(parts) < 2 else f"{part.stage.name}: {round_name(each.name)}"
            y = _round(paper, y, name, each)
    if is_empty:
        paper.put(MARGIN, y, paper.inner, gettext("No draw yet."))
    return paper.to_bytes()


def _round(paper: Paper, y: float, name: str, each: source.ExportRound) -> float:
    if y + 3 * ROW > paper.bottom:
        y = paper.sheet()
    when = [date_and_time(each.starts_at)] if each.starts_at else []
    when += [gettext("play by %(moment)s") % {"moment": date_and_time(each.deadline_at)}] if each.deadline_at else []
    paper.put(MARGIN, y, paper.inner * 0.6, name, size=11, bold=True)
    paper.put(MARGIN + paper.inner * 0.6, y + 0.6, paper.inner * 0.4, ", ".join(when), size=8.5, align="R")
    y += 6
    paper.line(MARGIN, y - 0.6, MARGIN + paper.inner, y - 0.6)
    if each.terms:
        paper.put(MARGIN, y + 0.6, paper.inner, each.terms, size=8)
        y += 4.4
    for match in each.matches:
        if y + ROW > paper.bottom:
            y = paper.sheet()
        _fixture(paper, y, match)
        y += ROW
        _hairline(paper, y)
    for words in _out(each):
        for line in paper.lines(words, paper.inner, 8):
            if y + 4 > paper.bottom:
                y = paper.sheet()
            paper.put(MARGIN, y + 0.6, paper.inner, line, size=8)
            y += 3.8
    return y + 5


def _fixture(paper: Paper, y: float, match: Match) -> None:
    scores = [side.score for side in match.sides]
    outcome = " – ".join(score or "?" for score in scores) if any(scores) else match.note
    side = paper.inner * (0.62 if len(match.sides) > 2 else 0.58)
    paper.put(MARGIN, y + 0.9, 20, match.short, size=8)
    paper.put(MARGIN + 21, y + 0.9, side, match.versus, size=SIZE)
    paper.put(MARGIN + 22 + side, y + 0.9, paper.inner - 22 - side, outcome, size=8.5, align="R")


def _out(each: source.ExportRound) -> list[str]:
    """Entries that do not play in a round."""
    kinds: dict[str, list[str]] = {}
    for sit_out, entrant in each.sit_outs:
        kinds.setdefault(gettext(OUT.get(sit_out.kind, sit_out.kind)), []).append(entrant.name)
    for entrant in each.byes:
        kinds.setdefault(gettext("bye"), []).append(entrant.name)
    return [f"{words[:1].upper()}{words[1:]}: {join_words(names)}." for words, names in kinds.items()]
