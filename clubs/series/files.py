"""The standings of a series for spreadsheets: a line for each person, a column for each evening."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from zoneinfo import ZoneInfo

from clubs.exports import tables
from clubs.exports.tables import Cell
from clubs.series.evenings import Evening
from clubs.series.standings import Board, Row

HEAD = ("place", "name", "total", "evenings", "counted", "dropped")


def standings_csv(zone: ZoneInfo, board: Board) -> bytes:
    """The standings as CSV; dropped evenings are named in a column of their own, by their days."""
    head = [*HEAD, *(_title(evening) for evening in board.evenings)]
    return tables.write(zone, head, (_line(board, row) for row in board.rows))


def _title(evening: Evening) -> str:
    return f"{evening.day.isoformat()} {evening.event.name}"


def _line(board: Board, row: Row) -> Sequence[Cell]:
    line = row.line
    dropped = [
        evening.day.isoformat() for evening, cell in zip(board.evenings, row.cells, strict=True) if cell.is_dropped
    ]
    figures = [None if value is None else _figure(value) for value in line.values]
    return [line.rank, row.name, _figure(line.total), line.played, len(line.counted), " ".join(dropped), *figures]


def _figure(value: Fraction) -> Cell:
    """A whole number, or one with up to six decimals."""
    return int(value) if value.denominator == 1 else round(Decimal(value.numerator) / value.denominator, 6)
