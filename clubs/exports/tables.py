"""Tables of a club for spreadsheets: CSV by RFC 4180, in UTF-8 with a byte order mark.

Text that a spreadsheet would take for a formula gets an apostrophe in front; figures stay figures.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from web import csv_cells

Cell = str | int | bool | Decimal | date | datetime | None


def write(zone: ZoneInfo, head: Sequence[str], lines: Iterable[Sequence[Cell]]) -> bytes:
    """A table as a file; times in this zone."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(head)
    for line in lines:
        writer.writerow([_cell(zone, cell) for cell in line])
    return text.getvalue().encode("utf-8-sig")


def _cell(zone: ZoneInfo, cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, datetime):
        return cell.astimezone(zone).isoformat(timespec="minutes")
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, int | Decimal):
        return str(cell)
    return csv_cells.guard(cell)
