"""What was read in a file: rows of a list, questions with their guesses, and what was set aside. No cell is lost."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.utils.translation import gettext

from clubs.bring_in import words
from clubs.bring_in.layout import Layout
from clubs.bring_in.values import Day
from clubs.bring_in.workbook import FORMULA, Cell, Sheet, Workbook

MEMBERS, RESULTS, TABLE, FIXTURES = "members", "results", "table", "fixtures"
KINDS = (MEMBERS, RESULTS, TABLE, FIXTURES)
ASIDE, ONE, TWO = "aside", "one", "two"
"""Answers that are no names: keep the row aside; one person; two people."""


@dataclass(frozen=True)
class Known:
    """A member of the club."""

    pk: int
    name: str
    email: str = ""
    phone: str = ""


@dataclass(frozen=True)
class Context:
    """What is known besides the file."""

    members: Sequence[Known] = ()
    teams: Sequence[str] = ()
    """Names of the sides that the league has."""
    has_team_names: bool = False
    """Whether the sides of the league have names of their own, rather than those of their people."""
    month_first: bool = False
    """Whether the club writes the month before the day."""
    leading_zero: bool = True
    """Whether national telephone numbers start with 0."""
    today: date = date(2000, 1, 1)
    first_day: date | None = None
    """Of the season of the list, as far as it is known."""
    season: str = ""
    """Of lists that stand with another one, and do not name theirs."""
    began: date | None = None
    """The first day of the list with which another one stands."""
    further_days: Sequence[Day] = ()
    """Of the lists that stand with this one, and do not name their year."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """Answers to questions by `Question.key`."""
    part: str = ""
    """What the keys of questions begin with, on another sheet than the first."""
    keys: Counter[str] = field(default_factory=Counter)
    """How many questions of each row and kind have been asked in this sheet."""


@dataclass(frozen=True)
class Question:
    """A doubt about a row; its guess holds until it is answered."""

    row: int
    """From 1, as spreadsheets show it."""
    kind: str
    text: str
    guess: str
    choices: tuple[tuple[str, str], ...]
    """Values of answers, and their labels."""
    key: str
    answer: str
    """The guess, or what was answered."""
    shown: str = ""
    """The cell in doubt."""
    can_type: bool = False
    """Whether an answer may be any name."""
    remark: str = ""
    sheet: str = ""
    """The sheet of the row, if it is not the first that was read."""


@dataclass(frozen=True)
class Kept:
    """Cells that were set aside."""

    row: int
    """From 1; 0 for a sheet as a whole."""
    cells: tuple[str, ...]
    why: str
    is_whole: bool
    """Whether nothing else of the row was used."""
    sheet: str = ""


@dataclass
class Person:
    """A person of the list."""

    row: int
    name: str
    email: str = ""
    phone: str = ""
    role: str = ""
    note: str = ""
    address: str = ""
    """In lines."""
    known: Known | None = None
    """The member of the club whom they are."""
    is_partner: bool = False
    """Whether the name stands in a column beside that of somebody else."""
    sheet: str = ""

    def as_json(self) -> dict[str, Any]:
        """Its row, name, email, phone and role; its note and its postal address if it has one."""
        plain = {"row": self.row, "name": self.name, "email": self.email, "phone": self.phone, "role": self.role}
        more = {name: text for name in ("note", "address") if (text := getattr(self, name))}
        return {**plain, **more, **_sheet_of(self)}


@dataclass
class Match:
    """A match of the list."""

    row: int
    home: str
    away: str
    day: date | None = None
    clock: str = ""
    home_score: int | float | None = None
    away_score: int | float | None = None
    matchday: int | None = None
    division: str = ""
    season: str = ""
    venue: str = ""
    walkover: str = ""
    """`home`, `away` or `both`: who did not come."""
    note: str = ""
    put_off: str = ""
    """Why it has no score, or no day: `postponed`."""
    sheet: str = ""

    def as_json(self, *, has_scores: bool) -> dict[str, Any]:
        """Its fields; the date as an ISO text or empty, scores as numbers or null. Fixtures have a time, and scores if
        the list has them."""
        plain = {
            "row": self.row,
            "date": self.day.isoformat() if self.day else "",
            "home": self.home,
            "away": self.away,
        }
        scores = {"home_score": self.home_score, "away_score": self.away_score, "walkover": self.walkover}
        rest = {"matchday": self.matchday, "division": self.division, "season": self.season, "venue": self.venue}
        if not has_scores:
            is_played = self.home_score is not None or self.walkover
            scores = {"time": self.clock, **(scores if is_played else {})}
        return {**plain, **scores, **rest, "note": self.note, **_sheet_of(self)}


@dataclass
class Place:
    """A line of a final table."""

    row: int
    place: int
    name: str
    numbers: dict[str, int | float | None]
    """`played`, `won`, `drawn`, `lost`, `for`, `against`, `difference`, `points`."""
    division: str = ""
    season: str = ""
    note: str = ""
    sheet: str = ""

    def as_json(self) -> dict[str, Any]:
        """Its fields; numbers that the table does not have are null."""
        of = {"division": self.division, "season": self.season}
        return {"row": self.row, "place": self.place, "name": self.name, **self.numbers, **of, **_sheet_of(self)}


def _sheet_of(item: Person | Match | Place | Question | Kept) -> dict[str, str]:
    """The sheet of a row, if it is not the first that was read."""
    return {"sheet": item.sheet} if item.sheet else {}


@dataclass
class Reading:
    """A file as it was read, with all guesses and answers applied."""

    what: str
    book: Workbook
    layout: Layout
    questions: list[Question]
    kept_aside: list[Kept]
    people: list[Person] = field(default_factory=list)
    matches: list[Match] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    lines_between: set[int] = field(default_factory=set)
    """Rows (from 0) that were used for the rows below them."""
    meant: Mapping[tuple[str, int], Known] = field(default_factory=dict)
    """Members who are meant by other names than their own, by the name of a side and the place in it, from 0."""

    @property
    def sheet(self) -> Sheet:
        return self.book.sheets[self.layout.sheet]

    @property
    def items(self) -> Sequence[Person | Match | Place]:
        """What comes in."""
        return self.people if self.what == MEMBERS else self.places if self.what == TABLE else self.matches

    @property
    def rows_aside(self) -> list[Kept]:
        """Rows of which nothing was used, without those above the titles."""
        first = self.layout.first
        return [
            aside_row
            for aside_row in self.kept_aside
            if aside_row.is_whole and (aside_row.row > first or aside_row.sheet)
        ]

    def as_json(self) -> dict[str, Any]:
        """The object that `manage.py bring_in` prints."""
        if self.what == MEMBERS:
            items = {"people": [person.as_json() for person in self.people]}
        elif self.what == TABLE:
            items = {"places": [place.as_json() for place in self.places]}
        else:
            items = {"matches": [match.as_json(has_scores=self.what == RESULTS) for match in self.matches]}
        return {
            "sheet": self.sheet.name,
            "heading_row": None if self.layout.heading is None else self.layout.heading + 1,
            "columns": [{"title": column.title, "is": column.holds} for column in self.layout.columns],
            **items,
            "questions": [
                {"row": question.row, "kind": question.kind, "text": question.text, "guess": question.guess}
                | _sheet_of(question)
                for question in self.questions
            ],
            "kept_aside": [
                {"row": aside_row.row, "cells": list(aside_row.cells), "why": aside_row.why} | _sheet_of(aside_row)
                for aside_row in self.kept_aside
            ],
        }


class Desk:
    """Collects the questions and what is set aside while a list is read."""

    def __init__(self, sheet: Sheet, layout: Layout, context: Context) -> None:
        self.sheet, self.layout, self.context = sheet, layout, context
        self.questions: list[Question] = []
        self.kept_aside: list[Kept] = []
        self.name = ""
        """The sheet, if it is not the first that was read."""
        self.lines_between: set[int] = set()
        """Rows (from 0) that say what the rows below them are, such as a matchday or a division."""
        self._covered = _covered_from_above(sheet)

    def beside(self, sheet: Sheet, layout: Layout) -> "Desk":
        """A desk for a part of the columns, which puts everything where this one does."""
        part = copy(self)
        part.sheet, part.layout = sheet, layout
        return part

    def ask(
        self,
        row: int,
        kind: str,
        text: str,
        guess: str,
        choices: Iterable[tuple[str, str]],
        *,
        shown: str = "",
        can_type: bool = False,
        remark: str = "",
    ) -> str:
        """Ask about a row (from 0); returns the answer, which is the guess until there is one."""
        key = f"{self.context.part}{row + 1}-{kind}"
        self.context.keys[key] += 1
        if self.context.keys[key] > 1:
            key = f"{key}-{self.context.keys[key]}"
        offered = tuple(dict(choices).items())
        answer = " ".join(self.context.answers.get(key, guess).split()) or guess
        if answer not in dict(offered) and not can_type:
            answer = guess
        self.questions.append(
            Question(row + 1, kind, text, guess, offered, key, answer, shown or text, can_type, remark)
        )
        return answer

    def keep(self, row: int, cells: Iterable[Cell | str], why: str, *, is_whole: bool = False) -> None:
        """Keep cells of a row (from 0) aside; empty ones are nothing."""
        texts = tuple(cell if isinstance(cell, str) else cell.text for cell in cells)
        texts = tuple(text for text in texts if text)
        if texts:
            self.kept_aside.append(Kept(row + 1, texts, why, is_whole))

    def keep_row(self, row: int, why: str) -> None:
        """Keep a whole row (from 0) aside."""
        self.keep(row, self.sheet.rows[row], why, is_whole=True)

    def keep_rest(self, row: int, used: Iterable[int], skipped: Mapping[int, str] | None = None) -> None:
        """Keep the cells of a row aside that were not used, each group with its reason."""
        used_columns, groups = set(used), dict[str, list[Cell]]()
        for column, cell in enumerate(self.sheet.rows[row]):
            if not cell or column in used_columns:
                continue
            if cell.kind == FORMULA:
                why = gettext("A formula without a stored value.")
            elif skipped and column in skipped:
                why = skipped[column]
            else:
                why = self.why_left_out(column)
            groups.setdefault(why, []).append(cell)
        for why, cells in groups.items():
            self.keep(row, cells, why)

    def why_left_out(self, column: int) -> str:
        """Why a column is not used."""
        title = self.layout.columns[column].title if column < len(self.layout.columns) else ""
        if title:
            return gettext("The column “%(title)s” is left out.") % {"title": title}
        return gettext("Column %(number)s is left out.") % {"number": column + 1}

    def keep_above(self) -> None:
        """Keep what stands above the titles, and cells beside the titles without a column."""
        for row in range(self.layout.heading or 0):
            self.keep_row(row, gettext("Above the titles of the columns."))

    def is_title_again(self, row: int) -> bool:
        """Whether a row repeats the titles, as at the top of a page."""
        if self.layout.heading is None:
            return False
        titles = [words.folded(column.title) for column in self.layout.columns]
        cells = [(at, words.folded(cell.text)) for at, cell in enumerate(self.sheet.rows[row]) if cell]
        return len(cells) > 1 and all(at < len(titles) and titles[at] == text for at, text in cells)

    def merged_down(self, row: int, column: int) -> tuple[int, int] | None:
        """The place of the cell that covers this one from above; `None` if it is a cell of its own."""
        return self._covered.get((row, column))


def _covered_from_above(sheet: Sheet) -> dict[tuple[int, int], tuple[int, int]]:
    """For each cell that is merged into one above it, the place of that."""
    covered = {}
    for top, left, bottom, right in sheet.merged:
        if bottom < len(sheet.rows) and right <= left + 20:
            for row in range(top + 1, bottom + 1):
                covered.update({(row, column): (top, left) for column in range(left, right + 1)})
    return covered


def keep_other_sheets(book: Workbook, chosen: Collection[int]) -> list[Kept]:
    """What stands on the sheets that were not read, one entry for each."""
    sheets_aside = []
    for at, sheet in enumerate(book.sheets):
        cells = tuple(cell.text for row in sheet.rows for cell in row if cell)
        if at in chosen or not cells:
            continue
        why = (
            gettext("On the hidden sheet “%(sheet)s”, which is not read.")
            if sheet.is_hidden
            else gettext("On the sheet “%(sheet)s”, which is not read.")
        )
        sheets_aside.append(Kept(0, cells, why % {"sheet": sheet.name}, is_whole=False))
    return sheets_aside
