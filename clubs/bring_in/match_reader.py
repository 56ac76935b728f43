"""What all lists of matches have in common, one match a row or a crosstable: headings, days, scores and walkovers."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date

from django.utils import formats
from django.utils.translation import gettext

from clubs.bring_in import lines, values, words
from clubs.bring_in.headings import names_part, says_division, season_in
from clubs.bring_in.layout import Layout
from clubs.bring_in.lines import score_pair
from clubs.bring_in.reading import ASIDE, RESULTS, Context, Desk, Match
from clubs.bring_in.side_names import SameNames, side_key
from clubs.bring_in.workbook import DATE, FORMULA, Cell, Sheet
from clubs.bring_in.years import Years

_OF_FILE = re.compile(
    r"\b(?:updated?|chang(?:e|ed)|printed|version|saved|created|as (?:of|at)|stand|geändert|änderung|gedruckt|erstellt)\b",
    re.IGNORECASE,
)
"""Words beside the day on which a list was written."""
_PLAYED = "played"
"""Answer: everybody came."""


class MatchReader:
    """Reads the matches of a sheet. A subclass says which cells have days, and makes the matches."""

    def __init__(self, sheet: Sheet, layout: Layout, context: Context, what: str) -> None:
        self.sheet, self.layout, self.context, self.what = sheet, layout, context, what
        self.desk = Desk(sheet, layout, context)
        self.at = {holds: next(iter(layout.of(holds)), None) for holds in words.MATCH_TITLES}
        self.rows = [row for row in range(layout.first, len(sheet.rows)) if any(sheet.rows[row])]
        self.season, self.division = context.season, ""
        self.matchday: int | None = None
        self.day: date | None = None
        self.heading_day = Cell()
        """The day of the matchday above the titles."""
        self.years: Years | None = None
        self._year: int | None = None
        self.order = self._order()

    def matches(self) -> list[Match]:
        """The matches, in the order of their rows."""
        raise NotImplementedError

    def cells_with_days(self, row: int) -> list[Cell]:
        """What a row says of days."""
        raise NotImplementedError

    # Above the list

    def _read_above(self) -> None:
        """Season, division and matchday from the name of the sheet and from above the titles, where they are read but
        stay listed."""
        self.desk.keep_above()
        above = [(row, cell.text) for row in range(self.layout.heading or 0) for cell in self.sheet.rows[row] if cell]
        for row, text in [(-1, self.sheet.name), *above]:
            season, rest = season_in(text)
            if season and (row >= 0 or not self.season):
                self.season = season
            rest, matchday = self._without_matchday(rest)
            if matchday is not None:
                self.matchday, self.heading_day = matchday, Cell(rest) if rest else self.heading_day
            elif self.at["date"] is None and row >= 0 and values.day_in_any_year(Cell(rest)).day is not None:
                if not any(_OF_FILE.search(cell.text) for cell in self.sheet.rows[row]):
                    self.heading_day = Cell(rest)
            elif len(rest) < 40 and says_division(rest, has_season=bool(season)):
                self.division = " ".join(rest.split()).strip(" ,:–-()")
            if row >= 0 and names_part(text):
                self.desk.lines_between.add(row)

    # Scores

    def _remark(self, row: int, match: Match, text: str) -> bool:
        """Whether a text in place of a score says why there is none: a walkover, or that it was put off."""
        if lines.says_absence(text):
            self._ask_walkover(row, match, text)
            return True
        if lines.is_put_off(text):
            match.put_off = " ".join(text.split())[:200]
            return True
        return lines.is_open(text)

    def _score_pair(self, row: int, cell: Cell) -> tuple[int | float, int | float] | None:
        """The scores of a cell; asked where a spreadsheet has turned them into a date."""
        day = values.day(cell).day if cell.kind == DATE else None
        if day is None:
            return score_pair(cell.text)
        pairs = [(day.day, day.month), (day.month, day.day)]
        if self.context.month_first:
            pairs.reverse()
        choices = [(f"{first}-{second}", f"{first} – {second}") for first, second in pairs]
        answer = self.desk.ask(
            *(row, "score", gettext("%(text)s: a score that was turned into a date?") % {"text": cell.text}),
            *(choices[0][0], [*choices, (ASIDE, gettext("No: set it aside"))]),
            shown=cell.text,
        )
        return dict(zip([value for value, _ in choices], pairs, strict=True)).get(answer)

    def _ask_walkover(self, row: int, match: Match, text: str, guess: str = "") -> None:
        """Ask who did not come: by guess whom the text names, and nobody where the match has a score."""
        choices = [("home", match.home), ("away", match.away), ("both", gettext("Both"))]
        is_sure = lines.is_walkover(text)
        if match.home_score is not None:
            choices.insert(0, (_PLAYED, gettext("Nobody: the score counts")))
        answer = self.desk.ask(
            *(row, "walkover"),
            gettext("%(text)s: who did not come, %(home)s or %(away)s?")
            % {"text": text, "home": match.home, "away": match.away},
            guess or (_PLAYED if match.home_score is not None and not is_sure else _absent_in(text, match)),
            choices,
            shown=f"{match.home} – {match.away}",
        )
        if answer != _PLAYED:
            match.walkover, match.home_score, match.away_score = answer, None, None

    # Days

    def _set_when(self, row: int, match: Match, cell: Cell) -> bool:
        """Read a cell as the day of a match, and its time; whether it says either, or that the day is open."""
        text, matchday = self._without_matchday(cell.text)
        cell = cell if matchday is None else Cell(text)
        if values.day_in_any_year(cell).day is None:
            text, place = lines.day_and_place(cell.text)
            cell, match.venue = (Cell(text), place[:200]) if place else (cell, match.venue)
        hit, day = values.day_in_any_year(cell), self._find_day(row, cell)
        match.matchday = match.matchday if matchday is None else matchday
        match.day = match.day if day is None else day
        match.clock = hit.clock.isoformat("minutes") if hit.clock else match.clock
        if day is None and lines.is_put_off(cell.text):
            match.day, match.put_off = None, " ".join(cell.text.split())[:200]
        return day is not None or hit.clock is not None or matchday is not None or bool(match.put_off)

    @staticmethod
    def _without_matchday(text: str) -> tuple[str, int | None]:
        """A text without the number of a matchday in it, and that."""
        hit = lines.MATCHDAY.search(text)
        if hit is None:
            return text, None
        return (text[: hit.start()] + " " + text[hit.end() :]).strip(" ,:–-()\n"), lines.matchday(hit)

    def _find_day(self, row: int, cell: Cell) -> date | None:
        """The date of a cell, asked where it can be read in two ways."""
        hit = values.day_in_any_year(cell, month_first=self.context.month_first if self.order is None else self.order)
        season = self._text(row, "season")
        days = [
            day if day is None or hit.has_year else self._with_year(row, day, season) for day in (hit.day, hit.other)
        ]
        if days[0] is None or days[1] is None or self.order is not None or "/" not in cell.text:
            return days[0]
        return self._ask_day(row, cell, [day for day in days if day is not None])

    def _ask_day(self, row: int, cell: Cell, days: Sequence[date]) -> date:
        choices = [(day.isoformat(), formats.date_format(day, "DATE_FORMAT")) for day in days]
        text = gettext("%(text)s: %(one)s or %(other)s?") % {
            "text": cell.text,
            "one": choices[0][1],
            "other": choices[1][1],
        }
        answer = self.desk.ask(row, "date", text, choices[0][0], choices, shown=cell.text)
        return date.fromisoformat(answer)

    def _with_year(self, row: int, day: date, season: str) -> date | None:
        """A day that is written without its year; asked once where nothing tells it."""
        if self.years is None:
            return None
        if self.years.year is None and self._year is None and not season:
            guess = self.years.guess
            choices = [(str(year), _season_words(self.years, year)) for year in (guess - 1, guess, guess + 1)]
            words = gettext("The days have no year. In which year does the list start?")
            answer = self.desk.ask(row, "year", words, str(guess), choices, shown=self.years.shown)
            self._year = int(answer)
        return self.years.day(day, year=self.years.year or self._year, season=season)

    def _learn_years(self, cells: Iterable[Cell]) -> None:
        """Look at all days of the list, to find the years of those without one."""
        is_first = self.context.month_first if self.order is None else self.order
        days = [values.day_in_any_year(cell, month_first=is_first) for cell in cells]
        stated = self.season or self.stated_year()
        self.years = Years(
            [*days, *([] if stated else self.context.further_days)],
            stated=stated,
            first_day=self.context.first_day or self.context.began,
            today=self.context.today,
            is_over=self.what == RESULTS,
        )

    def _order(self) -> bool | None:
        """Whether the month comes first in dates with slashes; `None` if they do not tell."""
        votes = Counter[bool]()
        for cell in (cell for row in self.rows for cell in self.cells_with_days(row)):
            for hit in re.finditer(r"(?<![\d/])(\d{1,2})/(\d{1,2})(?:/\d{2,4})?(?![\d/])", cell.text):
                left, right = int(hit[1]), int(hit[2])
                if (left > 12) != (right > 12):
                    votes[right > 12] += 1
        return None if len(votes) != 1 else next(iter(votes))

    def stated_year(self) -> str:
        """The text with the year of the list, above its titles or in the name of its sheet; empty without one."""
        above = [cell.text for row in range(self.layout.heading or 0) for cell in self.sheet.rows[row]]
        return next((text for text in [*above, self.sheet.name] if re.search(r"\b(?:19|20)\d{2}\b", text)), "")

    # Cells

    def _cell(self, row: int, column: int) -> Cell:
        """A cell, or the one that is merged over it from above."""
        cell = self.sheet.cell(row, column)
        above = None if cell else self.desk.merged_down(row, column)
        return self.sheet.cell(*above) if above else cell

    def _text(self, row: int, holds: str) -> str:
        at = self.at[holds]
        cell = Cell() if at is None else self._cell(row, at)
        return "" if cell.kind == FORMULA else cell.text

    # All rows together

    def _same_names(self, matches: list[Match]) -> None:
        """Give each side one name: as the league has it, else as the list has it first. Near ones are asked about."""
        counts = Counter(name for match in matches for name in (match.home, match.away))
        met = {frozenset((side_key(match.home), side_key(match.away))) for match in matches}
        same = SameNames(
            *(self.desk, self.context.teams, sorted(counts, key=lambda name: -counts[name])),
            are_apart=lambda first, second: frozenset((side_key(first), side_key(second))) in met,
        )
        for match in matches:
            match.home = same.name(match.row, match.home)
            match.away = same.name(match.row, match.away)


def _absent_in(text: str, match: Match) -> str:
    """Whom a remark names that somebody did not come: the side, or one of its people; the away side if it does not say."""
    in_text = {*words.folded(text).split()}
    are_named = [
        bool(in_text & {*labels.split(), *(word for word in words.folded(name).split() if len(word) > 2)})
        for name, labels in ((match.home, "home heim"), (match.away, "away gast visitors"))
    ]
    if all(are_named) or in_text & {"both", "beide", "neither"}:
        return "both"
    return "home" if are_named[0] else "away"


def _season_words(years: Years, year: int) -> str:
    """A year as the first one of a list of days, with its end if that is in the next."""
    return f"{year}/{(year + 1) % 100:02}" if years.is_over_new_year else str(year)
