"""API views for ratings: rating lists of people and pairs, personal ratings, and their history."""

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
from tournaments.api.base import read_view, reader
from tournaments.models import Rating
from tournaments.ratings import queries as rating_queries


@read_view(response_serializers.RatingPage, asks=request_serializers.WhichRatings, name="ratings_list")
def people(request: Request, pool: str) -> Response:
    """The rating list of one family of rulesets: people with enough matches, best first."""
    return _ladder(request, rating_queries.ladder(_checked_pool(pool)))


@read_view(response_serializers.RatingPage, asks=request_serializers.WhichRatings, name="ratings_partnerships_list")
def partnerships(request: Request, pool: str) -> Response:
    """The rating list of pairs in one family of rulesets."""
    return _ladder(request, rating_queries.partnerships(_checked_pool(pool)))


@read_view(response_serializers.PersonRatings, name="ratings_person_retrieve")
def person(request: Request, username: str) -> Response:
    """A person's listed ratings, alone and with partners, and all of your own."""
    user = _person(request, username)
    ratings = rating_queries.shown_to(user, reader(request)).select_related("user")
    data = {
        "username": user.username,
        "name": str(user),
        "ratings": [_line(each, user) for each in ratings],
        "partnerships": [_line(each, user) for each in rating_queries.partnerships_shown_to(user, reader(request))],
    }
    return answer(request, response_serializers.PersonRatings, data)


@read_view(response_serializers.RatingHistory, asks=request_serializers.WhichRatings, name="ratings_history_retrieve")
def history(request: Request, username: str, pool: str) -> Response:
    """The changes of a person's rating in one family of rulesets, newest first."""
    user = _person(request, username)
    return _history(request, rating_queries.shown_to(user, reader(request)), pool, user)


@read_view(
    response_serializers.RatingHistory,
    asks=request_serializers.WhichRatings,
    name="ratings_partnership_history_retrieve",
)
def partnership_history(request: Request, username: str, partner: str, pool: str) -> Response:
    """The changes of a pair's rating in one family of rulesets, newest first."""
    people = rating_queries.pair(username, partner)
    if people is None:
        raise Http404(gettext("No ratings to show."))
    return _history(request, rating_queries.pair_shown_to(*people, reader(request)), pool, people[0])


def _history(request: Request, ratings: QuerySet[Rating], pool: str, user: User) -> Response:
    query = read_query(request_serializers.WhichRatings, request)
    rating = ratings.filter(pool=pool).select_related("user", "partner").first()
    if rating is None:
        raise Http404(gettext("No ratings to show."))
    rows, more = facts.a_page(_part(rating_queries.steps(rating), query), query["limit"])
    steps = [
        {
            "match": line.name,
            "url": line.url,
            "at": line.at,
            "number": line.number,
            "by": line.by,
            "rating": line.value,
            "partners": line.partners,
            "opponents": line.opponents,
        }
        for line in rating_queries.lines(rows, user, reader(request))
    ]
    return answer(
        request, response_serializers.RatingHistory, {"rating": _line(rating, user), "steps": steps, "more": more}
    )


def _ladder(request: Request, rows: QuerySet[Rating]) -> Response:
    query = read_query(request_serializers.WhichRatings, request)
    page, more = facts.a_page(_part(rows, query), query["limit"])
    return answer(
        request, response_serializers.RatingPage, {"ratings": [_line(each, each.user) for each in page], "more": more}
    )


def _part(rows: QuerySet[Any], query: dict[str, Any]) -> QuerySet[Any]:
    """A page of rows, and one more to know whether others follow."""
    return rows[query["after"] : query["after"] + query["limit"] + 1]


def _line(rating: Rating, user: User) -> dict[str, Any]:
    """A rating; of a pair, from the view of this one of the two."""
    other = None
    if rating.partner is not None:
        other = rating.user if rating.partner_id == user.pk else rating.partner
    return {
        "username": user.username,
        "name": str(user),
        "partner": other.username if other else None,
        "partner_name": str(other) if other else None,
        "ruleset": rating.pool,
        "rating": rating.value,
        "matches": rating.matches,
    }


def _checked_pool(pool: str) -> str:
    """The name of a family that has ratings. Raises `Http404`."""
    if pool not in dict(rating_queries.pools()):
        raise Http404(gettext("There are no ratings for this ruleset."))
    return pool


def _person(request: Request, username: str) -> User:
    user = rating_queries.person(username, reader(request))
    if user is None:
        raise Http404(gettext("No ratings to show."))
    return user
