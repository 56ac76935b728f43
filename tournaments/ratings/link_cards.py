"""What other sites show for links to ratings: a person's listed ratings, and the first places of a list."""

from collections.abc import Sequence

from django.contrib.auth.models import AnonymousUser
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
    public = [rating for rating in ratings if rating.matches >= queries.LISTED_FROM]
    if not public:
        return LinkCard()
    values = {"name": user, "points": number(public[0].value), "rules": title_of(public[0].pool)}
    title = gettext("%(name)s: %(points)s in %(rules)s") % values
    return LinkCard(title, picture=kinds.address("rating", user.username, _person_version(user, public)))


def _person_version(user: User, ratings: Sequence[Rating]) -> str:
    return kinds.version_of(user.pk, str(user), [(each.pool, each.value, each.matches) for each in ratings])


def find_person(key: str) -> Picture:
    """The picture of a person's ratings. Raises `Http404` unless some are listed."""
    user = queries.person(key, NOBODY)
    ratings = list(queries.shown_to(user, NOBODY).order_by("-matches", "pool")) if user else []
    if user is None or not ratings:
        raise Http404("No ratings to show.")

    def draw() -> Canvas:
        rows = [Row("", title_of(each.pool), number(each.value)) for each in ratings]
        return layouts.table(Band(str(user), gettext("Ratings")), rows)

    return Picture(_person_version(user, ratings), draw)


def list_card(pool: str) -> LinkCard:
    """The card of a rating list, whose picture is that of the day: no query."""
    return LinkCard(picture=kinds.address("ratings", pool, _list_version(pool)))


def _list_version(pool: str) -> str:
    return kinds.version_of(pool, timezone.now().date())


def find_list(key: str) -> Picture:
    """The picture of a rating list. Raises `Http404`."""
    if key not in PRESETS:
        raise Http404("There is no such ruleset.")

    def draw() -> Canvas:
        best = queries.ladder(key)[: layouts.ROWS]
        rows = [Row(str(place), str(each.user), number(each.value), place == 1) for place, each in enumerate(best, 1)]
        band = Band(gettext("Ratings"), title_of(key))
        return layouts.table(band, rows) if rows else layouts.lines(band, [gettext("Hand and Foot")])

    return Picture(_list_version(key), draw)
