"""Lines of a final table."""

import re

from django.utils.translation import gettext

from clubs.bring_in import lines, values, words
from clubs.bring_in.headings import says_division, season_in
from clubs.bring_in.layout import Layout
from clubs.bring_in.lines import score_pair
from clubs.bring_in.reading import ASIDE, Context, Desk, Place
from clubs.bring_in.side_names import SameNames, name_on_line, side_key
from clubs.bring_in.workbook import FORMULA, Cell, Sheet

_LINE = re.compile(
    r"^(?P<place>\d{1,3})[.)]?\s+(?P<name>\D.*?)[\s,:–-]+(?P<points>\d+(?:[.,]\d+)?)\s*(?:pts?|points?|punkte|p)?\.?$",
    re.IGNORECASE,
)
"""A place on one line: `1. Lund / Arai 22 pts`."""
NUMBERS = ("played", "won", "drawn", "lost", "for", "against", "difference", "points")


def read(sheet: Sheet, layout: Layout, context: Context) -> tuple[Desk, list[Place]]:
    """The places of a sheet, with the questions about them and what was set aside."""
    reader = _Reader(sheet, layout, context)
    return reader.desk, reader.places()


class _Reader:
    def __init__(self, sheet: Sheet, layout: Layout, context: Context) -> None:
        self.sheet, self.layout, self.context = sheet, layout, context
        self.desk = Desk(sheet, layout, context)
        self.at = {holds: next(iter(layout.of(holds)), None) for holds in words.PLACE_TITLES}
        self.season, self.division = context.season, ""
        self.places_before = 0
        names = [
            text
            for row in range(layout.first, len(sheet.rows))
            if (text := self._text(row, "name")) and not words.is_total(text)
        ]
        self.is_counted = lines.are_counted([name for name in names if not says_division(name)])

    def places(self) -> list[Place]:
        """The places, in the order of their rows."""
        self.desk.keep_above()
        for row in range(self.layout.heading or 0):
            for cell in self.sheet.rows[row]:
                self._between(cell.text)
        if not self.season:
            self._between(self.sheet.name)
        rows = [row for row in range(self.layout.first, len(self.sheet.rows)) if any(self.sheet.rows[row])]
        hit = [place for row in rows if (place := self._row(row)) is not None]
        tables: dict[str, set[tuple[str, str]]] = {}
        for place in hit:
            tables.setdefault(side_key(place.name), set()).add((place.season, place.division))
        same = SameNames(
            *(self.desk, self.context.teams, [place.name for place in hit]),
            are_apart=lambda first, second: bool(
                tables.get(side_key(first), set()) & tables.get(side_key(second), set())
            ),
        )
        for place in hit:
            place.name = same.name(place.row, place.name)
        return hit

    def _between(self, text: str) -> bool:
        """Whether a line between the places names a season or a division; then it holds for those below."""
        season, rest = season_in(text)
        if season:
            self.season = season
        rest = " ".join(rest.split()).strip(" ,:–-()")
        if len(text) < 60 and says_division(rest, has_season=bool(season)):
            self.division, self.places_before = rest, 0
            return True
        return bool(season)

    def _row(self, row: int) -> Place | None:
        filled = [(column, cell) for column, cell in enumerate(self.sheet.rows[row]) if cell]
        if self.desk.is_title_again(row):
            self.desk.keep_row(row, gettext("The titles again."))
            return None
        text = self._text(row, "name")
        numbers = {holds: self._number(row, holds) for holds in NUMBERS}
        on_line = _LINE.match(text) if len(filled) == 1 else None
        if on_line and not words.is_total(text):
            text, numbers["points"] = on_line["name"], values.number(Cell(on_line["points"]))
        number_and_name = lines.numbered(text) if self.is_counted and not on_line else None
        name = name_on_line(number_and_name[1] if number_and_name else text)
        label = next((cell.text for _, cell in filled if words.is_total(cell.text)), "")
        if label and (not name or words.is_total(name)):
            self.desk.ask(
                *(row, "total", gettext("%(text)s: a team?") % {"text": label}, ASIDE),
                [(ASIDE, gettext("No: a line of totals. Set it aside"))],
                shown=" ".join(cell.text for _, cell in filled),
            )
            self.desk.keep_row(row, gettext("A line of totals."))
            return None
        if len(filled) == 1 and self._between(filled[0][1].text):
            self.desk.lines_between.add(row)
            return None
        if not name or not any(map(str.isalpha, name)):
            self.desk.keep_row(row, gettext("No name in this row."))
            return None
        digits = re.match(r"\D*(\d{1,3})", on_line["place"] if on_line else self._text(row, "place"))
        place_in_name = number_and_name[0] if number_and_name else 0
        if not digits and all(number is None for number in numbers.values()):
            self.desk.keep_row(row, gettext("Reads like a note."))
            return None
        self.places_before = int(digits[1]) if digits else place_in_name or self.places_before + 1
        place = Place(row + 1, self.places_before, name, numbers, self.division, self.season)
        used = {at for holds in ("place", "name") if (at := self.at[holds]) is not None}
        used |= {at for holds in NUMBERS if (at := self.at[holds]) is not None and numbers[holds] is not None}
        for holds in ("division", "season", "note"):
            at = self.at[holds]
            if at is not None and (text := self._text(row, holds)):
                setattr(place, holds, " ".join(text.split())[:200])
                used.add(at)
        self.desk.keep_rest(row, used)
        return place

    def _text(self, row: int, holds: str) -> str:
        at = self.at[holds]
        if at is None:
            return ""
        cell = self.sheet.cell(row, at)
        above = None if cell else self.desk.merged_down(row, at)
        cell = self.sheet.cell(*above) if above else cell
        return "" if cell.kind == FORMULA else cell.text

    def _number(self, row: int, holds: str) -> int | float | None:
        at = self.at[holds]
        cell = Cell() if at is None else self.sheet.cell(row, at)
        if not cell or cell.kind == FORMULA:
            return None
        pair = score_pair(cell.text) if holds in ("points", "for") else None
        return pair[0] if pair is not None else values.number(cell)
