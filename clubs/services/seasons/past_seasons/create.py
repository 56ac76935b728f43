"""Creates the seasons of a file within an act: rows of one kind at once, however many matches there are."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext

from accounts.models import User
from clubs import honours
from clubs.imports.season import Absent, Match, PastDivision, PastSeason, folded
from clubs.models import Appearance, Division, Fixture, Honour, League, Season, SeasonEntry
from clubs.services import naming
from clubs.services.history import Record, row_of
from clubs.services.leagues import event_roles, leagues, titles
from clubs.services.seasons import season_plans
from clubs.services.seasons.past_seasons import preview
from clubs.services.seasons.past_seasons.people import People
from clubs.services.seasons.past_seasons.preview import Preview, Wishes
from clubs.services.seasons.past_seasons.rerank import imported_ids, winners
from tournaments import stage_standings
from tournaments.services.events import imported_events
from tournaments.services.events.imported_events import ImportedEvent, PastEvent, PastMatch, PastRound
from web.database import bulk_insert
from web.errors import Refused

PLAYED_AT = time(12)
"""The file has days and no times: matches were at noon by the club's clock."""
_ABSENT = {Absent.HOME: frozenset({0}), Absent.AWAY: frozenset({1}), Absent.BOTH: frozenset({0, 1})}


@dataclass
class _BuiltDivision:
    """A division while it is created."""

    source: PastDivision
    division: Division
    event: ImportedEvent
    entries: list[SeasonEntry]


class Maker:
    """Creates seasons within an act."""

    def __init__(self, record: Record, by: User, wishes: Wishes) -> None:
        self.record, self.by, self.wishes = record, by, wishes
        self.league = self._league()
        self.people = People(record, self.league, adds_people=wishes.adds_people, meant=wishes.meant)
        self.seasons: list[tuple[Season, list[_BuiltDivision]]] = []

    @property
    def matches(self) -> int:
        """The number of created matches."""
        return sum(len(built.source.matches) for _, divisions in self.seasons for built in divisions)

    def _league(self) -> League:
        wishes, club = self.wishes, self.record.club
        if wishes.league_id is not None:
            league = row_of(self.record, League, wishes.league_id)
            leagues.check_alive(league)
            return league
        if wishes.kind not in League.Kind.values:
            raise Refused("bad_kind", gettext("A league is for people, pairs or teams."), field="kind")
        existing = League.objects.filter(club=club)
        name = naming.clean(wishes.league_name, leagues.LONGEST, field="league_name")
        if titles.is_taken(name, existing.values_list("name", flat=True)):
            raise Refused(
                "name_taken",
                gettext("A league called %(name)s already exists. Choose it above.") % {"name": name},
                field="league_name",
            )
        if existing.count() >= leagues.MOST:
            raise Refused(
                "too_many",
                gettext("A club can have at most %(most)s leagues.") % {"most": leagues.MOST},
                field="league_name",
            )
        slug = titles.free_slug(name, set(existing.values_list("slug", flat=True)), 50, otherwise="league")
        league = League(club=club, name=name, slug=slug, kind=wishes.kind)
        self.record.create(league)
        return league

    def make(self, seasons: Sequence[PastSeason]) -> None:
        """Create all seasons. Raises `Refused`."""
        if not seasons:
            raise Refused("empty", gettext("The file contains no matches."), field="table")
        existing = list(Season.objects.filter(league=self.league).order_by("number"))
        continued = self._continued(seasons, existing)
        new = [season for season in seasons if folded(season.name) not in continued]
        numbers = self._make_room(new, existing)
        others = [season for season in existing if folded(season.name) not in continued]
        self.people.add_teams(self._departures(seasons, others))
        rows = dict(zip(map(id, new), self._rows(new, numbers, {season.slug for season in existing}), strict=True))
        self._make(seasons, [rows.get(id(season)) or continued[folded(season.name)] for season in seasons])

    def _continued(self, seasons: Sequence[PastSeason], existing: Sequence[Season]) -> dict[str, Season]:
        """Imported seasons to which further divisions come, by their folded names. Raises `Refused` for a season that
        the league has with one of these divisions, or teams, or that it has played itself."""
        by_name = {folded(old.name): old for old in existing}
        continued = {}
        for season in seasons:
            old = by_name.get(folded(season.name))
            if old is None:
                continue
            if not self._is_continued_by(old, season):
                raise Refused(
                    "name_taken",
                    gettext(
                        "%(league)s already has a season called %(season)s. A list of another division must name it."
                    )
                    % {"league": self.league, "season": season.name},
                    field="table",
                )
            continued[folded(season.name)] = old
        return continued

    def _is_continued_by(self, old: Season, season: PastSeason) -> bool:
        """Whether a season was imported, and a list of it has other divisions with other teams."""
        if old.status != Season.Status.CLOSED or old.pk not in imported_ids(self.record.club):
            return False
        divisions = {folded(name) for name in old.divisions.values_list("name", flat=True)}
        teams = {folded(name) for name in SeasonEntry.objects.filter(season=old).values_list("team__name", flat=True)}
        return not any(
            folded(division.name) in divisions or teams & set(division.teams) for division in season.divisions
        )

    def _make_room(self, seasons: Sequence[PastSeason], existing: Sequence[Season]) -> list[int]:
        """Numbers for the new seasons among the existing ones, by their first days."""
        order: list[tuple[date, Season | None]] = [(old.starts_on, old) for old in existing]
        for season in seasons:
            first = season.days[0]
            at = next((at for at, (starts, old) in enumerate(order) if old is not None and starts > first), len(order))
            order.insert(at, (first, None))
        for number, (_, old) in reversed(list(enumerate(order, 1))):
            if old is not None:
                self.record.change(old, number=number)
        return [number for number, (_, old) in enumerate(order, 1) if old is None]

    def _departures(self, seasons: Sequence[PastSeason], existing: Sequence[Season]) -> dict[str, datetime | None]:
        """The teams of the file, and the last day of those that do not play any more."""
        names: dict[str, str] = {}
        last: dict[str, PastSeason] = {}
        for season in seasons:
            for division in season.divisions:
                for key, name in division.teams.items():
                    names.setdefault(key, name)
                    last[key] = season
        later = max((season.starts_on for season in existing), default=None)

        def left_at(season: PastSeason) -> datetime | None:
            plays_on = season is seasons[-1] and (later is None or later < season.days[0])
            return None if plays_on else self._at(season.days[1])

        return {name: left_at(last[key]) for key, name in names.items()}

    # Seasons, divisions, and the events behind them

    def _rows(self, seasons: Sequence[PastSeason], numbers: Sequence[int], used_slugs: set[str]) -> list[Season]:
        rows = []
        for season, number in zip(seasons, numbers, strict=True):
            rows.append(self._season(season, number, used_slugs))
            used_slugs.add(rows[-1].slug)
        self.record.create_all(rows)
        return rows

    def _make(self, seasons: Sequence[PastSeason], rows: Sequence[Season]) -> None:
        divisions = [
            (source, Division(season=row, level=level, name=source.name, size=len(source.teams)))
            for season, row in zip(seasons, rows, strict=True)
            for level, source in zip(self._levels(season, row), season.divisions, strict=True)
        ]
        self.record.create_all([division for _, division in divisions])
        self._fill(seasons, rows, divisions)

    def _levels(self, source: PastSeason, season: Season) -> list[int]:
        """The levels of the divisions of a list among those that its season has: by their numbers, if all have one, else
        below. The season then reaches over the days of all."""
        there = list(season.divisions.order_by("level"))
        if not there:
            return list(range(1, len(source.divisions) + 1))
        divisions: list[Division | PastDivision] = [*there, *source.divisions]
        numbers = [re.search(r"\d{1,6}", division.name) for division in divisions]
        if all(numbers):
            places = [int(number[0]) for number in numbers if number is not None]
            divisions = [division for _, division in sorted(zip(places, divisions, strict=True), key=lambda at: at[0])]
        levels = {id(division): level for level, division in enumerate(divisions, 1)}
        for division in reversed(there):
            self.record.change(division, level=levels[id(division)])
        days, state = source.days, self._state(source)
        self.record.change(
            season,
            up=season_plans.borders(season.up, len(divisions)),
            down=season_plans.borders(season.down, len(divisions)),
            starts_on=min(season.starts_on, days[0]),
            started_at=min(season.started_at or state["started_at"], state["started_at"]),
            closed_at=max(season.closed_at or state["closed_at"], state["closed_at"]),
        )
        return [levels[id(division)] for division in source.divisions]

    def _fill(
        self, seasons: Sequence[PastSeason], rows: Sequence[Season], divisions: Sequence[tuple[PastDivision, Division]]
    ) -> None:
        """Add teams, matches and honours to created seasons and their divisions."""
        events = [event for season, row in zip(seasons, rows, strict=True) for event in self._events(season, row)]
        imported = imported_events.import_events(
            self.by, events, self.record.now, organisers=event_roles.expected_roles(self.record.club)
        )
        by_season: dict[int, list[_BuiltDivision]] = {row.pk: [] for row in rows}
        for (source, division), event in zip(divisions, imported, strict=True):
            entries = self._entries(source, division, event)
            by_season[division.season_id].append(_BuiltDivision(source, division, event, entries))
        self.seasons = [(row, by_season[row.pk]) for row in rows]
        self._link_entries()
        self._add_honours()
        self._link_people()

    def _season(self, source: PastSeason, number: int, used_slugs: set[str]) -> Season:
        count = len(source.divisions)
        season = Season(
            league=self.league,
            number=number,
            name=source.name,
            slug=titles.free_slug(source.name, used_slugs, 60, otherwise="season"),
            **season_plans.read_rules(self.record.club, self.wishes.preset, self.wishes.rules_version_id),
            plan_json=season_plans.read_plan({**self.wishes.plan, "legs": 2 if _meet_twice(source) else 1}),
            starts_on=source.days[0],
            up=season_plans.borders((), count),
            down=season_plans.borders((), count),
            **self._state(source),
        )
        season_plans.check(season)
        return season

    def _state(self, source: PastSeason) -> dict[str, Any]:
        """Fields of a season that is over."""
        first, last = source.days
        return {
            "status": Season.Status.CLOSED,
            "settings": season_plans.read_settings({"is_rated": False}),
            "started_at": self._at(first),
            "closed_at": self._at(last),
        }

    def _events(self, source: PastSeason, season: Season) -> Iterable[PastEvent]:
        settings = {**season_plans.values_for(season), "rules_json": season.rules_json}
        plan = season_plans.plan_of(season)
        for division in source.divisions:
            positions = {key: at for at, key in enumerate(division.teams)}
            if len(positions) < 2:
                raise Refused(
                    "nobody",
                    gettext("%(one)s of %(season)s must have at least one match.")
                    % {"one": division.name, "season": season},
                    field="table",
                )
            yield PastEvent(
                settings={**settings, "name": season_plans.title(self.league, season, division.name)},
                stage_name=division.name,
                plan=plan,
                entries=self.people.entries(list(division.teams.values())),
                rounds=[self._round(number, matches, positions) for number, matches in division.matchdays],
                has_matchdays=True,
            )

    def _round(self, number: int, matches: Sequence[Match], positions: Mapping[str, int]) -> PastRound:
        first = min(match.day for match in matches)
        past_matches = [self._match(match, positions) for match in matches]
        return PastRound(number, f"Matchday {number}", self._at(first), past_matches)

    def _match(self, match: Match, positions: Mapping[str, int]) -> PastMatch:
        sides = (positions[folded(match.home)], positions[folded(match.away)])
        return PastMatch(sides, match.scores, self._at(match.day), _ABSENT.get(match.absent, frozenset()), match.note)

    def _entries(self, source: PastDivision, division: Division, event: ImportedEvent) -> list[SeasonEntry]:
        """The teams of a division at their final places."""
        ranks = {standing.entry: standing.rank for standing in stage_standings.ranking(event.state)}
        return [
            SeasonEntry(
                season=division.season,
                team=self.people.teams[key],
                division=division,
                position=position,
                final_rank=ranks.get(position),
            )
            for position, key in enumerate(source.teams, 1)
        ]

    # Links from leagues to events

    @property
    def _divisions(self) -> list[_BuiltDivision]:
        return [built for _, divisions in self.seasons for built in divisions]

    def _link_entries(self) -> None:
        """Link divisions to their events, and teams to their entries."""
        self.record.create_all([entry for built in self._divisions for entry in built.entries])
        # Not through the record: undoing deletes the event as a whole, with the links to it.
        for built in self._divisions:
            built.division.tournament = built.event.tournament
            for entry in built.entries:
                entry.entry = built.event.state.entries[entry.position].entry
        Division.objects.bulk_update([built.division for built in self._divisions], ["tournament"])
        SeasonEntry.objects.bulk_update([entry for built in self._divisions for entry in built.entries], ["entry"])

    def _add_honours(self) -> None:
        """Add honours, and promotions and relegations as far as the next season of the file shows them."""
        won = [honour for built in self._divisions for honour in winners(built.division, built.entries)]
        moves = [honour for earlier, later in pairwise(self.seasons) for honour in _moves(earlier[1], later[1])]
        self.record.create_all([*won, *moves])

    def _link_people(self) -> None:
        """Link members to the entries, and matches to their venues."""
        appearances: list[Appearance] = []
        venues: list[Fixture] = []
        for built in self._divisions:
            by_person: dict[int, Appearance] = {}
            for member in built.event.members:
                person = self.people.find(member.name)
                if person is not None:  # the same name in two teams is that of two people
                    by_person.setdefault(person.pk, Appearance(membership=person, member=member))
            appearances += by_person.values()
            matches = [match for _, matches in built.source.matchdays for match in matches]
            pairs = zip(built.event.pairings, matches, strict=True)
            venues += [Fixture(pairing=pairing, venue=match.venue) for pairing, match in pairs if match.venue]
        bulk_insert.insert(appearances)
        bulk_insert.insert(venues)

    def _at(self, day: date) -> datetime:
        return datetime.combine(day, PLAYED_AT, self.record.club.zone).astimezone(UTC)

    # Preview

    def outlook(self) -> Preview:
        """The preview of the created seasons."""
        known_teams = self.people.known_teams
        names = {key: team.name for key, team in self.people.teams.items()}
        played = {key for built in self._divisions for key in built.source.teams}

        def table_of(built: _BuiltDivision) -> tuple[str, tuple[preview.Row, ...]]:
            return built.division.name, tuple(preview.table(built.event.state, known_teams))

        return Preview(
            seasons=tuple((season.name, tuple(map(table_of, divisions))) for season, divisions in self.seasons),
            matches=self.matches,
            known=tuple(sorted(names[key] for key in played & known_teams)),
            new=tuple(sorted(names[key] for key in played - known_teams)),
            people=tuple(built.name for built in self.people.added),
            doubtful=tuple(self.people.doubtful.values()),
        )


def _meet_twice(season: PastSeason) -> bool:
    pairs = Counter(
        (division.name, frozenset({folded(match.home), folded(match.away)}))
        for division in season.divisions
        for match in division.matches
    )
    return any(count > 1 for count in pairs.values())


def _moves(divisions: Sequence[_BuiltDivision], after: Sequence[_BuiltDivision]) -> Iterable[Honour]:
    """Promotions and relegations after a season, as the next one shows."""
    next_of = {entry.team_id: built.division for built in after for entry in built.entries}
    levels = {folded(built.division.name): built.division.level for built in divisions}
    for built in divisions:
        division = built.division
        for entry in built.entries:
            to = next_of.get(entry.team_id)
            level = None if to is None else levels.get(folded(to.name))
            if to is None or level is None or level == division.level:
                continue
            title = honours.write_title(honours.PROMOTED if level < division.level else honours.RELEGATED, to.name)
            place = entry.final_rank or 1
            yield Honour(season=division.season, division=division, team=entry.team, title=title, place=place)
