"""The parts of a workbook that hold lists of one kind: below each other, side by side, and on several sheets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from clubs.bring_in import crosstable, layout, opponents, values, words
from clubs.bring_in.column_contents import LEAVE_OUT
from clubs.bring_in.crosstable import Grid
from clubs.bring_in.headings import names_part
from clubs.bring_in.layout import Layout
from clubs.bring_in.reading import FIXTURES, MEMBERS, RESULTS, TABLE
from clubs.bring_in.workbook import Cell, Sheet, Workbook

_MOST = 40
"""Parts of one sheet."""


@dataclass(frozen=True)
class Part:
    """A list on a sheet: the sheet with nothing but it, where it is there, and its grid if it is a crosstable or one of opponents."""

    sheet: Sheet
    layout: Layout
    grid: Grid | None = None


def of_sheet(book: Workbook, place: Layout, what: str, *, has_grid: bool, remembered: Mapping[str, str]) -> list[Part]:
    """The lists of a sheet, the first as `place` has it unless it is a crosstable."""
    sheet = book.sheets[place.sheet]
    if what in (RESULTS, FIXTURES) and has_grid and (grids := _grids(sheet, what)):
        return [Part(part, crosstable.layout_of(part, place.sheet, grid), grid) for part, grid in grids]
    if what not in (RESULTS, FIXTURES, TABLE) or place.heading is None:
        return [Part(sheet, place)]
    first, *others = _lists(sheet, place.heading, what, remembered)
    parts = [Part(first, _cut(place, first) if others else place)]
    for other in others:
        heading = layout.heading_row(other, what, remembered)
        parts.append(Part(other, Layout(place.sheet, heading, layout.guess_columns(other, what, heading, remembered))))
    return parts


def alike(book: Workbook, part: Part, what: str, remembered: Mapping[str, str]) -> list[int]:
    """The other sheets (from 0) with a list like this part: a crosstable as well, or the same columns."""
    return [
        at
        for at, sheet in enumerate(book.sheets)
        if at != part.layout.sheet
        and not sheet.is_hidden
        and sheet.filled
        and _is_alike(book, at, part, what, remembered)
    ]


def with_people(book: Workbook, place: Layout, remembered: Mapping[str, str]) -> list[tuple[int, Layout, bool]]:
    """The other sheets (from 0) with a list of people and their contact details as well, where it is there, and whether
    it has the same columns."""
    held = sorted(column.holds for column in place.columns if column.holds != LEAVE_OUT)
    hits: list[tuple[int, Layout, bool]] = []
    for at, sheet in enumerate(book.sheets):
        if at == place.sheet or sheet.is_hidden or not sheet.filled or place.heading is None:
            continue
        there = layout.find(book, MEMBERS, sheet=at, remembered=remembered)
        words_of_name = words.folded(sheet.name).split()
        is_other = any(word in words_of_name or word + "s" in words_of_name for word in words.OTHER_SHEETS.split())
        holds = sorted(column.holds for column in there.columns if column.holds != LEAVE_OUT)
        has_people = {"name", "first_name", "last_name"} & {*holds} and {"email", "phone"} & {*holds} & {*held}
        if there.heading is not None and (has_people or holds == held) and not is_other:
            hits.append((at, there, holds == held))
    return hits


def _is_alike(book: Workbook, at: int, part: Part, what: str, remembered: Mapping[str, str]) -> bool:
    sheet = book.sheets[at]
    name = words.folded(sheet.name)
    of_another = [word for kind, known in words.SHEET_NAMES.items() if kind != what for word in known.split()]
    is_other = any(word in name.split() or word + "s" in name.split() for word in words.OTHER_SHEETS.split())
    if is_other or (any(word in name for word in of_another) and not names_part(sheet.name)):
        return False
    if part.grid is not None:
        return _grid(sheet, what) is not None
    held = [column.holds for column in part.layout.columns]
    place = layout.find(book, what, sheet=at, remembered=remembered)
    needed = {"home", "away"} <= {*held} or {"match", "name"} & {*held}
    is_sure = place.heading is not None or names_part(sheet.name)
    return (
        bool(needed)
        and is_sure
        and sorted(column.holds for column in place.columns if column.holds != LEAVE_OUT)
        == sorted(holds for holds in held if holds != LEAVE_OUT)
    )


def _view(sheet: Sheet, rows: range, columns: range) -> Sheet:
    """A sheet with nothing but these rows and columns, which stay where they are. Its name is that of its first list."""
    cut = [
        tuple(cell if at in columns else Cell() for at, cell in enumerate(cells)) if row in rows else ()
        for row, cells in enumerate(sheet.rows)
    ]
    name = sheet.name if 0 in rows and 0 in columns else ""
    return replace(sheet, name=name, rows=tuple(cells if any(cells) else () for cells in cut))


def _gap_behind(sheet: Sheet, column: int, rows: range) -> int:
    """The first empty column behind this one."""
    return next(
        (at for at in range(column + 1, sheet.width) if not any(sheet.cell(row, at) for row in rows)), sheet.width
    )


# Crosstables and grids of opponents


def _grid(sheet: Sheet, what: str) -> Grid | None:
    return crosstable.find(sheet, what) or opponents.find(sheet)


def _grids(sheet: Sheet, what: str) -> list[tuple[Sheet, Grid]]:
    """The crosstables of a sheet, each with what stands above and below it."""
    hit: list[tuple[Sheet, Grid]] = []
    rest = sheet
    begin = 0
    while len(hit) < _MOST and (grid := _grid(rest, what)) is not None:
        area = range(grid.heading, grid.rows[-1] + 1)
        hit.append((sheet, grid))
        behind = range(_gap_behind(sheet, max(grid.columns), area), sheet.width)
        if behind and (beside := _grid(_view(sheet, area, behind), what)) is not None:
            hit.append((sheet, beside))
            area = range(grid.heading, max(area.stop, beside.rows[-1] + 1))
        begin = area.stop
        rest = _view(sheet, range(begin, len(sheet.rows)), range(sheet.width))
    tops = [_top(sheet, [grid for _, grid in hit], at) for at in range(len(hit))]
    views = []
    for at, (_, grid) in enumerate(hit):
        end = next((top for top in tops[at + 1 :] if top > grid.rows[-1]), len(sheet.rows))
        is_beside = [
            other
            for _, other in hit
            if other is not grid and other.heading <= grid.rows[-1] and grid.heading <= other.rows[-1]
        ]
        left = max(
            (
                _gap_behind(sheet, max(other.columns), range(other.heading, other.rows[-1] + 1))
                for other in is_beside
                if other.names < grid.names
            ),
            default=0,
        )
        right = min((other.names for other in is_beside if other.names > grid.names), default=sheet.width)
        right = (
            min(right, _gap_behind(sheet, max(grid.columns), range(grid.heading, grid.rows[-1] + 1)))
            if is_beside and right < sheet.width
            else sheet.width
        )
        views.append((_view(sheet, range(tops[at], end), range(left, right)), grid))
    return views


def _top(sheet: Sheet, grids: Sequence[Grid], at: int) -> int:
    """The first row that belongs to a crosstable: its heading, or what stands above that behind an empty row."""
    grid = grids[at]
    before = [other.rows[-1] for other in grids if other.rows[-1] < grid.heading]
    if not before:
        return 0
    gap = range(max(before) + 1, grid.heading)
    return _first_of_gap(sheet, gap, grid.heading)


def _first_of_gap(sheet: Sheet, gap: range, heading: int) -> int:
    """The first row between two lists that belongs to the lower: the first that names a division or a matchday, else
    the first behind the last empty row, else its titles."""
    for row in gap:
        if any(names_part(cell.text) for cell in sheet.rows[row]):
            return row
    empty = [row for row in gap if not any(sheet.rows[row])]
    return empty[-1] + 1 if empty else heading


# Lists


def _lists(sheet: Sheet, heading: int, what: str, remembered: Mapping[str, str]) -> list[Sheet]:
    """The lists of a sheet, by their rows of titles: side by side, and below each other with titles of another kind."""
    tops = [heading]
    for row in range(heading + 1, len(sheet.rows)):
        if _titles(sheet, row) == _titles(sheet, tops[-1]) or not _is_heading(sheet, row, what, remembered):
            continue
        if not _names_sides(sheet, row, what, remembered):
            tops.append(row)
    starts = [0] + [
        _first_of_gap(sheet, range(_last_filled_block(sheet, before, top), top), top) for before, top in pairwise(tops)
    ]
    views = []
    for at, (start, top) in enumerate(zip(starts, tops, strict=True)):
        rows = range(start, starts[at + 1] if at + 1 < len(starts) else len(sheet.rows))
        views += [_view(sheet, rows, columns) for columns in _beside(sheet, top, rows, what, remembered)]
    return views[:_MOST]


def _last_filled_block(sheet: Sheet, before: int, top: int) -> int:
    """The row behind the last one of a list that ends above this row."""
    last = top - 1
    while last > before and (not any(sheet.rows[last]) or sum(map(bool, sheet.rows[last])) < 2):
        last -= 1
    return last + 1


def _titles(sheet: Sheet, row: int) -> list[str]:
    return [words.folded(cell.text) for cell in sheet.rows[row]]


def _is_heading(sheet: Sheet, row: int, what: str, remembered: Mapping[str, str], columns: range | None = None) -> bool:
    """Whether a row has the titles of a list of this kind: of its sides, and of something else."""
    cells = [cell for at, cell in enumerate(sheet.rows[row]) if cell and (columns is None or at in columns)]
    if any(cell.text.strip()[:1].isdigit() for cell in cells):  # a line of the list whose sides are Pair 1 and Pair 2
        return False
    held = {layout.meaning(cell.text, what, remembered)[0] for cell in cells} - {"", LEAVE_OUT}
    needed = {"name"} if what == TABLE else {"home", "away"}
    return 2 * len(held) >= len(cells) and (needed <= held or (what != TABLE and "match" in held)) and len(held) > 1


def _names_sides(sheet: Sheet, row: int, what: str, remembered: Mapping[str, str]) -> bool:
    """Whether what could be titles are sides of the list, `Pair 1`, `Team 2`: a number or a day stands beside them, or
    they play elsewhere as well."""
    filled = [cell for cell in sheet.rows[row] if cell]
    numbered = {words.folded(cell.text) for cell in filled if cell.text[-1].isdecimal()}
    has_values = any(values.number(cell) is not None or values.day(cell).day for cell in filled)
    return (bool(numbered) and has_values) or any(
        numbered & {words.folded(cell.text) for cell in cells if any(map(str.isalpha, cell.text))}
        and not _is_heading(sheet, at, what, remembered)
        for at, cells in enumerate(sheet.rows if numbered else ())
        if at != row
    )


def _beside(sheet: Sheet, heading: int, rows: range, what: str, remembered: Mapping[str, str]) -> list[range]:
    """The columns of lists that stand side by side, with an empty column between them; else all columns."""
    all_columns = range(sheet.width)
    below = range(heading, rows.stop)
    groups: list[range] = []
    start = 0
    while start < sheet.width:
        end = _gap_behind(sheet, start - 1, below)
        if end > start:
            groups.append(range(start, end))
        start = end + 1
    with_titles = [group for group in groups if _is_heading(sheet, heading, what, remembered, group)]
    if len(with_titles) < 2:
        return [all_columns]
    bounds = [0, *(group.start for group in with_titles[1:]), sheet.width]
    return [range(left, right) for left, right in pairwise(bounds)]


def _cut(place: Layout, sheet: Sheet) -> Layout:
    """A layout without the columns that are another list's."""
    width = sheet.width
    return replace(place, columns=place.columns[:width])
