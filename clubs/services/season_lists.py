"""Seasons of a list: past ones of results or final tables, one under way of fixtures. How they are read, and made."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext

from accounts.display_names import folded
from accounts.models import User
from clubs.bring_in.reading import FIXTURES, RESULTS, TABLE, Reading
from clubs.imports.season import PastDivision, PastSeason, Sheet
from clubs.imports.season import folded as plain
from clubs.models import Club, League, Membership, Season, Team
from clubs.services.history import Kind, Record
from clubs.services.seasons import listed_fixtures, past_seasons
from clubs.services.seasons.past_seasons import Wishes, tables
from clubs.services.seasons.past_seasons import lists as lists_of_matches
from clubs.services.seasons.past_seasons.lists import Left
from clubs.services.seasons.past_seasons.people import has_names_of, names_of
from clubs.services.seasons.past_seasons.undo import IMPORT


@dataclass(frozen=True)
class SeasonTerms:
    """What a list of results or places leaves open; empty where it does not."""

    name: str = ""
    """Of the season of lines without one."""
    first_day: date | None = None
    """Of that season, and of results without a day."""
    division: str = ""
    """Of lines without one."""


class SeasonList(NamedTuple):
    """A kind of list with seasons: how it is read, how they are made within an act, and the kind of that act."""

    read: Callable[[Club, Reading, SeasonTerms | None, Wishes], tuple[Any, list[Left]]]
    make: Callable[[Record, User, Any, Wishes], str]
    act: Kind


def _results(club: Club, reading: Reading, season: SeasonTerms | None, wishes: Wishes) -> tuple[Sheet, list[Left]]:
    season = season or SeasonTerms()
    matches = [
        replace(
            match,
            day=match.day or season.first_day,
            season=match.season or season.name,
            division=match.division or season.division,
        )
        for match in reading.matches
    ]
    return lists_of_matches.sheet_of(matches)


def _tables(
    club: Club, reading: Reading, season: SeasonTerms | None, wishes: Wishes
) -> tuple[list[tables.TableSeason], list[Left]]:
    terms = season_terms(club, reading, season, wishes)
    lines = [replace(place, division=place.division or terms.division) for place in reading.places]
    return tables.seasons_of(lines, name=terms.name, first_day=terms.first_day or date.today())


def _fixtures(club: Club, reading: Reading, season: SeasonTerms | None, wishes: Wishes) -> tuple[Sheet, list[Left]]:
    terms = season_terms(club, reading, season, wishes)
    return listed_fixtures.sheet_of(reading.matches, name=terms.name, first_day=terms.first_day)


SEASONS = {
    RESULTS: SeasonList(_results, past_seasons.make, IMPORT),
    TABLE: SeasonList(_tables, tables.make, IMPORT),
    FIXTURES: SeasonList(_fixtures, listed_fixtures.make, listed_fixtures.FIXTURES),
}


def season_terms(club: Club, reading: Reading, season: SeasonTerms | None, wishes: Wishes) -> SeasonTerms:
    """The terms that were chosen, filled up with guesses: last year for a table that does not name its season, for
    fixtures the only draft of the chosen league."""
    season = season or SeasonTerms()
    if reading.what == FIXTURES and not season.name and not any(match.season for match in reading.matches):
        of_league = Season.objects.filter(league__club=club, league=wishes.league_id, league__is_archived=False)
        drafts = list(of_league.filter(status=Season.Status.DRAFT)[:2])
        if len(drafts) == 1:
            return replace(season, name=drafts[0].name, first_day=season.first_day or drafts[0].starts_on)
    if reading.what != TABLE:
        return season
    last_year = timezone.now().astimezone(club.zone).year - 1
    name = season.name or next((place.season for place in reading.places if place.season), str(last_year))
    first_day = season.first_day or tables.first_day_of(name) or date(last_year, 1, 1)
    return SeasonTerms(name, first_day, season.division)


def with_meant(reading: Reading, wishes: Wishes) -> Wishes:
    """The wishes, with the members who are meant in the names of teams."""
    return replace(wishes, meant={place: member.pk for place, member in reading.meant.items()})


class ListedDay(NamedTuple):
    """A matchday of a list of fixtures."""

    number: int
    day: date
    matches: int


@dataclass
class SeasonsOutcome:
    """What importing results, places or fixtures does."""

    seasons: list[tuple[str, list[tuple[str, int]]]]
    """Names of seasons, each with its divisions and the number of their teams."""
    count: int
    """Of the matches or places that come in."""
    left: list[tuple[int, str, str]]
    """Those that do not: row, name, and why."""
    problems: list[str]
    """Sentences that stop the import."""
    known: list[str]
    """Teams of the league."""
    new: list[str]
    meant: list[tuple[str, str]]
    """Members by other names than their own: as in the list, and in the club."""
    added: list[str]
    """People who are new in the club."""
    days: list[tuple[str, list[ListedDay]]] = field(default_factory=list)
    """Of fixtures: the matchdays of each division."""
    notes: list[str] = field(default_factory=list)
    """Of fixtures: sentences on matchdays that are counted otherwise than in the list."""
    draft: Season | None = None
    """Of fixtures: the draft that is drawn by them."""


def seasons_outcome(
    club: Club, reading: Reading, season: SeasonTerms | None, wishes: Wishes, by: User
) -> SeasonsOutcome:
    """What importing results, places or fixtures would do to a league of the club, or to a new one."""
    wishes = with_meant(reading, wishes)
    source, left = SEASONS[reading.what].read(club, reading, season, wishes)
    seasons: Sequence[PastSeason] = source if reading.what == TABLE else source.seasons
    divisions = [division for each in seasons for division in each.divisions]
    teams = {folded(name): name for division in divisions for name in division.teams.values()}
    there = {folded(name): name for name in _teams_in(club, wishes.league_id)}
    result = SeasonsOutcome(
        seasons=[(each.name, [(part.name, len(part.teams)) for part in each.divisions]) for each in seasons],
        count=sum(len(part.teams if reading.what == TABLE else part.matches) for part in divisions),
        left=left,
        problems=[] if reading.what == TABLE else [problem.words for problem in source.problems],
        known=sorted(name for key, name in teams.items() if key in there),
        new=sorted(name for key, name in teams.items() if key not in there),
        **_people_of(club, reading, wishes, [name for key, name in teams.items() if key not in there]),
    )
    if reading.what == FIXTURES:
        result.days = [(division.name, _listed_days(division)) for division in divisions]
        result.notes = [note for division in divisions if (note := _counted_anew(division))]
        result.problems = result.problems or listed_fixtures.problems(club, by, source, wishes)
        result.draft = next((listed_fixtures.draft_of(club, wishes, each.name) for each in seasons), None)
    return result


def _people_of(club: Club, reading: Reading, wishes: Wishes, teams: Sequence[str]) -> dict[str, Any]:
    """Who is meant and who is added with new teams of a league."""
    league = League.objects.filter(club=club, pk=wishes.league_id or 0).first()
    kind = league.kind if league is not None else wishes.kind
    there = {plain(name) for name in Membership.objects.filter(club=club).values_list("name", flat=True)}
    in_teams = [(team, at, name) for team in teams for at, name in enumerate(names_of(kind, team))]
    by_place = {place: member for place, member in reading.meant.items() if has_names_of(kind, place[0])}
    meant = {name: by_place[team, at].name for team, at, name in in_teams if (team, at) in by_place}
    added = {
        plain(name): name for team, at, name in in_teams if (team, at) not in by_place and plain(name) not in there
    }
    return {"meant": sorted(meant.items()), "added": sorted(added.values())}


def _listed_days(division: PastDivision) -> list[ListedDay]:
    return [
        ListedDay(number, min(match.day for match in matches), len(matches))
        for number, (_, matches) in enumerate(division.matchdays, 1)
    ]


def _counted_anew(division: PastDivision) -> str:
    """A sentence if the list counts the matchdays of a division otherwise than its season will; else empty."""
    for number, (in_list, _) in enumerate(division.matchdays, 1):
        if in_list != number:
            words = gettext(
                "%(division)s: matchdays are counted from 1 without gaps. Matchday %(listed)s of the list becomes"
                " matchday %(number)s."
            )
            return words % {"division": division.name, "listed": in_list, "number": number}
    return ""


def _teams_in(club: Club, league_id: int | None) -> list[str]:
    teams = Team.objects.filter(league__club=club)
    return list(teams.filter(league=league_id).values_list("name", flat=True)) if league_id else []
