"""Leagues as files: CSV, PDF, JSON, calendars and a feed, public like the pages."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from clubs.exports import league_csv, league_feed, league_ics, league_json
from clubs.models import Club, Division, League, Membership
from clubs.public import page_context
from clubs.public.league import division_of, league_of, season_of, stamp, team_of
from clubs.public.lookups import first_or_404
from web.files import ATOM, CSV, ICS, JSON, PDF, kept_file

EDITION = 1
"""Increased with every change of the files, so that browsers fetch new ones."""


@require_safe
def table_csv(request: HttpRequest, club: str, league: str, season: str, level: int) -> HttpResponse:
    """The table of a division."""
    division = _division(request, club, league, season, level)
    return _of_division(request, division, "table.csv", CSV, lambda: league_csv.table(division), saved=True)


@require_safe
def fixtures_csv(request: HttpRequest, club: str, league: str, season: str, level: int) -> HttpResponse:
    """The matches of a division."""
    division = _division(request, club, league, season, level)
    return _of_division(request, division, "fixtures.csv", CSV, lambda: league_csv.matches(division), saved=True)


@require_safe
def table_json(request: HttpRequest, club: str, league: str, season: str, level: int) -> HttpResponse:
    """A division for programs; pages of other sites can fetch it."""
    division = _division(request, club, league, season, level)
    response = _of_division(request, division, "table.json", JSON, lambda: league_json.write(division))
    response["Access-Control-Allow-Origin"] = "*"
    return response


@require_safe
def table_pdf(request: HttpRequest, club: str, league: str, season: str, level: int) -> HttpResponse:
    """The table of a division on paper."""
    division = _division(request, club, league, season, level)

    def make() -> bytes:
        from clubs.exports import league_pdf  # which takes long to load

        return league_pdf.table(division)

    return _of_division(request, division, "table.pdf", PDF, make)


@require_safe
def league_calendar(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """Every match of a league."""
    this_league = _league(request, club, league)
    return _file(request, this_league, "league.ics", ICS, lambda: league_ics.of_league(this_league))


@require_safe
def team_calendar(request: HttpRequest, club: str, league: str, number: int) -> HttpResponse:
    """Every match of a team."""
    team = team_of(_league(request, club, league), number)
    return _file(request, team.league, f"team-{team.number}.ics", ICS, lambda: league_ics.of_team(team))


@require_safe
def player_calendar(request: HttpRequest, club: str, league: str, membership: int) -> HttpResponse:
    """Every match of a player’s teams."""
    this_league = _league(request, club, league)
    members = Membership.objects.filter(pk=membership, teams__team__league=this_league, teams__left_at=None)
    member = first_or_404(members, gettext("Calendar not found in this league."))
    name = f"player-{member.pk}.ics"
    return _file(request, this_league, name, ICS, lambda: league_ics.of_player(this_league, member))


@require_safe
def league_feed_file(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """Results as a feed, newest first."""
    this_league = _league(request, club, league)
    feed = league_feed.LeagueFeed()
    return _file(request, this_league, "feed.atom", ATOM, lambda: bytes(feed(request, league=this_league).content))


def _league(request: HttpRequest, club: str, slug: str) -> League:
    return league_of(page_context.visit(request, club).club, slug)


def _division(request: HttpRequest, club: str, league: str, season: str, level: int) -> Division:
    return division_of(season_of(page_context.visit(request, club), league, season), level)


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
