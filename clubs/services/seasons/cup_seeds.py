"""Seeding of teams in a cup: by standings, by the last season, by rating, by lot, or by hand."""

import hashlib
from collections.abc import Callable, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from clubs.league import finals
from clubs.models import Division, Season, SeasonEntry, SeasonEvent
from clubs.services.seasons import season_plans
from tournaments.models import Tournament
from tournaments.services.stages import seeding
from web.errors import Refused

WAYS: dict[str, Promise] = {
    "table": gettext_lazy("By the current standings"),
    "last": gettext_lazy("By the final places of the season before"),
    "rating": gettext_lazy("By rating"),
    "lot": gettext_lazy("By lot"),
    "hand": gettext_lazy("By hand, in this order"),
}
"""Ways of seeding, and in words."""
WORDS = {
    "table": gettext_noop("by the standings"),
    "last": gettext_noop("by the season before"),
    "rating": gettext_noop("by rating"),
    "lot": gettext_noop("by lot"),
    "hand": gettext_noop("by hand"),
}
"""The same for the history."""


def seed_order(season: Season, team_ids: Sequence[int], way: str) -> list[int]:
    """The teams (ids) in the order of their seeds. `way` is one of `WAYS`; `hand` keeps the given order. Raises
    `Refused` (field `seeding`) if there is no such way, or no season before."""
    if way not in WAYS:
        raise Refused("no_such_way", gettext("Choose how the teams are seeded."), field="seeding")
    if way == "hand":
        return list(team_ids)
    ways: dict[str, Callable[[Season], dict[int, tuple[float | str, ...]]]] = {
        "table": _by_table,
        "last": _by_last,
        "rating": _by_rating,
        "lot": _by_lot,
    }
    rank, drawn = ways[way](season), _as_drawn(season)
    ranked = [pk for pk in team_ids if pk in rank]
    rest = [pk for pk in team_ids if pk not in rank]
    return sorted(ranked, key=lambda pk: (*rank[pk], drawn.get(pk, 0))) + sorted(rest, key=lambda pk: drawn.get(pk, 0))


def season_before(season: Season) -> Season | None:
    """The last closed season of the league before this one."""
    earlier = Season.objects.filter(league=season.league_id, number__lt=season.number, status=Season.Status.CLOSED)
    return earlier.order_by("-number").first()


def _as_drawn(season: Season) -> dict[int, int]:
    """Places of teams, by id, in the order of divisions and of their draws, from 0."""
    rows = SeasonEntry.objects.filter(season=season).order_by("division__level", "position", "pk")
    return {pk: at for at, pk in enumerate(rows.values_list("team_id", flat=True))}


def _by_table(season: Season) -> dict[int, tuple[float | str, ...]]:
    return {
        final.team.pk: (division.level, final.place)
        for division in season_plans.divisions_of(season)
        for final in finals.table_order(division)
    }


def _by_last(season: Season) -> dict[int, tuple[float | str, ...]]:
    """Teams that did not play in the season before come last."""
    before = season_before(season)
    if before is None:
        raise Refused(
            "no_season",
            gettext("No season was closed before this one. Choose another way of seeding."),
            field="seeding",
        )
    rows = SeasonEntry.objects.filter(season=before).exclude(final_rank=None)
    return {
        pk: (level, place or 0) for pk, level, place in rows.values_list("team_id", "division__level", "final_rank")
    }


def _by_rating(season: Season) -> dict[int, tuple[float | str, ...]]:
    """The strongest first: the average rating of the players of each entry, as events have it."""
    strengths: dict[int, float] = {}
    for tournament in _tournaments(season):
        strengths |= seeding.strengths_of(tournament)
    rows = SeasonEntry.objects.filter(season=season).exclude(entry=None)
    return {team: (-strengths[entry],) for team, entry in rows.values_list("team_id", "entry_id") if entry in strengths}


def _by_lot(season: Season) -> dict[int, tuple[float | str, ...]]:
    """A SHA-256 of the lots of the top division's event, the number of the cup in the season, and the number of the
    team, in hexadecimal; the lowest comes first. Drawing again gives the same order."""
    lots = _tournaments(season)[0].lots
    number = (
        SeasonEvent.objects.filter(season=season).exclude(tournament__status=Tournament.Status.CANCELLED).count() + 1
    )
    rows = SeasonEntry.objects.filter(season=season).values_list("team_id", "team__number")
    return {pk: (hashlib.sha256(f"{lots}:cup {number}:{team}".encode()).hexdigest(),) for pk, team in rows}


def _tournaments(season: Season) -> list[Tournament]:
    """The tournaments of the divisions, the top one first. Raises `Refused` if the season is not drawn."""
    drawn = Division.objects.filter(season=season).exclude(tournament=None).select_related("tournament")
    tournaments = [division.tournament for division in drawn.order_by("level") if division.tournament is not None]
    if not tournaments:
        raise Refused("not_running", gettext("%(season)s is not drawn yet.") % {"season": season})
    return tournaments
