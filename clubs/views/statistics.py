"""Statistics of a club, of a league, of a season, and of two teams against each other: for everybody."""

from __future__ import annotations

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
"""Grows when files of the same matches come to look otherwise, so that nobody keeps old ones."""


@require_safe
def club_statistics(request: HttpRequest, club: str) -> HttpResponse:
    """All leagues of a club together."""
    seen = page_context.seen(request, club)
    main = page_context.part(seen.club, overview.stamp(seen.club), PART, lambda: pages.of_club(seen.club), key="club")
    return _page(request, seen, main, gettext("Statistics"))


@require_safe
def league_statistics(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """All seasons of a league together."""
    seen = page_context.seen(request, club)
    row = leagues.league_of(seen.club, league)
    main = page_context.part(seen.club, leagues.stamp(row), PART, lambda: pages.of_league(row), key=f"league-{row.pk}")
    return _page(request, seen, main, gettext("Statistics of %(league)s") % {"league": row})


@require_safe
def season_statistics(request: HttpRequest, club: str, league: str, season: str) -> HttpResponse:
    """One season, and how one of its divisions went."""
    seen = page_context.seen(request, club)
    row = leagues.season_of(seen, league, season)
    division = pages.division_of(row, request.GET.get("division", ""))

    def make() -> Mapping[str, Any]:
        return pages.of_season(row, division)

    key = f"season-{row.pk}-{division.level if division else 0}"
    main = page_context.part(seen.club, table.stamp(row), PART, make, key=key)
    return _page(
        request, seen, main, gettext("Statistics of %(league)s, %(season)s") % {"league": row.league, "season": row}
    )


@require_safe
def head_to_head(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """Two teams of a league against each other."""
    seen = page_context.seen(request, club)
    row = leagues.league_of(seen.club, league)
    one, other = (pages.team_of(row, request.GET.get(name, "")) for name in ("one", "other"))

    def make() -> Mapping[str, Any]:
        return pages.meetings(row, one, other)

    key = f"met-{row.pk}-{one.number if one else 0}-{other.number if other else 0}"
    main = page_context.part(seen.club, leagues.stamp(row), "clubs/statistics/meetings_part.html", make, key=key)
    return _page(request, seen, main, gettext("Head to head in %(league)s") % {"league": row})


def _page(request: HttpRequest, seen: page_context.Seen, main: SafeString, title: str) -> HttpResponse:
    context = {"main_part": main}
    return page_context.page(request, seen, "clubs/statistics/page.html", context, tab="statistics", title=title)


# Files


@require_safe
def club_csv(request: HttpRequest, club: str) -> HttpResponse:
    """The statistics of a club as CSV."""
    seen = page_context.seen(request, club)
    return _file(request, seen, "statistics", overview.stamp(seen.club), lambda: queries.of_club(seen.club))


@require_safe
def league_csv(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """The statistics of a league as CSV."""
    seen = page_context.seen(request, club)
    row = leagues.league_of(seen.club, league)
    return _file(request, seen, row.slug, leagues.stamp(row), lambda: queries.of_league(row))


@require_safe
def season_csv(request: HttpRequest, club: str, league: str, season: str) -> HttpResponse:
    """The statistics of a season as CSV."""
    seen = page_context.seen(request, club)
    row = leagues.season_of(seen, league, season)
    return _file(request, seen, f"{row.league.slug}-{row.slug}", table.stamp(row), lambda: queries.of_season(row))


def _file(
    request: HttpRequest, seen: page_context.Seen, name: str, stamp: str, read: Callable[[], Sequence[Match]]
) -> HttpResponse:
    """A file, kept as long as what it is made of stays as it is; `stamp` changes with that, the club's version aside."""
    club = seen.club
    follows = f"statistics|{club.pk}|{club.version}|{stamp}|{EDITION}"

    def make() -> bytes:
        return files.statistics_csv(club.zone, read())

    return kept_file(request, f"{club.slug}-{name}.csv", CSV, make, follows=follows, zone=club.zone, saved=True)
