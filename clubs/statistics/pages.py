"""Content of the statistics pages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from clubs.models import Club, Division, League, Season, Team
from clubs.public import league as leagues
from clubs.statistics import line_plot, queries, season_progress, totals
from clubs.statistics.line_plot import Plot
from clubs.statistics.queries import Match
from clubs.statistics.records import records
from web.sent_numbers import read_whole
from web.text import number, ordinal


@dataclass(frozen=True)
class Link:
    """A link to the statistics of a league, a season or a division."""

    words: str
    url: str
    is_here: bool = False


@dataclass(frozen=True)
class Row:
    """A row of the table next to a plot."""

    letter: str
    team: Team
    values: tuple[str, ...]


@dataclass(frozen=True)
class Chart:
    """A plot, its table, and a summary in words."""

    name: str
    title: str
    axis: str
    summary: str
    plot: Plot
    days: tuple[int, ...]
    rows: tuple[Row, ...]


def of_club(club: Club) -> dict[str, Any]:
    """All leagues of a club together."""
    return {**_totals(queries.of_club(club)), "links": _leagues(club), "links_title": gettext("League by league")}


def of_league(league: League) -> dict[str, Any]:
    """All seasons of a league together, and its teams, of which two can be compared."""
    seasons = Season.objects.filter(league=league).exclude(status=Season.Status.DRAFT).order_by("-number")
    links = [Link(season.name, path(league, "season_statistics", season.slug)) for season in seasons]
    return {
        **_totals(queries.of_league(league)),
        "league": league,
        "links": links,
        "links_title": gettext("Season by season"),
        "choices": Team.objects.filter(league=league).order_by("name", "pk"),
        "meetings_url": path(league, "head_to_head"),
    }


def of_season(season: Season, division: Division | None) -> dict[str, Any]:
    """Statistics of a season, and the progress of one of its divisions."""
    matches = queries.of_season(season)
    rows = list(Division.objects.filter(season=season).order_by("level"))
    here = path(season.league, "season_statistics", season.slug)
    links = [Link(option.name, f"{here}?division={option.level}#course", option == division) for option in rows]
    progress = season_progress.course(division) if division else None
    return {
        **_totals(matches),
        "league": season.league,
        "season": season,
        "division": division,
        "switch": links if len(links) > 1 else [],
        "charts": charts(progress) if progress else [],
        "averages": totals.averages(matches),
        "frame": line_plot,
    }


def meetings(league: League, first: Team | None, second: Team | None) -> dict[str, Any]:
    """Two teams of a league against each other, or the form to choose them."""
    both = (first, second) if first and second and first != second else None
    return {
        "league": league,
        "choices": Team.objects.filter(league=league).order_by("name", "pk"),
        "one": first,
        "other": second,
        "is_same": bool(first and first == second),
        "met": totals.head_to_head(queries.of_league(league), *both) if both else None,
        "meetings_url": path(league, "head_to_head"),
    }


def team_of(league: League, text: str) -> Team | None:
    """The team with this number in the league; `None` for an empty choice. Raises `Http404`."""
    if not text:
        return None
    number = read_whole(text, digits=6)
    if number is None:
        raise Http404(gettext("Team not found."))
    return leagues.team_of(league, number)


def division_of(season: Season, text: str) -> Division | None:
    """The division of this level, by default the first one. Raises `Http404`."""
    if not text:
        first = Division.objects.filter(season=season).select_related("tournament").order_by("level").first()
        if first is not None:
            first.season = season
        return first
    level = read_whole(text, digits=4)
    if level is None:
        raise Http404(gettext("Division not found."))
    return leagues.division_of(season, level)


def path(league: League, name: str, *args: object) -> str:
    """The address of a page of a league's statistics."""
    return reverse(f"clubs:{name}", args=[league.club.slug, league.slug, *args])


def charts(course: season_progress.Course) -> list[Chart]:
    """Charts of the places and the points of a division over its matchdays."""
    ends = [(line.team.name, line.places[-1], line.points_words[-1]) for line in course.lines]
    count = len(course.days)
    after = ngettext("After %(count)s matchday: %(teams)s.", "After %(count)s matchdays: %(teams)s.", count)
    first = after % {"count": number(count), "teams": ", ".join(f"{name} {ordinal(place)}" for name, place, _ in ends)}
    second = after % {"count": number(count), "teams": ", ".join(f"{name} {points}" for name, _, points in ends)}
    return [
        Chart(
            *("places", gettext("Place after each matchday"), gettext("Place"), first),
            line_plot.places(course.days, [line.places for line in course.lines]),
            course.days,
            _rows(course, [[str(place) for place in line.places] for line in course.lines]),
        ),
        Chart(
            *("points", gettext("Points after each matchday"), gettext("Points"), second),
            line_plot.points(course.days, [line.points for line in course.lines]),
            course.days,
            _rows(course, [line.points_words for line in course.lines]),
        ),
    ]


def _rows(course: season_progress.Course, values: Iterable[Sequence[str]]) -> tuple[Row, ...]:
    lines = zip(course.lines, values, strict=True)
    return tuple(Row(line_plot.letter(at), line.team, tuple(cells)) for at, (line, cells) in enumerate(lines))


def _leagues(club: Club) -> list[Link]:
    return [
        Link(line.league.name, path(line.league, "league_statistics"))
        for line in leagues.leagues(club)
        if line.season is not None
    ]


def _totals(matches: Sequence[Match]) -> dict[str, Any]:
    """Content of every statistics page."""
    people = totals.people(matches)
    teams = totals.teams(matches)
    return {
        "count": len(matches),
        "walkovers": sum(match.is_walkover for match in matches),
        "deals": sum(len(match.deals) for match in matches),
        "records": records(matches),
        "teams": teams,
        "people": people,
        "has_books": any(row.tally.dealt for row in teams),
        "has_former": any(not row.person.is_here for row in people),
    }
