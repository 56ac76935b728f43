"""API views for files of clubs and leagues, the same as on their pages. Drafts are for organisers, by their tokens."""

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from accounts.api import needs
from clubs.api import response_serializers
from clubs.api.base import MayLook
from tournaments.api.base import file_view, page_at

CLUB = {"calendar.ics": "calendar", "news.atom": "news_feed", "statistics.csv": "statistics_csv"}
"""Files of a club, by the names of their pages."""
LEAGUE = {"calendar.ics": "league_calendar", "feed.atom": "league_feed", "statistics.csv": "league_statistics_csv"}
SERIES = {"standings.csv": "series_csv"}
SEASON = {"statistics.csv": "season_statistics_csv"}
DIVISION = {
    "table.csv": "table_csv",
    "table.json": "table_json",
    "table.pdf": "table_pdf",
    "fixtures.csv": "fixtures_csv",
}

_file = file_view(MayLook, response_serializers.ClubRefusal)


def _page_file(request: Request, name: str, **where: Any) -> HttpResponse:
    return page_at(request, reverse(f"clubs:{name}", kwargs=where))


@_file
def of_club(request: Request, file: str, **where: Any) -> HttpResponse:
    """A file of a club."""
    return _page_file(request, CLUB[file], **where)


@_file
def of_league(request: Request, file: str, **where: Any) -> HttpResponse:
    """A file of a league."""
    return _page_file(request, LEAGUE[file], **where)


@_file
def of_team(request: Request, **where: Any) -> HttpResponse:
    """The matches of a team, for calendar programs."""
    return _page_file(request, "team_calendar", **where)


@_file
def of_player(request: Request, **where: Any) -> HttpResponse:
    """The matches of a player’s teams, for calendar programs."""
    return _page_file(request, "player_calendar", **where)


@_file
def of_series(request: Request, file: str, **where: Any) -> HttpResponse:
    """The standings of a series as CSV."""
    return _page_file(request, SERIES[file], **where)


@_file
def of_season(request: Request, file: str, **where: Any) -> HttpResponse:
    """A file of a season."""
    return _page_file(request, SEASON[file], **where)


@_file
def of_division(request: Request, file: str, **where: Any) -> HttpResponse:
    """A file of a division."""
    return _page_file(request, DIVISION[file], **where)


@file_view(MayLook, response_serializers.ClubRefusal, kind="application/json")
def of_shared_rules(request: Request, token: str) -> HttpResponse:
    """Shared house rules as JSON, for import elsewhere."""
    return _page_file(request, "shared_rules_file", token=token)


@file_view(needs("clubs_read"), response_serializers.ClubRefusal)
def specimen(request: Request, club: str) -> HttpResponse:
    """The first lines of a file of past seasons, as a template."""
    return _page_file(request, "specimen", club=club)
