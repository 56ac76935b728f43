"""Grids of opponents: a row for each side, a column for each matchday, and in their cell whom the side plays."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext

from clubs.bring_in import lines, values, words
from clubs.bring_in.crosstable import Grid, rows_of_sides
from clubs.bring_in.layout import Layout
from clubs.bring_in.match_reader import MatchReader
from clubs.bring_in.reading import ASIDE, FIXTURES, ONE, TWO, Context, Desk, Match
from clubs.bring_in.side_names import name_on_line, side_key
from clubs.bring_in.workbook import Cell, Sheet

_DEEPEST = 30
_LEAST, _MOST = 3, 60
"""Sides of such a grid."""
_SURE = 0.8
"""Share of the cells that name an opponent, at least."""
_PLACE = r"home|heim|zuhause|away|ausw(?:ä|ae)rts|gast|[hag]"
_AT_END = re.compile(rf"^(?P<side>.*\S)\s*(?:\(\s*(?P<in>{_PLACE})\s*\)|[\s,/-]\s*(?P<out>{_PLACE}))$", re.IGNORECASE)
_AT_START = re.compile(
    rf"^(?:(?P<at>@|at\s|bei\s)|(?P<against>(?:v|vs|gegen)\b\.?)|\(?(?P<in>{_PLACE})[):]\s*)\s*(?P<side>\S.*)$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"^(?P<side>\d+)(?P<in>[ha])$", re.IGNORECASE)
"""The number of a side, at home or away: `2H`."""
_HOME = frozenset({"h", "home", "heim", "zuhause"})


@dataclass(frozen=True)
class _Says:
    """What a cell says: the opponent (from 0), or a bye; who is at home, and when they begin."""

    other: int | None
    is_home: bool | None = None
    clock: str = ""


def find(sheet: Sheet) -> Grid | None:
    """The grid of opponents of a sheet; `None` if it has none."""
    for heading in [at for at, row in enumerate(sheet.rows) if any(row)][:_DEEPEST]:
        filled = [at for at, cell in enumerate(sheet.rows[heading]) if cell]
        matchdays = _matchdays(sheet.rows[heading])
        for names in range(matchdays[0]) if len(matchdays) > 1 else filled[:1]:
            columns = matchdays if len(matchdays) > 1 else tuple(filled[1:])
            grid = _grid(sheet, heading, names, columns, is_sure=columns == matchdays)
            if grid is not None:
                return grid
    return None


def _matchdays(titles: Sequence[Cell]) -> tuple[int, ...]:
    """The columns of matchdays: by their titles or their days, else numbered from 1."""
    sure = [at for at, cell in enumerate(titles) if cell and _is_matchday(cell)]
    in_order: list[int] = []
    for at, cell in enumerate(titles):
        if values.number(cell) == len(in_order) + 1:
            in_order.append(at)
    return tuple(sure if len(sure) > 1 else in_order)


def _is_matchday(cell: Cell) -> bool:
    hit = lines.MATCHDAY.search(cell.text)
    is_day = values.number(cell) is None and values.day_in_any_year(cell).day is not None
    return is_day or (hit is not None and len(hit[0]) < 20)


def _grid(sheet: Sheet, heading: int, names: int, columns: tuple[int, ...], *, is_sure: bool) -> Grid | None:
    """The grid with these columns, if their cells name opponents; what is not `is_sure` must fit in each of them."""
    rows = rows_of_sides(sheet, heading, names, most=_MOST)
    if rows is None or len(rows) < _LEAST or len(columns) < 2:
        return None
    grid = Grid(heading, names, tuple(rows), columns, has_opponents=True)
    sides = _Sides(sheet, grid)
    cells = [(number, cell) for number, row in enumerate(rows) for at in columns if (cell := sheet.cell(row, at))]
    hits = [says for number, cell in cells if (says := sides.says(number, cell)) is not None]
    if len(hits) < _SURE * len(cells) or all(says.other is None for says in hits):
        return None
    has_numbers = any(map(str.isdecimal, "".join(cell.text[:1] for _, cell in cells)))
    return grid if (is_sure and not has_numbers) or sides.are_mutual() else None


class _Sides:
    """The sides of a grid, by what its cells call them: their names, the beginnings of these, or their numbers."""

    def __init__(self, sheet: Sheet, grid: Grid) -> None:
        self.sheet, self.grid = sheet, grid
        texts = [sheet.cell(row, grid.names).text for row in grid.rows]
        is_counted = lines.are_counted(texts)
        self.names = [name_on_line(lines.without_number(text) if is_counted else text) for text in texts]
        labels = [sheet.cell(row, grid.names - 1).text.strip(" .") if grid.names else "" for row in grid.rows]
        if is_counted or not all(labels) or len({*labels}) < len(labels):
            labels = [str(number) for number in range(1, len(texts) + 1)]
        self.by_key: Mapping[str, int] = {
            **{label.casefold(): at for at, label in enumerate(labels)},
            **{side_key(name): at for at, name in enumerate(self.names)},
        }
        self.folded = [words.folded(name) for name in self.names]

    def _side(self, text: str) -> int | None:
        key = words.folded(text)
        if (at := self.by_key.get(side_key(text), self.by_key.get(key))) is not None:
            return at
        starts = [at for at, name in enumerate(self.folded) if len(key) > 1 and name.startswith(key)]
        return starts[0] if len(starts) == 1 else None

    def says(self, side: int, cell: Cell) -> _Says | None:
        """What a cell in the row of a side says; `None` if that is no opponent."""
        text = " ".join(cell.text.split())
        if lines.is_bye(text) or words.is_none(text) or text.casefold() in ("x", "*"):
            return _Says(None)
        clock = lines.time_of_fixture(text)
        text = text[: text.rindex(clock)].strip(" ,") if clock and self._side(text) is None else text
        is_home: bool | None = None
        if (text.startswith("@") or self._side(text) is None) and (hit := _AT_START.match(text)):
            text = hit["side"]
            is_home = _is_home(hit["in"]) if hit["in"] else None if hit["against"] else False
        if self._side(text) is None and (hit := _AT_END.match(text) or _NUMBER.match(text)):
            text, is_home = hit["side"], _is_home(hit["in"] or hit.groupdict().get("out") or "")
        other = self._side(text)
        return None if other is None or other == side else _Says(other, is_home, clock.replace(".", ":"))

    def are_mutual(self) -> bool:
        """Whether on every matchday each is the opponent of its opponent: then numbers are no places of a table."""
        for column in self.grid.columns:
            cells = [self.sheet.cell(row, column) for row in self.grid.rows]
            hits = [self.says(side, cell) if cell else None for side, cell in enumerate(cells)]
            others = {side: says.other for side, says in enumerate(hits) if says is not None and says.other is not None}
            if any(others.get(other, side) != side for side, other in others.items()):
                return False
        return True


def _is_home(text: str) -> bool:
    return text.casefold() in _HOME


def read(sheet: Sheet, layout: Layout, grid: Grid, context: Context, what: str) -> tuple[Desk, list[Match]]:
    """The matches of a grid of opponents, each once, with the questions about them and what was set aside."""
    reader = _OpponentReader(sheet, layout, grid, context, what)
    return reader.desk, reader.matches()


class _OpponentReader(MatchReader):
    def __init__(self, sheet: Sheet, layout: Layout, grid: Grid, context: Context, what: str) -> None:
        self.grid = grid
        super().__init__(sheet, layout, context, what)
        self.sides = _Sides(sheet, grid)
        self.taken: dict[int, set[int]] = {row: {grid.names} for row in grid.rows}
        """Columns that are used, by row."""
        self.why: dict[int, dict[int, str]] = {row: {} for row in grid.rows}
        """Why cells are set aside, by row and column."""

    def matches(self) -> list[Match]:
        """The matches by matchday."""
        self._read_above()
        self._learn_years([cell for column in self.grid.columns for cell in self._titles_of(column)])
        hit = [match for at, column in enumerate(self.grid.columns) for match in self._of_matchday(at + 1, column)]
        for row in self.rows:
            if row in self.grid.rows:
                self.desk.keep_rest(row, self.taken[row], self.why[row])
            elif self.grid.heading < row < self.grid.rows[0] and self._says_days(row):
                self.desk.lines_between.add(row)
            else:
                self.desk.keep_row(row, gettext("Not a row of the crosstable."))
        self._same_names(hit)
        return hit

    def cells_with_days(self, row: int) -> list[Cell]:
        return [] if row in self.grid.rows else [self.sheet.cell(row, at) for at in self.grid.columns]

    def _says_days(self, row: int) -> bool:
        """Whether a row beside the titles has nothing but days of matchdays."""
        return all(
            at in self.grid.columns and values.day_in_any_year(cell).day
            for at, cell in enumerate(self.sheet.rows[row])
            if cell
        )

    def _titles_of(self, column: int) -> list[Cell]:
        """The title of a matchday without its number, and the days above and below it."""
        around = [self.sheet.cell(row, column) for row in range(self.grid.heading - 1, self.grid.rows[0]) if row >= 0]
        return [Cell(self._without_matchday(cell.text)[0], cell.kind) for cell in around if cell]

    def _of_matchday(self, number: int, column: int) -> list[Match]:
        title = self.sheet.cell(self.grid.heading, column)
        stated, alone = self._without_matchday(title.text)[1], values.number(title)
        matchday = stated or (alone if isinstance(alone, int) else number)
        days = (self._find_day(self.grid.heading, cell) for cell in self._titles_of(column))
        day = next((each for each in days if each is not None), None)
        says = {
            side: hit
            for side, row in enumerate(self.grid.rows)
            if (hit := self._says(side, row, column)) is not None and hit.other is not None
        }
        hits: list[Match] = []
        for side, hit in says.items():
            row, other = self.grid.rows[side], hit.other or 0
            if column in self.taken[row]:
                continue
            if self.what != FIXTURES:
                self.why[row][column] = gettext("No result yet.")
                continue
            back = says.get(other)
            is_mutual = back is not None and back.other == side
            if back is not None and not is_mutual and not self._is_match(row, side, other, column):
                self.why[row][column] = gettext("The other side has another opponent here.")
                continue
            self.taken[row].add(column)
            if is_mutual:
                self.taken[self.grid.rows[other]].add(column)
            hits.append(self._match(row, side, other, [hit, back if is_mutual else None], matchday, day))
        return hits

    def _says(self, side: int, row: int, column: int) -> _Says | None:
        """What a cell says, and why it is set aside if that is no opponent."""
        cell = self.sheet.cell(row, column)
        says = self.sides.says(side, cell) if cell else None
        if cell and (says is None or says.other is None):
            self.why[row][column] = gettext("No opponent.") if says is None else gettext("A bye is no match.")
        return says

    def _is_match(self, row: int, side: int, other: int, column: int) -> bool:
        """Whether a match takes place of which the other side's row says something else."""
        names = {"home": self.sides.names[side], "away": self.sides.names[other]}
        text = self.sheet.cell(self.grid.rows[other], column).text
        sentence = gettext("%(home)s – %(away)s: a match? The row of %(away)s says “%(text)s”.") % {
            **names,
            "text": text,
        }
        answer = self.desk.ask(
            *(row, "mirror", sentence, ASIDE),
            [("match", gettext("Yes")), (ASIDE, gettext("No: set it aside"))],
            shown=f"{names['home']} – {names['away']}",
        )
        return answer != ASIDE

    def _match(
        self, row: int, side: int, other: int, both: Sequence[_Says | None], matchday: int, day: date | None
    ) -> Match:
        first = both[0]
        names = self.sides.names
        homes = {says.is_home is (says is first) for says in both if says and says.is_home is not None}
        is_home = homes != {False}
        if len(homes) > 1:
            answer = self.desk.ask(
                *(
                    row,
                    "home",
                    gettext("%(one)s – %(two)s: who is at home?") % {"one": names[side], "two": names[other]},
                ),
                *(ONE, [(ONE, names[side]), (TWO, names[other])]),
                shown=f"{names[side]} – {names[other]}",
            )
            is_home = answer == ONE
        home, away = (side, other) if is_home else (other, side)
        clock = next((each.clock for each in both if each and each.clock), "")
        match = Match(row + 1, names[home], names[away], day, clock, matchday=matchday)
        match.division, match.season = self.division, self.season
        return match
