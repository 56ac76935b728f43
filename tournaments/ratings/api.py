"""Doors to ratings: the ladders of people and of partnerships, a person's own, and what each match did to them."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from gameplay.api.base import read_query
from gameplay.api.tables import answer
from tournaments.api import facts, request_serializers, response_serializers
from tournaments.api.base import look, reader
from tournaments.models import Rating
from tournaments.ratings import queries as rating_queries


@look(response_serializers.RatingPage, asks=request_serializers.WhichRatings, name="ratings_list")
def people(request: Request, pool: str) -> Response:
    """The rating list of one family of rulesets: people with enough matches, best first."""
    return _ladder(request, rating_queries.ladder(_known(pool)))


@look(response_serializers.RatingPage, asks=request_serializers.WhichRatings, name="ratings_partnerships_list")
def partnerships(request: Request, pool: str) -> Response:
    """The rating list of pairs in one family of rulesets."""
    return _ladder(request, rating_queries.partnerships(_known(pool)))


@look(response_serializers.PersonRatings, name="ratings_person_retrieve")
def person(request: Request, username: str) -> Response:
    """A person's listed ratings, alone and with partners, and all of your own."""
    user = _person(request, username)
    data = {
        "username": user.username,
        "name": str(user),
        "ratings": [_line(row, user) for row in rating_queries.shown_to(user, reader(request)).select_related("user")],
        "partnerships": [_line(row, user) for row in rating_queries.partnerships_shown_to(user, reader(request))],
    }
    return answer(request, response_serializers.PersonRatings, data)


@look(response_serializers.RatingHistory, asks=request_serializers.WhichRatings, name="ratings_history_retrieve")
def history(request: Request, username: str, pool: str) -> Response:
    """The changes of a person's rating in one family of rulesets, newest first."""
    user = _person(request, username)
    return _history(request, rating_queries.shown_to(user, reader(request)), pool, user)


@look(
    response_serializers.RatingHistory,
    asks=request_serializers.WhichRatings,
    name="ratings_partnership_history_retrieve",
)
def partnership_history(request: Request, username: str, partner: str, pool: str) -> Response:
    """The changes of a pair's rating in one family of rulesets, newest first."""
    found = rating_queries.pair(username, partner)
    if found is None:
        raise Http404(gettext("No ratings to show."))
    return _history(request, rating_queries.pair_shown_to(*found, reader(request)), pool, found[0])


def _history(request: Request, shown: QuerySet[Rating], pool: str, user: User) -> Response:
    query = read_query(request_serializers.WhichRatings, request)
    row = shown.filter(pool=pool).select_related("user", "partner").first()
    if row is None:
        raise Http404(gettext("No ratings to show."))
    rows, more = facts.a_page(_part(rating_queries.steps(row), query), query["limit"])
    steps = [
        {
            "match": one.name,
            "url": one.url,
            "at": one.at,
            "number": one.number,
            "by": one.by,
            "rating": one.shown,
            "partners": one.partners,
            "opponents": one.opponents,
        }
        for one in rating_queries.lines(rows, user, reader(request))
    ]
    return answer(
        request, response_serializers.RatingHistory, {"rating": _line(row, user), "steps": steps, "more": more}
    )


def _ladder(request: Request, rows: QuerySet[Rating]) -> Response:
    query = read_query(request_serializers.WhichRatings, request)
    page, more = facts.a_page(_part(rows, query), query["limit"])
    return answer(
        request, response_serializers.RatingPage, {"ratings": [_line(row, row.user) for row in page], "more": more}
    )


def _part(rows: QuerySet[Any], query: dict[str, Any]) -> QuerySet[Any]:
    """A page of rows, and one more to know whether others follow."""
    return rows[query["after"] : query["after"] + query["limit"] + 1]


def _line(row: Rating, user: User) -> dict[str, Any]:
    """A rating; of a partnership, as this one of the two sees it."""
    other = None
    if row.partner is not None:
        other = row.user if row.partner_id == user.pk else row.partner
    return {
        "username": user.username,
        "name": str(user),
        "partner": other.username if other else None,
        "partner_name": str(other) if other else None,
        "ruleset": row.pool,
        "rating": row.shown,
        "matches": row.matches,
    }


def _known(pool: str) -> str:
    """The name of a family that has ratings. Raises `Http404`."""
    if pool not in dict(rating_queries.pools()):
        raise Http404(gettext("There are no ratings for this ruleset."))
    return pool


def _person(request: Request, username: str) -> User:
    user = rating_queries.person(username, reader(request))
    if user is None:
        raise Http404(gettext("No ratings to show."))
    return user
