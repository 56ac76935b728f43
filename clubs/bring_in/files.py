"""Workbooks and tables from bytes that anybody may have made, in a process of its own with bounds (`child.py`).

It imports no Django. `python -m clubs.bring_in.files` reads the file from standard input and writes one JSON object.
"""

import html
import io
import json
import re
import resource
import sys
import zipfile
import zlib
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from clubs.bring_in import encodings, texts
from clubs.bring_in.workbook import (
    DATE,
    FORMULA,
    MOST_COLUMNS,
    MOST_ROWS,
    MOST_SHEETS,
    NUMBER,
    Cell,
    Sheet,
    Unreadable,
    Workbook,
    check,
    pack,
    plain,
)

DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError)
"""What reading a broken archive raises."""
MOST_MEMORY = 1_500_000_000
"""Bytes of addresses of the process; the interpreter and its libraries use a third of it."""
MOST_SECONDS = 20
"""Of processor time."""
MOST_UNPACKED = 80_000_000
MOST_RATIO = 200
"""Unpacked bytes for one packed byte; spreadsheets have some 20."""
MOST_PARTS = 1000
_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_OTHERS = (b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x1f\x8b", b"Rar!", b"7z\xbc\xaf", b"{\\rtf")


def read(data: bytes) -> Workbook:
    """The workbook in a file: xlsx, xls, ods, or a table of text. Raises `Unreadable`."""
    if data.startswith(_ZIP):
        _check_zip(data)
        return check(_workbook(data))
    if data.startswith(_OLE):
        _check_ole(data)
        return check(_workbook(data))
    if data.startswith(_OTHERS):
        raise Unreadable("no_text")
    text = texts.decode(data)
    if re.match(r"\s*<(!doctype|html|\?xml|table)", text, re.IGNORECASE):
        raise Unreadable("markup")
    book = texts.split(text)
    return Workbook((replace(book.sheets[0], readings=encodings.readings(data)),))


def _check_zip(data: bytes) -> None:
    """Raise `Unreadable` for bombs, macros and links to other files, before anything is unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
    except DAMAGED:
        raise Unreadable("damaged") from None
    unpacked = sum(part.file_size for part in parts)
    if len(parts) > MOST_PARTS or unpacked > MOST_UNPACKED:
        raise Unreadable("bomb")
    if any(part.file_size > 1_000_000 and part.file_size > MOST_RATIO * part.compress_size for part in parts):
        raise Unreadable("bomb")
    names = [part.filename.replace("\\", "/").casefold() for part in parts]
    if any(part.flag_bits & 0x1 for part in parts):
        raise Unreadable("password")
    if any(
        "vbaproject" in name or name.startswith(("basic/", "scripts/")) or "/macrosheets/" in name for name in names
    ):
        raise Unreadable("macros")
    if any("/externallinks/" in name for name in names):
        raise Unreadable("links")
    if "xl/workbook.xml" not in names and "content.xml" not in names:
        raise Unreadable("binary" if "xl/workbook.bin" in names else "no_text")
    if "content.xml" in names and re.search(
        rb"<table:table-source\s|table:formula=\"[^\"]*'file:", _part(data, "content.xml")
    ):
        raise Unreadable("links")


def _check_ole(data: bytes) -> None:
    if "_VBA_PROJECT".encode("utf-16-le") in data:
        raise Unreadable("macros")
    if "EncryptedPackage".encode("utf-16-le") in data:
        raise Unreadable("password")
    if not any(name.encode("utf-16-le") in data for name in ("Workbook", "Book")):
        raise Unreadable("no_text")


def _part(data: bytes, name: str) -> bytes:
    """One part of an archive; empty if it is not there. No more is unpacked than it says."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open(name) as part:
            return part.read(MOST_UNPACKED)
    except KeyError:
        return b""
    except DAMAGED:
        raise Unreadable("damaged") from None


def _workbook(data: bytes) -> Workbook:
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        about = [sheet for sheet in book.sheets_metadata if sheet.typ == SheetTypeEnum.WorkSheet]
        if len(about) > MOST_SHEETS:
            raise Unreadable("sheets")
        unvalued = _unvalued(data)
        return Workbook(
            tuple(
                _sheet(
                    book.get_sheet_by_name(sheet.name),
                    sheet.visible != SheetVisibleEnum.Visible,
                    unvalued.get(sheet.name, {}),
                )
                for sheet in about
            )
        )
    except PasswordError:
        raise Unreadable("password") from None
    except (CalamineError, OSError, ValueError):
        raise Unreadable("damaged") from None


def _sheet(source: CalamineSheet, is_hidden: bool, unvalued: dict[tuple[int, int], str]) -> Sheet:
    _, (last_row, last_column) = source.start or (0, 0), source.end or (0, 0)
    if last_row >= 20 * MOST_ROWS or last_column >= 20 * MOST_COLUMNS:
        raise Unreadable("columns" if last_column >= MOST_COLUMNS else "rows")
    if (last_row + 1) * (last_column + 1) > 20 * MOST_ROWS * MOST_COLUMNS:
        raise Unreadable("rows")
    rows = [[_cell(value) for value in row] for row in source.to_python(skip_empty_area=False)]
    for (row, column), formula in unvalued.items():
        if row < 0 or row >= MOST_ROWS or column >= MOST_COLUMNS:
            continue
        while len(rows) <= row:
            rows.append([])
        rows[row] += [Cell()] * (column + 1 - len(rows[row]))
        if not rows[row][column]:
            rows[row][column] = Cell(plain(formula), FORMULA)
    for cells in rows:
        while cells and not cells[-1]:
            cells.pop()
    while rows and not rows[-1]:
        rows.pop()
    merged = [(top, left, bottom, right) for (top, left), (bottom, right) in source.merged_cell_ranges or ()]
    return Sheet(plain(source.name)[:80], tuple(map(tuple, rows)), is_hidden, tuple(merged[:2000]))


def _cell(value: Any) -> Cell:
    if value is None or value == "":
        return Cell()
    if isinstance(value, bool):
        return Cell("TRUE" if value else "FALSE")
    if isinstance(value, float):
        is_whole = value.is_integer() and abs(value) < 1e15
        return Cell(str(int(value)) if is_whole else repr(value), NUMBER)
    if isinstance(value, int):
        return Cell(str(value), NUMBER)
    if isinstance(value, datetime):
        return Cell(value.date().isoformat() if value.time() == time() else value.isoformat(" ", "minutes"), DATE)
    if isinstance(value, date):
        return Cell(value.isoformat(), DATE)
    if isinstance(value, time):
        return Cell(value.isoformat("minutes"), DATE)
    if isinstance(value, timedelta):
        minutes = int(value.total_seconds() // 60)
        return Cell(f"{minutes // 60:02}:{minutes % 60:02}", DATE)
    return Cell(plain(str(value)))


_TAG = r"(?:\w+:)?"
_SHEET = re.compile(rf"<{_TAG}sheet\s([^>]*)>")
_RELATION = re.compile(rf"<{_TAG}Relationship\s([^>]*)>")
_ATTRIBUTE = re.compile(r"([\w:]+)\s*=\s*[\"']([^\"']*)[\"']")
_CELL = re.compile(rf"<{_TAG}c\s([^>]*)(?<!/)>(.*?)</{_TAG}c>", re.DOTALL)
_FORMULA = re.compile(rf"<{_TAG}f(?:\s[^>]*)?(?:/>|>(.*?)</{_TAG}f>)", re.DOTALL)
_VALUE = re.compile(rf"<{_TAG}v(?:\s[^>]*)?>(.*?)</{_TAG}v>", re.DOTALL)


def _unvalued(data: bytes) -> dict[str, dict[tuple[int, int], str]]:
    """Cells that the library reads as empty: formulas without a stored value, and errors, by sheet and place from 0."""
    if not data.startswith(_ZIP):
        return {}
    hit: dict[str, dict[tuple[int, int], str]] = {}
    targets = {}
    for relation in _RELATION.finditer(_part(data, "xl/_rels/workbook.xml.rels").decode("utf-8", "replace")):
        values = dict(_ATTRIBUTE.findall(relation[1]))
        targets[values.get("Id", "")] = values.get("Target", "")
    for sheet in _SHEET.finditer(_part(data, "xl/workbook.xml").decode("utf-8", "replace")):
        values = dict(_ATTRIBUTE.findall(sheet[1]))
        target = targets.get(values.get("r:id", ""), "")
        path = target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
        cells = hit.setdefault(html.unescape(values.get("name", "")), {})
        for cell in _CELL.finditer(_part(data, path).decode("utf-8", "replace")):
            about = dict(_ATTRIBUTE.findall(cell[1]))
            formula, value = _FORMULA.search(cell[2]), _VALUE.search(cell[2])
            place = re.fullmatch(r"([A-Z]{1,3})(\d{1,7})", about.get("r", ""))
            if place is None or (about.get("t") != "e" and (formula is None or (value and value[1].strip()))):
                continue
            shown = value[1] if value and value[1].strip() else "=" + ((formula[1] if formula else "") or "…")
            cells[int(place[2]) - 1, _column(place[1])] = html.unescape(shown)
    return hit


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1


def main() -> None:
    """Read standard input, within bounds, and write `{"book": …}` or `{"refused": code}`."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        answer: dict[str, Any] = {"book": pack(read(sys.stdin.buffer.read()))}
    except Unreadable as unreadable:
        answer = {"refused": unreadable.code}
    except MemoryError:
        answer = {"refused": "bomb"}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
