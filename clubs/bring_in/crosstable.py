"""Crosstables: a row and a column for each side, and in their cell what the two played."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from django.utils.formats import date_format
from django.utils.translation import gettext

from clubs.bring_in import lines, values, words
from clubs.bring_in.column_contents import LEAVE_OUT
from clubs.bring_in.layout import CROSS, Column, Layout
from clubs.bring_in.lines import score_pair
from clubs.bring_in.match_reader import MatchReader
from clubs.bring_in.reading import FIXTURES, ONE, RESULTS, TWO, Context, Desk, Match
from clubs.bring_in.side_names import name_on_line, side_key
from clubs.bring_in.workbook import DATE, FORMULA, NUMBER, Cell, Sheet

_DEEPEST = 30
_LEAST = 3
"""Sides of a crosstable; two sides are a list."""
_DIAGONAL = {"x", "xx", "xxx", "*", "**", "***", "-", "--", "—", "–", "#", "\\", "/", "=", ".", "o", "■", "█", "n/a"}


@dataclass(frozen=True)
class Grid:
    """Where the crosstable of a sheet is."""

    heading: int
    """The row of the titles, from 0."""
    names: int
    """The column of the sides."""
    rows: tuple[int, ...]
    """The rows of the sides."""
    columns: tuple[int, ...]
    """The column of each side, in the order of the rows; -1 without one. In a grid of opponents those of the matchdays."""
    has_opponents: bool = False
    """Whether the cells say whom the side of the row plays."""


def find(sheet: Sheet, what: str) -> Grid | None:
    """The crosstable of a sheet; `None` if it has none. That of fixtures may have days only."""
    filled = [at for at, row in enumerate(sheet.rows) if any(row)][:_DEEPEST]
    for heading in filled:
        if sum(bool(cell) for cell in sheet.rows[heading]) < _LEAST:
            continue
        left = next(
            at for at in range(sheet.width) if any(sheet.cell(row, at) for row in range(heading, len(sheet.rows)))
        )
        for names in range(left, min(left + 3, len(sheet.rows[heading]))):
            grid = _grid(sheet, heading, names, what)
            if grid is not None:
                return grid
    return None


def rows_of_sides(sheet: Sheet, heading: int, names: int, *, most: int) -> list[int] | None:
    """The rows with a name below the titles, up to a row without one; `None` if there are more than `most`."""
    rows: list[int] = []
    for row in range(heading + 1, len(sheet.rows)):
        name = sheet.cell(row, names)
        if name and any(map(str.isalpha, name.text)) and not words.is_total(name.text):
            rows.append(row)
        elif rows:
            break
        if len(rows) > most:
            return None
    return rows


def _grid(sheet: Sheet, heading: int, names: int, what: str) -> Grid | None:
    titles = {at: " ".join(cell.text.split()) for at, cell in enumerate(sheet.rows[heading]) if at > names and cell}
    rows = rows_of_sides(sheet, heading, names, most=2 * len(titles))
    if rows is None:
        return None
    columns = [_column_of(sheet, row, number, names, titles) for number, row in enumerate(rows, 1)]
    while rows and columns[-1] < 0 and sum(map(bool, sheet.rows[rows[-1]])) == 1:
        rows, columns = rows[:-1], columns[:-1]
    if not _LEAST <= len(rows) <= len(titles) / 0.8:
        return None
    if all(at < 0 for at in columns):
        columns = _columns_in_order(sheet, rows, sorted(titles))
    known = [at for at in columns if at >= 0]
    if len(known) < max(_LEAST, 0.8 * len(rows)) or len(set(known)) < len(known):
        return None
    says_match = any(_says_match(sheet.cell(row, at), what) for row in rows for at in known)
    diagonal = [sheet.cell(row, at) for row, at in zip(rows, columns, strict=True) if at >= 0]
    if not all(_is_of_diagonal(cell) or any(map(str.isalpha, cell.text)) for cell in diagonal):
        return None
    return Grid(heading, names, tuple(rows), tuple(columns)) if says_match else None


def _column_of(sheet: Sheet, row: int, number: int, names: int, titles: dict[int, str]) -> int:
    """The column of the side of a row: by its name, the beginning of it, or the number in front of it."""
    name = sheet.cell(row, names).text
    label = sheet.cell(row, names - 1).text.strip(".") if names else ""
    key, folded = side_key(name), words.folded(name)
    for at, title in titles.items():
        if side_key(title) == key:
            return at
    for at, title in titles.items():
        if title.strip(".") in {label, str(number)} and title.strip("."):
            return at
    starts = [at for at, title in titles.items() if len(title) >= 2 and folded.startswith(words.folded(title))]
    return starts[0] if len(starts) == 1 else -1


def _columns_in_order(sheet: Sheet, rows: Sequence[int], titles: Sequence[int]) -> list[int]:
    """The columns of sides whose titles are signs of their own: in the order of the rows, if nobody then plays
    themselves."""
    places = list(zip(rows, titles, strict=False))
    if len(titles) < len(rows) or not all(_is_of_diagonal(sheet.cell(row, at)) for row, at in places):
        return [-1] * len(rows)
    others = [sheet.cell(row, at) for row in rows for at in titles[: len(rows)] if (row, at) not in places]
    is_filled = all(sheet.cell(*place) for place in places) or all(others)
    return list(titles[: len(rows)]) if is_filled else [-1] * len(rows)


def _is_of_diagonal(cell: Cell) -> bool:
    return not cell or cell.text.casefold() in _DIAGONAL or lines.is_open(cell.text)


def _says_match(cell: Cell, what: str) -> bool:
    return bool(cell) and (
        _is_result(cell)
        or lines.is_time(cell)
        or lines.says_absence(cell.text)
        or (
            what == FIXTURES
            and (_says_day(cell) or bool(lines.MATCHDAY.search(cell.text)) or lines.is_put_off(cell.text))
        )
    )


def layout_of(sheet: Sheet, at: int, grid: Grid) -> Layout:
    """Where the list is, for a crosstable on this sheet."""
    columns = []
    for column in range(max(sheet.width, max(grid.columns) + 1)):
        holds = "home" if column == grid.names else CROSS if column in grid.columns else LEAVE_OUT
        columns.append(Column(" ".join(sheet.cell(grid.heading, column).text.split()), holds))
    return Layout(at, grid.heading, tuple(columns))


def read(sheet: Sheet, layout: Layout, grid: Grid, context: Context, what: str) -> tuple[Desk, list[Match]]:
    """The matches of a crosstable, with the questions about them and what was set aside."""
    reader = _GridReader(sheet, layout, grid, context, what)
    return reader.desk, reader.matches()


SCORES, DAYS, MATCHDAYS = "scores", "days", "matchdays"
"""What the single numbers in the cells of a crosstable are."""
_MOST_MATCHDAYS = 80
_MOST_WEEKDAYS = 2
"""Days of the week on which a league usually plays."""


class _GridReader(MatchReader):
    def __init__(self, sheet: Sheet, layout: Layout, grid: Grid, context: Context, what: str) -> None:
        self.grid = grid
        self.taken: dict[int, set[int]] = {row: {grid.names} for row in grid.rows}
        """Columns that are used, by row."""
        super().__init__(sheet, layout, context, what)
        self.sides = self._names_of_sides()
        self._are_two: set[tuple[int, int]] = set()
        """Sides whose two cells say two matches, as was answered."""
        self._days: dict[str, date] = {}
        """Days that were asked about, by how they are written."""

    def matches(self) -> list[Match]:
        """The matches, in the order of their rows."""
        self._read_above()
        self._numbers = self._meaning_of_numbers()
        self._learn_years(self._sure_days())
        self._is_double = self._has_two_rounds()
        hit = [match for first in range(len(self.grid.rows)) for match in self._of_side(first)]
        for row in self.rows:
            if row in self.grid.rows:
                self.desk.keep_rest(row, self.taken[row], self._why_left(row))
            else:
                self.desk.keep_row(row, gettext("Not a row of the crosstable."))
        self._same_names(hit)
        return hit

    def cells_with_days(self, row: int) -> list[Cell]:
        if row not in self.grid.rows:
            return []
        cells = [self.sheet.cell(row, at) for at in self.grid.columns if at >= 0]
        return [
            Cell(lines.day_and_place(self._without_matchday(cell.text)[0])[0], cell.kind)
            for cell in cells
            if score_pair(cell.text) is None
        ]

    def _names_of_sides(self) -> list[str]:
        texts = [self.sheet.cell(row, self.grid.names).text for row in self.grid.rows]
        is_counted = lines.are_counted(texts)
        return [name_on_line(lines.without_number(text) if is_counted else text) for text in texts]

    def _pairs(self) -> Iterable[tuple[int, int, Cell, Cell]]:
        """Both sides (from 0) and both cells of each two."""
        grid = self.grid
        for first in range(len(grid.rows)):
            for other in range(first + 1, len(grid.rows)):
                yield first, other, self._cell_of(first, other), self._cell_of(other, first)

    def _cell_of(self, first: int, other: int) -> Cell:
        column = self.grid.columns[other]
        return self.sheet.cell(self.grid.rows[first], column) if column >= 0 else Cell()

    # What the cells are

    def _is_day(self, cell: Cell) -> bool:
        return _says_day(cell) and (self._numbers == DAYS or values.number(cell) is None)

    def _meaning_of_numbers(self) -> str:
        """Whether single numbers are scores, days such as `15.10` or matchdays; asked of fixtures whose numbers no plan
        of matchdays has."""
        both = [(first, other, cell, back) for first, other, cell, back in self._pairs()]
        cells = [cell for _, _, *two in both for cell in two if values.number(cell) is not None]
        cells = [cell for cell in cells if not self._is_time(cell)]
        if not cells:
            return SCORES
        if _are_days(cells, is_sure=self.what == FIXTURES):
            return DAYS
        numbers = [values.number(cell) for cell in cells]
        if not all(isinstance(number, int) and 1 <= number <= _MOST_MATCHDAYS for number in numbers):
            return SCORES
        clashes = _clashes(both)
        counts_of = Counter(numbers)
        counts = {*counts_of.values()}
        if self.what == FIXTURES:
            if not clashes:
                return MATCHDAYS
            return self.desk.ask(
                *(self.grid.heading, "numbers", gettext("What are the numbers in the crosstable?")),
                MATCHDAYS if clashes * 5 < len(numbers) else SCORES,
                [(MATCHDAYS, gettext("Matchdays")), (SCORES, gettext("Scores"))],
            )
        is_plan = not clashes and len(counts) == 1 and counts != {1} and {*numbers} == {*range(1, len(counts_of) + 1)}
        return MATCHDAYS if is_plan and len(self.sides) > _LEAST else SCORES

    def _kind_of(self, cell: Cell) -> str:
        """What a cell says: scores, a day, a matchday, a walkover; empty if nothing."""
        if not cell or cell.kind == FORMULA:
            return ""
        if self._is_time(cell):
            return DAYS
        if score_pair(cell.text) is not None:
            return SCORES
        if values.number(cell) is not None:
            return self._numbers
        if cell.kind == DATE and self.what == RESULTS and self._scores_are_small:
            return SCORES
        if lines.says_absence(cell.text):
            return "walkover"
        if (
            _says_day(cell)
            or lines.day_and_place(cell.text)[1]
            or self._without_matchday(cell.text)[1] is not None
            or values.day(cell).clock
        ):
            return DAYS
        return "put_off" if lines.is_put_off(cell.text) or lines.is_open(cell.text) else ""

    def _is_time(self, cell: Cell) -> bool:
        """Whether a cell is nothing but a time: in fixtures, and where a half of the crosstable has nothing else."""
        return bool(cell) and (self.what == FIXTURES or self._half_has_times) and lines.is_time(cell)

    @cached_property
    def _half_has_times(self) -> bool:
        """Whether the cells of a half are times, all of them or none: then those are no scores. Asked of results where
        nothing but times stands in the crosstable."""
        halves = [[cell for _, _, cell, _ in self._pairs() if cell], [back for *_, back in self._pairs() if back]]
        of_times = [[lines.is_time(cell) for cell in half] for half in halves]
        if not any(map(any, of_times)) or any(any(half) != all(half) for half in of_times if half):
            return False
        if self.what == FIXTURES or not all(map(all, of_times)):
            return True
        text = next(cell.text for half in halves for cell in half)
        choices = [("times", gettext("Times")), (SCORES, gettext("Scores"))]
        sentence = gettext("%(text)s: a time or a score?") % {"text": text}
        return self.desk.ask(self.grid.heading, "times", sentence, "times", choices, shown=text) == "times"

    def _may_say(self, cell: Cell) -> list[tuple[int | float, int | float]]:
        """The scores that may be meant by a cell: both orders of a date, into which a spreadsheet has turned them."""
        if self._is_time(cell):
            return []
        if (pair := score_pair(cell.text)) is not None:
            return [pair]
        day = values.day(cell).day if cell.kind == DATE and self._kind_of(cell) == SCORES else None
        return [(day.day, day.month), (day.month, day.day)] if day else []

    @property
    def _scores_are_small(self) -> bool:
        pairs = [pair for *_, cell, back in self._pairs() for pair in map(score_pair, (cell.text, back.text)) if pair]
        return bool(pairs) and all(abs(score) <= 31 for pair in pairs for score in pair)

    def _is_mirrored(self, cell: Cell, back: Cell) -> bool:
        """Whether the cell of the other side says the same match: its scores the other way round, its single score, or
        its day."""
        pairs, mirrored = self._may_say(cell), self._may_say(back)
        if pairs or mirrored:
            return any((away, home) in mirrored for home, away in pairs)
        if self._kind_of(cell) == SCORES:
            return True
        if self._kind_of(cell) == MATCHDAYS:
            return values.number(cell) == values.number(back)
        days = [(values.day_in_any_year(each).day, self._without_matchday(each.text)) for each in (cell, back)]
        return days[0] == days[1] or (days[0][0] is not None and days[0][0] == days[1][0])

    def _is_day_beside_time(self, cell: Cell, back: Cell) -> bool:
        """Whether one half has the day of a match and the other its time."""
        if not self._half_has_times or self._is_time(cell) == self._is_time(back):
            return False
        when = back if self._is_time(cell) else cell
        return self._kind_of(when) in (DAYS, MATCHDAYS) and not values.day(when).clock

    def _has_two_rounds(self) -> bool:
        """Whether both cells of most pairs say a match of their own: at home and away."""
        kinds = {SCORES, DAYS, MATCHDAYS}
        both = [(cell, back) for *_, cell, back in self._pairs() if self._kind_of(cell) in kinds]
        mirrored = [
            self._is_mirrored(cell, back)
            for cell, back in both
            if self._kind_of(back) == self._kind_of(cell)
            and not self._is_day_beside_time(cell, back)
            and (self._kind_of(cell) != SCORES or (self._may_say(cell) and self._may_say(back)))
        ]
        mirrored += [False for *_, cell, back in self._pairs() if _is_half_open(cell, back)]
        return 2 * sum(mirrored) < len(mirrored)

    # The matches

    def _of_side(self, first: int) -> list[Match]:
        """The matches in the row of a side that no row above has."""
        grid, hit = self.grid, list[Match]()
        row, diagonal = grid.rows[first], grid.columns[first]
        if diagonal >= 0 and not _is_result(self.sheet.cell(row, diagonal)):
            self.taken[row].add(diagonal)
        for other, column in enumerate(grid.columns):
            cell = self._cell_of(first, other)
            if first == other or column in self.taken[row] or not self._kind_of(cell):
                continue
            match = self._match(first, other, cell)
            if match is None:
                continue
            self.taken[row].add(column)
            back = self._cell_of(other, first)
            if self._is_one_match(first, other, match, cell, back):
                self.taken[grid.rows[other]].add(grid.columns[first])
            if self.what == RESULTS and match.home_score is None and not match.walkover:
                self.taken[row].discard(column)
                continue
            hit.append(match)
        return hit

    @staticmethod
    def _clock_of(cell: Cell) -> str:
        clock = values.day(cell).clock
        return clock.isoformat("minutes") if clock else cell.text.replace(".", ":").zfill(5)

    def _match(self, first: int, other: int, cell: Cell) -> Match | None:
        """The match in a cell; `None` if it says none."""
        row, kind = self.grid.rows[first], self._kind_of(cell)
        match = Match(row + 1, self.sides[first], self.sides[other], division=self.division, season=self.season)
        if lines.is_bye(match.home) or lines.is_bye(match.away):
            return None
        if kind == MATCHDAYS:
            match.matchday = int(values.number(cell) or 0)
        elif kind == DAYS:
            if self._is_time(cell):
                match.clock = self._clock_of(cell)
            elif values.number(cell) is not None:
                match.day = self._day_of_number(row, cell)
            elif not self._set_when(row, match, cell):
                return None
        elif kind == SCORES and (pair := self._scores_of(first, other, cell)) is not None:
            match.home_score, match.away_score = pair
        elif not self._remark(row, match, cell.text):
            return None
        match.note = match.put_off
        return match

    def _scores_of(self, first: int, other: int, cell: Cell) -> tuple[int | float, int | float] | None:
        """The scores in a cell, or in it and the one of the other side."""
        number, back = values.number(cell), values.number(self._cell_of(other, first))
        if number is not None and score_pair(cell.text) is None:
            return None if back is None else (number, back)
        mirrored = score_pair(self._cell_of(other, first).text)
        if not self._is_double and mirrored is not None and mirrored[::-1] in self._may_say(cell):
            return mirrored[1], mirrored[0]
        return self._score_pair(self.grid.rows[first], cell)

    def _is_one_match(self, first: int, other: int, match: Match, cell: Cell, back: Cell) -> bool:
        """Whether the cell of the other side says the same match; asked where it says something else of it."""
        kinds = self._kind_of(cell), self._kind_of(back)
        if self._is_day_beside_time(cell, back):
            match.clock = self._clock_of(back if self._is_time(back) else cell)
            if self._is_time(cell) and (turned := self._match(other, first, back)) is not None:
                match.day, match.matchday, match.venue = turned.day, turned.matchday, turned.venue
            return True
        is_same = kinds[0] == kinds[1] and self._is_mirrored(cell, back)
        if is_same and not (self._is_double and match.day is None and match.matchday is None):
            return True
        results, plans = {SCORES, "walkover"}, {DAYS, MATCHDAYS, "put_off"}
        if self._is_double or (other, first) in self._are_two or not ({*kinds} <= results or {*kinds} <= plans):
            return False
        answer = self.desk.ask(
            *(self.grid.rows[other], "mirror"),
            gettext("%(home)s – %(away)s: %(one)s or %(two)s?")
            % {"home": match.home, "away": match.away, "one": cell.text, "two": _turned(back.text)},
            ONE,
            [(ONE, cell.text), ("back", _turned(back.text)), (TWO, gettext("Two matches"))],
            shown=f"{match.home} – {match.away}",
        )
        if answer == "back" and (turned := self._match(other, first, back)) is not None:
            match.home_score, match.away_score = turned.away_score, turned.home_score
            match.walkover = {"home": "away", "away": "home"}.get(turned.walkover, turned.walkover)
            match.day, match.clock, match.matchday, match.note = turned.day, turned.clock, turned.matchday, turned.note
        if answer == TWO:
            self._are_two.add((first, other))
        return answer != TWO

    def _day_of_number(self, row: int, cell: Cell) -> date | None:
        """The day of `15.10`, which a spreadsheet stores as 15.1; asked where that may be January as well."""
        days = [self._find_day(row, Cell(text)) for text in _texts_of_day(cell)]
        real = [day for day in days if day is not None]
        if len(real) < 2:
            return next(iter(real), None)
        sure = [day for each in self._sure_days() if (day := self._find_day(row, each)) is not None]
        usual = {day.weekday() for day in sure}
        for fitting in (
            [day for day in real if len(usual) <= _MOST_WEEKDAYS and day.weekday() in usual],
            [day for day in real if sure and min(sure) <= day <= max(sure)],
        ):
            if len(fitting) == 1:
                return fitting[0]
        if cell.text not in self._days:
            choices = [(day.isoformat(), date_format(day, "DATE_FORMAT")) for day in real]
            words = gettext("%(text)s: %(one)s or %(other)s?")
            sentence = words % {"text": cell.text, "one": choices[1][1], "other": choices[0][1]}
            answer = self.desk.ask(row, "date", sentence, choices[1][0], choices[::-1], shown=cell.text)
            self._days[cell.text] = date.fromisoformat(answer)
        return self._days[cell.text]

    def _sure_days(self) -> list[Cell]:
        """The cells with days, without those that a spreadsheet has stored as another day."""
        cells = [cell for row in self.grid.rows for cell in self.cells_with_days(row) if self._is_day(cell)]
        return [cell for cell in cells if len(_texts_of_day(cell)) == 1]

    def _why_left(self, row: int) -> dict[int, str]:
        """Why cells of a row that are no matches are set aside, by column."""
        why = {}
        for other, column in enumerate(self.grid.columns):
            kind = self._kind_of(self.sheet.cell(row, column)) if column >= 0 else ""
            if lines.is_bye(self.sides[other]) or lines.is_bye(self.sides[self.grid.rows.index(row)]):
                why[column] = gettext("A bye is no match.")
            elif kind in (DAYS, MATCHDAYS, "put_off") and self.what == RESULTS:
                why[column] = gettext("No result yet.")
            else:
                why[column] = gettext("No score and no day.")
        return why


def _is_result(cell: Cell) -> bool:
    return bool(cell) and (score_pair(cell.text) is not None or values.number(cell) is not None)


def _is_half_open(cell: Cell, back: Cell) -> bool:
    """Whether one cell of two sides has scores and the other a free place for them."""
    pairs = [score_pair(cell.text) is not None, score_pair(back.text) is not None]
    return pairs != [True, True] and any(pairs) and any(map(lines.is_open, (cell.text, back.text)))


def _says_day(cell: Cell) -> bool:
    return values.day_in_any_year(cell).day is not None


def _turned(text: str) -> str:
    """Scores the other way round, as the other side has them."""
    parts = re.split(r"\s*([:–—-])\s*", text)
    return f"{parts[2]}{parts[1]}{parts[0]}" if score_pair(text) is not None and len(parts) == 3 else text


def _texts_of_day(cell: Cell) -> list[str]:
    """How the day in a number was typed: 15.1 may have been `15.1` or `15.10`."""
    return [cell.text, cell.text + "0"] if cell.kind == NUMBER and re.fullmatch(r"\d+\.1", cell.text) else [cell.text]


def _are_days(cells: Sequence[Cell], *, is_sure: bool) -> bool:
    """Whether all numbers are days such as `15.10`. If that is not `is_sure`, one must be no half and no quarter."""
    parts = [re.fullmatch(r"(\d{1,2})\.(\d{1,2})", cell.text) for cell in cells]
    if not all(hit and _says_day(Cell(hit[0])) for hit in parts):
        return False
    return is_sure or any(hit and hit[2].rstrip("0") not in ("", "5", "25", "75") for hit in parts)


def _clashes(pairs: Sequence[tuple[int, int, Cell, Cell]]) -> int:
    """How often a side has two matches on one matchday, if the numbers in the cells are those."""
    used = Counter[tuple[int, object]]()
    for first, other, cell, back in pairs:
        numbers = {number for number in map(values.number, (cell, back)) if number is not None}
        used.update((side, number) for side in (first, other) for number in numbers)
    return sum(count - 1 for count in used.values())
