"""Pages of events for other sites: kinds of pictures, frames, and addresses in the sitemap."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from django.urls import reverse

from tournaments.models import Tournament
from tournaments.public import link_cards
from tournaments.ratings import link_cards as rating_cards
from web import oembed, sitemap
from web.link_pictures import kinds, store

_pictures: list[Callable[[Tournament], Iterable[tuple[str, str]]]] = [link_cards.draw_ahead]
MOST = 10_000
"""Events in the sitemap, the newest."""


def register() -> None:
    """Declare them. Called once, when the app is ready."""
    kinds.register("event", link_cards.find_event)
    kinds.register("stage", link_cards.find_stage)
    kinds.register("match", link_cards.find_match)
    kinds.register("rating", rating_cards.find_person)
    kinds.register("ratings", rating_cards.find_list)
    kinds.register("pair", rating_cards.find_pair)
    kinds.register("pairs", rating_cards.find_pair_list)
    oembed.register("tournaments:stage", link_cards.embed_of_stage)
    sitemap.register(_pages)


def also_draw(pictures: Callable[[Tournament], Iterable[tuple[str, str]]]) -> None:
    """Add pictures by kind and key that change with an event's results. Apps above do so: events know no clubs."""
    _pictures.append(pictures)


def draw_ahead(tournament_id: int) -> None:
    """Draw the pictures of an event's links in all languages, unless they are stored."""
    tournament = Tournament.objects.filter(pk=tournament_id).first()
    if tournament is None:
        return
    for kind, key in chain.from_iterable(pictures(tournament) for pictures in _pictures):
        store.draw_ahead(kind, key)


def _pages() -> Iterator[sitemap.Page]:
    for name in ("tournaments:events", "tournaments:ratings", "tournaments:partnerships"):
        yield reverse(name), None
    public = Tournament.objects.filter(visibility=Tournament.Visibility.PUBLIC).exclude(status=Tournament.Status.DRAFT)
    for slug, ended_at in public.order_by("-pk").values_list("slug", "ended_at")[:MOST]:
        yield reverse("tournaments:event", args=[slug]), ended_at
