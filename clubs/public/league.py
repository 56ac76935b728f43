"""Leagues as visitors see them: which there are, their seasons and honours, and who takes part."""

from __future__ import annotations

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
from tournaments.models import Tournament
from web.text import joined

Status = Season.Status


@dataclass(frozen=True)
class Line:
    """A league in the list, with the season to look at first."""

    league: League
    season: Season | None
    seasons: int
    champion: str
    """Who won the last season that is closed."""


@dataclass(frozen=True)
class Visit:
    """A league of another club, and this club's teams in it."""

    league: League
    teams: tuple[Team, ...]


@dataclass(frozen=True)
class Past:
    """A season with what was won in it."""

    season: Season
    divisions: int
    honours: tuple[Honour, ...]


# What an address means


def league_of(club: Club, slug: str) -> League:
    """A league that the club runs. Raises `Http404`."""
    found = League.objects.filter(club=club, slug=slug).first()
    if found is None:
        raise Http404(gettext("League not found."))
    found.club = club
    return found


def season_of(seen: page_context.Seen, league: str, slug: str) -> Season:
    """A season of a league; a draft only for who prepares it. Raises `Http404`."""
    own = league_of(seen.club, league)
    found = Season.objects.filter(league=own, slug=slug).select_related("rules_version", "drawn_from").first()
    if found is None or (found.status == Status.DRAFT and "leagues" not in seen.may):
        raise Http404(gettext("Season not found."))
    found.league = own
    return found


def division_of(season: Season, level: int) -> Division:
    """A division of a season by its level. Raises `Http404`."""
    found = Division.objects.filter(season=season, level=level).select_related("tournament").first()
    if found is None:
        raise Http404(gettext("Division not found."))
    found.season = season
    return found


def team_of(league: League, number: int) -> Team:
    """A team of a league by its number. Raises `Http404`."""
    found = Team.objects.filter(league=league, number=number).select_related("club").first()
    if found is None:
        raise Http404(gettext("Team not found."))
    found.league = league
    return found


def path(league: League, name: str, *args: object) -> str:
    """The address of a page below a league."""
    return reverse(f"clubs:{name}", args=[league.club.slug, league.slug, *args])


# The list


def leagues(club: Club) -> list[Line]:
    """The leagues of a club, those that rest last: three queries."""
    rows = League.objects.filter(club=club).order_by("is_archived", "name", "pk")
    shown = Season.objects.exclude(status=Status.DRAFT).order_by("-number")
    found = list(rows.prefetch_related(Prefetch("seasons", shown)))
    champions = _champions(found)
    lines = []
    for one in found:
        one.club = club
        seasons = list(one.seasons.all())
        running = [season for season in seasons if season.status == Status.RUNNING]
        current = next(iter(running or seasons), None)
        lines.append(Line(one, current, len(seasons), champions.get(one.pk, "")))
    return lines


def _champions(leagues: Iterable[League]) -> dict[int, str]:
    """Who won the last closed season of each league, by its id."""
    own = Honour.objects.filter(season__league__in=list(leagues), division__level=1, place=1)
    rows = own.filter(title__startswith="Champion").select_related("team", "season").order_by("season__number", "pk")
    found: dict[int, tuple[int, list[str]]] = {}
    for row in rows:
        number, names = found.get(row.season.league_id, (0, []))
        if row.season.number != number:
            names = []
        found[row.season.league_id] = (row.season.number, [*names, row.team.name])
    return {pk: joined(names) for pk, (_, names) in found.items()}


def guest_leagues(club: Club) -> list[Visit]:
    """Leagues of other clubs in which teams of this club play: two queries."""
    own = LeagueClub.objects.filter(club=club).exclude(agreed_at=None).select_related("league__club")
    leagues = [one.league for one in own.order_by("league__name", "pk")]
    teams: dict[int, list[Team]] = defaultdict(list)
    for team in Team.objects.filter(club=club, league__in=leagues, left_at=None).order_by("name", "pk"):
        teams[team.league_id].append(team)
    for league in leagues:
        for team in teams[league.pk]:
            team.league = league
    return [Visit(league, tuple(teams[league.pk])) for league in leagues]


# One league


def overview(league: League) -> dict[str, Any]:
    """Seasons with what was won, teams and clubs of a league: the number of queries does not depend on how many."""
    rows = Season.objects.filter(league=league).exclude(status=Status.DRAFT).annotate(count=Count("divisions"))
    honours: dict[int, list[Honour]] = defaultdict(list)
    won = Honour.objects.filter(season__league=league).select_related("team", "division")
    for one in won.order_by("division__level", "place", "pk"):
        one.team.league = league
        honours[one.season_id].append(one)
    past = []
    for row in rows.order_by("-number"):
        row.league = league
        past.append(Past(row, vars(row)["count"], tuple(honours[row.pk])))
    return {
        "league": league,
        "running": [one for one in past if one.season.status == Status.RUNNING],
        "closed": [one for one in past if one.season.status == Status.CLOSED],
        "teams": teams(league),
        "clubs": [one.club for one in _agreed(league)],
    }


def teams(league: League, *, left: bool = False) -> list[Team]:
    """The teams of a league by name; those that left with `left`."""
    own = Team.objects.filter(league=league).select_related("club")
    found = list(own.exclude(left_at=None) if left else own.filter(left_at=None))
    for one in found:
        one.league = league
    return found


def _agreed(league: League) -> Iterable[LeagueClub]:
    own = LeagueClub.objects.filter(league=league).exclude(agreed_at=None)
    return own.select_related("club").order_by("club__name")


def stamp(league: League) -> str:
    """What changes with everything that happens in the tournaments of a league, or in a club that takes part: two
    queries, the league's own club aside."""
    own = Q(division__season__league=league) | Q(season_event__season__league=league)
    found = Tournament.objects.filter(own).aggregate(count=Count("pk"), versions=Sum("version"))
    return f"{found['count']}-{found['versions']}-{guests_stamp(league)}"


# What every page below a season begins with


@dataclass(frozen=True)
class Switch:
    """One of the divisions of a season, for the switch between them."""

    division: Division
    url: str
    is_here: bool


def switches(season: Season, page: str, here: Division) -> list[Switch]:
    """The divisions of a season on a page of each; nothing where there is only one."""
    rows = list(Division.objects.filter(season=season).order_by("level"))
    if len(rows) < 2:
        return []
    return [Switch(row, division_path(season, page, row.level), row.pk == here.pk) for row in rows]


def division_path(season: Season, page: str, level: int) -> str:
    """A page of a division; the table of the top one is the page of the season itself."""
    if page == "division" and level == 1:
        return season.get_absolute_url()
    return path(season.league, page, season.slug, level)
