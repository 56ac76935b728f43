"""Leagues as visitors see them: the list, seasons, honours, teams and clubs."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Prefetch, Q, Sum
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext

from clubs.league.table import guests_stamp
from clubs.models import Club, Division, Honour, League, LeagueClub, Season, Team
from clubs.public import page_context
from clubs.public.lookups import first_or_404
from tournaments.models import Tournament
from web import clocks
from web.text import joined

Status = Season.Status


@dataclass(frozen=True)
class LeagueRow:
    """A league in the list, with the season to look at first."""

    league: League
    season: Season | None
    seasons: int
    champion: str
    """The winner of the last closed season."""


@dataclass(frozen=True)
class GuestLeague:
    """A league of another club, and this club's teams in it."""

    league: League
    teams: tuple[Team, ...]


@dataclass(frozen=True)
class SeasonHonours:
    """A season with its honours."""

    season: Season
    divisions: int
    honours: tuple[Honour, ...]


# Lookups


def league_of(club: Club, slug: str) -> League:
    """A league that the club runs. Raises `Http404`."""
    league = first_or_404(League.objects.filter(club=club, slug=slug), gettext("League not found."))
    league.club = club
    return league


def season_of(visit: page_context.Visit, league: str, slug: str) -> Season:
    """A season of a league; a draft only for organisers. Online its page goes by the reader's clock. Raises `Http404`."""
    home = league_of(visit.club, league)
    season = Season.objects.filter(league=home, slug=slug).select_related("rules_version", "drawn_from").first()
    if season is None or (season.status == Status.DRAFT and "leagues" not in visit.may):
        raise Http404(gettext("Season not found."))
    season.league = home
    if season.is_online:
        clocks.go_by(None)
    return season


def division_of(season: Season, level: int) -> Division:
    """A division of a season by its level. Raises `Http404`."""
    division = first_or_404(
        Division.objects.filter(season=season, level=level).select_related("tournament"), gettext("Division not found.")
    )
    division.season = season
    return division


def team_of(league: League, number: int) -> Team:
    """A team of a league by its number. Raises `Http404`."""
    team = first_or_404(
        Team.objects.filter(league=league, number=number).select_related("club"), gettext("Team not found.")
    )
    team.league = league
    return team


def path(league: League, name: str, *args: object) -> str:
    """The address of a page below a league."""
    return reverse(f"clubs:{name}", args=[league.club.slug, league.slug, *args])


# The list


def leagues(club: Club) -> list[LeagueRow]:
    """The leagues of a club, archived ones last: three queries."""
    rows = League.objects.filter(club=club).order_by("is_archived", "name", "pk")
    public = Season.objects.exclude(status=Status.DRAFT).order_by("-number")
    all_leagues = list(rows.prefetch_related(Prefetch("seasons", public)))
    champions = _champions(all_leagues)
    lines = []
    for league in all_leagues:
        league.club = club
        seasons = list(league.seasons.all())
        running = [season for season in seasons if season.status == Status.RUNNING]
        current = next(iter(running or seasons), None)
        lines.append(LeagueRow(league, current, len(seasons), champions.get(league.pk, "")))
    return lines


def _champions(leagues: Iterable[League]) -> dict[int, str]:
    """Winners of the last closed season of each league, by its id."""
    won = Honour.objects.filter(season__league__in=list(leagues), division__level=1, place=1)
    rows = won.filter(title__startswith="Champion").select_related("team", "season").order_by("season__number", "pk")
    champions: dict[int, tuple[int, list[str]]] = {}
    for honour in rows:
        number, names = champions.get(honour.season.league_id, (0, []))
        if honour.season.number != number:
            names = []
        champions[honour.season.league_id] = (honour.season.number, [*names, honour.team.name])
    return {pk: joined(names) for pk, (_, names) in champions.items()}


def guest_leagues(club: Club) -> list[GuestLeague]:
    """Leagues of other clubs in which teams of this club play: two queries."""
    guests = LeagueClub.objects.filter(club=club).exclude(agreed_at=None).select_related("league__club")
    leagues = [guest.league for guest in guests.order_by("league__name", "pk")]
    teams: dict[int, list[Team]] = defaultdict(list)
    for team in Team.objects.filter(club=club, league__in=leagues, left_at=None).order_by("name", "pk"):
        teams[team.league_id].append(team)
    for league in leagues:
        for team in teams[league.pk]:
            team.league = league
    return [GuestLeague(league, tuple(teams[league.pk])) for league in leagues]


# One league


def overview(league: League) -> dict[str, Any]:
    """Seasons with honours, teams and clubs of a league: a fixed number of queries."""
    rows = Season.objects.filter(league=league).exclude(status=Status.DRAFT).annotate(count=Count("divisions"))
    honours: dict[int, list[Honour]] = defaultdict(list)
    won = Honour.objects.filter(season__league=league).select_related("team", "division")
    for honour in won.order_by("division__level", "place", "pk"):
        honour.team.league = league
        honours[honour.season_id].append(honour)
    seasons = []
    for season in rows.order_by("-number"):
        season.league = league
        seasons.append(SeasonHonours(season, vars(season)["count"], tuple(honours[season.pk])))
    return {
        "league": league,
        "running": [row for row in seasons if row.season.status == Status.RUNNING],
        "closed": [row for row in seasons if row.season.status == Status.CLOSED],
        "teams": teams(league),
        "clubs": [guest.club for guest in _agreed(league)],
    }


def teams(league: League, *, has_left: bool = False) -> list[Team]:
    """The teams of a league by name, or its former teams."""
    of_league = Team.objects.filter(league=league).select_related("club")
    teams = list(of_league.exclude(left_at=None) if has_left else of_league.filter(left_at=None))
    for team in teams:
        team.league = league
    return teams


def _agreed(league: League) -> Iterable[LeagueClub]:
    guests = LeagueClub.objects.filter(league=league).exclude(agreed_at=None)
    return guests.select_related("club").order_by("club__name")


def stamp(league: League) -> str:
    """A stamp that changes with the events of a league and with the other clubs in it: two queries."""
    is_of_league = Q(division__season__league=league) | Q(season_event__season__league=league)
    totals = Tournament.objects.filter(is_of_league).aggregate(count=Count("pk"), versions=Sum("version"))
    return f"{totals['count']}-{totals['versions']}-{guests_stamp(league)}"


# Switch between divisions


@dataclass(frozen=True)
class Switch:
    """A division in the switch between the divisions of a season."""

    division: Division
    url: str
    is_here: bool


def switches(season: Season, page: str, here: Division) -> list[Switch]:
    """The same page of each division of a season; empty if there is only one."""
    rows = list(Division.objects.filter(season=season).order_by("level"))
    if len(rows) < 2:
        return []
    return [Switch(division, division_path(season, page, division.level), division.pk == here.pk) for division in rows]


def division_path(season: Season, page: str, level: int) -> str:
    """The address of a division’s page; the standings of the top one are the page of the season itself."""
    if page == "division" and level == 1:
        return season.get_absolute_url()
    return path(season.league, page, season.slug, level)
