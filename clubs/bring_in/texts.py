"""Tables of text: decoded from any usual encoding, and split at the separator that fits most lines."""

import codecs
import csv
import io
import re
import unicodedata
from collections import Counter

from charset_normalizer import from_bytes

from clubs.bring_in.workbook import Cell, Sheet, Unreadable, Workbook, check, plain

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WESTERN = ("cp1252", "cp1250", "mac_roman", "cp850", "cp437")
"""One-byte encodings of spreadsheets, the commonest first; equals go to the first."""
_USUAL = set("äöüßàâæçéèêëîïôœùûÿñáíóúåøãõìòýşğłńśźżćęąčďěňřšťůžőű") | set("’‘“”„–—…€£§°·•´×«»½¡¿")
_SEP = re.compile(r"\Asep=(.)\r?\n", re.IGNORECASE)
_LAST_FIRST = re.compile(r"[^,;\t|\d@:]{1,40}, ?[^,;\t|\d@:]{1,40}")
_COMMA = "\x1f"
"""Stands for a comma with a space after it, which belongs to the text."""


def decode(data: bytes) -> str:
    """The text of a file. Raises `Unreadable`."""
    if not data.strip():
        raise Unreadable("empty")
    encoding = next((name for mark, name in _BOMS if data.startswith(mark)), "") or _unmarked_utf16(data)
    try:
        text = data.decode(encoding or "utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError:
        if encoding:
            raise Unreadable("no_text") from None
        text = _guess(data)
    if "\0" in text:
        raise Unreadable("no_text")
    return text


def _unmarked_utf16(data: bytes) -> str:
    head = data[:2000]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if max(even, odd) * 4 < len(head):
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def _guess(data: bytes) -> str:
    """The text in the Western encoding whose signs are the likeliest, or in what the library finds."""
    scores = {name: _likely(data.decode(name, "replace")) for name in _WESTERN}
    best = max(_WESTERN, key=lambda name: scores[name])
    if scores[best] < 0.8:
        hit = from_bytes(data).best()
        if hit is not None:
            return str(hit)
    return data.decode(best, "replace")


def _likely(text: str) -> float:
    """The part of the signs outside ASCII that people use, from 0 to 1."""
    signs = [(before, sign) for before, sign in zip(" " + text, text, strict=False) if sign > "\x7f"]
    usual = sum(sign.lower() in _USUAL and not (sign.isupper() and before.islower()) for before, sign in signs)
    return usual / len(signs) if signs else 1.0


def split(text: str) -> Workbook:
    """The table of a text, as one sheet without a name. Raises `Unreadable`."""
    text = unicodedata.normalize("NFC", text).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    sep = _SEP.match(text)
    body = text[sep.end() :] if sep else text
    rows = _rows(body, sep[1] if sep else _delimiter(body))
    if sep:
        rows.insert(0, [])
    return check(Workbook((Sheet("", tuple(_trimmed(row) for row in rows)),)))


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
    if lines and len(names) > 0.6 * len(lines) and not any(sign in text for sign in "\t;|"):
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
    """Whether commas are those of sentences and names: a space follows each, and the lines have them as they like."""
    if any(sign in text for sign in "\t;|") or re.search(r",(?=[^\s])", text) or "," not in text:
        return False
    counts = Counter(line.count(", ") for line in lines)
    return max(counts.values()) < 0.8 * len(lines) and any("," not in line for line in lines)


def _rows(text: str, delimiter: str) -> list[list[str]]:
    """The cells of each line; line breaks inside quotes belong to the cell, and count no line of their own."""
    if delimiter == "  ":
        return [re.split(r" {2,}", line.strip()) for line in text.split("\n")]
    if delimiter == _COMMA:
        text, delimiter = text.replace(", ", _COMMA), ","
    if not delimiter:
        return [[line.strip().strip('"')] for line in text.split("\n")]
    for strict in (True, False):
        try:
            return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=strict))
        except csv.Error:
            continue
    return [line.split(delimiter) for line in text.split("\n")]
