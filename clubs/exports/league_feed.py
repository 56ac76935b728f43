"""A league as an Atom feed (RFC 4287): results and corrections, newest first."""

from typing import Any

from django.db.models import Prefetch, Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext

from clubs.models import League
from tournaments.exports import source
from tournaments.exports.atom import MOST, Item, OfItems
from tournaments.models import Pairing, Place
from tournaments.public.corrections import corrected_among
from tournaments.public.names import links_of
from tournaments.public.schedule import listed_match
from tournaments.round_names import round_words
from web.lettering import plain


def items(league: League) -> list[Item]:
    """The latest results of a league, cups and play-offs too: three queries."""
    is_of_league = Q(round__stage__tournament__division__season__league=league) | Q(
        round__stage__tournament__season_event__season__league=league
    )
    pairings = Pairing.objects.filter(is_of_league, status=Pairing.Status.DONE, done_at__isnull=False)
    rows = pairings.select_related("round__stage__tournament").order_by("-done_at", "-pk")
    latest = list(rows.prefetch_related(Prefetch("places", Place.objects.select_related("entry")))[:MOST])
    changed = corrected_among(pairing.pk for pairing in latest)
    return [_item(pairing, changed) for pairing in latest]


def _item(pairing: Pairing, changed: set[int]) -> Item:
    event = pairing.round.stage.tournament
    match = listed_match(pairing, links_of(event), {}, changed)
    score = " – ".join(f"{side.names} {side.score}".strip() for side in match.sides)
    note = f" {match.note}." if match.note else ""
    words = f"{event.name}, {round_words(pairing.round.name)}: {score}.{note}"
    at = pairing.done_at or event.created_at
    return Item(plain(score), plain(words), match.url, f"result-{pairing.pk}-{pairing.result_id}", at)


class LeagueFeed(OfItems):
    """The feed of the league that it is called with."""

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> League:
        league: League = kwargs["league"]
        return league

    def title(self, league: League) -> str:
        return plain(f"{league.name}, {league.club.name}")

    def subtitle(self, league: League) -> str:
        return gettext("Results as they come.")

    def author_name(self, league: League) -> str:
        return plain(league.club.name)

    def link(self, league: League) -> str:
        return source.full_url(league.get_absolute_url())

    def feed_url(self, league: League) -> str:
        return source.full_url(reverse("clubs:league_feed", args=[league.club.slug, league.slug]))

    def items(self, league: League) -> list[Item]:
        return items(league)
