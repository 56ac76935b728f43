"""What the pages of statistics are filled with."""

from __future__ import annotations

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
from web.text import number, ordinal


@dataclass(frozen=True)
class Link:
    """A page of statistics of a part: a league, a season, a division."""

    words: str
    url: str
    is_here: bool = False


@dataclass(frozen=True)
class Row:
    """A line of the table beside a plot."""

    letter: str
    team: Team
    values: tuple[str, ...]


@dataclass(frozen=True)
class Chart:
    """A plot, the same as a table, and what it shows in words."""

    name: str
    title: str
    axis: str
    summary: str
    plot: Plot
    days: tuple[int, ...]
    rows: tuple[Row, ...]


def of_club(club: Club) -> dict[str, Any]:
    """All leagues of a club together."""
    return {**_told(queries.of_club(club)), "links": _leagues(club), "links_title": gettext("League by league")}


def of_league(league: League) -> dict[str, Any]:
    """All seasons of a league together, and its teams, of which two can be compared."""
    seasons = Season.objects.filter(league=league).exclude(status=Season.Status.DRAFT).order_by("-number")
    found = [Link(one.name, path(league, "season_statistics", one.slug)) for one in seasons]
    return {
        **_told(queries.of_league(league)),
        "league": league,
        "links": found,
        "links_title": gettext("Season by season"),
        "choices": Team.objects.filter(league=league).order_by("name", "pk"),
        "meetings_url": path(league, "head_to_head"),
    }


def of_season(season: Season, division: Division | None) -> dict[str, Any]:
    """One season: all its divisions together, and how one of them went."""
    matches = queries.of_season(season)
    rows = list(Division.objects.filter(season=season).order_by("level"))
    here = path(season.league, "season_statistics", season.slug)
    links = [Link(row.name, f"{here}?division={row.level}#course", row == division) for row in rows]
    found = season_progress.course(division) if division else None
    return {
        **_told(matches),
        "league": season.league,
        "season": season,
        "division": division,
        "switch": links if len(links) > 1 else [],
        "charts": charts(found) if found else [],
        "averages": totals.averages(matches),
        "frame": line_plot,
    }


def meetings(league: League, one: Team | None, other: Team | None) -> dict[str, Any]:
    """Two teams of a league against each other, or the choice of them."""
    both = (one, other) if one and other and one != other else None
    return {
        "league": league,
        "choices": Team.objects.filter(league=league).order_by("name", "pk"),
        "one": one,
        "other": other,
        "is_same": bool(one and one == other),
        "met": totals.head_to_head(queries.of_league(league), *both) if both else None,
        "meetings_url": path(league, "head_to_head"),
    }


def team_of(league: League, asked: str) -> Team | None:
    """The team of this number in the league; nothing for an empty choice. Raises `Http404`."""
    if not asked:
        return None
    if not (asked.isascii() and asked.isdecimal() and len(asked) < 7):
        raise Http404(gettext("Team not found."))
    return leagues.team_of(league, int(asked))


def division_of(season: Season, asked: str) -> Division | None:
    """The division of this level, else the first one. Raises `Http404`."""
    if not asked:
        first = Division.objects.filter(season=season).select_related("tournament").order_by("level").first()
        if first is not None:
            first.season = season
        return first
    if not (asked.isascii() and asked.isdecimal() and len(asked) < 5):
        raise Http404(gettext("Division not found."))
    return leagues.division_of(season, int(asked))


def path(league: League, name: str, *args: object) -> str:
    """The address of a page of a league's statistics."""
    return reverse(f"clubs:{name}", args=[league.club.slug, league.slug, *args])


def charts(found: season_progress.Course) -> list[Chart]:
    """The places and the points of a division over its matchdays, each drawn and as a table."""
    ends = [(line.team.name, line.places[-1], line.points_words[-1]) for line in found.lines]
    count = len(found.days)
    after = ngettext("After %(count)s matchday: %(teams)s.", "After %(count)s matchdays: %(teams)s.", count)
    first = after % {"count": number(count), "teams": ", ".join(f"{name} {ordinal(place)}" for name, place, _ in ends)}
    second = after % {"count": number(count), "teams": ", ".join(f"{name} {points}" for name, _, points in ends)}
    return [
        Chart(
            *("places", gettext("Place after each matchday"), gettext("Place"), first),
            line_plot.places(found.days, [line.places for line in found.lines]),
            found.days,
            _rows(found, [[str(place) for place in line.places] for line in found.lines]),
        ),
        Chart(
            *("points", gettext("Points after each matchday"), gettext("Points"), second),
            line_plot.points(found.days, [line.points for line in found.lines]),
            found.days,
            _rows(found, [line.points_words for line in found.lines]),
        ),
    ]


def _rows(found: season_progress.Course, values: Iterable[Sequence[str]]) -> tuple[Row, ...]:
    lines = zip(found.lines, values, strict=True)
    return tuple(Row(line_plot.letter(at), line.team, tuple(own)) for at, (line, own) in enumerate(lines))


def _leagues(club: Club) -> list[Link]:
    return [
        Link(line.league.name, path(line.league, "league_statistics"))
        for line in leagues.leagues(club)
        if line.season is not None
    ]


def _told(matches: Sequence[Match]) -> dict[str, Any]:
    """What every page of statistics has."""
    people = totals.people(matches)
    teams = totals.teams(matches)
    return {
        "count": len(matches),
        "walkovers": sum(one.is_walkover for one in matches),
        "deals": sum(len(one.deals) for one in matches),
        "records": records(matches),
        "teams": teams,
        "people": people,
        "has_books": any(one.tally.dealt for one in teams),
        "has_former": any(not one.person.is_here for one in people),
    }
