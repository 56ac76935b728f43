"""Final tables without matches as past seasons: places, and the numbers that the table has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext, ngettext

from accounts.models import User
from clubs.bring_in.reading import Place
from clubs.imports.season import MOST_DIVISIONS, MOST_SEASONS, MOST_TEAMS, PastDivision, PastSeason, folded
from clubs.models import Division, Season, SeasonEntry
from clubs.services.history import Record
from clubs.services.leagues import event_roles
from clubs.services.seasons.past_seasons.create import Maker
from clubs.services.seasons.past_seasons.preview import Wishes
from clubs.services.seasons.past_seasons.rerank import winners
from web.errors import Refused
from web.text import number

LONGEST = 80
Left = tuple[int, str, str]
"""A line that cannot come in: its row, its name, and why."""


@dataclass(frozen=True)
class TableDivision(PastDivision):
    """A division of which only the final table is known."""

    places: tuple[Place, ...] = ()

    @property
    def teams(self) -> dict[str, str]:
        """Names by folded name, in the order of the table."""
        return {folded(place.name[:LONGEST]): place.name[:LONGEST] for place in self.places}


@dataclass(frozen=True)
class TableSeason(PastSeason):
    """A season of which only the final tables are known."""

    first_day: date = date(2000, 1, 1)

    @property
    def days(self) -> tuple[date, date]:
        """Its first day, twice: the table does not have its last."""
        return self.first_day, self.first_day


def seasons_of(places: Sequence[Place], *, name: str, first_day: date) -> tuple[list[TableSeason], list[Left]]:
    """The seasons of a final table, in its order, and the lines that cannot come in. `name` and `first_day` are those of
    places without a season; a season with a year in its name starts in that year."""
    by_season: dict[str, dict[str, list[Place]]] = {}
    used: set[tuple[str, str]] = set()
    left: list[Left] = []
    for place in places:
        season, division = place.season[:60] or name, (place.division or gettext("Division 1"))[:60]
        key = (folded(season), folded(place.name[:LONGEST]))
        if key in used:
            left.append((place.row, place.name, gettext("Twice in one season.")))
            continue
        used.add(key)
        by_season.setdefault(season, {}).setdefault(division, []).append(place)
    seasons = [
        TableSeason(
            season,
            tuple(TableDivision(division, (), places=tuple(rows)) for division, rows in divisions.items()),
            first_day=first_day_of(season) or first_day,
        )
        for season, divisions in by_season.items()
    ]
    return sorted(seasons, key=lambda season: season.first_day), left


def first_day_of(season: str) -> date | None:
    """The usual first day of a season by the year in its name: in autumn if it goes over two years."""
    years = [text for text in season.replace("–", "/").replace("-", "/").split("/") if text.strip().isdecimal()]
    year = int(years[0]) if years and len(years[0].strip()) == 4 else 0
    if not 1900 <= year <= 2100:
        return None
    return date(year, 9, 1) if len(years) > 1 else date(year, 1, 1)


def make(record: Record, by: User, seasons: Sequence[TableSeason], wishes: Wishes) -> str:
    """Create closed seasons with final places and honours, and without matches, within an act; returns its sentence.
    Raises `Refused`."""
    _check_size(seasons)
    maker = TableMaker(record, by, wishes)
    maker.make(seasons)
    event_roles.sync(record.club, by, within=record)
    count = sum(len(division.teams) for season in seasons for division in season.divisions)
    return ngettext(
        "A final table with %(count)s team was imported into %(league)s: %(names)s.",
        "Final tables with %(count)s teams were imported into %(league)s: %(names)s.",
        count,
    ) % {"count": number(count), "league": maker.league, "names": ", ".join(season.name for season in seasons)}


def _check_size(seasons: Sequence[TableSeason]) -> None:
    if not seasons:
        raise Refused("empty", gettext("There are no places to import."), field="import")
    most = max(len(division.teams) for season in seasons for division in season.divisions)
    if len(seasons) > MOST_SEASONS or most > MOST_TEAMS or any(len(s.divisions) > MOST_DIVISIONS for s in seasons):
        raise Refused("too_many", gettext("This is too much for one import. Split it into several."), field="import")


class TableMaker(Maker):
    """Creates seasons of final tables within an act: no events, because there are no matches."""

    def _fill(
        self, seasons: Sequence[PastSeason], rows: Sequence[Season], divisions: Sequence[tuple[PastDivision, Division]]
    ) -> None:
        for source, division in divisions:
            entries = self._final_entries(source, division)
            self.record.create_all(entries)
            self.record.create_all(winners(division, entries))

    def _final_entries(self, source: PastDivision, division: Division) -> list[SeasonEntry]:
        places: Sequence[Place] = source.places if isinstance(source, TableDivision) else ()
        return [
            SeasonEntry(
                season=division.season,
                team=self.people.teams[folded(place.name[:LONGEST])],
                division=division,
                position=position,
                final_rank=place.place,
                final_row=_numbers(place.numbers),
            )
            for position, place in enumerate(places, 1)
        ]


def _numbers(numbers: Mapping[str, int | float | None]) -> dict[str, int | float]:
    return {name: value for name, value in numbers.items() if value is not None}
