"""Tables as spreadsheets save and copy them: any usual encoding and delimiter, quoted fields, lines told by number.

Nothing here knows what a table is about. `read_table` gives its rows as they are; `columns_of` finds which column is
which by a row of titles, in any order.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from web.errors import Refused

MOST_BYTES = 1_000_000
MOST_ROWS = 5000
DELIMITERS = "\t;,|"
"""Where several would do, the first is taken: a comma may be part of a number, a tab hardly of anything."""
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF")
_SEP = re.compile(r"\Asep=(.)\r?\n", re.IGNORECASE)
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


@dataclass(frozen=True)
class Row:
    """One row that is not empty."""

    line: int
    """The line of the file on which it begins, from 1."""
    cells: tuple[str, ...]
    """Its texts, without spaces around them; a cell in which lines were broken is one line."""

    def cell(self, at: int | None) -> str:
        """The text of a column, by its number from 0; empty where the row is shorter, or there is no such column."""
        return self.cells[at] if at is not None and at < len(self.cells) else ""


@dataclass(frozen=True)
class Table:
    """What was read, and how."""

    rows: tuple[Row, ...]
    encoding: str
    """`utf-8`, `utf-16` or `windows-1252`."""
    delimiter: str


@dataclass(frozen=True)
class Columns:
    """Which column is which."""

    at: Mapping[str, int]
    """Its number from 0, by what it holds."""
    rows: tuple[Row, ...]
    """The rows below the titles."""
    unknown: tuple[str, ...]
    """Titles of columns that nothing is taken from."""
    has_titles: bool

    def cell(self, row: Row, name: str) -> str:
        """What a row holds in the column of this name; empty where there is none."""
        return row.cell(self.at.get(name))


def read_table(data: bytes | str, *, most_rows: int = MOST_ROWS) -> Table:
    """The rows of a table. Raises `Refused` with a sentence, and the `line` where there is one, for what is none."""
    text, encoding = (data.removeprefix("\ufeff"), "utf-8") if isinstance(data, str) else _decoded(data)
    if len(text) > MOST_BYTES:
        raise Refused("too_large", gettext("The file is too large. Split it into several files."))
    said = _SEP.match(checked(text))
    delimiter = said[1] if said and said[1] in DELIMITERS else _delimiter(text)
    rows = _rows(text[said.end() :] if said else text, delimiter, 1 if said else 0, most_rows)
    if not rows:
        raise Refused("empty", gettext("The file is empty."))
    return Table(tuple(rows), encoding, delimiter)


def columns_of(table: Table, titles: Mapping[str, Sequence[str]], default: Sequence[str] = ()) -> Columns:
    """Which column is which, by the first row where that holds titles; else in the order of `default`.

    `titles` are the words that may stand above a column, by what it holds. Capitals, accents and signs do not matter.
    """
    known = {_folded(word): name for name, words in titles.items() for word in (name, *words)}
    first = table.rows[0]
    at: dict[str, int] = {}
    unknown = []
    for number, title in enumerate(first.cells):
        name = known.get(_folded(title))
        if name is None or name in at:
            unknown += [title] if title else []
        else:
            at[name] = number
    if not at:
        return Columns({name: number for number, name in enumerate(default)}, table.rows, (), has_titles=False)
    return Columns(at, table.rows[1:], tuple(unknown), has_titles=True)


def decoded(data: bytes) -> str:
    """The text of a file, in whatever usual encoding it is. Raises `Refused`."""
    return checked(_decoded(data)[0])


def checked(text: str) -> str:
    """The text again. Raises `Refused` where it is none."""
    if "\0" in text:
        raise Refused("no_text", gettext("This is not a table of text. Save it as CSV and import that file."))
    return text


def _folded(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title.casefold())
    return "".join(sign for sign in plain if sign.isalnum())


def _decoded(data: bytes) -> tuple[str, str]:
    if len(data) > MOST_BYTES:
        raise Refused(
            "too_large",
            gettext("The file is too large. The limit is %(size)s kB.") % {"size": MOST_BYTES // 1000},
        )
    if data.startswith(_WORKBOOKS):
        raise Refused("no_text", gettext("This is a workbook or a document. Save it as CSV and import that file."))
    found = next((name for mark, name in _BOMS if data.startswith(mark)), "")
    for encoding in (found,) if found else ("utf-8", "windows-1252"):
        try:
            return data.decode(encoding).removeprefix("\ufeff"), encoding.removesuffix("-sig")
        except UnicodeDecodeError:
            continue
    raise Refused("no_text", gettext("We cannot read the text in this file. Save it as CSV in UTF-8."))


def _delimiter(text: str) -> str:
    """The sign that parts most rows into as many cells as each other."""
    best, most = DELIMITERS[0], 0
    for sign in DELIMITERS:
        counts = Counter(len(cells) for cells in _sample(text, sign) if len(cells) > 1)
        alike = max(counts.values(), default=0)
        if alike > most:
            best, most = sign, alike
    return best


def _sample(text: str, delimiter: str) -> list[list[str]]:
    """The cells of the first rows."""
    found = []
    try:
        for cells in csv.reader(io.StringIO(text[:50_000], newline=""), delimiter=delimiter):
            found.append(cells)
            if len(found) == 200:
                break
    except csv.Error:
        pass
    return found


def _rows(text: str, delimiter: str, before: int, most: int) -> list[Row]:
    """The rows that are not empty; `before` lines of the file lie above the text."""
    strict = not _has_loose_quotes(text, delimiter)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=strict)
    found: list[Row] = []
    line = before + 1
    try:
        for cells in reader:
            plain = tuple(_plain(cell) for cell in cells)
            if any(plain):
                found.append(Row(line, plain))
            if len(found) > most:
                raise Refused("too_many", gettext("Too many rows. The limit is %(most)s.") % {"most": most}, line=line)
            line = before + reader.line_num + 1
    except csv.Error as error:
        is_open = "unexpected end" in str(error)
        sentence = gettext("A closing quotation mark is missing.") if is_open else gettext("A cell is too long.")
        raise Refused(
            "bad_row", gettext("Line %(line)s: %(sentence)s") % {"line": line, "sentence": sentence}, line=line
        ) from None
    return found


def _has_loose_quotes(text: str, delimiter: str) -> bool:
    """Whether quotation marks stand where no strict table has them, as in `"Bud" Lee`."""
    try:
        for _ in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True):
            pass
    except csv.Error as error:
        return "expected after" in str(error)
    return False


def _plain(cell: str) -> str:
    """A cell as it was meant: one line in NFC, without the apostrophe that keeps a spreadsheet from reckoning."""
    text = " ".join(unicodedata.normalize("NFC", cell).split())
    return text[1:] if text[:1] == "'" and text[1:2] in tuple("=+-@") else text
