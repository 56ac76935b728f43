"""Matches in a list, played or still to be played."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date

from django.utils import formats
from django.utils.translation import gettext
from rapidfuzz.distance import OSA

from clubs.bring_in import lines, names, values, words
from clubs.bring_in.layout import Layout
from clubs.bring_in.lines import MatchLine, match_line, score_pair
from clubs.bring_in.reading import ASIDE, FIXTURES, ONE, RESULTS, TWO, Context, Desk, Match
from clubs.bring_in.values import Day
from clubs.bring_in.workbook import DATE, FORMULA, TEXT, Cell, Sheet
from clubs.bring_in.years import Years

_DIVISION = re.compile(r"\b(?:division|div|league|liga|gruppe|group|staffel|premier|klasse|class)\b", re.IGNORECASE)
_SEASON = re.compile(
    r"\b(?:19|20)\d{2}\s?[/–-]\s?(?:(?:19|20)\d{2}|\d{2})\b(?![-.\d])|"
    r"\b(?:season|saison)\s+(?:19|20)\d{2}\b(?!\s?[/–-]\s?\d)",
    re.IGNORECASE,
)
_LEAGUE_ONLY = re.compile(r"^(?!.*\b(?:division|div|gruppe|group|staffel|klasse|class)\b)", re.IGNORECASE)
_VERSUS = re.compile(r"\b(?:v|vs|versus|gegen)\b", re.IGNORECASE)
_OF_FILE = re.compile(
    r"\b(?:updated?|chang(?:e|ed)|printed|version|saved|created|as (?:of|at)|stand|geändert|änderung|gedruckt|erstellt)\b",
    re.IGNORECASE,
)
"""Words beside the day on which a list was written."""
_PLAYED = "played"
"""Answer: everybody came."""
_NOBODY = frozenset({"", "no", "nein", "none", "0"})


def read(sheet: Sheet, layout: Layout, context: Context, what: str) -> tuple[Desk, list[Match]]:
    """The matches of a sheet, with the questions about them and what was set aside."""
    reader = _Reader(sheet, layout, context, what)
    return reader.desk, reader.matches()


def days_without_year(sheet: Sheet, layout: Layout, context: Context, what: str) -> list[Day]:
    """The days of a sheet that says nothing of its year; none of others."""
    reader = _Reader(sheet, layout, replace(context, keys=Counter()), what)
    days = [values.day_in_any_year(cell) for row in reader.rows for cell in reader._cells_with_days(row)]
    days = [day for day in days if day.day]
    return [] if reader._stated_year() or any(day.has_year for day in days) else days


def names_part(text: str) -> bool:
    """Whether a short text names a division or a matchday."""
    return len(text) < 60 and bool(_DIVISION.search(text) or lines.MATCHDAY.search(text))


class _Reader:
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
        self.on_lines: dict[int, MatchLine] = {}
        """Matches that stand in one cell, by their rows."""
        self.years: Years | None = None
        self._year: int | None = None
        self.order = self._order()
        self._counted = self._numbers_in_front()

    def matches(self) -> list[Match]:
        """The matches, in the order of their rows."""
        self._read_above()
        self._learn_years([self.heading_day, *(cell for row in self.rows for cell in self._cells_with_days(row))])
        if self.heading_day:
            self.day = self._find_day(self.layout.heading or 0, self.heading_day)
        hit = [match for row in self.rows if (match := self._row(row)) is not None]
        self._without_seeds(hit)
        self._same_names(hit)
        return self._without_repeats(hit)

    def _without_repeats(self, matches: Sequence[Match]) -> list[Match]:
        """The matches, each once as far as the answers say so."""
        first: dict[tuple[object, ...], Match] = {}
        unrepeated: list[Match] = []
        for match in matches:
            key = (
                match.home,
                match.away,
                match.day,
                match.matchday,
                match.home_score,
                match.away_score,
                match.division,
            )
            before = first.setdefault(key, match)
            if before is not match and self._is_repeat(match, before):
                self.desk.keep_row(match.row - 1, gettext("The same as row %(row)s.") % {"row": before.row})
            else:
                unrepeated.append(match)
        return unrepeated

    def _is_repeat(self, match: Match, before: Match) -> bool:
        if match.row == before.row:
            return False
        answer = self.desk.ask(
            *(match.row - 1, "same_match"),
            gettext("%(match)s: the match of row %(row)s?")
            % {"match": f"{match.home} – {match.away}", "row": before.row},
            ONE,
            [(ONE, gettext("One match, listed twice")), (TWO, gettext("Two matches"))],
            shown=f"{match.home} – {match.away}",
        )
        return answer == ONE

    # Above and between

    def _read_above(self) -> None:
        """Season, division and matchday from the name of the sheet and from above the titles, where they are read but
        stay listed."""
        self.desk.keep_above()
        above = [(row, cell.text) for row in range(self.layout.heading or 0) for cell in self.sheet.rows[row] if cell]
        for row, text in [(-1, self.sheet.name), *above]:
            season = _SEASON.search(text)
            if season and (row >= 0 or not self.season):
                self.season = re.sub(r"\s", "", season[0]) if season[0][0].isdecimal() else season[0].split()[-1]
            rest, matchday = self._without_matchday(text.replace(season[0], " ") if season else text)
            if matchday is not None:
                self.matchday, self.heading_day = matchday, Cell(rest) if rest else self.heading_day
            elif self.at["date"] is None and row >= 0 and values.day_in_any_year(Cell(rest)).day is not None:
                if not any(_OF_FILE.search(cell.text) for cell in self.sheet.rows[row]):
                    self.heading_day = Cell(rest)
            elif _DIVISION.search(rest) and len(rest) < 40 and not (season and _LEAGUE_ONLY.search(rest)):
                self.division = " ".join(rest.split()).strip(" ,:–-()")
            if row >= 0 and names_part(text):
                self.desk.lines_between.add(row)

    def _between(self, row: int, text: str) -> bool:
        """Whether a line between the matches says which come next; then it holds for them."""
        used = False
        rest = text
        if hit := lines.MATCHDAY.search(text):
            self.matchday, used = lines.matchday(hit), True
            rest = text[: hit.start()] + " " + text[hit.end() :]
            self.day = None
        rest = rest.strip(" ,;:–-()|")
        day = self._find_day(row, Cell(rest)) if rest else None
        if day is not None:
            self.day = day
            return True
        if rest and _DIVISION.search(rest) and len(rest) < 60:
            self.division, self.matchday, self.day = rest, self.matchday if used else None, None
            return True
        return used and (not rest or words.is_heading(rest))

    # One row

    def _row(self, row: int) -> Match | None:
        desk = self.desk
        filled = [(column, cell) for column, cell in enumerate(self.sheet.rows[row]) if cell]
        if desk.is_title_again(row):
            desk.keep_row(row, gettext("The titles again."))
            return None
        home, away, used = self._sides(row)
        if any(words.is_total(cell.text) for _, cell in filled) and not (home and away and not words.is_total(home)):
            self._total(row, [cell.text for _, cell in filled])
            return None
        if not home or not away:
            if len(filled) <= 2 and self._between(row, " ".join(cell.text for _, cell in filled)):
                desk.lines_between.add(row)
                return None
            is_bye = any(lines.is_bye(side) for side in (home, away)) or any(
                lines.has_bye(cell.text) for _, cell in filled
            )
            if is_bye:
                why = gettext("A bye is no match.")
            elif _has_one_side([cell for _, cell in filled]):
                why = gettext("Only one side in this row. A match needs both sides in one row.")
            else:
                why = gettext("No match in this row.")
            desk.keep_row(row, why)
            return None
        if lines.is_bye(home) or lines.is_bye(away):
            desk.keep_row(row, gettext("A bye is no match."))
            return None
        if lines.MATCHDAY.fullmatch(home) or lines.MATCHDAY.fullmatch(away):
            desk.keep_row(row, gettext("No match in this row."))
            return None
        match = Match(row + 1, home, away)
        used |= self._scores(row, match) | self._when(row, match) | self._rest(row, match)
        self._absence(row, match, filled, used)
        if self.what == RESULTS and match.home_score is None and not match.walkover:
            has_winner = row in self.on_lines and self.on_lines[row].names_winner
            desk.keep_row(row, gettext("The winner, but no score.") if has_winner else gettext("No result yet."))
            return None
        match.note = "; ".join(filter(None, (match.note, match.put_off)))
        desk.keep_rest(row, used)
        return match

    def _absence(self, row: int, match: Match, filled: Sequence[tuple[int, Cell]], used: set[int]) -> None:
        """Ask about a remark that somebody did not come, in whichever column it stands."""
        if match.walkover:
            return
        beside = [(at, cell.text) for at, cell in filled if at not in used and cell.kind == TEXT]
        for at, text in [(-1, match.note), *beside]:
            if lines.says_absence(text) and (at < 0 or not lines.is_walkover(text)):
                match.note = match.note or " ".join(text.split())[:200]
                used.add(at)
                self._ask_walkover(row, match, text)
                return

    def _sides(self, row: int) -> tuple[str, str, set[int]]:
        home, away = (_name(self._text(row, holds)) for holds in ("home", "away"))
        if "home" in self._counted:
            home = lines.without_number(home)
        used = {at for holds in ("home", "away") if (at := self.at[holds]) is not None}
        if not (home and away) and (at := self.at["match"]) is not None:
            text = self._text(row, "match")
            both = self._on_line(row, lines.without_number(text) if "match" in self._counted else text)
            if both is not None:
                home, away = _name(both.home), _name(both.away)
                self.on_lines[row] = both
                used.add(at)
        return home, away, used

    def _on_line(self, row: int, text: str) -> MatchLine | None:
        """The match in one cell; `None` for a line that says which matchday comes next: `Round 1 - 3 September`."""
        hit = lines.MATCHDAY.match(text.strip())
        rest = text.strip()[hit.end() :].strip(" ,:–-()") if hit else text
        both = match_line(rest)
        if both is not None and both.scores is None and words.is_letter(rest) and not _VERSUS.search(rest):
            return None
        if both is None or values.day_in_any_year(Cell(rest)).day is not None:
            return None
        if hit:
            self.matchday = lines.matchday(hit)
        if self.what == FIXTURES and both.scores and (clock := lines.time_of_fixture(rest)):
            both = replace(both, scores=None, when=f"{both.when} {clock.replace('.', ':')}".strip())
        return both

    def _total(self, row: int, cells: list[str]) -> None:
        label = next(text for text in cells if words.is_total(text))
        self.desk.ask(
            *(row, "total", gettext("%(text)s: a match?") % {"text": label}, ASIDE),
            [(ASIDE, gettext("No: a line of totals. Set it aside"))],
            shown=" ".join(cells),
        )
        self.desk.keep_row(row, gettext("A line of totals."))

    def _scores(self, row: int, match: Match) -> set[int]:
        """The scores of a match, and the columns that were used for them."""
        used = set[int]()
        line = self.on_lines.get(row)
        if line is not None and line.scores:
            match.home_score, match.away_score = line.scores
        if line is not None and line.remark:
            self._remark(row, match, line.remark)
        at = self.at["walkover"]
        if at is not None and self._text(row, "walkover"):
            absent = _absent(self._text(row, "walkover"), match)
            if absent is not None:
                match.walkover = absent
                used.add(at)
        pair = self.at["score"]
        if pair is not None and self._text(row, "score"):
            hit = self._score_pair(row, self._cell(row, pair))
            if hit is not None:
                match.home_score, match.away_score = hit
                used.add(pair)
            elif self._remark(row, match, self._text(row, "score")):
                used.add(pair)
        sides = [self.at["home_score"], self.at["away_score"]]
        texts = [self._text(row, "home_score"), self._text(row, "away_score")]
        numbers = [None if at is None else values.number(self._cell(row, at)) for at in sides]
        if None not in numbers:
            match.home_score, match.away_score = numbers
            used |= {at for at in sides if at is not None}
        elif any(map(lines.is_walkover, texts)):
            used |= {at for at in sides if at is not None and not _is_stray(self._cell(row, at))}
            came_not = [lines.is_walkover(text) for text in texts]
            if all(came_not):
                match.walkover = "both"
            else:
                absent = "home" if came_not[0] else "away"
                self._ask_walkover(row, match, next(text for text in texts if lines.is_walkover(text)), absent)
        else:
            used |= {
                at
                for at, text in zip(sides, texts, strict=True)
                if at is not None and (self._remark(row, match, text) or words.is_none(text))
            }
        if match.walkover:
            match.home_score = match.away_score = None
        return used

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

    def _when(self, row: int, match: Match) -> set[int]:
        """Day, time and matchday of a match, by its cells or by the lines above it."""
        used = set[int]()
        match.day, match.matchday = self.day, self.matchday
        if row in self.on_lines and self.on_lines[row].when:
            self._set_when(row, match, Cell(self.on_lines[row].when))
        at = self.at["date"]
        if (
            at is not None
            and (cell := self._cell(row, at))
            and self._set_when(row, match, cell)
            and self.sheet.cell(row, at)
        ):
            used.add(at)
        at = self.at["time"]
        if at is not None and (text := self._text(row, "time")):
            clock = values.day(Cell(f"2000-01-01 {text}")).clock
            if clock is not None:
                match.clock = clock.isoformat("minutes")
                used.add(at)
        at = self.at["matchday"]
        if at is not None and (digits := re.search(r"\d{1,3}", self._text(row, "matchday"))):
            match.matchday = int(digits[0])
            used.add(at)
        return used

    def _rest(self, row: int, match: Match) -> set[int]:
        used = set[int]()
        match.division, match.season = self.division, self.season
        for holds in ("division", "season", "venue", "note"):
            at = self.at[holds]
            if at is not None and (text := self._text(row, holds)):
                setattr(match, holds, " ".join(text.split())[:200])
                used.add(at)
        return used

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
        stated = self.season or self._stated_year()
        self.years = Years(
            [*days, *([] if stated else self.context.further_days)],
            stated=stated,
            first_day=self.context.first_day or self.context.began,
            today=self.context.today,
            is_over=self.what == RESULTS,
        )

    def _cells_with_days(self, row: int) -> list[Cell]:
        """What a row says of days: its own, or that of the matches below."""
        cells = [cell for cell in self.sheet.rows[row] if cell]
        at, pair = self.at["date"], self.at["match"]
        hit = [self._cell(row, at)] if at is not None else []
        if pair is not None and (line := match_line(self._text(row, "match"))) is not None:
            hit.append(Cell(line.when))
        if len(cells) <= 2:
            hit.append(Cell(self._without_matchday(" ".join(cell.text for cell in cells))[0]))
        return hit

    def _order(self) -> bool | None:
        """Whether the month comes first in dates with slashes; `None` if they do not tell."""
        votes = Counter[bool]()
        for cell in (cell for row in self.rows for cell in self._cells_with_days(row)):
            for hit in re.finditer(r"(?<![\d/])(\d{1,2})/(\d{1,2})(?:/\d{2,4})?(?![\d/])", cell.text):
                left, right = int(hit[1]), int(hit[2])
                if (left > 12) != (right > 12):
                    votes[right > 12] += 1
        return None if len(votes) != 1 else next(iter(votes))

    def _stated_year(self) -> str:
        """The text with the year of the list, above its titles or in the name of its sheet; empty without one."""
        above = [cell.text for row in range(self.layout.heading or 0) for cell in self.sheet.rows[row]]
        return next((text for text in [*above, self.sheet.name] if re.search(r"\b(?:19|20)\d{2}\b", text)), "")

    # Numbers in front of names

    def _numbers_in_front(self) -> set[str]:
        """The columns whose lines are counted, `1. Lund v Okafor`."""
        columns = set[str]()
        for holds in ("match", "home"):
            texts = [text for row in self.rows if (text := self._text(row, holds))]
            if holds == "match":
                texts = [text for text in texts if match_line(lines.without_number(text)) is not None]
            if lines.are_counted(texts):
                columns.add(holds)
        return columns

    def _without_seeds(self, matches: Sequence[Match]) -> None:
        """Take the number of each side from its name, if all have one of their own: `1. Lund`, `2. Okafor`."""
        if lines.are_seeded([name for match in matches for name in (match.home, match.away)]):
            for match in matches:
                match.home, match.away = lines.without_number(match.home), lines.without_number(match.away)

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
        met = {frozenset((_key(match.home), _key(match.away))) for match in matches}
        same = SameNames(
            *(self.desk, self.context.teams, sorted(counts, key=lambda name: -counts[name])),
            are_apart=lambda first, second: frozenset((_key(first), _key(second))) in met,
        )
        for match in matches:
            match.home = same.name(match.row, match.home)
            match.away = same.name(match.row, match.away)


class SameNames:
    """One name for each side of a list: as the league has it, else as the list has it most."""

    def __init__(
        self, desk: Desk, known: Sequence[str], side_names: Iterable[str], *, are_apart: Callable[[str, str], bool]
    ) -> None:
        self.desk, self._are_apart = desk, are_apart
        self._by_key = {_key(team): team for team in known}
        self._settled = list(self._by_key.values())
        for name in side_names:
            self._by_key.setdefault(_key(name), name)
        self._chosen: dict[str, str] = {}

    def name(self, row: int, name: str) -> str:
        """The name of the side that is called so in a row (from 1)."""
        if name not in self._chosen:
            self._chosen[name] = self._settle(row, self._by_key[_key(name)])
        return self._chosen[name]

    def _settle(self, row: int, name: str) -> str:
        if name in self._settled:
            return name
        near = [other for other in self._settled if may_be_same_side(name, other)]
        if len(near) == 1:
            answer = self.desk.ask(
                *(row - 1, "near_name"),
                gettext("%(name)s: %(member)s?") % {"name": name, "member": near[0]},
                TWO if self._are_apart(name, near[0]) else near[0],
                [(near[0], gettext("Yes, %(name)s") % {"name": near[0]}), (TWO, gettext("No, another side"))],
                shown=name,
            )
            if answer != TWO:
                return answer
        self._settled.append(name)
        return name


def may_be_same_side(item: str, other: str) -> bool:
    """Whether the names of two sides differ by a letter or two only."""
    left, right = _key(item).split(), _key(other).split()
    if len(left) != len(right) or "".join(left).isdecimal():
        return False
    different = [(a, b) for a, b in zip(left, right, strict=True) if a != b]
    if len(different) != 1 or all(word in words.GIVEN for word in different[0]):
        return False
    a, b = different[0]
    is_long = min(len(a), len(b)) > 3 or (min(len(a), len(b)) == 3 and len(a) != len(b))
    return is_long and OSA.distance(a, b, score_cutoff=1) <= 1 and a.isalpha() and b.isalpha()


def _key(name: str) -> str:
    """The name of a side for comparing: the two of a pair in either order."""
    return " ".join(sorted(filter(None, (words.folded(part) for part in names.BETWEEN.split(name)))))


def _name(text: str) -> str:
    """The name of a side on one line."""
    plain = " / ".join(" ".join(line.split()) for line in text.split("\n") if line.strip())
    return "" if words.is_none(plain) else plain[:80]


def _absent(text: str, match: Match) -> str | None:
    plain = words.folded(text)
    if plain in _NOBODY:
        return ""
    if plain in ("home", "h", "heim", words.folded(match.home)):
        return "home"
    if plain in ("away", "a", "gast", words.folded(match.away)):
        return "away"
    return "both" if plain in ("both", "beide", "double", "nobody", "niemand") else None


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


def _has_one_side(cells: Sequence[Cell]) -> bool:
    """Whether a row may be half of a match that stands on two rows: one name, and beside it
    scores and days."""
    wordy = [cell for cell in cells if any(map(str.isalpha, cell.text)) and not values.day_in_any_year(cell).day]
    return len(wordy) == 1 < len(cells) and not words.is_heading(wordy[0].text) and len(wordy[0].text) < 60


def _season_words(years: Years, year: int) -> str:
    """A year as the first one of a list of days, with its end if that is in the next."""
    return f"{year}/{(year + 1) % 100:02}" if years.is_over_new_year else str(year)


def _is_stray(cell: Cell) -> bool:
    """Whether a cell beside a walkover says something of its own, such as what was scored before."""
    return not lines.is_walkover(cell.text) and not words.is_none(cell.text) and values.number(cell) != 0
