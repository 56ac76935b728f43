"""Matches in a list, played or still to be played."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext

from clubs.bring_in import lines, values, words
from clubs.bring_in.headings import says_division
from clubs.bring_in.layout import Layout
from clubs.bring_in.lines import MatchLine, match_line
from clubs.bring_in.match_reader import MatchReader
from clubs.bring_in.reading import ASIDE, FIXTURES, ONE, RESULTS, TWO, Context, Desk, Match
from clubs.bring_in.side_names import name_on_line
from clubs.bring_in.values import Day
from clubs.bring_in.workbook import TEXT, Cell, Sheet

_VERSUS = re.compile(r"\b(?:v|vs|versus|gegen)\b", re.IGNORECASE)
_NOBODY = frozenset({"", "no", "nein", "none", "0"})


def read(sheet: Sheet, layout: Layout, context: Context, what: str) -> tuple[Desk, list[Match]]:
    """The matches of a sheet, with the questions about them and what was set aside."""
    reader = _ListReader(sheet, layout, context, what)
    return reader.desk, reader.matches()


def days_without_year(sheet: Sheet, layout: Layout, context: Context, what: str) -> list[Day]:
    """The days of a sheet that says nothing of its year; none of others."""
    reader = _ListReader(sheet, layout, replace(context, keys=Counter()), what)
    days = [values.day_in_any_year(cell) for row in reader.rows for cell in reader.cells_with_days(row)]
    days = [day for day in days if day.day]
    return [] if reader.stated_year() or any(day.has_year for day in days) else days


class _ListReader(MatchReader):
    """Reads a list with one match in each row, or in one cell of each."""

    def __init__(self, sheet: Sheet, layout: Layout, context: Context, what: str) -> None:
        self.on_lines: dict[int, MatchLine] = {}
        """Matches that stand in one cell, by their rows."""
        super().__init__(sheet, layout, context, what)
        self._counted = self._numbers_in_front()

    def matches(self) -> list[Match]:
        """The matches, in the order of their rows."""
        self._read_above()
        self._learn_years([self.heading_day, *(cell for row in self.rows for cell in self.cells_with_days(row))])
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

    # Between the rows

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
        if rest and says_division(rest) and len(rest) < 60:
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
            desk.keep_row(row, _why_no_match(home, away, [cell for _, cell in filled]))
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
        home, away = (name_on_line(self._text(row, holds)) for holds in ("home", "away"))
        if "home" in self._counted:
            home = lines.without_number(home)
        used = {at for holds in ("home", "away") if (at := self.at[holds]) is not None}
        if not (home and away) and (at := self.at["match"]) is not None:
            text = self._text(row, "match")
            both = self._on_line(row, lines.without_number(text) if "match" in self._counted else text)
            if both is not None:
                home, away = name_on_line(both.home), name_on_line(both.away)
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
        line = self.on_lines.get(row)
        if line is not None and line.scores:
            match.home_score, match.away_score = line.scores
        if line is not None and line.remark:
            self._remark(row, match, line.remark)
        used = self._walkover(row, match) | self._score(row, match) | self._two_scores(row, match)
        if match.walkover:
            match.home_score = match.away_score = None
        return used

    def _walkover(self, row: int, match: Match) -> set[int]:
        """From the column that says who did not come."""
        at, text = self.at["walkover"], self._text(row, "walkover")
        absent = _absent(text, match) if text else None
        if at is None or absent is None:
            return set()
        match.walkover = absent
        return {at}

    def _score(self, row: int, match: Match) -> set[int]:
        """From the column with both scores."""
        at, text = self.at["score"], self._text(row, "score")
        if at is None or not text:
            return set()
        pair = self._score_pair(row, self._cell(row, at))
        if pair is not None:
            match.home_score, match.away_score = pair
        return {at} if pair is not None or self._remark(row, match, text) else set()

    def _two_scores(self, row: int, match: Match) -> set[int]:
        """From the columns with one score each, or with a remark in place of it."""
        texts = [self._text(row, "home_score"), self._text(row, "away_score")]
        sides = [self.at["home_score"], self.at["away_score"]]
        numbers = [None if at is None else values.number(self._cell(row, at)) for at in sides]
        if None not in numbers:
            match.home_score, match.away_score = numbers
            return {at for at in sides if at is not None}
        came_not = [lines.is_walkover(text) for text in texts]
        if all(came_not):
            match.walkover = "both"
        elif any(came_not):
            absent = "home" if came_not[0] else "away"
            self._ask_walkover(row, match, texts[came_not.index(True)], absent)
        else:
            return {
                at
                for at, text in zip(sides, texts, strict=True)
                if at is not None and (self._remark(row, match, text) or words.is_none(text))
            }
        return {at for at in sides if at is not None and not _is_stray(self._cell(row, at))}

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

    def cells_with_days(self, row: int) -> list[Cell]:
        """What a row says of days: its own, or that of the matches below."""
        cells = [cell for cell in self.sheet.rows[row] if cell]
        at, pair = self.at["date"], self.at["match"]
        hit = [self._cell(row, at)] if at is not None else []
        if pair is not None and (line := match_line(self._text(row, "match"))) is not None:
            hit.append(Cell(line.when))
        if len(cells) <= 2:
            hit.append(Cell(self._without_matchday(" ".join(cell.text for cell in cells))[0]))
        return hit

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


def _absent(text: str, match: Match) -> str | None:
    plain = words.folded(text)
    if plain in _NOBODY:
        return ""
    if plain in ("home", "h", "heim", words.folded(match.home)):
        return "home"
    if plain in ("away", "a", "gast", words.folded(match.away)):
        return "away"
    return "both" if plain in ("both", "beide", "double", "nobody", "niemand") else None


def _why_no_match(home: str, away: str, cells: Sequence[Cell]) -> str:
    """Why a row without both sides is set aside."""
    if lines.is_bye(home) or lines.is_bye(away) or any(lines.has_bye(cell.text) for cell in cells):
        return gettext("A bye is no match.")
    if _has_one_side(cells):
        return gettext("Only one side in this row. A match needs both sides in one row.")
    return gettext("No match in this row.")


def _has_one_side(cells: Sequence[Cell]) -> bool:
    """Whether a row may be half of a match that stands on two rows: one name, and beside it
    scores and days."""
    wordy = [cell for cell in cells if any(map(str.isalpha, cell.text)) and not values.day_in_any_year(cell).day]
    return len(wordy) == 1 < len(cells) and not words.is_heading(wordy[0].text) and len(wordy[0].text) < 60


def _is_stray(cell: Cell) -> bool:
    """Whether a cell beside a walkover says something of its own, such as what was scored before."""
    return not lines.is_walkover(cell.text) and not words.is_none(cell.text) and values.number(cell) != 0
