"""Tables of text: decoded from any usual encoding, and split at the separator that fits most lines."""

import codecs
import csv
import io
import re
import unicodedata
from collections import Counter
from itertools import zip_longest

from charset_normalizer import from_bytes

from clubs.bring_in import encodings, values, words
from clubs.bring_in.workbook import Cell, Sheet, Unreadable, Workbook, check, plain

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_TWICE = re.compile("[ÃÅÄ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€")
_LONE_QUOTE = re.compile(r'(?:(?<=^)|(?<=[\t,;|]))"(?=[\t,;|]|$)', re.MULTILINE)
"""A mark for “the same as above”, which starts no quotation."""
_LIKELY = 0.2
_SEP = re.compile(r"\Asep=(.)\r?\n", re.IGNORECASE)
_LAST_FIRST = re.compile(r"[^,;\t|\d@:]{1,40}, ?[^,;\t|\d@:]{1,40}")
_IN_ANGLES = re.compile(r"@[^<>\s]+>\s*[;,]\s*\S.*@")
_COMMA = "\x1f"
"""Stands for a comma with a space after it, which belongs to the text."""


def decode(data: bytes) -> str:
    """The text of a file. Raises `Unreadable`."""
    if not data.strip():
        raise Unreadable("empty")
    marked = next((name for mark, name in _BOMS if data.startswith(mark)), "")
    try:
        if not marked and b"\0" in data:
            raise UnicodeDecodeError("utf-8", data, 0, 1, "no signs of a text")
        text = _mended(data.decode(marked or "utf-8").removeprefix("\ufeff"))
    except UnicodeDecodeError:
        if marked:
            raise Unreadable("no_text") from None
        text = _guessed(data)
    if "\0" in text:
        raise Unreadable("no_text")
    return text


def _guessed(data: bytes) -> str:
    """The text in the likeliest encoding of European languages, or in what the library finds."""
    encoding = encodings.likeliest(data)
    if encodings.likelihood(data, encoding) < _LIKELY and (hit := from_bytes(data).best()) is not None:
        return str(hit)
    return data.decode(encoding, "replace")


def _mended(text: str) -> str:
    """The text that was meant, where a program took UTF-8 for a Western encoding and saved that: `MÃ¼ller`."""
    if not _TWICE.search(text):
        return text
    try:
        return text.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return text


def split(text: str) -> Workbook:
    """The table of a text, as one sheet without a name. Raises `Unreadable`."""
    text = unicodedata.normalize("NFC", text).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    sep = _SEP.match(text)
    body = text[sep.end() :] if sep else text
    rows = _addresses(body) or _rows(body, sep[1] if sep else _delimiter(body))
    if sep:
        rows.insert(0, [])
    return check(Workbook((Sheet("", tuple(_trimmed(row) for row in rows)),)))


def _addresses(text: str) -> list[list[str]]:
    """Each address of a list from the head of an email, `Tom Hale <tom@example.org>; Ann…`, in a row; none of other
    texts."""
    lines = [line for line in text.split("\n") if line.strip()]
    with_addresses = [line for line in lines if "@" in line and "\t" not in line]
    if not any(_IN_ANGLES.search(line) for line in lines) or len(with_addresses) * 5 < len(lines) * 3:
        return []
    rows = []
    for line in text.split("\n"):
        entry = ""
        for part in re.split(r"(?<=[;,])", line):
            entry += part
            if "@" in entry:
                rows.append([entry.strip(" ;,")])
                entry = ""
        if entry.strip(" ;,") or not line.strip():
            rows.append([entry.strip(" ;,")])
    return rows


def _trimmed(row: list[str]) -> tuple[Cell, ...]:
    cells = [Cell(plain(_unguard(text.replace(_COMMA, ", ")))) for text in row]
    while cells and not cells[-1]:
        cells.pop()
    return tuple(cells)


def _unguard(text: str) -> str:
    """Without the apostrophe that stops spreadsheets from calculating."""
    return text[1:] if text[:1] == "'" and text[1:2] in set("=+-@") else text


def _delimiter(text: str) -> str:
    """The separator that splits most lines into the same number of cells; none if they are one column."""
    lines = [line for line in text[:100_000].split("\n") if line.strip()][:300]
    names = [line for line in lines if _LAST_FIRST.fullmatch(line.strip())]
    is_untitled = bool(lines) and not _are_titles(lines[0].split(","))
    if is_untitled and len(names) > 0.6 * len(lines) and not any(sign in text for sign in "\t;|"):
        return ""
    if lines and _is_letter(lines, text):
        return ""
    best, most = "", 0.0
    for sign in ("\t", ";", "|", ",", _COMMA, "  "):
        counts = Counter(len(row) for row in _rows(text[:100_000], sign)[:300] if len(row) > 1)
        alike = max(counts.values(), default=0)
        is_in_titles = sign != "  " and sign.replace(_COMMA, ",") in lines[0] if lines else False
        if alike < (0.2 if is_in_titles or sign == "\t" else 0.5) * len(lines):
            continue
        if alike > most:
            best, most = sign, alike
    return best


def _is_letter(lines: list[str], text: str) -> bool:
    """Whether commas are those of sentences, names and addresses: a space follows each, and the lines have them as they
    like."""
    if any(sign in text for sign in "\t;|") or re.search(r",(?=[^\s])", text) or "," not in text:
        return False
    counts = Counter(line.count(", ") for line in lines)
    is_ragged = max(counts.values()) < 0.8 * len(lines)
    if is_ragged and any("," not in line for line in lines):
        return True
    contacts = [[_contact(piece) for piece in line.split(", ")] for line in lines]
    if not any(any(row) for row in contacts) or _are_titles(lines[0].split(", ")):
        return False
    columns = zip_longest(*contacts, fillvalue=None)
    return is_ragged or any(len({kind for kind in column if kind is not None}) > 1 for column in columns)


def _contact(piece: str) -> str | None:
    """Whether a piece of a line is an email address, a telephone number or something else; `None` if it is empty."""
    if not piece.strip(" ,"):
        return None
    return "email" if values.emails(piece) else "phone" if values.phone_in(piece) else ""


def _are_titles(pieces: list[str]) -> bool:
    return sum(any(words.title_of(piece, what)[1] > 80 for what in words.TITLES) for piece in pieces) > 1


def _rows(text: str, delimiter: str) -> list[list[str]]:
    """The cells of each line; line breaks inside quotes belong to the cell, and count no line of their own."""
    if delimiter == "  ":
        return [re.split(r" {2,}", line.strip()) for line in text.split("\n")]
    if delimiter == _COMMA:
        text, delimiter = text.replace(", ", _COMMA), ","
    if not delimiter:
        return [[line.strip().strip('"')] for line in text.split("\n")]
    if text.count('"') == len(_LONE_QUOTE.findall(text)):
        text = _LONE_QUOTE.sub("〃", text)
    for strict in (True, False):
        try:
            return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=strict))
        except csv.Error:
            continue
    return [line.split(delimiter) for line in text.split("\n")]
