"""Where the list is in a workbook: its sheet, its row of titles, and what each column holds."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from clubs.bring_in import names, values, words
from clubs.bring_in.lines import MATCHDAY, is_open, match_line, score_pair, time_of_fixture
from clubs.bring_in.workbook import DATE, NUMBER, Cell, Sheet, Workbook

LEAVE_OUT = "leave_out"
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
        if words.folded(title) in by_letter and _share(contents[at], _is_number) > 0.6:
            kinds[at] = f"{by_letter[words.folded(title)]}_score"
    by_contents = _by_contents_of_members if what == "members" else _by_contents_of_matches if what != "table" else None
    if by_contents is not None:
        kinds = by_contents(kinds, contents, bool(heading is not None))
    elif "name" not in kinds:
        kinds = _by_contents_of_places(kinds, contents)
    if what == "table":
        kinds = _places_beside(kinds, titles, contents)
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


def _is_number(cell: Cell) -> bool:
    return values.number(cell) is not None


def _is_day(cell: Cell) -> bool:
    return values.day_in_any_year(cell).day is not None and score_pair(cell.text) is None


def _is_score(cell: Cell) -> bool:
    return score_pair(cell.text) is not None or is_open(cell.text)


def _share(cells: Sequence[Cell], test: Callable[[Cell], object]) -> float:
    return sum(bool(test(cell)) for cell in cells) / len(cells) if cells else 0.0


def _is_name(cell: Cell) -> bool:
    hit = names.read(cell.text)
    return hit.kind == names.SEVERAL or (
        hit.kind == names.ALONE and (len(hit.full_name.split()) > 1 or words.folded(hit.full_name) in words.GIVEN)
    )


def _is_full_name(cell: Cell) -> bool:
    hit = names.read(cell.text)
    return hit.kind == names.ALONE and names.is_full(hit.full_name)


def _is_word(cell: Cell) -> bool:
    return (
        len(cell.text.split()) == 1
        and cell.text[:1].isalpha()
        and cell.text.replace("-", "").replace("'", "").isalpha()
    )


def _by_contents_of_members(kinds: list[str], contents: Sequence[Sequence[Cell]], has_titles: bool) -> list[str]:
    """The kinds of columns, those by title corrected where their cells say something else."""
    kinds = list(kinds)
    for at in _lines(kinds, contents):
        kinds[at] = "name"
    for at, cells in enumerate(contents):
        emails = _share(cells, lambda cell: values.emails(cell.text))
        if kinds[at] != "email" and emails > 0.5 and kinds[at] not in ("name",):
            kinds[at] = "email"
        elif (
            kinds[at] in ("first_name", "last_name", "name")
            and cells
            and _share(cells, lambda cell: cell.kind == NUMBER or cell.text.isdecimal()) > 0.6
        ):
            kinds[at] = "number"
        elif (kinds[at] == "number" and _share(cells, values.is_phone) > 0.6 and len(cells[0].text) > 5) or (
            not kinds[at]
            and _share(cells, lambda cell: values.is_phone(cell) or words.is_none(cell.text)) > 0.6
            and any(map(values.is_phone, cells))
        ):
            kinds[at] = "phone"
        elif not kinds[at] and _share(cells, lambda cell: words.is_role(cell.text)) > 0.5:
            kinds[at] = "role"
        elif not kinds[at] and emails > 0.2:
            kinds[at] = "email"
        elif not kinds[at] and _share(cells, lambda cell: words.is_address(cell.text)) > 0.5:
            kinds[at] = "address"
    if "first_name" in kinds and "name" in kinds and "last_name" not in kinds:
        name = kinds.index("name")
        if _share(contents[name], _is_word) >= 0.5:
            kinds[name] = "last_name"
    if not {"name", "first_name", "last_name"} & set(kinds):
        _find_names(kinds, contents)
    elif "last_name" in kinds and not {"name", "first_name"} & set(kinds):
        firsts = [at for at, cells in enumerate(contents) if not kinds[at] and _share(cells, _are_given) >= 0.5]
        if firsts:
            kinds[firsts[0]] = "first_name"
    return kinds


def _are_given(cell: Cell) -> bool:
    """Whether a cell has one or several first names and nothing else."""
    tokens = words.folded(re.sub(r"\band\b|\bund\b", " ", cell.text)).split()
    return bool(tokens) and all(token in words.GIVEN for token in tokens)


def _lines(kinds: Sequence[str], contents: Sequence[Sequence[Cell]]) -> list[int]:
    """The columns whose cells say all about a person: the name beside an email address or a phone number."""
    if {"name", "first_name", "last_name"} & set(kinds):
        return []
    columns = []
    for at, cells in enumerate(contents):
        hits = [names.read(cell.text) for cell in cells]
        with_contacts = [hit for hit in hits if hit.emails or hit.phones]
        people = sum(hit.kind in (names.ALONE, names.SEVERAL) for hit in with_contacts)
        beside = sum(hit.kind != names.NOTHING for hit in with_contacts)
        if kinds[at] in ("", "email", "phone", LEAVE_OUT) and 2 * people > beside >= len(with_contacts) / 2 > 0:
            columns.append(at)
    return columns


def _find_names(kinds: list[str], contents: Sequence[Sequence[Cell]]) -> None:
    """Find the columns of names by their contents: one of full names, or two of single words."""
    free = [at for at, kind in enumerate(kinds) if kind in ("", LEAVE_OUT, "note") and contents[at]]
    scores = {at: _share(contents[at], _is_name) * len(contents[at]) for at in free}
    best = max(free, key=lambda at: (scores[at], -at), default=None)
    words_in = [at for at in free if _share(contents[at], _is_word) > 0.8]
    if best is not None and best not in words_in and scores[best] > 0.3 * len(contents[best]):
        for at in free:
            if at == best or _share(contents[at], _is_full_name) > 0.7:
                kinds[at] = "name"
        return
    for left, right in pairwise(words_in):
        if right == left + 1:
            shares = [_share(contents[at], lambda cell: words.folded(cell.text) in words.GIVEN) for at in (left, right)]
            first_last = shares[0] >= shares[1]
            kinds[left], kinds[right] = ("first_name", "last_name") if first_last else ("last_name", "first_name")
            return
    if best is None:
        best = max((at for at, cells in enumerate(contents) if cells and not kinds[at]), default=None)
    if best is not None:
        kinds[best] = "name"


def _by_contents_of_matches(kinds: list[str], contents: Sequence[Sequence[Cell]], has_titles: bool) -> list[str]:
    kinds = list(kinds)
    for at, cells in enumerate(contents):
        if (
            not kinds[at]
            and "time" not in kinds
            and _share(cells, lambda cell: time_of_fixture(cell.text) == cell.text) > 0.8
        ):
            kinds[at] = "time"
        elif (
            not kinds[at]
            and "matchday" not in kinds
            and _share(cells, lambda cell: MATCHDAY.fullmatch(cell.text)) > 0.6
        ):
            kinds[at] = "matchday"
    if "points" in kinds:
        kinds[kinds.index("points")] = "score"
    dates = [at for at, kind in enumerate(kinds) if kind == "date"]
    if len(dates) > 1:
        for at in dates:
            if not any(map(_is_day, contents[at])) and any(
                _is_day(cell) for other in dates for cell in contents[other]
            ):
                kinds[at] = LEAVE_OUT
    if {"home", "away"} <= set(kinds) or "match" in kinds:
        scores = [at for at, kind in enumerate(kinds) if kind == "score"]
        scores += [
            at + 1
            for at in scores[:1]
            if at + 1 < len(kinds) and not kinds[at + 1] and contents[at + 1] and _share(contents[at], _is_number) > 0.4
        ]
        if len(scores) == 2:
            kinds[scores[0]], kinds[scores[1]] = "home_score", "away_score"
        _scores_beside(kinds, contents)
        return kinds
    for at, cells in enumerate(contents):
        if not kinds[at] and _share(cells, _is_day) > 0.6:
            kinds[at] = "date"
        elif not kinds[at] and _share(cells, lambda cell: match_line(cell.text) is not None) > (
            0.5 if sum(map(bool, contents)) > 1 else 0.3
        ):
            kinds[at] = "match"
        elif not kinds[at] and _share(cells, _is_score) > 0.5:
            kinds[at] = "score"
    if "match" not in kinds:
        texts = [
            at
            for at, cells in enumerate(contents)
            if not kinds[at] and _share(cells, lambda cell: any(map(str.isalpha, cell.text)) and cell.kind == "t") > 0.7
        ]
        texts = sorted(sorted(texts, key=lambda at: -len({cell.text for cell in contents[at]}))[:2])
        if len(texts) == 2:
            kinds[texts[0]], kinds[texts[1]] = "home", "away"
    _scores_beside(kinds, contents)
    return kinds


def _scores_beside(kinds: list[str], contents: Sequence[Sequence[Cell]]) -> None:
    """Columns of numbers that have no title are the scores, if none have it."""
    if {"score", "home_score", "away_score"} & set(kinds):
        return
    numbers = [at for at, cells in enumerate(contents) if not kinds[at] and cells and _share(cells, _is_number) > 0.6]
    if len(numbers) >= 2:
        kinds[numbers[-2]], kinds[numbers[-1]] = "home_score", "away_score"
        return
    for at, cells in enumerate(contents):
        if not kinds[at] and _share(cells, _is_score) > 0.5:
            kinds[at] = "score"
            return


def _by_contents_of_places(kinds: list[str], contents: Sequence[Sequence[Cell]]) -> list[str]:
    kinds = list(kinds)
    free = [at for at, kind in enumerate(kinds) if kind in ("", LEAVE_OUT) and contents[at]]
    texts = [at for at in free if _share(contents[at], lambda cell: any(map(str.isalpha, cell.text))) > 0.6]
    if texts:
        kinds[max(texts, key=lambda at: (len(contents[at]), -at))] = "name"
    numbers = [at for at in free if _share(contents[at], _is_number) > 0.6]
    if numbers and not any(kinds):
        return kinds
    if "place" not in kinds and numbers and [values.number(cell) for cell in contents[numbers[0]][:2]] == [1, 2]:
        kinds[numbers.pop(0)] = "place"
    if not {"played", "won", "points"} & set(kinds) and numbers:
        kinds[numbers[-1]] = "points"
        for at, holds in zip(numbers[:-1], ("played", "won", "drawn", "lost"), strict=False):
            kinds[at] = holds
    return kinds


def _places_beside(kinds: list[str], titles: Sequence[str], contents: Sequence[Sequence[Cell]]) -> list[str]:
    """Columns of a final table whose titles are a sign or nothing: the places, and the difference."""
    kinds = list(kinds)
    for at, title in enumerate(titles):
        if kinds[at] in ("", LEAVE_OUT) and title.replace(" ", "") in ("+/-", "+/−", "±", "+-") and contents[at]:
            kinds[at] = "difference"
    free = [at for at, kind in enumerate(kinds) if not kind and not titles[at].strip("#.") and contents[at]]
    if "place" not in kinds and free and values.number(contents[free[0]][0]) == 1:
        kinds[free[0]] = "place"
    return kinds
