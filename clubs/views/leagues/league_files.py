"""Leagues as files: CSV, PDF, JSON, calendars and a feed. Anybody may have them, as anybody may read the pages."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from clubs.exports import league_csv, league_feed, league_ics, league_json
from clubs.models import Club, Division, League, Membership
from clubs.public import page_context
from clubs.public.league import division_of, league_of, season_of, stamp, team_of
from web.files import ATOM, CSV, ICS, JSON, PDF, kept_file

EDITION = 1
"""Grows when files of the same league come to look otherwise, so that nobody keeps old ones."""


@require_safe
def table_csv(request: HttpRequest, club: str, league: str, season: str, level: int) -> HttpResponse:
    """The table of a division."""
    own = _division(request, club, league, season, level)
    return _of_division(request, own, "table.csv", CSV, lambda: league_csv.table(own), saved=True)


@require_safe
def fixtures_csv(request: HttpRequest, club: str, league: str, season: str, level: int) -> HttpResponse:
    """The matches of a division."""
    own = _division(request, club, league, season, level)
    return _of_division(request, own, "fixtures.csv", CSV, lambda: league_csv.matches(own), saved=True)


@require_safe
def table_json(request: HttpRequest, club: str, league: str, season: str, level: int) -> HttpResponse:
    """A division for programs; pages of other sites may fetch it."""
    own = _division(request, club, league, season, level)
    response = _of_division(request, own, "table.json", JSON, lambda: league_json.write(own))
    response["Access-Control-Allow-Origin"] = "*"
    return response


@require_safe
def table_pdf(request: HttpRequest, club: str, league: str, season: str, level: int) -> HttpResponse:
    """The table of a division on paper."""
    own = _division(request, club, league, season, level)

    def make() -> bytes:
        from clubs.exports import league_pdf  # which takes long to load

        return league_pdf.table(own)

    return _of_division(request, own, "table.pdf", PDF, make)


@require_safe
def league_calendar(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """Every match of a league."""
    row = _league(request, club, league)
    return _file(request, row, "league.ics", ICS, lambda: league_ics.of_league(row))


@require_safe
def team_calendar(request: HttpRequest, club: str, league: str, number: int) -> HttpResponse:
    """Every match of a team."""
    row = team_of(_league(request, club, league), number)
    return _file(request, row.league, f"team-{row.number}.ics", ICS, lambda: league_ics.of_team(row))


@require_safe
def player_calendar(request: HttpRequest, club: str, league: str, membership: int) -> HttpResponse:
    """Every match of the teams that somebody plays in."""
    row = _league(request, club, league)
    found = Membership.objects.filter(pk=membership, teams__team__league=row, teams__left_at=None).first()
    if found is None:
        raise Http404(gettext("Calendar not found in this league."))
    one = found
    return _file(request, row, f"player-{one.pk}.ics", ICS, lambda: league_ics.of_player(row, one))


@require_safe
def league_feed_file(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """Results as they come."""
    row = _league(request, club, league)
    return _file(request, row, "feed.atom", ATOM, lambda: bytes(league_feed.LeagueFeed()(request, league=row).content))


def _league(request: HttpRequest, club: str, slug: str) -> League:
    return league_of(page_context.seen(request, club).club, slug)


def _division(request: HttpRequest, club: str, league: str, season: str, level: int) -> Division:
    return division_of(season_of(page_context.seen(request, club), league, season), level)


def _of_division(
    request: HttpRequest, division: Division, name: str, kind: str, make: Callable[[], bytes], *, saved: bool = False
) -> HttpResponse:
    season = division.season
    name = f"{season.slug}-{division.level}-{name}"
    return _file(request, season.league, name, kind, make, saved=saved)


def _file(
    request: HttpRequest, league: League, name: str, kind: str, make: Callable[[], bytes], *, saved: bool = False
) -> HttpResponse:
    """A file of a league, with times by the club's clock."""
    club: Club = league.club
    follows = f"league|{league.pk}|{club.pk}|{club.version}|{stamp(league)}|{EDITION}"
    return kept_file(request, f"{league.slug}-{name}", kind, make, follows=follows, zone=club.zone, saved=saved)
