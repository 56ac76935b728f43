"""What other sites show for links to ratings: listed ratings of a person or a pair, and the first places of a list."""

from collections.abc import Callable, Sequence

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from engine.play.rulesets import PRESETS, title_of
from tournaments.models import Rating
from tournaments.ratings import queries
from web.link_cards import LinkCard
from web.link_pictures import kinds, layouts
from web.link_pictures.canvas import Canvas
from web.link_pictures.kinds import Picture
from web.link_pictures.layouts import Band, Row
from web.text import number

NOBODY = AnonymousUser()


def person_card(user: User, ratings: Sequence[Rating]) -> LinkCard:
    """The card of a person's ratings, of those that anyone sees: `Nora Whitlock: 1,632 in Standard`."""
    if not (public := _public(ratings)):
        return LinkCard()
    title = gettext("%(name)s: %(points)s in %(rules)s") % {"name": user, **_most_played(public)}
    return LinkCard(title, picture=kinds.address("rating", user.username, _version((user,), public)))


def find_person(key: str) -> Picture:
    """The picture of a person's ratings. Raises `Http404` unless some are listed."""
    user = queries.person(key, NOBODY)
    ratings = list(queries.shown_to(user, NOBODY).order_by(*queries.MOST_PLAYED)) if user else []
    return _picture((user,) if user else (), ratings, gettext("Ratings"))


def pair_card(first: User, second: User, ratings: Sequence[Rating]) -> LinkCard:
    """The same of two partners, whose ratings are in the same order: `Nora Whitlock and Piet Vermeer: 1,655 in Standard`."""
    if not (public := _public(ratings)):
        return LinkCard()
    values = {"name": first, "partner": second, **_most_played(public)}
    title = gettext("%(name)s and %(partner)s: %(points)s in %(rules)s") % values
    key = f"{first.username}/{second.username}"
    return LinkCard(title, picture=kinds.address("pair", key, _version((first, second), public)))


def find_pair(key: str) -> Picture:
    """The picture of the ratings of two partners. Raises `Http404` unless some are listed."""
    username, _, partner = key.partition("/")
    people = queries.pair(username, partner)
    ratings = list(queries.pair_shown_to(*people, NOBODY).order_by(*queries.MOST_PLAYED)) if people else []
    return _picture(people or (), ratings, gettext("Pair ratings"))


def _public(ratings: Sequence[Rating]) -> list[Rating]:
    return [rating for rating in ratings if rating.matches >= queries.LISTED_FROM]


def _most_played(ratings: Sequence[Rating]) -> dict[str, str]:
    return {"points": number(ratings[0].value), "rules": title_of(ratings[0].pool)}


def _version(people: Sequence[User], ratings: Sequence[Rating]) -> str:
    names = [(user.pk, str(user)) for user in people]
    return kinds.version_of(names, [(each.pool, each.value, each.matches) for each in ratings])


def _picture(people: Sequence[User], ratings: Sequence[Rating], line: str) -> Picture:
    if not ratings:
        raise Http404("No ratings to show.")

    def draw() -> Canvas:
        rows = [Row("", title_of(each.pool), number(each.value)) for each in ratings]
        return layouts.table(Band(" / ".join(map(str, people)), line), rows)

    return Picture(_version(people, ratings), draw)


def list_card(pool: str) -> LinkCard:
    """The card of a rating list, whose picture is that of the day: no query."""
    sentence = gettext("The players who play Hand and Foot best by the %(rules)s rules.") % {"rules": title_of(pool)}
    return LinkCard(description=sentence, picture=kinds.address("ratings", pool, _list_version(pool)))


def pair_list_card(pool: str) -> LinkCard:
    """The card of a rating list of pairs: no query."""
    sentence = gettext("The pairs that play Hand and Foot best by the %(rules)s rules.") % {"rules": title_of(pool)}
    return LinkCard(description=sentence, picture=kinds.address("pairs", pool, _list_version(pool)))


def _list_version(pool: str) -> str:
    return kinds.version_of(pool, timezone.now().date())


def find_list(key: str) -> Picture:
    """The picture of a rating list. Raises `Http404`."""
    return _list(key, gettext("Ratings"), lambda: [(str(each.user), each) for each in _first(queries.ladder(key))])


def find_pair_list(key: str) -> Picture:
    """The picture of a rating list of pairs. Raises `Http404`."""

    def best() -> list[tuple[str, Rating]]:
        return [(f"{each.user} / {each.partner}", each) for each in _first(queries.partnerships(key))]

    return _list(key, gettext("Pair ratings"), best)


def _first(ratings: QuerySet[Rating]) -> QuerySet[Rating]:
    return ratings[: layouts.ROWS]


def _list(pool: str, title: str, best: Callable[[], Sequence[tuple[str, Rating]]]) -> Picture:
    if pool not in PRESETS:
        raise Http404("There is no such ruleset.")

    def draw() -> Canvas:
        rows = [Row(str(place), name, number(each.value), place == 1) for place, (name, each) in enumerate(best(), 1)]
        band = Band(title, title_of(pool))
        return layouts.table(band, rows) if rows else layouts.lines(band, [gettext("Hand and Foot")])

    return Picture(_list_version(pool), draw)
