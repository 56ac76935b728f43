"""Past seasons as a spreadsheet: a line for each match. Problems are reported by line. Nothing here knows the club."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
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
"""Titles of each column; case, accents and signs do not matter."""
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
"""Further ones are not listed."""

SPECIMEN = (
    "season;division;matchday;date;home;away;home score;away score;venue;walkover;note\r\n"
    "2024/25;Premier;1;2024-09-12;Okafor / Bell;Lund / Arai;8720;7940;Harbour Hall;;\r\n"
    "2024/25;Premier;1;2024-09-12;Haddad / Penrose;Doyle / Brandt;;;;away;Brandt was ill\r\n"
)
"""The first lines of an example file."""


class Order(StrEnum):
    """The order of dates with slashes, if that cannot be seen."""

    UNKNOWN = ""
    DAY_FIRST = "day"
    MONTH_FIRST = "month"


class Absent(StrEnum):
    """Sides that did not come to a match."""

    NOBODY = ""
    HOME = "home"
    AWAY = "away"
    BOTH = "both"


@dataclass(frozen=True)
class Match:
    """A match of a past season."""

    line: int
    season: str
    division: str
    matchday: int
    day: date
    home: str
    away: str
    scores: tuple[int, int] | None
    """Card points of home and away; `None` if it was not played."""
    absent: Absent = Absent.NOBODY
    venue: str = ""
    note: str = ""
    clock: time | None = None
    """When a match that is still to be played starts, by the club’s clock."""


@dataclass(frozen=True)
class Problem:
    """A problem, and its line in the file; 0 for the whole file."""

    line: int
    sentence: str

    @property
    def words(self) -> str:
        """The sentence, with its line if it has one."""
        if not self.line:
            return self.sentence
        return gettext("Row %(row)s: %(sentence)s") % {"row": self.line, "sentence": self.sentence}


@dataclass(frozen=True)
class PastDivision:
    """The matches of one division, in the order of the file."""

    name: str
    matches: tuple[Match, ...]

    @property
    def teams(self) -> dict[str, str]:
        """The names of its teams by their folded names, in the order of the file."""
        teams: dict[str, str] = {}
        for match in self.matches:
            for name in (match.home, match.away):
                teams.setdefault(folded(name), name)
        return teams

    @property
    def matchdays(self) -> list[tuple[int, list[Match]]]:
        """Its matches by matchday, in order."""
        numbers = sorted({match.matchday for match in self.matches})
        return [(number, [match for match in self.matches if match.matchday == number]) for number in numbers]


@dataclass(frozen=True)
class PastSeason:
    """A season of the file, its divisions from the top."""

    name: str
    divisions: tuple[PastDivision, ...]

    @property
    def days(self) -> tuple[date, date]:
        """Its first and its last day."""
        days = [match.day for division in self.divisions for match in division.matches]
        return min(days), max(days)


@dataclass(frozen=True)
class Sheet:
    """The contents of a file: its seasons, the earliest first, and its problems."""

    seasons: tuple[PastSeason, ...]
    problems: tuple[Problem, ...]
    lines: int
    """The number of lines that are not empty, without the titles."""
    unknown: tuple[str, ...] = ()
    """Titles of unused columns."""
    encoding: str = "utf-8"
    is_ambiguous: bool = False
    """Whether dates with slashes could be read in two ways, and no order was chosen."""


def folded(name: str) -> str:
    """A name for comparing, because databases differ in folding."""
    return " ".join(name.split()).casefold()


def read_season(data: bytes | str, *, order: Order = Order.UNKNOWN, levels: Sequence[str] = ()) -> Sheet:
    """Read the seasons of a file. `levels` are names of divisions from the top; others follow in the order of the file.

    Raises `Refused` if it is not a table of matches; every other problem is reported with its line.
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
    matches = [match for row in columns.rows if (match := reader.match(row)) is not None]
    problems = [*reader.problems, *_clashes(matches)]
    seasons = _seasons(matches, levels)
    problems += _too_much(seasons)
    return Sheet(
        seasons=seasons,
        problems=tuple(sorted(problems, key=lambda problem: problem.line)[:MOST_PROBLEMS]),
        lines=len(columns.rows),
        unknown=columns.unknown,
        encoding=table.encoding,
        is_ambiguous=reader.is_ambiguous,
    )


def seasons_of(matches: Sequence[Match], levels: Sequence[str] = (), *, lines: int = 0) -> Sheet:
    """The seasons of matches that were read elsewhere, with their problems."""
    seasons = _seasons(matches, levels)
    problems = [*_clashes(matches), *_too_much(seasons)]
    return Sheet(seasons, tuple(sorted(problems, key=lambda problem: problem.line)[:MOST_PROBLEMS]), lines)


# One line


class _Wrong(Exception):
    """A problem with a cell, in a sentence."""


class _Reader:
    """Reads lines, and collects their problems."""

    def __init__(self, columns: Columns, order: Order) -> None:
        self.columns, self.problems = columns, list[Problem]()
        dates = [columns.cell(row, "date") for row in columns.rows]
        self.order = _order(dates) or order
        slashed = [text for text in dates if _SLASHED.match(text)]
        self.is_ambiguous = bool(slashed) and not self.order
        if self.is_ambiguous:
            sentence = gettext("Dates such as %(slashed)s can be read in two ways. Choose the right one below.") % {
                "slashed": slashed[0]
            }
            self.problems.append(Problem(0, sentence))

    def match(self, row: Row) -> Match | None:
        """The match of a line; `None` if there is a problem with it."""
        wrong: list[str] = []

        def read(take: Callable[[str], Found], name: str) -> Found | None:
            try:
                return take(self.columns.cell(row, name))
            except _Wrong as error:
                wrong.append(str(error))
                return None

        season, division = (
            read(_name(gettext("season"), 60), "season"),
            read(_name(gettext("division"), 60), "division"),
        )
        home, away = read(_name(gettext("home side"), 80), "home"), read(_name(gettext("away side"), 80), "away")
        matchday, day = read(_matchday, "matchday"), read(self._day, "date")
        venue, note = read(_text(gettext("venue")), "venue"), read(_text(gettext("note")), "note")
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
        """A date; `None` if it can be read in two ways, which is reported once for the whole file."""
        if not text:
            raise _Wrong(gettext("The date is missing."))
        for pattern in (_WRITTEN, _DOTTED):
            if parts := pattern.match(text):
                return _real(text, parts["year"], parts["month"], parts["day"])
        parts = _SLASHED.match(text)
        if parts is None:
            raise _Wrong(
                gettext("“%(text)s” is not a date. Enter it as 2026-11-21 or 21.11.2026.") % {"text": text[:40]}
            )
        if self.is_ambiguous:
            return None
        if self.order == Order.MONTH_FIRST:
            return _real(text, parts["year"], parts["one"], parts["two"])
        return _real(text, parts["year"], parts["two"], parts["one"])


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
"""Texts of the walkover column."""


def _order(dates: Iterable[str]) -> Order:
    """The order of dates with slashes, by the first that can be read in one way only."""
    for text in dates:
        if parts := _SLASHED.match(text):
            if int(parts["one"]) > 12 >= int(parts["two"]):
                return Order.DAY_FIRST
            if int(parts["two"]) > 12 >= int(parts["one"]):
                return Order.MONTH_FIRST
    return Order.UNKNOWN


def _real(text: str, year: str, month: str, day: str) -> date:
    try:
        parsed = date(int(year) + (2000 if len(year) == 2 else 0), int(month), int(day))
    except ValueError:
        raise _Wrong(gettext("%(text)s is not a real date.") % {"text": text[:40]}) from None
    if not 1900 <= parsed.year <= 2100:
        raise _Wrong(gettext("The year of %(text)s cannot be right.") % {"text": text[:40]})
    return parsed


def _name(name: str, longest: int) -> Callable[[str], str]:
    def take(text: str) -> str:
        if not text:
            raise _Wrong(gettext("The %(what)s is missing.") % {"what": name})
        try:
            return clean_display_name(text, longest)
        except ValidationError as error:
            raise _Wrong(
                gettext("The %(what)s cannot be “%(text)s”: %(messages)s")
                % {"what": name, "text": text[:40], "messages": " ".join(error.messages)}
            ) from None

    return take


def _text(name: str) -> Callable[[str], str]:
    def take(text: str) -> str:
        if len(text) > LONGEST_WORDS:
            raise _Wrong(
                gettext("The %(what)s is too long. The limit is %(most)s characters.")
                % {"what": name, "most": LONGEST_WORDS}
            )
        return text

    return take


def _matchday(text: str) -> int:
    digits = re.search(r"\d{1,4}", text, re.ASCII)
    if digits is None:
        raise _Wrong(
            gettext("The matchday is missing.")
            if not text
            else gettext("“%(text)s” does not contain a matchday number.") % {"text": text[:40]}
        )
    number = int(digits[0])
    if not 1 <= number <= HIGHEST_MATCHDAY:
        raise _Wrong(gettext("A matchday must be a number from 1 to %(most)s.") % {"most": HIGHEST_MATCHDAY})
    return number


def _score(name: str) -> Callable[[str], int]:
    def take(text: str) -> int:
        plain = re.sub(r"\s", " ", text.replace("−", "-").replace("–", "-")).strip()
        if not plain:
            raise _Wrong(gettext("The %(what)s is missing. Enter walkovers in the column walkover.") % {"what": name})
        matched = _SCORE.match(plain.replace("- ", "-"))
        if matched is None:
            raise _Wrong(
                gettext("The %(what)s “%(text)s” is not a whole number of points.") % {"what": name, "text": text[:40]}
            )
        number = int(re.sub(r"[^\d]", "", matched[1])) * (-1 if plain.startswith("-") else 1)
        if abs(number) > MOST_POINTS:
            raise _Wrong(
                gettext("The %(what)s %(text)s is too high or too low for a match.") % {"what": name, "text": text[:40]}
            )
        return number

    return take


def _absent(text: str, home: str, away: str) -> Absent:
    names = {folded(home): Absent.HOME, folded(away): Absent.AWAY} if home and away else {}
    absent = names.get(folded(text)) if text else None
    if absent is None:
        absent = _WALKOVERS.get(folded(text))
    if absent is None:
        raise _Wrong(
            gettext("In the column walkover, enter the side that did not come: home, away or both, not “%(text)s”.")
            % {"text": text[:40]}
        )
    return absent


# All lines together


def _clashes(matches: Sequence[Match]) -> list[Problem]:
    """Teams that play twice on a matchday, or in two divisions of one season."""
    problems: list[Problem] = []
    played: dict[tuple[str, ...], Match] = {}
    divisions: dict[tuple[str, str], Match] = {}
    for match in matches:
        season, division = folded(match.season), folded(match.division)
        for name in (match.home, match.away):
            before = played.setdefault((season, division, str(match.matchday), folded(name)), match)
            if before is not match:
                words = gettext("%(name)s plays twice on matchday %(matchday)s. See line %(line)s.") % {
                    "name": name,
                    "matchday": match.matchday,
                    "line": before.line,
                }
                problems.append(Problem(match.line, words))
            first = divisions.setdefault((season, folded(name)), match)
            if folded(first.division) != division:
                words = gettext("%(name)s is in %(division)s here, but in %(division2)s on line %(line)s.") % {
                    "name": name,
                    "division": match.division,
                    "division2": first.division,
                    "line": first.line,
                }
                problems.append(Problem(match.line, words))
    return problems


def _seasons(matches: Sequence[Match], levels: Sequence[str]) -> tuple[PastSeason, ...]:
    by_season: dict[str, dict[str, list[Match]]] = {}
    for match in matches:
        by_season.setdefault(folded(match.season), {}).setdefault(folded(match.division), []).append(match)
    seasons = [_season(list(divisions.values()), levels) for divisions in by_season.values()]
    return tuple(sorted(seasons, key=lambda season: season.days))


def _season(divisions: Sequence[Sequence[Match]], levels: Sequence[str]) -> PastSeason:
    level_of = {folded(name): at for at, name in enumerate(levels)}
    numbers = [re.search(r"\d+", matches[0].division) for matches in divisions]
    are_numbered = all(numbers) and len(divisions) > 1

    def level(at: int) -> tuple[int, int, int]:
        number = numbers[at]
        return (
            level_of.get(folded(divisions[at][0].division), len(level_of)),
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
        for division in season.divisions:
            if len(division.teams) > MOST_TEAMS:
                problems.append(
                    Problem(
                        0,
                        gettext("%(one)s in %(season)s has more than %(most)s teams.")
                        % {"one": division.name, "season": season.name, "most": MOST_TEAMS},
                    )
                )
    return problems
