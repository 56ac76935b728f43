"""Where the list is in a workbook: its sheet, its row of titles, and what each column holds."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clubs.bring_in import column_contents, names, values, words
from clubs.bring_in.column_contents import LEAVE_OUT, is_number, share
from clubs.bring_in.workbook import DATE, NUMBER, Cell, Sheet, Workbook

CROSS = "cross"
"""What the column of a side in a crosstable holds, or that of a matchday in a grid of opponents."""
_DEEPEST = 30
"""Rows from the first that is not empty among which the titles are."""
_SAMPLE = 400
_NEEDED = {
    "members": ("name", "first_name", "last_name"),
    "results": ("home", "away", "match"),
    "fixtures": ("home", "away", "match"),
    "table": ("name",),
}
_MANY = frozenset({"name", "phone", "address", "note", "role", "email", LEAVE_OUT})
"""What several columns of one list may hold; of anything else there is one."""


@dataclass(frozen=True)
class Column:
    """A column of the list."""

    title: str
    holds: str
    """One of the keys of `words.TITLES`."""


@dataclass(frozen=True)
class Layout:
    """Where the list is."""

    sheet: int
    """Number of the sheet in the workbook, from 0."""
    heading: int | None
    """Row of the titles, from 0; `None` without titles."""
    columns: tuple[Column, ...]

    @property
    def first(self) -> int:
        """The first row below the titles, from 0."""
        return 0 if self.heading is None else self.heading + 1

    def of(self, holds: str) -> list[int]:
        """The numbers of the columns that hold this, from 0."""
        return [at for at, column in enumerate(self.columns) if column.holds == holds]


def find(
    book: Workbook,
    what: str,
    *,
    sheet: int | None = None,
    heading: int | None = None,
    has_heading: bool | None = None,
    columns: Sequence[str] | None = None,
    remembered: Mapping[str, str] | None = None,
) -> Layout:
    """The likeliest place of a list of this kind; whatever is given stands.

    `heading` counts with `has_heading=True` only; `remembered` are meanings of titles by their folded text.
    """
    at = sheet if sheet is not None and 0 <= sheet < len(book.sheets) else likeliest(book, what, remembered or {})
    chosen = book.sheets[at]
    if has_heading is None:
        heading = heading_row(chosen, what, remembered or {})
    elif not has_heading or heading is None or heading >= len(chosen.rows):
        heading = None
    guessed = guess_columns(chosen, what, heading, remembered or {})
    if columns is not None:
        allowed = {*words.TITLES[what], LEAVE_OUT}
        guessed = tuple(
            Column(column.title, columns[number]) if number < len(columns) and columns[number] in allowed else column
            for number, column in enumerate(guessed)
        )
    return Layout(at, heading, guessed)


def likeliest(book: Workbook, what: str, remembered: Mapping[str, str]) -> int:
    """The number of the sheet that most likely has the list; a hidden one only if all others are empty."""
    visible = [at for at, sheet in enumerate(book.sheets) if not sheet.is_hidden and sheet.filled]
    shown = visible or [at for at, sheet in enumerate(book.sheets) if sheet.filled] or [0]
    return max(shown, key=lambda at: (_likelihood(book.sheets[at], what, remembered), -at))


def _likelihood(sheet: Sheet, what: str, remembered: Mapping[str, str]) -> float:
    heading = heading_row(sheet, what, remembered)
    columns = guess_columns(sheet, what, heading, remembered)
    held = {column.holds for column in columns} - {LEAVE_OUT}
    start = 0 if heading is None else heading + 1
    rows = [row for row in sheet.rows[start:] if any(row)]
    needed = [at for at, column in enumerate(columns) if column.holds in _NEEDED[what]]
    fitting = sum(any(_fits(row[at], what) for at in needed if at < len(row)) for row in rows)
    score = math.sqrt(fitting) * (1 + len(held)) * (1.0 if heading is None else 1.5)
    if what in ("results", "fixtures") and not _is_list_of_matches(held):
        score *= 0.1
    if what == "results" and not {"score", "home_score"} & held:
        score *= 0.5
    name = words.folded(sheet.name)
    if any(word in name for word in words.SHEET_NAMES[what].split()):
        score *= 2
    if any(word in name.split() or word + "s" in name.split() for word in words.OTHER_SHEETS.split()):
        score *= 0.4
    return score


def _is_list_of_matches(held: set[str]) -> bool:
    return {"home", "away"} <= held or "match" in held


def _fits(cell: Cell, what: str) -> bool:
    if what == "members":
        return names.read(cell.text).kind in (names.ALONE, names.SEVERAL)
    return any(sign.isalpha() for sign in cell.text) and not words.is_total(cell.text)


# The titles


def heading_row(sheet: Sheet, what: str, remembered: Mapping[str, str]) -> int | None:
    """The row of the titles, from 0; `None` if the list starts at once."""
    best, most = None, 0.0
    filled = 0
    for at, row in enumerate(sheet.rows):
        if not any(row):
            continue
        filled += 1
        if filled > _DEEPEST:
            break
        score = _title_score(row, what, remembered, _by_letter(sheet, at, what))
        if score > most:
            best, most = at, score
    return best if best is not None else _heading_by_contents(sheet)


_LETTERS = {"h": "home", "a": "away"}


def _by_letter(sheet: Sheet, heading: int | None, what: str) -> dict[str, str]:
    """What `H` and `A` hold as titles; nothing where sides of the list are called by letters."""
    if heading is None or what not in ("results", "fixtures"):
        return {}
    titles = [words.folded(cell.text) for cell in sheet.rows[heading]]
    others = {words.folded(cell.text) for row in sheet.rows if row != sheet.rows[heading] for cell in row if cell}
    has_sides = any(len(text) == 1 and text.isalpha() for text in others)
    return _LETTERS if {*_LETTERS} <= {*titles} and not has_sides else {}


def _title_score(row: Sequence[Cell], what: str, remembered: Mapping[str, str], by_letter: Mapping[str, str]) -> float:
    """How likely a row has the titles of a list; 0 if it does not."""
    cells = [cell for cell in row if cell]
    if any(cell.kind == DATE for cell in cells) or any(values.emails(cell.text) for cell in cells):
        return 0
    hit = [_meaning(cell.text, what, remembered, by_letter) for cell in cells]
    sure = [(holds, score) for holds, score in hit if score]
    held = {holds for holds, _ in sure if holds != LEAVE_OUT}
    if not held or len(sure) * 5 < len(cells) * 2:
        return 0
    needed = bool(held & set(_NEEDED[what])) or bool({"home", "away"} & held)
    if not needed and len(held) < 2:
        return 0
    return sum(score for _, score in sure) / 100 + len(held) + (2 if needed else 0) - 0.5 * (len(cells) - len(sure))


def meaning(title: str, what: str, remembered: Mapping[str, str]) -> tuple[str, int]:
    """What a column of this title holds, and how sure that is from 0 to 100; empty if the title is unknown."""
    known = remembered.get(words.folded(title), "")
    if known in words.TITLES[what]:
        return known, 100
    return words.title_of(title, what)


def _meaning(title: str, what: str, remembered: Mapping[str, str], by_letter: Mapping[str, str]) -> tuple[str, int]:
    hit = meaning(title, what, remembered)
    return hit if hit[0] else (by_letter.get(words.folded(title), ""), 100 if words.folded(title) in by_letter else 0)


def _heading_by_contents(sheet: Sheet) -> int | None:
    """A first row of words, over columns of addresses, telephone numbers, dates or numbers."""
    filled = [at for at, row in enumerate(sheet.rows) if any(row)][:_DEEPEST]
    for number, at in enumerate(filled[:8]):
        row = sheet.rows[at]
        if sum(bool(cell) for cell in row) < 2 or any(_type_of(cell) != "words" for cell in row if cell):
            continue
        below = [sheet.rows[under] for under in filled[number + 1 :]]
        typed = 0
        for column, cell in enumerate(row):
            kinds = [_type_of(under[column]) for under in below if column < len(under) and under[column]]
            typed += bool(cell) and bool(kinds) and sum(kind != "words" for kind in kinds) > 0.6 * len(kinds)
        if typed:
            return at
    return None


def _type_of(cell: Cell) -> str:
    if cell.kind in (NUMBER, DATE):
        return cell.kind
    if values.emails(cell.text):
        return "email"
    if values.is_phone(cell):
        return "phone"
    return "words" if any(sign.isalpha() for sign in cell.text) else "signs"


# The columns


def guess_columns(sheet: Sheet, what: str, heading: int | None, remembered: Mapping[str, str]) -> tuple[Column, ...]:
    """What each column holds, by its title and by its contents."""
    start = 0 if heading is None else heading + 1
    rows = [row for row in sheet.rows[start : start + _SAMPLE * 2] if any(row)][:_SAMPLE]
    width = max([len(row) for row in rows] + ([len(sheet.rows[heading])] if heading is not None else [0]))
    titles = [_title(sheet, heading, at) for at in range(width)]
    by_letter = _by_letter(sheet, heading, what)
    hit = [_meaning(title, what, remembered, by_letter) if title else ("", 0) for title in titles]
    contents = [[row[at] for row in rows if at < len(row) and row[at]] for at in range(width)]
    kinds = [holds for holds, _ in hit]
    for at, title in enumerate(titles):  # H and A are the scores where numbers stand below
        if words.folded(title) in by_letter and share(contents[at], is_number) > 0.6:
            kinds[at] = f"{by_letter[words.folded(title)]}_score"
    if what == "members":
        kinds = column_contents.of_members(kinds, contents)
    elif what != "table":
        kinds = column_contents.of_matches(kinds, contents)
    else:
        kinds = kinds if "name" in kinds else column_contents.of_places(kinds, contents)
        kinds = column_contents.places_beside(kinds, titles, contents)
    for part in blocks(kinds) if what == "members" else [range(width)]:
        kinds[part.start : part.stop] = _once(kinds[part.start : part.stop], hit[part.start : part.stop])
    return tuple(Column(title, holds or LEAVE_OUT) for title, holds in zip(titles, kinds, strict=True))


def blocks(kinds: Sequence[str]) -> list[range]:
    """The columns of each block of a list that goes on beside itself: name, phone, name, phone; one if it does not."""
    filled = [at for at, kind in enumerate(kinds) if kind not in ("", LEAVE_OUT)]
    if not filled:
        return [range(len(kinds))]
    starts = [at for at in filled if kinds[at] == kinds[filled[0]]]
    ends = [*starts[1:], len(kinds)]
    parts = [[kinds[at] for at in filled if start <= at < end] for start, end in zip(starts, ends, strict=True)]
    first = parts[0]
    is_alike = all(part == first for part in parts[:-1]) and parts[-1][: len(first)] == first
    if len(parts) < 2 or len(set(first)) < 2 or not set(_NEEDED["members"]) & set(first) or not is_alike:
        return [range(len(kinds))]
    return [range(start, end) for start, end in zip([0, *starts[1:]], ends, strict=True)]


def _title(sheet: Sheet, heading: int | None, column: int) -> str:
    if heading is None:
        return ""
    title = sheet.cell(heading, column).text
    if not title:
        for top, left, bottom, right in sheet.merged:
            if top <= heading <= bottom and left <= column <= right:
                title = sheet.cell(top, left).text
    return " ".join(title.split())


def _once(kinds: list[str], hit: Sequence[tuple[str, int]]) -> list[str]:
    """At most one column of each kind of which there is one: the surest, then the first."""
    unique = list(kinds)
    for holds in {kind for kind in kinds if kind and kind not in _MANY}:
        columns = [at for at, kind in enumerate(kinds) if kind == holds]
        best = max(columns, key=lambda at: (hit[at][1] if hit[at][0] == holds else 0, -at))
        for at in columns:
            unique[at] = holds if at == best else LEAVE_OUT
    return unique
