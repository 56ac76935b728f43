"""Statistics of a club, of a league, of a season, and of two teams, open to everyone."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from clubs.league import table
from clubs.public import league as leagues
from clubs.public import overview, page_context
from clubs.statistics import files, pages, queries
from clubs.statistics.queries import Match
from web.files import CSV, kept_file

PART = "clubs/statistics/part.html"
EDITION = 1
"""Increased with every change of the files, so that browsers fetch new ones."""


@require_safe
def club_statistics(request: HttpRequest, club: str) -> HttpResponse:
    """All leagues of a club together."""
    visit = page_context.visit(request, club)
    stamp = overview.stamp(visit.club)
    main = page_context.part(visit.club, stamp, PART, lambda: pages.of_club(visit.club), key="club")
    return _page(request, visit, main, gettext("Statistics"))


@require_safe
def league_statistics(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """All seasons of a league together."""
    visit = page_context.visit(request, club)
    this_league = leagues.league_of(visit.club, league)
    stamp, key = leagues.stamp(this_league), f"league-{this_league.pk}"
    main = page_context.part(visit.club, stamp, PART, lambda: pages.of_league(this_league), key=key)
    return _page(request, visit, main, gettext("Statistics of %(league)s") % {"league": this_league})


@require_safe
def season_statistics(request: HttpRequest, club: str, league: str, season: str) -> HttpResponse:
    """Statistics of a season, and the progress of one of its divisions."""
    visit = page_context.visit(request, club)
    this_season = leagues.season_of(visit, league, season)
    division = pages.division_of(this_season, request.GET.get("division", ""))

    def make() -> Mapping[str, Any]:
        return pages.of_season(this_season, division)

    key = f"season-{this_season.pk}-{division.level if division else 0}"
    main = page_context.part(visit.club, table.stamp(this_season), PART, make, key=key)
    words = gettext("Statistics of %(league)s, %(season)s") % {"league": this_season.league, "season": this_season}
    return _page(request, visit, main, words)


@require_safe
def head_to_head(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """Two teams of a league against each other."""
    visit = page_context.visit(request, club)
    this_league = leagues.league_of(visit.club, league)
    first, second = (pages.team_of(this_league, request.GET.get(name, "")) for name in ("one", "other"))

    def make() -> Mapping[str, Any]:
        return pages.meetings(this_league, first, second)

    key = f"met-{this_league.pk}-{first.number if first else 0}-{second.number if second else 0}"
    stamp = leagues.stamp(this_league)
    main = page_context.part(visit.club, stamp, "clubs/statistics/meetings_part.html", make, key=key)
    return _page(request, visit, main, gettext("Head to head in %(league)s") % {"league": this_league})


def _page(request: HttpRequest, visit: page_context.Visit, main: SafeString, title: str) -> HttpResponse:
    context = {"main_part": main}
    return page_context.page(request, visit, "clubs/statistics/page.html", context, tab="statistics", title=title)


# Files


@require_safe
def club_csv(request: HttpRequest, club: str) -> HttpResponse:
    """The statistics of a club as CSV."""
    visit = page_context.visit(request, club)
    return _file(request, visit, "statistics", overview.stamp(visit.club), lambda: queries.of_club(visit.club))


@require_safe
def league_csv(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """The statistics of a league as CSV."""
    visit = page_context.visit(request, club)
    this_league = leagues.league_of(visit.club, league)
    return _file(request, visit, this_league.slug, leagues.stamp(this_league), lambda: queries.of_league(this_league))


@require_safe
def season_csv(request: HttpRequest, club: str, league: str, season: str) -> HttpResponse:
    """The statistics of a season as CSV."""
    visit = page_context.visit(request, club)
    this_season = leagues.season_of(visit, league, season)
    name, stamp = f"{this_season.league.slug}-{this_season.slug}", table.stamp(this_season)
    return _file(request, visit, name, stamp, lambda: queries.of_season(this_season))


def _file(
    request: HttpRequest, visit: page_context.Visit, name: str, stamp: str, read: Callable[[], Sequence[Match]]
) -> HttpResponse:
    """A file, cached as long as `stamp` and the club’s version stay the same."""
    club = visit.club
    follows = f"statistics|{club.pk}|{club.version}|{stamp}|{EDITION}"

    def make() -> bytes:
        return files.statistics_csv(club.zone, read())

    return kept_file(request, f"{club.slug}-{name}.csv", CSV, make, follows=follows, zone=club.zone, saved=True)
