"""Doors to statistics, as the pages show them: of a club, a league, a season, and two teams against each other."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import access
from clubs.api import request_serializers, response_serializers
from clubs.api.base import look, reader
from clubs.league import table
from clubs.models import Club, Division, League, Season, Team
from clubs.public import league as leagues
from clubs.public import overview
from clubs.public.page_context import Seen
from clubs.statistics import pages, queries, season_progress, totals
from clubs.statistics.queries import Match
from clubs.statistics.records import Record, records
from clubs.statistics.totals import HeadToHead, Tally
from gameplay.api.base import Output, read_query
from gameplay.api.tables import answer
from web.fragment_cache import SECONDS

EDITION = 1
"""Grows when the same statistics come to be told otherwise, so that nobody is sent old ones."""


@look(response_serializers.Statistics, name="clubs_statistics_retrieve")
def of_club(request: Request, club: str) -> Response:
    """All leagues of a club together."""
    own = access.open_club(club)
    return _kept(
        request, response_serializers.Statistics, own, overview.stamp(own), "club", lambda: _told(queries.of_club(own))
    )


@look(response_serializers.Statistics, name="clubs_league_statistics_retrieve")
def of_league(request: Request, club: str, league: str) -> Response:
    """All seasons of a league together."""
    row = leagues.league_of(access.open_club(club), league)
    stamp, key = leagues.stamp(row), f"league-{row.pk}"
    return _kept(request, response_serializers.Statistics, row.club, stamp, key, lambda: _told(queries.of_league(row)))


@look(
    response_serializers.SeasonStatistics,
    asks=request_serializers.WhichDivision,
    name="clubs_season_statistics_retrieve",
)
def of_season(request: Request, club: str, league: str, season: str) -> Response:
    """One season, and the course of one of its divisions."""
    query = read_query(request_serializers.WhichDivision, request)
    row = leagues.season_of(Seen(reader(request), access.open_club(club)), league, season)
    division = pages.division_of(row, str(query.get("division", "")))
    key = f"season-{row.pk}-{division.pk if division else 0}"

    def make() -> dict[str, Any]:
        return _season(row, division)

    return _kept(request, response_serializers.SeasonStatistics, row.league.club, table.stamp(row), key, make)


@look(response_serializers.HeadToHead, asks=request_serializers.WhichTeams, name="clubs_head_to_head_retrieve")
def head_to_head(request: Request, club: str, league: str) -> Response:
    """Two teams of a league against each other, or two players in a league of people."""
    query = read_query(request_serializers.WhichTeams, request)
    row = leagues.league_of(access.open_club(club), league)
    one, other = (leagues.team_of(row, query[name]) if name in query else None for name in ("one", "other"))
    key = f"met-{row.pk}-{one.number if one else 0}-{other.number if other else 0}"
    stamp = leagues.stamp(row)
    return _kept(request, response_serializers.HeadToHead, row.club, stamp, key, lambda: _meetings(row, one, other))


def _kept(
    request: Request, shape: type[Output], club: Club, stamp: str, key: str, make: Callable[[], dict[str, Any]]
) -> Response:
    """The answer, made once for as long as nothing of it changes."""
    told = f"{club.pk}|{club.version}|{stamp}|{key}|{EDITION}|{settings.SITE_URL}"
    name = f"club-statistics:{hashlib.sha256(told.encode()).hexdigest()}"
    data: dict[str, Any] | None = cache.get(name)
    if data is None:
        data = make()
        cache.set(name, data, SECONDS)
    return answer(request, shape, data)


# As the answers hold them


def _told(matches: Sequence[Match]) -> dict[str, Any]:
    return {
        "matches": len(matches),
        "walkovers": sum(one.is_walkover for one in matches),
        "deals": sum(len(one.deals) for one in matches),
        "records": [_record(one) for one in records(matches)],
        "teams": [
            {
                **_tally(one.tally),
                **_team(one.team),
                "league": one.team.league.slug,
                "longest_wins": one.wins,
                "longest_unbeaten": one.unbeaten,
            }
            for one in totals.teams(matches)
        ],
        "people": [
            {
                **_tally(one.tally),
                "membership": one.person.membership_id if one.person.is_here else None,
                "name": one.person.name,
                "teams": one.teams,
            }
            for one in totals.people(matches)
        ],
    }


def _record(one: Record) -> dict[str, Any]:
    holders = [
        {
            **{name: getattr(holder, name) for name in ("team", "other", "score", "where")},
            "url": f"{settings.SITE_URL}{holder.url}",
        }
        for holder in one.holders
    ]
    return {"title": one.title, "value": one.value, "holders": holders, "others": one.others}


def _tally(tally: Tally) -> dict[str, Any]:
    names = ("played", "won", "drawn", "lost", "average", "average_against", "highest", "books")
    values = {name: getattr(tally, name) for name in names}
    return {**values, "deals_with_books": tally.dealt, "went_out_first": tally.outs}


def _team(team: Team) -> dict[str, Any]:
    return {"team": team.number, "name": team.name}


def _season(season: Season, division: Division | None) -> dict[str, Any]:
    matches = queries.of_season(season)
    found = season_progress.course(division) if division is not None else None
    names = ("matches", "score", "gap", "books")
    return {
        **_told(matches),
        "averages": [
            {"matchday": one.number, **{name: getattr(one, name) for name in names}} for one in totals.averages(matches)
        ],
        "course": _course(division, found) if division is not None and found is not None else None,
    }


def _course(division: Division, found: season_progress.Course) -> dict[str, Any]:
    return {
        "division": division.name,
        "level": division.level,
        "matchdays": list(found.days),
        "teams": [
            {**_team(line.team), "places": list(line.places), "points": line.points_words} for line in found.lines
        ],
    }


def _meetings(league: League, one: Team | None, other: Team | None) -> dict[str, Any]:
    both = (one, other) if one and other and one != other else None
    return {
        "teams": [_team(team) for team in Team.objects.filter(league=league).order_by("name", "pk")],
        "one": _team(one) if one else None,
        "other": _team(other) if other else None,
        "met": _met(totals.head_to_head(queries.of_league(league), *both)) if both else None,
    }


def _met(found: HeadToHead) -> dict[str, Any]:
    names = ("won", "drawn", "lost", "scored", "conceded")
    matches = [
        {"id": match.pairing.pk, "where": match.where, "score": score, "url": f"{settings.SITE_URL}{match.url}"}
        for match, score in found.matches
    ]
    return {"sentence": found.words, **{name: getattr(found, name) for name in names}, "matches": matches}
