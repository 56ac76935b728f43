"""The seasons of a file made within an act: rows of one kind at once, however many matches there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from itertools import pairwise

from django.utils.translation import gettext

from accounts.models import User
from clubs import honours
from clubs.imports.season import Absent, Match, PastDivision, PastSeason, folded
from clubs.models import Appearance, Division, Fixture, Honour, League, Season, SeasonEntry
from clubs.services.history import Record, row_of
from clubs.services.leagues import event_roles, leagues, titles
from clubs.services.seasons import season_plans
from clubs.services.seasons.past_seasons import preview
from clubs.services.seasons.past_seasons.people import People
from clubs.services.seasons.past_seasons.preview import Outlook, Wishes
from clubs.services.seasons.past_seasons.rerank import winners
from tournaments import stage_standings
from tournaments.services.events import imported_events
from tournaments.services.events.imported_events import Made, PastEvent, PastMatch, PastRound
from web.database import bulk_insert
from web.errors import Refused

PLAYED_AT = time(12)
"""The file has days and no times: matches were at noon by the club's clock."""
_ABSENT = {Absent.HOME: frozenset({0}), Absent.AWAY: frozenset({1}), Absent.BOTH: frozenset({0, 1})}


@dataclass
class _Division:
    """A division while it is made."""

    told: PastDivision
    row: Division
    event: Made
    entries: list[SeasonEntry]


class Maker:
    """Makes seasons within an act."""

    def __init__(self, record: Record, by: User, wishes: Wishes) -> None:
        self.record, self.by, self.wishes = record, by, wishes
        self.league = self._league()
        self.people = People(record, self.league, adds_people=wishes.adds_people)
        self.made: list[tuple[Season, list[_Division]]] = []

    @property
    def matches(self) -> int:
        """How many were made."""
        return sum(len(one.told.matches) for _, divisions in self.made for one in divisions)

    def _league(self) -> League:
        wishes, club = self.wishes, self.record.club
        if wishes.league_id is not None:
            found = row_of(self.record, League, wishes.league_id)
            leagues.check_alive(found)
            return found
        if wishes.kind not in League.Kind.values:
            raise Refused("bad_kind", gettext("A league is for people, pairs or teams."), field="kind")
        own = League.objects.filter(club=club)
        name = titles.clean(wishes.league_name, leagues.LONGEST, field="league_name")
        if titles.is_taken(name, own.values_list("name", flat=True)):
            raise Refused(
                "name_taken",
                gettext("A league called %(name)s already exists. Choose it above.") % {"name": name},
                field="league_name",
            )
        if own.count() >= leagues.MOST:
            raise Refused(
                "too_many",
                gettext("A club can have at most %(most)s leagues.") % {"most": leagues.MOST},
                field="league_name",
            )
        slug = titles.free_slug(name, set(own.values_list("slug", flat=True)), 50, otherwise="league")
        league = League(club=club, name=name, slug=slug, kind=wishes.kind)
        self.record.create(league)
        return league

    def make(self, seasons: Sequence[PastSeason]) -> None:
        """Make all seasons. Raises `Refused`."""
        if not seasons:
            raise Refused("empty", gettext("The file contains no matches."), field="table")
        have = list(Season.objects.filter(league=self.league).order_by("number"))
        numbers = self._make_room(seasons, have)
        self.people.add_teams(self._left(seasons, have))
        self._make(seasons, numbers, {one.slug for one in have})
        self._say_who()
        self._honour()
        self._appear()

    def _make_room(self, seasons: Sequence[PastSeason], have: Sequence[Season]) -> list[int]:
        """Numbers for the new seasons among those that the league has, by their first days."""
        names = {folded(one.name) for one in have}
        for season in seasons:
            if folded(season.name) in names:
                raise Refused(
                    "name_taken",
                    gettext("%(league)s already has a season called %(season)s.")
                    % {"league": self.league, "season": season.name},
                    field="table",
                )
        order: list[tuple[date, Season | None]] = [(one.starts_on, one) for one in have]
        for season in seasons:
            first = season.days[0]
            at = next((at for at, (starts, one) in enumerate(order) if one is not None and starts > first), len(order))
            order.insert(at, (first, None))
        for number, (_, one) in reversed(list(enumerate(order, 1))):
            if one is not None:
                self.record.change(one, number=number)
        return [number for number, (_, one) in enumerate(order, 1) if one is None]

    def _left(self, seasons: Sequence[PastSeason], have: Sequence[Season]) -> dict[str, datetime | None]:
        """The teams of the file, and when those played last that do not play on."""
        names: dict[str, str] = {}
        last: dict[str, PastSeason] = {}
        for season in seasons:
            for one in season.divisions:
                for key, name in one.teams.items():
                    names.setdefault(key, name)
                    last[key] = season
        later = max((one.starts_on for one in have), default=None)

        def left_at(season: PastSeason) -> datetime | None:
            plays_on = season is seasons[-1] and (later is None or later < season.days[0])
            return None if plays_on else self._at(season.days[1])

        return {name: left_at(last[key]) for key, name in names.items()}

    # Seasons, divisions, and the events behind them

    def _make(self, seasons: Sequence[PastSeason], numbers: Sequence[int], taken: set[str]) -> None:
        rows = []
        for told, number in zip(seasons, numbers, strict=True):
            rows.append(self._season(told, number, taken))
            taken.add(rows[-1].slug)
        self.record.create_all(rows)
        divisions = [
            (one, Division(season=row, level=level, name=one.name, size=len(one.teams)))
            for season, row in zip(seasons, rows, strict=True)
            for level, one in enumerate(season.divisions, 1)
        ]
        self.record.create_all([row for _, row in divisions])
        events = [event for season, row in zip(seasons, rows, strict=True) for event in self._events(season, row)]
        made = imported_events.make(
            self.by, events, self.record.now, organisers=event_roles.wanted_roles(self.record.club)
        )
        own: dict[int, list[_Division]] = {row.pk: [] for row in rows}
        for (one, row), event in zip(divisions, made, strict=True):
            own[row.season_id].append(_Division(one, row, event, self._entries(one, row, event)))
        self.made = [(row, own[row.pk]) for row in rows]

    def _season(self, told: PastSeason, number: int, taken: set[str]) -> Season:
        first, last = told.days
        count = len(told.divisions)
        season = Season(
            league=self.league,
            number=number,
            name=told.name,
            slug=titles.free_slug(told.name, taken, 60, otherwise="season"),
            status=Season.Status.CLOSED,
            **season_plans.read_rules(self.record.club, self.wishes.preset, self.wishes.rules_version_id),
            plan_json=season_plans.read_plan({**self.wishes.plan, "legs": 2 if _meet_twice(told) else 1}),
            settings=season_plans.read_settings({"is_rated": False}),
            starts_on=first,
            up=season_plans.borders((), count),
            down=season_plans.borders((), count),
            started_at=self._at(first),
            closed_at=self._at(last),
        )
        season_plans.check(season)
        return season

    def _events(self, told: PastSeason, season: Season) -> Iterable[PastEvent]:
        settings = {**season_plans.values_for(season), "rules_json": season.rules_json}
        plan = season_plans.plan_of(season)
        for one in told.divisions:
            positions = {key: at for at, key in enumerate(one.teams)}
            if len(positions) < 2:
                raise Refused(
                    "nobody",
                    gettext("%(one)s of %(season)s must have at least one match.")
                    % {"one": one.name, "season": season},
                    field="table",
                )
            yield PastEvent(
                settings={**settings, "name": season_plans.title(self.league, season, one.name)},
                stage_name=one.name,
                plan=plan,
                entries=self.people.entries(list(one.teams.values())),
                rounds=[self._round(number, matches, positions) for number, matches in one.matchdays],
            )

    def _round(self, number: int, matches: Sequence[Match], positions: Mapping[str, int]) -> PastRound:
        first = min(one.day for one in matches)
        own = [self._match(one, positions) for one in matches]
        return PastRound(number, gettext("Matchday %(number)s") % {"number": number}, self._at(first), own)

    def _match(self, one: Match, positions: Mapping[str, int]) -> PastMatch:
        sides = (positions[folded(one.home)], positions[folded(one.away)])
        return PastMatch(sides, one.scores, self._at(one.day), _ABSENT.get(one.absent, frozenset()), one.note)

    def _entries(self, told: PastDivision, row: Division, event: Made) -> list[SeasonEntry]:
        """The teams of a division at their final places."""
        ranks = {one.entry: one.rank for one in stage_standings.ranking(event.state)}
        return [
            SeasonEntry(
                season=row.season,
                team=self.people.teams[key],
                division=row,
                position=position,
                final_rank=ranks.get(position),
            )
            for position, key in enumerate(told.teams, 1)
        ]

    # What leads from leagues to events

    @property
    def _divisions(self) -> list[_Division]:
        return [one for _, divisions in self.made for one in divisions]

    def _say_who(self) -> None:
        """Say which event each division is, and which entry each team."""
        self.record.create_all([row for one in self._divisions for row in one.entries])
        # Not through the record: undoing takes the event away as a whole, and with it what leads to it.
        for one in self._divisions:
            one.row.tournament = one.event.tournament
            for row in one.entries:
                row.entry = one.event.state.entries[row.position].entry
        Division.objects.bulk_update([one.row for one in self._divisions], ["tournament"])
        SeasonEntry.objects.bulk_update([row for one in self._divisions for row in one.entries], ["entry"])

    def _honour(self) -> None:
        """Write down who won, and who went up and down where the next season of the file shows it."""
        won = [honour for one in self._divisions for honour in winners(one.row, one.entries)]
        moved = [honour for own, other in pairwise(self.made) for honour in _moved(own[1], other[1])]
        self.record.create_all([*won, *moved])

    def _appear(self) -> None:
        """Say who played, and where."""
        found: list[Appearance] = []
        venues: list[Fixture] = []
        for one in self._divisions:
            own: dict[int, Appearance] = {}
            for member in one.event.members:
                person = self.people.find(member.name)
                if person is not None:  # a name that stands in two teams is that of two people
                    own.setdefault(person.pk, Appearance(membership=person, member=member))
            found += own.values()
            matches = [match for _, matches in one.told.matchdays for match in matches]
            pairs = zip(one.event.pairings, matches, strict=True)
            venues += [Fixture(pairing=row, venue=match.venue) for row, match in pairs if match.venue]
        bulk_insert.insert(found)
        bulk_insert.insert(venues)

    def _at(self, day: date) -> datetime:
        return datetime.combine(day, PLAYED_AT, self.record.club.zone).astimezone(UTC)

    # What it comes to

    def outlook(self) -> Outlook:
        """What was made, to be looked at."""
        known = self.people.known
        names = {key: team.name for key, team in self.people.teams.items()}
        played = {key for one in self._divisions for key in one.told.teams}
        return Outlook(
            seasons=tuple(
                (season.name, tuple((one.row.name, tuple(preview.table(one.event.state, known))) for one in divisions))
                for season, divisions in self.made
            ),
            matches=self.matches,
            known=tuple(sorted(names[key] for key in played & known)),
            new=tuple(sorted(names[key] for key in played - known)),
            people=tuple(one.name for one in self.people.added),
            doubtful=tuple(self.people.doubtful.values()),
        )


def _meet_twice(season: PastSeason) -> bool:
    pairs = Counter(
        (one.name, frozenset({folded(match.home), folded(match.away)}))
        for one in season.divisions
        for match in one.matches
    )
    return any(count > 1 for count in pairs.values())


def _moved(divisions: Sequence[_Division], after: Sequence[_Division]) -> Iterable[Honour]:
    """Who went up and down after a season, as the next one shows."""
    next_of = {row.team_id: one.row for one in after for row in one.entries}
    levels = {folded(one.row.name): one.row.level for one in divisions}
    for one in divisions:
        for row in one.entries:
            to = next_of.get(row.team_id)
            level = None if to is None else levels.get(folded(to.name))
            if to is None or level is None or level == one.row.level:
                continue
            title = honours.made(honours.PROMOTED if level < one.row.level else honours.RELEGATED, to.name)
            place = row.final_rank or 1
            yield Honour(season=one.row.season, division=one.row, team=row.team, title=title, place=place)
