"""What the page of a player has from clubs and leagues, and their ratings."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Exists, F, OuterRef, Q

from accounts.models import User
from clubs.honours import CHAMPION, WINNER
from clubs.models import Club, Honour, Membership, SeasonEntry, SeasonEventEntry
from engine.play.rulesets import title_of
from gameplay.access import is_member
from gameplay.player_record import Player
from tournaments.models import Rating, RatingStep
from tournaments.ratings import queries as rating_queries
from tournaments.ratings import rating_plot
from web.text import number

_SAID = 40
"""Ratings after a match that the name of the curve says one by one."""


@dataclass(frozen=True)
class RatingTab:
    """A rating with the change by the last match."""

    rating: Rating
    title: str
    change: int

    @property
    def change_text(self) -> str:
        """`+17`, `−6`; empty for none."""
        return f"{'+' if self.change > 0 else ''}{number(self.change)}" if self.change else ""


def rating_tabs(ratings: Sequence[Rating]) -> list[RatingTab]:
    """The ratings as tabs, in their order: one query."""
    last = RatingStep.objects.filter(rating__in=[rating.pk for rating in ratings], number=F("rating__matches"))
    changes = {step.rating_id: step.by for step in last.select_related("rating")}
    return [RatingTab(rating, title_of(rating.pool), changes.get(rating.pk, 0)) for rating in ratings]


def rating_curve(rating: Rating) -> dict[str, Any]:
    """The curve of a rating for the template of a plot, which says every figure to those who do not see it."""
    values = [rating_queries.NEWCOMER, *(step.value for step in rating.steps.order_by("number"))]
    plot = rating_plot.plot(values)
    if plot is not None:
        figures = ", ".join(map(str, values[-_SAID:]))
        plot = replace(plot, summary=f"{plot.summary} {figures}")
    return {"plot": plot, "frame": rating_plot, "title": title_of(rating.pool)}


def clubs_of(user: User, reader: Player) -> list[Club]:
    """Clubs of a player that the reader may know of: own ones, shared ones, and those with the player in a directory."""
    memberships = Membership.objects.filter(club=OuterRef("pk"), user=user, left_at=None)
    shown = Q(Exists(memberships.filter(is_listed=True)), is_listed=True, has_directory=True)
    if is_member(reader):
        shown |= Q(Exists(Membership.objects.filter(club=OuterRef("pk"), user__pk=reader.pk or 0, left_at=None)))
    return list(Club.objects.alive().filter(Exists(memberships)).filter(shown).order_by("name", "pk"))


def titles_won(user: User) -> list[Honour]:
    """Titles of teams that the player was entered for in that season, the latest first."""
    division = SeasonEntry.objects.filter(
        season=OuterRef("season"), team=OuterRef("team"), division=OuterRef("division"), entry__members__user=user
    )
    cup = SeasonEventEntry.objects.filter(
        event__season=OuterRef("season"), team=OuterRef("team"), entry__members__user=user
    )
    is_won = Q(title__startswith=CHAMPION % {"name": ""}) | Q(title__startswith=WINNER % {"name": ""})
    won = Honour.objects.filter(is_won, Exists(division) | (Q(division=None) & Exists(cup)))
    won = won.filter(season__league__club__archived_at=None)
    return list(won.select_related("season__league", "team").order_by("-season__number", "pk")[:12])
