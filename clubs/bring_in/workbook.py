"""A workbook as plain data: sheets of cells, each with its text and its kind."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

TEXT, NUMBER, DATE, FORMULA = "t", "n", "d", "f"
"""Kinds of cells. A date is an ISO text, with its time if it has one. A formula is one without a stored value."""

MOST_SHEETS = 60
MOST_ROWS = 5000
"""Of one sheet."""
MOST_COLUMNS = 200
MOST_CELLS = 200_000
"""That are not empty, in all sheets."""
MOST_TEXT = 3_000_000
"""Characters of all cells."""
LONGEST = 2000
"""Of the text of a cell."""


class Cell(NamedTuple):
    """A cell as a person reads it."""

    text: str = ""
    kind: str = TEXT

    def __bool__(self) -> bool:
        return bool(self.text)


EMPTY = Cell()


@dataclass(frozen=True)
class Sheet:
    """A sheet of a workbook."""

    name: str
    rows: tuple[tuple[Cell, ...], ...]
    """All rows from the first of the file, empty ones included, each as long as its last cell that is not empty."""
    is_hidden: bool = False
    merged: tuple[tuple[int, int, int, int], ...] = ()
    """First row and column, last row and column of merged cells, from 0."""
    readings: tuple[str, ...] = ()
    """Encodings that fit the text about as well, the one in which it was read first; none if there is no doubt."""

    @property
    def filled(self) -> int:
        """The number of rows that are not empty."""
        return sum(any(row) for row in self.rows)

    def cell(self, row: int, column: int) -> Cell:
        """The cell at a place from 0; empty outside."""
        cells = self.rows[row] if 0 <= row < len(self.rows) else ()
        return cells[column] if 0 <= column < len(cells) else EMPTY

    @property
    def width(self) -> int:
        return max((len(row) for row in self.rows), default=0)


@dataclass(frozen=True)
class Workbook:
    """The sheets of a file, in order; a table of text is one sheet."""

    sheets: tuple[Sheet, ...]


class Unreadable(Exception):
    """A file that is not read. `code` is one of `SENTENCES` in `child.py`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def pack(book: Workbook) -> list[Any]:
    """The workbook as JSON: for each sheet its name, rows, whether it is hidden, merged cells, doubtful encodings."""
    return [
        [sheet.name, [_packed(row) for row in sheet.rows], sheet.is_hidden, sheet.merged, sheet.readings]
        for sheet in book.sheets
    ]


def _packed(row: Sequence[Cell]) -> list[Any]:
    return [cell.text if cell.kind == TEXT else [cell.text, cell.kind] for cell in row]


def unpack(data: Any) -> Workbook:
    """The workbook from its JSON, which may come from anybody. Raises `Unreadable`."""
    try:
        return check(Workbook(tuple(_sheet(*sheet) for sheet in data)))
    except (TypeError, ValueError, AttributeError):
        raise Unreadable("damaged") from None


def _sheet(name: str, rows: list[Any], is_hidden: bool, merged: list[Any], readings: Sequence[str] = ()) -> Sheet:
    return Sheet(
        plain(name)[:80],
        tuple(tuple(_cell(cell) for cell in row) for row in rows),
        bool(is_hidden),
        tuple((int(top), int(left), int(bottom), int(right)) for top, left, bottom, right in merged),
        tuple(map(str, readings)),
    )


def _cell(cell: Any) -> Cell:
    text, kind = (cell, TEXT) if isinstance(cell, str) else cell
    if kind not in (TEXT, NUMBER, DATE, FORMULA):
        raise ValueError(kind)
    return Cell(plain(text), kind)


def plain(text: str) -> str:
    """A text without signs that no spreadsheet shows; line breaks stay."""
    return "".join(sign for sign in text if sign >= " " or sign in "\n\t").strip()[:LONGEST]


def check(book: Workbook) -> Workbook:
    """Return the workbook. Raises `Unreadable` if it is larger than a club can have."""
    if len(book.sheets) > MOST_SHEETS:
        raise Unreadable("sheets")
    cells = text = 0
    for sheet in book.sheets:
        if len(sheet.rows) > MOST_ROWS:
            raise Unreadable("rows")
        if sheet.width > MOST_COLUMNS:
            raise Unreadable("columns")
        cells += sum(bool(cell) for row in sheet.rows for cell in row)
        text += sum(len(cell.text) for row in sheet.rows for cell in row)
    if cells > MOST_CELLS or text > MOST_TEXT:
        raise Unreadable("cells")
    if not cells:
        raise Unreadable("empty")
    return book
