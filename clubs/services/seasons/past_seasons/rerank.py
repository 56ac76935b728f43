"""Final places and winners of imported seasons, recalculated after their results were corrected."""

from collections.abc import Iterable
from typing import Unpack

from django.utils.translation import gettext

from accounts.models import User
from clubs import honours
from clubs.league import finals
from clubs.models import Act, Club, Division, Honour, Season, SeasonEntry
from clubs.services.history import ActionRequest, Record, Rows, declare, perform
from clubs.services.seasons import season_plans
from clubs.services.seasons.past_seasons.undo import IMPORT
from web.errors import Refused

_WON = {1: honours.CHAMPION, 2: honours.RUNNER_UP}
_CORRECTING = ("result", "take_back", "walkover", "adjust", "undo")
"""Kinds of acts of an event that may change its standings."""


def winners(division: Division, rows: Iterable[SeasonEntry]) -> list[Honour]:
    """Winners and runners-up of a division as unsaved honours; `rows` are its teams."""
    ranked = [entry for entry in rows if entry.final_rank in _WON]
    return [
        Honour(
            season=division.season,
            division=division,
            team=entry.team,
            title=honours.write_title(_WON[entry.final_rank or 1], division.name),
            place=entry.final_rank or 1,
        )
        for entry in sorted(ranked, key=lambda entry: (entry.final_rank or 1, entry.position))
    ]


def corrected_seasons(club: Club) -> list[Season]:
    """Imported seasons whose places differ since their results were corrected."""
    divisions = Division.objects.filter(season__in=imported_ids(club), tournament__acts__kind__in=_CORRECTING)
    closed = Season.objects.filter(pk__in=divisions.values("season"), status=Season.Status.CLOSED)
    seasons = closed.select_related("league").order_by("league", "number")
    return [season for season in seasons if _moved_entries(season)]


RANKING = declare("rank_anew", needs="data", undo=Rows())


def recalculate_places(season_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Recalculate final places and winners of an imported season, after its results were corrected."""

    def do(record: Record) -> str:
        season = Season.objects.filter(pk=season_id, pk__in=imported_ids(record.club)).select_related("league").first()
        if season is None:
            raise Refused("no_such_row", gettext("This no longer exists."))
        if season.status != Season.Status.CLOSED:
            raise Refused(
                "open",
                gettext("%(season)s was reopened. Close it again to work out its final places.") % {"season": season},
            )
        moved = _moved_entries(season)
        if not moved:
            raise Refused("nothing_new", gettext("The final places of %(season)s do not change.") % {"season": season})
        for entry, place in moved:
            record.change(entry, final_rank=place)
        for division in {entry.division_id: entry.division for entry, _ in moved}.values():
            titles_of = [honours.write_title(title, division.name) for title in _WON.values()]
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


def imported_ids(club: Club) -> list[int]:
    """Ids of the seasons that were imported, and not undone."""
    acts = Act.objects.filter(club=club, kind=IMPORT.name, undone_by=None).values_list("changes", flat=True)
    changes = (change for act_changes in acts for change in act_changes)
    return [change["pk"] for change in changes if change["model"] == "season" and change["was"] is None]


def _moved_entries(season: Season) -> list[tuple[SeasonEntry, int]]:
    """Entries whose place differs from the stored one, and their place."""
    orders = finals.final_orders(season, season_plans.divisions_of(season))
    return [(end.entry, end.place) for order in orders.values() for end in order if end.entry.final_rank != end.place]
