"""Doors to files of clubs and leagues: the same as their pages give, for whoever holds the token.

A season that is being prepared is seen by who prepares it, with a token of theirs.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from accounts.api import needs
from clubs.api import response_serializers
from clubs.api.base import MayLook
from tournaments.api.base import file_door, page_at

CLUB = {"calendar.ics": "calendar", "news.atom": "news_feed", "statistics.csv": "statistics_csv"}
"""Files of a club, by the names of their pages."""
LEAGUE = {"calendar.ics": "league_calendar", "feed.atom": "league_feed", "statistics.csv": "league_statistics_csv"}
SEASON = {"statistics.csv": "season_statistics_csv"}
DIVISION = {
    "table.csv": "table_csv",
    "table.json": "table_json",
    "table.pdf": "table_pdf",
    "fixtures.csv": "fixtures_csv",
}

_file = file_door(MayLook, response_serializers.ClubRefusal)


def _given(request: Request, name: str, **where: Any) -> HttpResponse:
    return page_at(request, reverse(f"clubs:{name}", kwargs=where))


@_file
def of_club(request: Request, file: str, **where: Any) -> HttpResponse:
    """A file of a club."""
    return _given(request, CLUB[file], **where)


@_file
def of_league(request: Request, file: str, **where: Any) -> HttpResponse:
    """A file of a league."""
    return _given(request, LEAGUE[file], **where)


@_file
def of_team(request: Request, **where: Any) -> HttpResponse:
    """The matches of a team, for calendar programs."""
    return _given(request, "team_calendar", **where)


@_file
def of_player(request: Request, **where: Any) -> HttpResponse:
    """The matches of a player’s teams, for calendar programs."""
    return _given(request, "player_calendar", **where)


@_file
def of_season(request: Request, file: str, **where: Any) -> HttpResponse:
    """A file of a season."""
    return _given(request, SEASON[file], **where)


@_file
def of_division(request: Request, file: str, **where: Any) -> HttpResponse:
    """A file of a division."""
    return _given(request, DIVISION[file], **where)


@file_door(MayLook, response_serializers.ClubRefusal, kind="application/json")
def of_shared_rules(request: Request, token: str) -> HttpResponse:
    """Shared house rules as JSON, for import elsewhere."""
    return _given(request, "shared_rules_file", token=token)


@file_door(needs("clubs_read"), response_serializers.ClubRefusal)
def specimen(request: Request, club: str) -> HttpResponse:
    """The first lines of a file of past seasons, as a template."""
    return _given(request, "specimen", club=club)
