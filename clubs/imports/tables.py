"""Tables as spreadsheets save and copy them: any usual encoding and delimiter, quoted fields, numbered lines.

Nothing here depends on the contents. `read_table` returns the rows as they are; `columns_of` finds the columns by a row
of titles, in any order.
"""

import codecs
import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from web import csv_cells
from web.errors import Refused

MOST_BYTES = 1_000_000
MOST_SENT = 4_000_000
"""Bytes of a request with a table, as a file, in a form or in JSON."""
MOST_ROWS = 5000
DELIMITERS = "\t;,|"
"""In order of preference: a comma may be part of a number, a tab hardly of anything."""
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF")
_SEP = re.compile(r"\Asep=(.)\r?\n", re.IGNORECASE)
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


@dataclass(frozen=True)
class Row:
    """A row that is not empty."""

    line: int
    """The line of the file on which it starts, from 1."""
    cells: tuple[str, ...]
    """Its texts, without spaces around them and line breaks in them."""

    def cell(self, at: int | None) -> str:
        """The text of a column, by its number from 0; empty if the row is shorter, or there is no such column."""
        return self.cells[at] if at is not None and at < len(self.cells) else ""


@dataclass(frozen=True)
class Table:
    """A table and its format."""

    rows: tuple[Row, ...]
    encoding: str
    """`utf-8`, `utf-16` or `windows-1252`."""
    delimiter: str


@dataclass(frozen=True)
class Columns:
    """Columns by their contents."""

    at: Mapping[str, int]
    """Numbers from 0, by contents."""
    rows: tuple[Row, ...]
    """The rows below the titles."""
    unknown: tuple[str, ...]
    """Titles of unused columns."""
    has_titles: bool

    def cell(self, row: Row, name: str) -> str:
        """The text of a row in the column of this name; empty if there is none."""
        return row.cell(self.at.get(name))


def read_table(data: bytes | str, *, most_rows: int = MOST_ROWS) -> Table:
    """Read the rows of a table. Raises `Refused` with a sentence, and the `line` if there is one."""
    text, encoding = (data.removeprefix("\ufeff"), "utf-8") if isinstance(data, str) else _decode(data)
    if len(text) > MOST_BYTES:
        raise Refused("too_large", gettext("The file is too large. Split it into several files."))
    sep = _SEP.match(check_text(text))
    delimiter = sep[1] if sep and sep[1] in DELIMITERS else _delimiter(text)
    rows = _rows(text[sep.end() :] if sep else text, delimiter, 1 if sep else 0, most_rows)
    if not rows:
        raise Refused("empty", gettext("The file is empty."))
    return Table(tuple(rows), encoding, delimiter)


def columns_of(table: Table, titles: Mapping[str, Sequence[str]], default: Sequence[str] = ()) -> Columns:
    """Find the columns by the titles in the first row; without titles, in the order of `default`.

    `titles` are possible titles by contents. Case, accents and signs do not matter.
    """
    name_of = {_folded(word): name for name, words in titles.items() for word in (name, *words)}
    first = table.rows[0]
    at: dict[str, int] = {}
    unknown = []
    for number, title in enumerate(first.cells):
        name = name_of.get(_folded(title))
        if name is None or name in at:
            unknown += [title] if title else []
        else:
            at[name] = number
    if not at:
        return Columns({name: number for number, name in enumerate(default)}, table.rows, (), has_titles=False)
    return Columns(at, table.rows[1:], tuple(unknown), has_titles=True)


def decode(data: bytes) -> str:
    """The text of a file in any usual encoding. Raises `Refused`."""
    return check_text(_decode(data)[0])


def check_text(text: str) -> str:
    """Return the text. Raises `Refused` if it is not text."""
    if "\0" in text:
        raise Refused("no_text", gettext("This is not a table of text. Save it as CSV and import that file."))
    return text


def _folded(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title.casefold())
    return "".join(sign for sign in plain if sign.isalnum())


def _decode(data: bytes) -> tuple[str, str]:
    if len(data) > MOST_BYTES:
        raise Refused(
            "too_large", gettext("The file is too large. The limit is %(size)s kB.") % {"size": MOST_BYTES // 1000}
        )
    if data.startswith(_WORKBOOKS):
        raise Refused("no_text", gettext("This is a workbook or a document. Save it as CSV and import that file."))
    bom = next((name for mark, name in _BOMS if data.startswith(mark)), "")
    for encoding in (bom,) if bom else ("utf-8", "windows-1252"):
        try:
            return data.decode(encoding).removeprefix("\ufeff"), encoding.removesuffix("-sig")
        except UnicodeDecodeError:
            continue
    raise Refused("no_text", gettext("We cannot read the text in this file. Save it as CSV in UTF-8."))


def _delimiter(text: str) -> str:
    """The delimiter that splits most rows into the same number of cells."""
    best, most = DELIMITERS[0], 0
    for sign in DELIMITERS:
        counts = Counter(len(cells) for cells in _sample(text, sign) if len(cells) > 1)
        alike = max(counts.values(), default=0)
        if alike > most:
            best, most = sign, alike
    return best


def _sample(text: str, delimiter: str) -> list[list[str]]:
    """The cells of the first rows."""
    rows = []
    try:
        for cells in csv.reader(io.StringIO(text[:50_000], newline=""), delimiter=delimiter):
            rows.append(cells)
            if len(rows) == 200:
                break
    except csv.Error:
        pass
    return rows


def _rows(text: str, delimiter: str, before: int, most: int) -> list[Row]:
    """The rows that are not empty; `before` lines of the file are above the text."""
    strict = not _has_loose_quotes(text, delimiter)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=strict)
    rows: list[Row] = []
    line = before + 1
    try:
        for cells in reader:
            plain = tuple(_plain(cell) for cell in cells)
            if any(plain):
                rows.append(Row(line, plain))
            if len(rows) > most:
                raise Refused("too_many", gettext("Too many rows. The limit is %(most)s.") % {"most": most}, line=line)
            line = before + reader.line_num + 1
    except csv.Error as error:
        is_open = "unexpected end" in str(error)
        sentence = gettext("A closing quotation mark is missing.") if is_open else gettext("A cell is too long.")
        raise Refused(
            "bad_row", gettext("Line %(line)s: %(sentence)s") % {"line": line, "sentence": sentence}, line=line
        ) from None
    return rows


def _has_loose_quotes(text: str, delimiter: str) -> bool:
    """Whether there are quotation marks that no strict table has, as in `"Bud" Lee`."""
    try:
        for _ in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True):
            pass
    except csv.Error as error:
        return "expected after" in str(error)
    return False


def _plain(cell: str) -> str:
    """A cell as meant: one line in NFC, without the apostrophe that stops spreadsheets from calculating."""
    text = " ".join(unicodedata.normalize("NFC", cell).split())
    return csv_cells.unguard(text)
