"""Questions about ratings."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, Q, QuerySet, Sum

from accounts.models import User
from engine.play.rulesets import PRESETS, choices, title_of
from gameplay.access import is_somebody
from gameplay.models import Table
from tournaments import access
from tournaments.models import Pairing, RatedGame, Rating, RatingStep
from tournaments.models.ratings import START_MU, START_SIGMA, rating_value

Player = User | AnonymousUser

MOST_PLAYED = ("-matches", "pool")
"""The order of the ratings of one person or pair."""
LISTED_FROM = 5
"""Matches after which a rating is listed; before, it says too little."""
NEWCOMER = rating_value(START_MU, START_SIGMA)
"""The rating of a newcomer."""
SOMEWHERE = "A match"
"""Name of a match that the reader may not see."""


@dataclass(frozen=True)
class HistoryLine:
    """A game in the rating history of a person."""

    name: str
    url: str
    """Empty where the reader may not see it."""
    at: datetime
    title: str
    """The family of rulesets."""
    number: int
    by: int
    value: int
    partners: tuple[str, ...]
    opponents: tuple[str, ...]
    """Names; none where the reader may not see the match."""

    @property
    def down(self) -> int:
        """Drop of the rating."""
        return -self.by


def pools() -> list[tuple[str, str]]:
    """(name, title) of every family of rulesets that has ratings of its own."""
    return [(name, title_of(name)) for name in PRESETS]


def grouped_pools() -> list[tuple[str, list[tuple[str, str]]]]:
    """The families of rulesets under their headings, those played most first."""
    matches = dict(Rating.objects.of_people().values_list("pool").annotate(Sum("matches")).order_by())
    groups = [(heading, sorted(pools, key=lambda pool: -matches.get(pool[0], 0))) for heading, pools in choices()]
    return sorted(groups, key=lambda group: -max(matches.get(name, 0) for name, _ in group[1]))


def ladder(pool: str) -> QuerySet[Rating]:
    """The rating list of one family, best first: people with enough matches and an active account."""
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
    ratings = Rating.objects.of_partnerships().filter(Q(user=user) | Q(partner=user))
    return ratings.select_related("user", "partner").order_by("-matches", "-mu", "pk")


def history(user: User) -> QuerySet[RatingStep]:
    """Changes of a person’s ratings by games, latest first."""
    steps = RatingStep.objects.filter(rating__user=user, rating__partner=None).select_related("rating", "game")
    return steps.order_by("-game__ended_at", "-game__kind", "-game__source")


def steps(rating: Rating) -> QuerySet[RatingStep]:
    """Changes of one rating by games, latest first."""
    changes = RatingStep.objects.filter(rating=rating).select_related("rating", "game")
    return changes.order_by("-game__ended_at", "-game__kind", "-game__source")


# The page of a person, and that of two partners


def person(username: str, reader: Player) -> User | None:
    """The person of this username, if their ratings are listed or the reader’s own."""
    user = User.objects.filter(username=username, is_active=True, is_guest=False).first()
    if user is None or user.pk == reader.pk or shown_to(user, reader).exists():
        return user
    return None


def shown_to(user: User, reader: Player) -> QuerySet[Rating]:
    """Ratings of a person that the reader may see: listed ones, and all of their own."""
    ratings = ratings_of(user)
    return ratings if user.pk == reader.pk else ratings.filter(matches__gte=LISTED_FROM)


def partnerships_shown_to(user: User, reader: Player) -> QuerySet[Rating]:
    """The same of partnerships."""
    ratings = partnerships_of(user)
    if user.pk == reader.pk:
        return ratings
    return ratings.filter(matches__gte=LISTED_FROM, user__is_active=True, partner__is_active=True)


def pair(username: str, partner: str) -> tuple[User, User] | None:
    """Two people by their usernames, in that order; nothing where one of them is not there or both are the same."""
    rows = User.objects.filter(username__in=(username, partner), is_active=True, is_guest=False)
    people = {user.username: user for user in rows}
    return (people[username], people[partner]) if len(people) == 2 else None


def pair_shown_to(user: User, other: User, reader: Player) -> QuerySet[Rating]:
    """Ratings of two partners that the reader may see: listed ones, and all of their own."""
    first, second = sorted((user.pk, other.pk))
    ratings = Rating.objects.of_partnerships().filter(user=first, partner=second).order_by("pool")
    return ratings if reader.pk in (first, second) else ratings.filter(matches__gte=LISTED_FROM)


def lines(steps: Iterable[RatingStep], user: User, reader: Player) -> list[HistoryLine]:
    """A person's games as the reader may see them. Four queries at most, however many there are."""
    steps = list(steps)
    places = places_of([step.game for step in steps], reader)
    people = {user_id for step in steps if _key(step.game) in places for side in step.game.sides for user_id in side}
    names = {user_id.pk: str(user_id) for user_id in User.objects.filter(pk__in=people)}
    return [_line(step, user, places.get(_key(step.game)), names) for step in steps]


def _line(step: RatingStep, user: User, place: tuple[str, str] | None, names: dict[int, str]) -> HistoryLine:
    partners = [user_id for side in step.game.sides if user.pk in side for user_id in side if user_id != user.pk]
    opponents = [user_id for side in step.game.sides if user.pk not in side for user_id in side]
    return HistoryLine(
        name=place[0] if place else SOMEWHERE,
        url=place[1] if place else "",
        at=step.game.ended_at,
        title=title_of(step.game.pool),
        number=step.number,
        by=step.by,
        value=step.value,
        partners=tuple(names[user_id] for user_id in partners if user_id in names) if place else (),
        opponents=tuple(names[user_id] for user_id in opponents if user_id in names) if place else (),
    )


def places_of(games: Iterable[RatedGame], reader: Player | None) -> dict[tuple[str, int], tuple[str, str]]:
    """Name and address of games by kind and source, if the reader may see them; `None` may see all.

    Games open by link are not revealed to others.
    """
    by_kind: dict[str, list[int]] = {kind: [] for kind in RatedGame.Kind.values}
    for game in games:
        by_kind[game.kind].append(game.source)
    tables = Table.objects.filter(pk__in=by_kind[RatedGame.Kind.TABLE]).only("pk", "slug", "name")
    matches = Pairing.objects.filter(pk__in=by_kind[RatedGame.Kind.MATCH]).select_related("round__stage__tournament")
    if reader is not None:
        open_to_all = Q(watching=Table.Watching.ANYBODY, is_sealed=False)
        seated = Q(seats__user__pk=reader.pk) if is_somebody(reader) else Q()
        tables = tables.filter(open_to_all | seated).distinct()
        matches = matches.filter(round__stage__tournament__in=access.list_events(reader))
    places = {(str(RatedGame.Kind.TABLE), table.pk): (table.name, table.get_absolute_url()) for table in tables}
    for match in matches:
        name = f"{match.round.stage.tournament}, {match.name}"
        places[str(RatedGame.Kind.MATCH), match.pk] = (name, match.get_absolute_url())
    return places


def _key(game: RatedGame) -> tuple[str, int]:
    return game.kind, game.source


# Export


def export(user: User) -> list[dict[str, Any]]:
    """A person’s ratings, alone and with partners, with the change by each game, ready for JSON."""
    steps = Prefetch("steps", RatingStep.objects.select_related("game").order_by("number"))
    rows = [
        *ratings_of(user).prefetch_related(steps),
        *partnerships_of(user).order_by("pool", "pk").prefetch_related(steps),
    ]
    places = places_of({step.game for rating in rows for step in rating.steps.all()}, None)
    return [
        {
            "ruleset": rating.pool,
            "partner": _partner(rating, user),
            "rating": rating.value,
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
