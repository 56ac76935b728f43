"""API views for statistics, as on the pages: of a club, a league, a season, and of two teams."""

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import access
from clubs.api import request_serializers, response_serializers
from clubs.api.base import read_view, reader
from clubs.league import table
from clubs.models import Club, Division, League, Season, Team
from clubs.public import league as leagues
from clubs.public import overview
from clubs.public.page_context import Visit
from clubs.statistics import pages, queries, season_progress, totals
from clubs.statistics.queries import Match
from clubs.statistics.records import Record, records
from clubs.statistics.totals import HeadToHead, Tally
from gameplay.api.base import Output, read_query
from gameplay.api.tables import answer
from web.fragment_cache import SECONDS

EDITION = 1
"""Increased with every change of the answers, so that no old ones are sent from the cache."""


@read_view(response_serializers.Statistics, name="clubs_statistics_retrieve")
def of_club(request: Request, club: str) -> Response:
    """All leagues of a club together."""
    this_club = access.open_club(club)
    stamp = overview.stamp(this_club)
    return _totals(request, this_club, stamp, "club", lambda: queries.of_club(this_club))


@read_view(response_serializers.Statistics, name="clubs_league_statistics_retrieve")
def of_league(request: Request, club: str, league: str) -> Response:
    """All seasons of a league together."""
    this_league = leagues.league_of(access.open_club(club), league)
    stamp, key = leagues.stamp(this_league), f"league-{this_league.pk}"
    return _totals(request, this_league.club, stamp, key, lambda: queries.of_league(this_league))


@read_view(
    response_serializers.SeasonStatistics,
    asks=request_serializers.WhichDivision,
    name="clubs_season_statistics_retrieve",
)
def of_season(request: Request, club: str, league: str, season: str) -> Response:
    """Statistics of a season, and the progress of one of its divisions."""
    query = read_query(request_serializers.WhichDivision, request)
    this_season = leagues.season_of(Visit(reader(request), access.open_club(club)), league, season)
    division = pages.division_of(this_season, str(query.get("division", "")))
    home, stamp = this_season.league.club, table.stamp(this_season)
    key = f"season-{this_season.pk}-{division.pk if division else 0}"

    def make() -> dict[str, Any]:
        return _season(this_season, division)

    return _cached(request, response_serializers.SeasonStatistics, home, stamp, key, make)


@read_view(response_serializers.HeadToHead, asks=request_serializers.WhichTeams, name="clubs_head_to_head_retrieve")
def head_to_head(request: Request, club: str, league: str) -> Response:
    """Two teams of a league against each other, or two players in a league of people."""
    query = read_query(request_serializers.WhichTeams, request)
    this_league = leagues.league_of(access.open_club(club), league)
    first, second = (leagues.team_of(this_league, query[name]) if name in query else None for name in ("one", "other"))
    key = f"met-{this_league.pk}-{first.number if first else 0}-{second.number if second else 0}"
    home, stamp = this_league.club, leagues.stamp(this_league)
    data = partial(_meetings, this_league, first, second)
    return _cached(request, response_serializers.HeadToHead, home, stamp, key, data)


def _totals(request: Request, club: Club, stamp: str, key: str, read: Callable[[], list[Match]]) -> Response:
    return _cached(request, response_serializers.Statistics, club, stamp, key, lambda: _statistics(read()))


def _cached(
    request: Request, shape: type[Output], club: Club, stamp: str, key: str, make: Callable[[], dict[str, Any]]
) -> Response:
    """The answer, from the cache unless something in it has changed."""
    parts = f"{club.pk}|{club.version}|{stamp}|{key}|{EDITION}|{settings.SITE_URL}"
    name = f"club-statistics:{hashlib.sha256(parts.encode()).hexdigest()}"
    data: dict[str, Any] | None = cache.get(name)
    if data is None:
        data = make()
        cache.set(name, data, SECONDS)
    return answer(request, shape, data)


# Data of the answers


def _statistics(matches: Sequence[Match]) -> dict[str, Any]:
    return {
        "matches": len(matches),
        "walkovers": sum(match.is_walkover for match in matches),
        "deals": sum(len(match.deals) for match in matches),
        "records": [_record(record) for record in records(matches)],
        "teams": [
            {
                **_tally(row.tally),
                **_team(row.team),
                "league": row.team.league.slug,
                "longest_wins": row.wins,
                "longest_unbeaten": row.unbeaten,
            }
            for row in totals.teams(matches)
        ],
        "people": [
            {
                **_tally(row.tally),
                "membership": row.person.membership_id if row.person.is_here else None,
                "name": row.person.name,
                "teams": row.teams,
            }
            for row in totals.people(matches)
        ],
    }


def _record(record: Record) -> dict[str, Any]:
    holders = [
        {
            **{name: getattr(holder, name) for name in ("team", "other", "score", "where")},
            "url": f"{settings.SITE_URL}{holder.url}",
        }
        for holder in record.holders
    ]
    return {"title": record.title, "value": record.value, "holders": holders, "others": record.others}


def _tally(tally: Tally) -> dict[str, Any]:
    names = ("played", "won", "drawn", "lost", "average", "average_against", "highest", "books")
    values = {name: getattr(tally, name) for name in names}
    return {**values, "deals_with_books": tally.dealt, "went_out_first": tally.outs}


def _team(team: Team) -> dict[str, Any]:
    return {"team": team.number, "name": team.name}


def _season(season: Season, division: Division | None) -> dict[str, Any]:
    matches = queries.of_season(season)
    progress = season_progress.course(division) if division is not None else None
    names = ("matches", "score", "gap", "books")
    return {
        **_statistics(matches),
        "averages": [
            {"matchday": day.number, **{name: getattr(day, name) for name in names}} for day in totals.averages(matches)
        ],
        "course": _course(division, progress) if division is not None and progress is not None else None,
    }


def _course(division: Division, course: season_progress.Course) -> dict[str, Any]:
    return {
        "division": division.name,
        "level": division.level,
        "matchdays": list(course.days),
        "teams": [
            {**_team(line.team), "places": list(line.places), "points": line.points_words} for line in course.lines
        ],
    }


def _meetings(league: League, first: Team | None, second: Team | None) -> dict[str, Any]:
    both = (first, second) if first and second and first != second else None
    return {
        "teams": [_team(team) for team in Team.objects.filter(league=league).order_by("name", "pk")],
        "one": _team(first) if first else None,
        "other": _team(second) if second else None,
        "met": _head_to_head(totals.head_to_head(queries.of_league(league), *both)) if both else None,
    }


def _head_to_head(meetings: HeadToHead) -> dict[str, Any]:
    names = ("won", "drawn", "lost", "scored", "conceded")
    matches = [
        {"id": match.pairing.pk, "where": match.where, "score": score, "url": f"{settings.SITE_URL}{match.url}"}
        for match, score in meetings.matches
    ]
    return {"sentence": meetings.words, **{name: getattr(meetings, name) for name in names}, "matches": matches}
