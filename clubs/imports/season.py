"""Past seasons as a secretary's spreadsheet has them: a line for each match. What is wrong is told by its line.

Nothing here knows the club: whether a team is known, and what the tables come to, is for `services.importing`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TypeVar

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from accounts.display_names import clean_display_name
from clubs.imports.tables import Columns, Row, columns_of, read_table
from tournaments.services.matches.result_lines import MOST_POINTS
from web.errors import Refused
from web.text import either

Found = TypeVar("Found")

TITLES: Mapping[str, Sequence[str]] = {
    "season": ("year", "saison", "spielzeit", "seizoen", "temporada"),
    "division": ("div", "group", "class", "tier", "divisie", "staffel"),
    "matchday": ("match day", "round", "week", "md", "day number", "spieltag", "runde", "speelronde"),
    "date": ("day", "played", "played on", "when", "datum", "fecha"),
    "home": ("home team", "home side", "home pair", "side 1", "team 1", "pair 1", "heim", "thuis"),
    "away": ("away team", "away side", "visitors", "guest", "side 2", "team 2", "pair 2", "gast", "uit"),
    "home score": (
        *("home points", "score home", "score 1", "points 1", "home result", "score_home"),
        *("punkte heim", "heimpunkte", "ergebnis heim"),
    ),
    "away score": (
        *("away points", "score away", "score 2", "points 2", "away result", "score_away"),
        *("punkte gast", "gastpunkte", "ergebnis gast"),
    ),
    "venue": ("place", "where", "location", "hall", "ort", "plaats"),
    "walkover": ("wo", "w/o", "forfeit", "absent", "did not come", "no show", "kampflos", "nicht angetreten"),
    "note": ("notes", "remark", "remarks", "comment", "comments", "reason", "bemerkung", "anmerkung", "notiz"),
}
"""What may stand above each column; capitals, accents and signs do not matter."""
NEEDED = ("season", "division", "matchday", "date", "home", "away", "home score", "away score")

MOST_MATCHES = 2000
MOST_SEASONS = 20
MOST_DIVISIONS = 20
MOST_TEAMS = 40
"""In one division."""
HIGHEST_MATCHDAY = 999
LONGEST_WORDS = 200
"""Of a venue or a note."""
MOST_PROBLEMS = 200
"""More are not listed."""

SPECIMEN = (
    "season;division;matchday;date;home;away;home score;away score;venue;walkover;note\r\n"
    "2024/25;Premier;1;2024-09-12;Okafor / Bell;Lund / Arai;8720;7940;Harbour Hall;;\r\n"
    "2024/25;Premier;1;2024-09-12;Haddad / Penrose;Doyle / Brandt;;;;away;Brandt was ill\r\n"
)
"""The first lines of a file, to look at."""


class Order(StrEnum):
    """How dates with slashes are meant, where that cannot be seen."""

    UNKNOWN = ""
    DAY_FIRST = "day"
    MONTH_FIRST = "month"


class Absent(StrEnum):
    """Who did not come to a match."""

    NOBODY = ""
    HOME = "home"
    AWAY = "away"
    BOTH = "both"


@dataclass(frozen=True)
class Match:
    """One match of a past season."""

    line: int
    season: str
    division: str
    matchday: int
    day: date
    home: str
    away: str
    scores: tuple[int, int] | None
    """Card points of home and away; nothing where it was not played."""
    absent: Absent = Absent.NOBODY
    venue: str = ""
    note: str = ""


@dataclass(frozen=True)
class Problem:
    """What is wrong, and on which line of the file; 0 where it concerns the whole."""

    line: int
    sentence: str


@dataclass(frozen=True)
class PastDivision:
    """The matches of one division, in the order of the file."""

    name: str
    matches: tuple[Match, ...]

    @property
    def teams(self) -> dict[str, str]:
        """Everybody in it by their folded names, in the order in which they first stand in the file."""
        found: dict[str, str] = {}
        for one in self.matches:
            for name in (one.home, one.away):
                found.setdefault(folded(name), name)
        return found

    @property
    def matchdays(self) -> list[tuple[int, list[Match]]]:
        """Its matches by matchday, in order."""
        numbers = sorted({one.matchday for one in self.matches})
        return [(number, [one for one in self.matches if one.matchday == number]) for number in numbers]


@dataclass(frozen=True)
class PastSeason:
    """One season of the file, its divisions from the top."""

    name: str
    divisions: tuple[PastDivision, ...]

    @property
    def days(self) -> tuple[date, date]:
        """Its first and its last day."""
        days = [one.day for division in self.divisions for one in division.matches]
        return min(days), max(days)


@dataclass(frozen=True)
class Sheet:
    """What a file holds: its seasons, the earliest first, and what is wrong with it."""

    seasons: tuple[PastSeason, ...]
    problems: tuple[Problem, ...]
    lines: int
    """How many lines hold something, the titles aside."""
    unknown: tuple[str, ...] = ()
    """Titles of columns that nothing is taken from."""
    encoding: str = "utf-8"
    is_ambiguous: bool = False
    """Whether dates with slashes could be read in two ways, and nobody has said which."""


def folded(name: str) -> str:
    """A name for comparing: databases fold letters each in their own way."""
    return " ".join(name.split()).casefold()


def read_season(data: bytes | str, *, order: Order = Order.UNKNOWN, levels: Sequence[str] = ()) -> Sheet:
    """The seasons of a file. `levels` are names of divisions from the top; others follow as the file has them.

    Raises `Refused` for what is no table of matches at all; else every problem is told with its line.
    """
    table = read_table(data, most_rows=MOST_MATCHES + 1)
    columns = columns_of(table, TITLES)
    missing = [name for name in NEEDED if name not in columns.at]
    if not columns.has_titles or len(missing) == len(NEEDED):
        raise Refused(
            "no_titles", gettext("The first line must name the columns: %(needed)s.") % {"needed": ", ".join(NEEDED)}
        )
    if missing:
        raise Refused("no_column", gettext("No column is called %(missing)s.") % {"missing": either(missing)})
    if not columns.rows:
        raise Refused("empty", gettext("The file contains no matches."))
    reader = _Reader(columns, order)
    matches = [one for row in columns.rows if (one := reader.match(row)) is not None]
    problems = [*reader.problems, *_clashes(matches)]
    seasons = _seasons(matches, levels)
    problems += _too_much(seasons)
    return Sheet(
        seasons=seasons,
        problems=tuple(sorted(problems, key=lambda one: one.line)[:MOST_PROBLEMS]),
        lines=len(columns.rows),
        unknown=columns.unknown,
        encoding=table.encoding,
        is_ambiguous=reader.is_ambiguous,
    )


# One line


class _Wrong(Exception):
    """What is wrong with a cell, in a sentence."""


class _Reader:
    """Reads lines, and keeps what is wrong with them."""

    def __init__(self, columns: Columns, order: Order) -> None:
        self.columns, self.problems = columns, list[Problem]()
        dates = [columns.cell(row, "date") for row in columns.rows]
        self.order = _order(dates) or order
        slashed = [told for told in dates if _SLASHED.match(told)]
        self.is_ambiguous = bool(slashed) and not self.order
        if self.is_ambiguous:
            sentence = gettext("Dates such as %(slashed)s can be read in two ways. Choose the right one below.") % {
                "slashed": slashed[0]
            }
            self.problems.append(Problem(0, sentence))

    def match(self, row: Row) -> Match | None:
        """The match of a line; nothing where something is wrong with it."""
        wrong: list[str] = []

        def read(take: Callable[[str], Found], name: str) -> Found | None:
            try:
                return take(self.columns.cell(row, name))
            except _Wrong as error:
                wrong.append(str(error))
                return None

        season, division = (
            read(_named(gettext("season"), 60), "season"),
            read(_named(gettext("division"), 60), "division"),
        )
        home, away = read(_named(gettext("home side"), 80), "home"), read(_named(gettext("away side"), 80), "away")
        matchday, day = read(_matchday, "matchday"), read(self._day, "date")
        venue, note = read(_words(gettext("venue")), "venue"), read(_words(gettext("note")), "note")
        absent = read(lambda text: _absent(text, home or "", away or ""), "walkover")
        scores = (
            None
            if absent
            else (read(_score(gettext("home score")), "home score"), read(_score(gettext("away score")), "away score"))
        )
        if home and away and folded(home) == folded(away):
            wrong.append(gettext("%(home)s cannot play against themselves.") % {"home": home})
        self.problems += [Problem(row.line, sentence) for sentence in wrong]
        if wrong or season is None or division is None or home is None or away is None or day is None:
            return None
        played = None if scores is None else (scores[0] or 0, scores[1] or 0)
        return Match(
            *(row.line, season, division, matchday or 0, day, home, away, played),
            *(absent or Absent.NOBODY, venue or "", note or ""),
        )

    def _day(self, text: str) -> date | None:
        """A date; nothing where it can be read in two ways, which is told once for the whole file."""
        if not text:
            raise _Wrong(gettext("The date is missing."))
        for pattern in (_WRITTEN, _DOTTED):
            if found := pattern.match(text):
                return _real(text, found["year"], found["month"], found["day"])
        found = _SLASHED.match(text)
        if found is None:
            raise _Wrong(
                gettext("“%(text)s” is not a date. Enter it as 2026-11-21 or 21.11.2026.") % {"text": text[:40]}
            )
        if self.is_ambiguous:
            return None
        if self.order == Order.MONTH_FIRST:
            return _real(text, found["year"], found["one"], found["two"])
        return _real(text, found["year"], found["two"], found["one"])


_TIME = r"(?:[ T]+\d{1,2}[:.]\d{2}(?:[:.]\d{2})?)?$"
_WRITTEN = re.compile(r"^(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})" + _TIME, re.ASCII)
_DOTTED = re.compile(r"^(?P<day>\d{1,2})[.-] ?(?P<month>\d{1,2})[.-] ?(?P<year>\d{4}|\d{2})" + _TIME, re.ASCII)
_SLASHED = re.compile(r"^(?P<one>\d{1,2})/(?P<two>\d{1,2})/(?P<year>\d{4}|\d{2})" + _TIME, re.ASCII)
_SCORE = re.compile(r"^[-+]?(\d{1,3}([.,'’ ]\d{3})+|\d{1,9})([.,]0+)?$", re.ASCII)
_WALKOVERS = {
    "home": Absent.HOME,
    "h": Absent.HOME,
    "heim": Absent.HOME,
    "gast": Absent.AWAY,
    "beide": Absent.BOTH,
    "niemand": Absent.BOTH,
    "nein": Absent.NOBODY,
    "away": Absent.AWAY,
    "a": Absent.AWAY,
    "both": Absent.BOTH,
    "double": Absent.BOTH,
    "nobody": Absent.BOTH,
    "no": Absent.NOBODY,
    "none": Absent.NOBODY,
    "0": Absent.NOBODY,
    "": Absent.NOBODY,
}
"""What a cell of the walkover column may say."""


def _order(dates: Iterable[str]) -> Order:
    """How dates with slashes must be meant, by those that can be read in one way only; the first way wins."""
    for told in dates:
        if found := _SLASHED.match(told):
            if int(found["one"]) > 12 >= int(found["two"]):
                return Order.DAY_FIRST
            if int(found["two"]) > 12 >= int(found["one"]):
                return Order.MONTH_FIRST
    return Order.UNKNOWN


def _real(text: str, year: str, month: str, day: str) -> date:
    try:
        found = date(int(year) + (2000 if len(year) == 2 else 0), int(month), int(day))
    except ValueError:
        raise _Wrong(gettext("%(text)s is not a real date.") % {"text": text[:40]}) from None
    if not 1900 <= found.year <= 2100:
        raise _Wrong(gettext("The year of %(text)s cannot be right.") % {"text": text[:40]})
    return found


def _named(what: str, longest: int) -> Callable[[str], str]:
    def take(text: str) -> str:
        if not text:
            raise _Wrong(gettext("The %(what)s is missing.") % {"what": what})
        try:
            return clean_display_name(text, longest)
        except ValidationError as error:
            raise _Wrong(
                gettext("The %(what)s cannot be “%(text)s”: %(messages)s")
                % {"what": what, "text": text[:40], "messages": " ".join(error.messages)}
            ) from None

    return take


def _words(what: str) -> Callable[[str], str]:
    def take(text: str) -> str:
        if len(text) > LONGEST_WORDS:
            raise _Wrong(
                gettext("The %(what)s is too long. The limit is %(most)s characters.")
                % {"what": what, "most": LONGEST_WORDS}
            )
        return text

    return take


def _matchday(text: str) -> int:
    found = re.search(r"\d{1,4}", text, re.ASCII)
    if found is None:
        raise _Wrong(
            gettext("The matchday is missing.")
            if not text
            else gettext("“%(text)s” does not contain a matchday number.") % {"text": text[:40]}
        )
    number = int(found[0])
    if not 1 <= number <= HIGHEST_MATCHDAY:
        raise _Wrong(gettext("A matchday must be a number from 1 to %(most)s.") % {"most": HIGHEST_MATCHDAY})
    return number


def _score(what: str) -> Callable[[str], int]:
    def take(text: str) -> int:
        plain = re.sub(r"\s", " ", text.replace("−", "-").replace("–", "-")).strip()
        if not plain:
            raise _Wrong(gettext("The %(what)s is missing. Enter walkovers in the column walkover.") % {"what": what})
        found = _SCORE.match(plain.replace("- ", "-"))
        if found is None:
            raise _Wrong(
                gettext("The %(what)s “%(text)s” is not a whole number of points.") % {"what": what, "text": text[:40]}
            )
        number = int(re.sub(r"[^\d]", "", found[1])) * (-1 if plain.startswith("-") else 1)
        if abs(number) > MOST_POINTS:
            raise _Wrong(
                gettext("The %(what)s %(text)s is too high or too low for a match.") % {"what": what, "text": text[:40]}
            )
        return number

    return take


def _absent(text: str, home: str, away: str) -> Absent:
    names = {folded(home): Absent.HOME, folded(away): Absent.AWAY} if home and away else {}
    found = names.get(folded(text)) if text else None
    if found is None:
        found = _WALKOVERS.get(folded(text))
    if found is None:
        raise _Wrong(
            gettext("In the column walkover, enter the side that did not come: home, away or both, not “%(text)s”.")
            % {"text": text[:40]}
        )
    return found


# All lines together


def _clashes(matches: Sequence[Match]) -> list[Problem]:
    """Teams that play twice on a matchday, or in two divisions of one season."""
    problems: list[Problem] = []
    played: dict[tuple[str, ...], Match] = {}
    divisions: dict[tuple[str, str], Match] = {}
    for one in matches:
        season, division = folded(one.season), folded(one.division)
        for name in (one.home, one.away):
            before = played.setdefault((season, division, str(one.matchday), folded(name)), one)
            if before is not one:
                words = gettext("%(name)s plays twice on matchday %(matchday)s. See line %(line)s.") % {
                    "name": name,
                    "matchday": one.matchday,
                    "line": before.line,
                }
                problems.append(Problem(one.line, words))
            first = divisions.setdefault((season, folded(name)), one)
            if folded(first.division) != division:
                words = gettext("%(name)s is in %(division)s here, but in %(division2)s on line %(line)s.") % {
                    "name": name,
                    "division": one.division,
                    "division2": first.division,
                    "line": first.line,
                }
                problems.append(Problem(one.line, words))
    return problems


def _seasons(matches: Sequence[Match], levels: Sequence[str]) -> tuple[PastSeason, ...]:
    found: dict[str, dict[str, list[Match]]] = {}
    for one in matches:
        found.setdefault(folded(one.season), {}).setdefault(folded(one.division), []).append(one)
    seasons = [_season(list(divisions.values()), levels) for divisions in found.values()]
    return tuple(sorted(seasons, key=lambda season: season.days))


def _season(divisions: Sequence[Sequence[Match]], levels: Sequence[str]) -> PastSeason:
    told = {folded(name): at for at, name in enumerate(levels)}
    numbers = [re.search(r"\d+", own[0].division) for own in divisions]
    are_numbered = all(numbers) and len(divisions) > 1

    def level(at: int) -> tuple[int, int, int]:
        number = numbers[at]
        return (
            told.get(folded(divisions[at][0].division), len(told)),
            int(number[0][:6]) if are_numbered and number is not None else 0,
            at,
        )

    order = sorted(range(len(divisions)), key=level)
    ranked = tuple(PastDivision(divisions[at][0].division, tuple(divisions[at])) for at in order)
    return PastSeason(divisions[0][0].season, ranked)


def _too_much(seasons: Sequence[PastSeason]) -> list[Problem]:
    problems = []
    if len(seasons) > MOST_SEASONS:
        problems.append(
            Problem(
                0,
                gettext("The file contains %(seasons)s seasons. Import at most %(most)s at once.")
                % {"seasons": len(seasons), "most": MOST_SEASONS},
            )
        )
    for season in seasons:
        if len(season.divisions) > MOST_DIVISIONS:
            problems.append(
                Problem(
                    0,
                    gettext("%(season)s has more than %(most)s divisions.")
                    % {"season": season.name, "most": MOST_DIVISIONS},
                )
            )
        for one in season.divisions:
            if len(one.teams) > MOST_TEAMS:
                problems.append(
                    Problem(
                        0,
                        gettext("%(one)s in %(season)s has more than %(most)s teams.")
                        % {"one": one.name, "season": season.name, "most": MOST_TEAMS},
                    )
                )
    return problems
