"""Final places and winners of seasons that were brought in, worked out anew once their results were corrected."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Unpack

from django.utils.translation import gettext

from accounts.models import User
from clubs import honours
from clubs.league import finals
from clubs.models import Act, Club, Division, Honour, Season, SeasonEntry
from clubs.services.history import How, Record, Rows, declare, perform
from clubs.services.seasons import season_plans
from clubs.services.seasons.past_seasons.undo import IMPORT
from web.errors import Refused

_WON = {1: honours.CHAMPION, 2: honours.RUNNER_UP}
_CORRECTING = ("result", "take_back", "walkover", "adjust", "undo")
"""Kinds of acts of an event that may move somebody in its table."""


def winners(division: Division, rows: Iterable[SeasonEntry]) -> list[Honour]:
    """Who won a division, and who came second, as honours that are not stored; `rows` are its teams."""
    own = [row for row in rows if row.final_rank in _WON]
    return [
        Honour(
            season=division.season,
            division=division,
            team=row.team,
            title=honours.made(_WON[row.final_rank or 1], division.name),
            place=row.final_rank or 1,
        )
        for row in sorted(own, key=lambda row: (row.final_rank or 1, row.position))
    ]


def corrected(club: Club) -> list[Season]:
    """Seasons that were brought in, and whose results were corrected since so that somebody ended elsewhere."""
    touched = Division.objects.filter(season__in=_brought(club), tournament__acts__kind__in=_CORRECTING)
    closed = Season.objects.filter(pk__in=touched.values("season"), status=Season.Status.CLOSED)
    found = closed.select_related("league").order_by("league", "number")
    return [season for season in found if _moved(season)]


RANKING = declare("rank_anew", needs="data", undo=Rows())


def rank_anew(season_id: int, by: User, **how: Unpack[How]) -> Act:
    """Work out final places and winners of a season that was brought in, after its results were corrected."""

    def do(record: Record) -> str:
        season = Season.objects.filter(pk=season_id, pk__in=_brought(record.club)).select_related("league").first()
        if season is None:
            raise Refused("no_such_row", gettext("This no longer exists."))
        if season.status != Season.Status.CLOSED:
            raise Refused(
                "open",
                gettext("%(season)s was reopened. Close it again to work out its final places.") % {"season": season},
            )
        moved = _moved(season)
        if not moved:
            raise Refused("nothing_new", gettext("The final places of %(season)s do not change.") % {"season": season})
        for row, place in moved:
            record.change(row, final_rank=place)
        for division in {row.division_id: row.division for row, _ in moved}.values():
            titles_of = [honours.made(title, division.name) for title in _WON.values()]
            for honour in Honour.objects.filter(division=division, title__in=titles_of):
                record.delete(honour)
            record.create_all(winners(division, SeasonEntry.objects.filter(division=division).select_related("team")))
        return gettext("The final places of %(season)s of %(league)s were recalculated.") % {
            "season": season,
            "league": season.league,
        }

    club = Season.objects.filter(pk=season_id).values_list("league__club", flat=True).first()
    if club is None:
        raise Refused("no_such_row", gettext("This no longer exists."))
    return perform(club, do, RANKING, by=by, **how)


def _brought(club: Club) -> list[int]:
    """Ids of the seasons that were brought in, and were not taken back."""
    acts = Act.objects.filter(club=club, kind=IMPORT.name, undone_by=None).values_list("changes", flat=True)
    return [one["pk"] for changes in acts for one in changes if one["model"] == "season" and one["was"] is None]


def _moved(season: Season) -> list[tuple[SeasonEntry, int]]:
    """Who ended elsewhere than the season says, and where."""
    orders = finals.final_orders(season, season_plans.divisions_of(season))
    return [(one.entry, one.place) for order in orders.values() for one in order if one.entry.final_rank != one.place]
