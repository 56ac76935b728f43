"""A player as the page and the API show them: ratings, record, clubs and titles, as far as a reader may know."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, Q
from django.http import Http404
from django.utils.translation import gettext

from accounts.models import Friendship, User
from accounts.services import friends
from clubs.honours import CHAMPION, WINNER
from clubs.models import Club, Honour, Membership, SeasonEntry, SeasonEventEntry
from engine.play.rulesets import title_of
from gameplay import player_record, presence
from gameplay.access import is_member
from gameplay.player_record import Player, PlayerRecord
from tournaments import player_links
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


@dataclass(frozen=True)
class PlayerPage:
    """A player as one reader sees them."""

    person: User
    is_own: bool
    friendship: Friendship | None
    """That of the player and the reader, asked for or accepted."""
    ratings: list[Rating]
    """Those the reader may see, the most played first."""
    record: PlayerRecord | None
    """`None` if the player does not show it to this reader; then there are no clubs and titles either."""
    clubs: list[Club]
    titles: list[Honour]

    @property
    def is_friend(self) -> bool:
        """Whether the reader and the player are friends."""
        return self.friendship is not None and self.friendship.accepted_at is not None

    @property
    def is_here(self) -> bool:
        """Whether the player is here now, for friends: one query."""
        return self.is_friend and bool(presence.shown_on_site([self.person]))


def player_page(username: str, reader: Player) -> PlayerPage:
    """The player for this reader. Raises `Http404`, see `player_links.usernames`."""
    user = User.objects.filter(username=username).first()
    if user is None or user.pk not in player_links.usernames([user.pk], reader):
        raise Http404(gettext("Player not found."))
    is_own = user.pk == reader.pk
    friendship = (
        friends.between(user, reader) if isinstance(reader, User) and is_member(reader) and not is_own else None
    )
    shows_record = player_record.is_shown(user, reader)
    return PlayerPage(
        user,
        is_own,
        friendship,
        list(rating_queries.shown_to(user, reader).order_by("-matches", "pool")),
        player_record.read_record(user, reader) if shows_record else None,
        clubs_of(user, reader) if shows_record else [],
        titles_won(user) if shows_record else [],
    )


def rating_tabs(ratings: Sequence[Rating]) -> list[RatingTab]:
    """The ratings as tabs, in their order: one query."""
    last = RatingStep.objects.filter(rating__in=[rating.pk for rating in ratings], number=F("rating__matches"))
    changes = {step.rating_id: step.by for step in last.select_related("rating")}
    return [RatingTab(rating, title_of(rating.pool), changes.get(rating.pk, 0)) for rating in ratings]


def rating_curves(ratings: Sequence[Rating]) -> dict[int, list[tuple[datetime, int]]]:
    """The ends of the matches of each rating with the rating after them, in order, by the rating’s id: one query."""
    steps = RatingStep.objects.filter(rating__in=[rating.pk for rating in ratings]).select_related("game")
    curves: dict[int, list[tuple[datetime, int]]] = {rating.pk: [] for rating in ratings}
    for step in steps.order_by("number"):
        curves[step.rating_id].append((step.game.ended_at, step.value))
    return curves


def rating_curve(rating: Rating) -> dict[str, Any]:
    """The curve of a rating for the template of a plot, which says every figure to those who do not see it."""
    curve = rating_curves([rating])[rating.pk]
    plot = rating_plot.plot(rating_queries.NEWCOMER, curve)
    if plot is not None:
        figures = ", ".join(str(value) for _, value in curve[-_SAID:])
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
