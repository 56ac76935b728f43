"""Questions about ratings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, Q, QuerySet

from accounts.models import User
from engine.play.rulesets import PRESETS, TITLES
from gameplay.access import is_somebody
from gameplay.models import Table
from tournaments import access
from tournaments.models import Pairing, RatedGame, Rating, RatingStep
from tournaments.models.ratings import START_MU, START_SIGMA, shown

Player = User | AnonymousUser

LISTED_FROM = 5
"""Matches after which a rating is listed; before, it says too little."""
NEWCOMER = shown(START_MU, START_SIGMA)
"""The rating that everybody begins with."""
SOMEWHERE = "A match"
"""What a match is called for those who may not know of it."""


@dataclass(frozen=True)
class Line:
    """One game of a person, ready to be shown."""

    name: str
    url: str
    """Empty where the reader may not see it."""
    at: datetime
    title: str
    """The family of rulesets."""
    number: int
    by: int
    shown: int
    partners: tuple[str, ...]
    opponents: tuple[str, ...]
    """Names; none where the reader may not see the match."""

    @property
    def down(self) -> int:
        """How far the rating fell."""
        return -self.by


def pools() -> list[tuple[str, str]]:
    """(name, title) of every family of rulesets that has ratings of its own."""
    return [(name, TITLES[name]) for name in PRESETS]


def ladder(pool: str) -> QuerySet[Rating]:
    """The ratings of one family, best first, of people with enough matches who have not deleted their accounts."""
    best = Rating.objects.of_people().filter(pool=pool, matches__gte=LISTED_FROM, user__is_active=True)
    return best.select_related("user").order_by("-mu", "pk")


def partnerships(pool: str) -> QuerySet[Rating]:
    """The same of partnerships."""
    best = Rating.objects.of_partnerships().filter(pool=pool, matches__gte=LISTED_FROM, user__is_active=True)
    return best.filter(partner__is_active=True).select_related("user", "partner").order_by("-mu", "pk")


def ratings_of(user: User) -> QuerySet[Rating]:
    """A person's own ratings."""
    return Rating.objects.of_people().filter(user=user).order_by("pool")


def partnerships_of(user: User) -> QuerySet[Rating]:
    """The ratings of a person's partnerships, those that played most first."""
    own = Rating.objects.of_partnerships().filter(Q(user=user) | Q(partner=user))
    return own.select_related("user", "partner").order_by("-matches", "-mu", "pk")


def history(user: User) -> QuerySet[RatingStep]:
    """What games did to a person's ratings, the latest first."""
    steps = RatingStep.objects.filter(rating__user=user, rating__partner=None).select_related("rating", "game")
    return steps.order_by("-game__ended_at", "-game__kind", "-game__source")


def steps(rating: Rating) -> QuerySet[RatingStep]:
    """What games did to one rating, the latest first."""
    own = RatingStep.objects.filter(rating=rating).select_related("rating", "game")
    return own.order_by("-game__ended_at", "-game__kind", "-game__source")


# The page of a person, and that of two partners


def person(username: str, reader: Player) -> User | None:
    """The person of this username, if the reader may see their ratings: anybody's once listed, one's own always."""
    user = User.objects.filter(username=username, is_active=True, is_guest=False).first()
    if user is None or user.pk == reader.pk or shown_to(user, reader).exists():
        return user
    return None


def shown_to(user: User, reader: Player) -> QuerySet[Rating]:
    """Those of a person's ratings that the reader may see: what the ladders list, and all of one's own."""
    own = ratings_of(user)
    return own if user.pk == reader.pk else own.filter(matches__gte=LISTED_FROM)


def partnerships_shown_to(user: User, reader: Player) -> QuerySet[Rating]:
    """The same of partnerships."""
    own = partnerships_of(user)
    if user.pk == reader.pk:
        return own
    return own.filter(matches__gte=LISTED_FROM, user__is_active=True, partner__is_active=True)


def pair(username: str, partner: str) -> tuple[User, User] | None:
    """Two people by their usernames, in that order; nothing where one of them is not there or both are the same."""
    rows = User.objects.filter(username__in=(username, partner), is_active=True, is_guest=False)
    found = {user.username: user for user in rows}
    return (found[username], found[partner]) if len(found) == 2 else None


def pair_shown_to(one: User, other: User, reader: Player) -> QuerySet[Rating]:
    """Those ratings of two partners that the reader may see: what the ladders list, and to either of them all."""
    first, second = sorted((one.pk, other.pk))
    own = Rating.objects.of_partnerships().filter(user=first, partner=second).order_by("pool")
    return own if reader.pk in (first, second) else own.filter(matches__gte=LISTED_FROM)


def lines(steps: Iterable[RatingStep], user: User, reader: Player) -> list[Line]:
    """A person's games as the reader may see them. Four queries at most, however many there are."""
    steps = list(steps)
    places = where([step.game for step in steps], reader)
    people = {one for step in steps if _key(step.game) in places for side in step.game.sides for one in side}
    names = {one.pk: str(one) for one in User.objects.filter(pk__in=people)}
    return [_line(step, user, places.get(_key(step.game)), names) for step in steps]


def _line(step: RatingStep, user: User, place: tuple[str, str] | None, names: dict[int, str]) -> Line:
    own = [one for side in step.game.sides if user.pk in side for one in side if one != user.pk]
    others = [one for side in step.game.sides if user.pk not in side for one in side]
    return Line(
        name=place[0] if place else SOMEWHERE,
        url=place[1] if place else "",
        at=step.game.ended_at,
        title=TITLES.get(step.game.pool, step.game.pool),
        number=step.number,
        by=step.by,
        shown=step.shown,
        partners=tuple(names[one] for one in own if one in names) if place else (),
        opponents=tuple(names[one] for one in others if one in names) if place else (),
    )


def where(games: Iterable[RatedGame], reader: Player | None) -> dict[tuple[str, int], tuple[str, str]]:
    """Name and address of games by kind and source, as far as the reader may know of them; `None` may know of all.

    What is open to whoever has the link is not given away to those who may not have it.
    """
    by_kind: dict[str, list[int]] = {kind: [] for kind in RatedGame.Kind.values}
    for game in games:
        by_kind[game.kind].append(game.source)
    tables = Table.objects.filter(pk__in=by_kind[RatedGame.Kind.TABLE]).only("pk", "slug", "name")
    matches = Pairing.objects.filter(pk__in=by_kind[RatedGame.Kind.MATCH]).select_related("round__stage__tournament")
    if reader is not None:
        open_to_all = Q(watching=Table.Watching.ANYBODY, is_sealed=False)
        own = Q(seats__user__pk=reader.pk) if is_somebody(reader) else Q()
        tables = tables.filter(open_to_all | own).distinct()
        matches = matches.filter(round__stage__tournament__in=access.listed(reader))
    found = {(str(RatedGame.Kind.TABLE), one.pk): (one.name, one.get_absolute_url()) for one in tables}
    for row in matches:
        name = f"{row.round.stage.tournament}, {row.name}"
        found[str(RatedGame.Kind.MATCH), row.pk] = (name, row.get_absolute_url())
    return found


def _key(game: RatedGame) -> tuple[str, int]:
    return game.kind, game.source


# What a person takes away


def export(user: User) -> list[dict[str, Any]]:
    """A person's ratings, alone and with partners, with what each game did to them, ready for JSON."""
    steps = Prefetch("steps", RatingStep.objects.select_related("game").order_by("number"))
    rows = [
        *ratings_of(user).prefetch_related(steps),
        *partnerships_of(user).order_by("pool", "pk").prefetch_related(steps),
    ]
    places = where({step.game for rating in rows for step in rating.steps.all()}, None)
    return [
        {
            "ruleset": rating.pool,
            "partner": _partner(rating, user),
            "rating": rating.shown,
            "mu": rating.mu,
            "sigma": rating.sigma,
            "matches": rating.matches,
            "changes": [
                {"match": places.get(_key(step.game), ("",))[0], "at": step.game.ended_at, "by": step.by}
                for step in rating.steps.all()
            ],
        }
        for rating in rows
    ]


def _partner(rating: Rating, user: User) -> str | None:
    if rating.partner is None:
        return None
    return str(rating.user if rating.partner_id == user.pk else rating.partner)
