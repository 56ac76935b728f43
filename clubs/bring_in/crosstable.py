"""Crosstables: a row and a column for each side, and in their cell what the two played."""

from dataclasses import dataclass

from django.utils.translation import gettext

from clubs.bring_in import values, words
from clubs.bring_in.layout import CROSS, LEAVE_OUT, Column, Layout, score_pair
from clubs.bring_in.matches import _WALKOVER, _key, _name, _Reader
from clubs.bring_in.reading import FIXTURES, RESULTS, Context, Desk, Match
from clubs.bring_in.workbook import FORMULA, Cell, Sheet

_DEEPEST = 30
_LEAST = 3
"""Sides of a crosstable; two sides are a list."""
_DIAGONAL = {"x", "xx", "xxx", "*", "**", "***", "-", "--", "—", "–", "#", "\\", "/", "=", ".", "o", "■", "█", "n/a"}


@dataclass(frozen=True)
class Grid:
    """Where the crosstable of a sheet is."""

    heading: int
    """The row of the titles, from 0."""
    names: int
    """The column of the sides."""
    rows: tuple[int, ...]
    """The rows of the sides."""
    columns: tuple[int, ...]
    """The column of each side, in the order of the rows; -1 without one."""


def find(sheet: Sheet, what: str) -> Grid | None:
    """The crosstable of a sheet; `None` if it has none. That of fixtures may have days only."""
    filled = [at for at, row in enumerate(sheet.rows) if any(row)][:_DEEPEST]
    for heading in filled:
        if sum(bool(cell) for cell in sheet.rows[heading]) < _LEAST:
            continue
        for names in range(min(3, len(sheet.rows[heading]))):
            grid = _grid(sheet, heading, names, what)
            if grid is not None:
                return grid
    return None


def _grid(sheet: Sheet, heading: int, names: int, what: str) -> Grid | None:
    titles = {at: " ".join(cell.text.split()) for at, cell in enumerate(sheet.rows[heading]) if at > names and cell}
    rows = []
    for row in range(heading + 1, len(sheet.rows)):
        name = sheet.cell(row, names)
        if name and any(map(str.isalpha, name.text)) and not words.is_total(name.text):
            rows.append(row)
        elif rows:
            break
        if len(rows) * 0.8 > len(titles):
            return None
    if len(rows) < _LEAST:
        return None
    columns = [_column_of(sheet, row, number, names, titles) for number, row in enumerate(rows, 1)]
    known = [at for at in columns if at >= 0]
    if len(known) < max(_LEAST, 0.8 * len(rows)) or len(set(known)) < len(known):
        return None
    says_match = any(
        _is_result(cell) or (what == FIXTURES and values.day(cell).day is not None)
        for row in rows
        for cell in (sheet.cell(row, at) for at in known)
        if cell
    )
    diagonal = [sheet.cell(row, at).text for row, at in zip(rows, columns, strict=True) if at >= 0]
    if not all(not text or text.casefold() in _DIAGONAL or any(map(str.isalpha, text)) for text in diagonal):
        return None
    return Grid(heading, names, tuple(rows), tuple(columns)) if says_match else None


def _column_of(sheet: Sheet, row: int, number: int, names: int, titles: dict[int, str]) -> int:
    """The column of the side of a row: by its name, the beginning of it, or the number in front of it."""
    name = sheet.cell(row, names).text
    label = sheet.cell(row, names - 1).text.strip(".") if names else ""
    key, folded = _key(name), words.folded(name)
    for at, title in titles.items():
        if _key(title) == key:
            return at
    for at, title in titles.items():
        if title.strip(".") in {label, str(number)} and title.strip("."):
            return at
    starts = [at for at, title in titles.items() if len(title) >= 2 and folded.startswith(words.folded(title))]
    return starts[0] if len(starts) == 1 else -1


def layout_of(sheet: Sheet, at: int, grid: Grid) -> Layout:
    """Where the list is, for a crosstable on this sheet."""
    columns = []
    for column in range(max(sheet.width, max(grid.columns) + 1)):
        holds = "home" if column == grid.names else CROSS if column in grid.columns else LEAVE_OUT
        columns.append(Column(" ".join(sheet.cell(grid.heading, column).text.split()), holds))
    return Layout(at, grid.heading, tuple(columns))


def read(sheet: Sheet, layout: Layout, grid: Grid, context: Context, what: str) -> tuple[Desk, list[Match]]:
    """The matches of a crosstable, with the questions about them and what was set aside."""
    reader = _Reader(sheet, layout, context, what)
    reader._read_above()
    matches, used = _matches(reader, grid, what)
    for row in reader.rows:
        if row in grid.rows:
            reader.desk.keep_rest(row, used[row])
        else:
            reader.desk.keep_row(row, gettext("Not a row of the crosstable."))
    reader._same_names(matches)
    return reader.desk, matches


def _matches(reader: _Reader, grid: Grid, what: str) -> tuple[list[Match], dict[int, set[int]]]:
    used: dict[int, set[int]] = {row: {grid.names} for row in grid.rows}
    matches: list[Match] = []
    is_double = _is_double(reader.sheet, grid)
    for first, row in enumerate(grid.rows):
        if grid.columns[first] >= 0 and not _is_result(reader.sheet.cell(row, grid.columns[first])):
            used[row].add(grid.columns[first])
        for other, row_of_other in enumerate(grid.rows):
            column, mirror = grid.columns[other], grid.columns[first]
            cell = reader.sheet.cell(row, column) if column >= 0 else Cell()
            if first == other or not cell or column in used[row] or cell.kind == FORMULA:
                continue
            back = reader.sheet.cell(row_of_other, mirror) if mirror >= 0 else Cell()
            match = _new_match(reader, grid, first, other)
            if _take(reader, row, match, cell, back, what):
                matches.append(match)
                used[row].add(column)
                if _is_mirrored(cell, back) and not (is_double and score_pair(cell.text) is not None):
                    used[row_of_other].add(mirror)
    return matches, used


def _new_match(reader: _Reader, grid: Grid, first: int, other: int) -> Match:
    home, away = (_name(reader.sheet.cell(grid.rows[at], grid.names).text) for at in (first, other))
    return Match(grid.rows[first] + 1, home, away, division=reader.division, season=reader.season)


def _is_result(cell: Cell) -> bool:
    return bool(cell) and (score_pair(cell.text) is not None or values.number(cell) is not None)


def _is_mirrored(cell: Cell, back: Cell) -> bool:
    """Whether the cell of the other side says the same match: its scores the other way round, its single score, or its
    day."""
    day = None if _is_result(cell) else values.day(cell).day
    if day is not None:
        return values.day(back).day == day
    pair, mirrored = score_pair(cell.text), score_pair(back.text)
    if pair is not None:
        return mirrored is not None and mirrored == (pair[1], pair[0])
    return values.number(cell) is not None and values.number(back) is not None


def _is_double(sheet: Sheet, grid: Grid) -> bool:
    """Whether both cells of most pairs say a match of their own: at home and away."""
    sides = [(row, at) for row, at in zip(grid.rows, grid.columns, strict=True) if at >= 0]
    cells = [(sheet.cell(row, b), sheet.cell(other, a)) for row, a in sides for other, b in sides if row < other]
    mirrored = [_is_mirrored(*both) for both in cells if all(score_pair(cell.text) is not None for cell in both)]
    return 2 * sum(mirrored) < len(mirrored)


def _take(reader: _Reader, row: int, match: Match, cell: Cell, back: Cell, what: str) -> bool:
    """Read a cell into its match; whether it says one."""
    pair, number, number_back = score_pair(cell.text), values.number(cell), values.number(back)
    if pair is not None:
        match.home_score, match.away_score = pair
        return True
    if number is not None and number_back is not None:
        match.home_score, match.away_score = number, number_back
        return True
    if _WALKOVER.match(cell.text):
        reader._ask_walkover(row, match, cell.text)
        return True
    match.day = reader._find_day(row, cell) if what != RESULTS else None
    return match.day is not None
