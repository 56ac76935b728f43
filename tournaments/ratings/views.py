"""Pages of ratings."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.queries import player_of
from engine.play.rulesets import title_of
from tournaments.models import Rating
from tournaments.ratings import link_cards, rating_plot
from tournaments.ratings import queries as rating_queries

A_PAGE = 50


@require_safe
def ratings(request: HttpRequest, pool: str = "standard") -> HttpResponse:
    """The rating list of one family of rulesets, and the reader’s own ratings and history."""
    context = _ladder(request, pool, rating_queries.ladder(pool))
    context["link_card"] = link_cards.list_card(pool)
    if isinstance(request.user, User):
        steps = rating_queries.history(request.user)[:20]
        context["mine"] = _titled(rating_queries.ratings_of(request.user))
        context["lines"] = rating_queries.lines(steps, request.user, request.user)
    return render(request, "tournaments/ratings.html", context)


@require_safe
def partnerships(request: HttpRequest, pool: str = "standard") -> HttpResponse:
    """The rating list of pairs in one family of rulesets, and the reader’s own."""
    context = _ladder(request, pool, rating_queries.partnerships(pool))
    context["link_card"] = link_cards.pair_list_card(pool)
    if isinstance(request.user, User):
        context["mine"] = _partners(rating_queries.partnerships_of(request.user), request.user)
    return render(request, "tournaments/rating_partnerships.html", context)


@require_safe
def person(request: HttpRequest, username: str) -> HttpResponse:
    """Ratings of a person, with the history and plot of one of them."""
    reader = player_of(request)
    user = rating_queries.person(username, reader)
    if user is None:
        raise Http404("No ratings to show.")
    listed_ratings = list(rating_queries.shown_to(user, reader).order_by(*rating_queries.MOST_PLAYED))
    context = {
        "person": user,
        "is_own": user.pk == reader.pk,
        "ratings": _titled(listed_ratings),
        "partnerships": _partners(rating_queries.partnerships_shown_to(user, reader), user),
        "least": rating_queries.LISTED_FROM,
        "link_card": link_cards.person_card(user, listed_ratings),
        **_history(request, listed_ratings, user, reader),
    }
    return render(request, "tournaments/rating_person.html", context)


@require_safe
def pair(request: HttpRequest, username: str, partner: str) -> HttpResponse:
    """The ratings of two people as partners, with their history and a plot of one of them."""
    reader, people = player_of(request), rating_queries.pair(username, partner)
    listed_ratings = (
        list(rating_queries.pair_shown_to(*people, reader).order_by(*rating_queries.MOST_PLAYED)) if people else []
    )
    if people is None or not listed_ratings:
        raise Http404("No ratings to show.")
    first, second = people
    context = {
        "one": first,
        "other": second,
        "is_own": reader.pk in (first.pk, second.pk),
        "ratings": _titled(listed_ratings),
        "least": rating_queries.LISTED_FROM,
        "link_card": link_cards.pair_card(first, second, listed_ratings),
        **_history(request, listed_ratings, first, reader),
    }
    return render(request, "tournaments/rating_pair.html", context)


def _history(
    request: HttpRequest, ratings: Sequence[Rating], user: User, reader: rating_queries.Player
) -> dict[str, Any]:
    """The history of the requested rating, else of the first, as the reader may see it; `user` owns or shares it."""
    chosen = next((each for each in ratings if each.pool == request.GET.get("rules")), ratings[0] if ratings else None)
    if chosen is None:
        return {"chosen": None}
    page = Paginator(rating_queries.steps(chosen), A_PAGE).get_page(request.GET.get("page"))
    curve = [(step.game.ended_at, step.value) for step in chosen.steps.select_related("game").order_by("number")]
    return {
        "chosen": chosen,
        "title": title_of(chosen.pool),
        "page": page,
        "lines": rating_queries.lines(page.object_list, user, reader),
        "plot": rating_plot.plot(rating_queries.NEWCOMER, curve),
        "frame": rating_plot,
    }


def _ladder(request: HttpRequest, pool: str, rows: QuerySet[Rating]) -> dict[str, Any]:
    titles = dict(rating_queries.pools())
    if pool not in titles:
        raise Http404("There is no such ruleset.")
    page = Paginator(rows, A_PAGE).get_page(request.GET.get("page"))
    return {
        "groups": rating_queries.grouped_pools(),
        "pool": pool,
        "title": titles[pool],
        "page": page,
        "least": rating_queries.LISTED_FROM,
    }


def _titled(rows: Iterable[Rating]) -> list[tuple[Rating, str]]:
    """Ratings, each with the title of its family."""
    return [(rating, title_of(rating.pool)) for rating in rows]


def _partners(rows: Iterable[Rating], user: User) -> list[tuple[Rating, User | None, str]]:
    """Ratings of partnerships, each with the other person and the title of its family."""
    return [(each, each.user if each.partner_id == user.pk else each.partner, title_of(each.pool)) for each in rows]
