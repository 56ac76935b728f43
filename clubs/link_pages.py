"""Pages of clubs for other sites: kinds of pictures, frames, and addresses in the sitemap."""

from collections.abc import Iterator

from django.urls import reverse

from clubs.models import Club, League, Season
from clubs.public import league_link_cards, link_cards, news_link_cards
from tournaments import link_pages as of_events
from web import oembed, sitemap
from web.link_pictures import kinds

MOST = 10_000
"""Clubs, leagues and seasons in the sitemap, of each the newest."""


def register() -> None:
    """Declare them. Called once, when the app is ready."""
    kinds.register("club", link_cards.find_club)
    kinds.register("meeting", link_cards.find_meeting)
    kinds.register("news", news_link_cards.find_news)
    kinds.register("season", league_link_cards.find_season)
    kinds.register("fixture", league_link_cards.find_match)
    kinds.register("rules", link_cards.find_rules)
    oembed.register("clubs:season", league_link_cards.embed_of_season)
    oembed.register("clubs:division", league_link_cards.embed_of_season)
    sitemap.register(_pages)
    of_events.also_draw(league_link_cards.draw_ahead)


def _pages() -> Iterator[sitemap.Page]:
    """Listed clubs with their leagues and seasons."""
    yield reverse("clubs:clubs"), None
    for slug in Club.objects.alive().filter(is_listed=True).order_by("-pk").values_list("slug", flat=True)[:MOST]:
        yield reverse("clubs:club", args=[slug]), None
        yield reverse("clubs:rules", args=[slug]), None
    leagues = League.objects.filter(club__is_listed=True, club__archived_at=None, is_archived=False).order_by("-pk")
    for parts in leagues.values_list("club__slug", "slug")[:MOST]:
        yield reverse("clubs:league", args=parts), None
    seasons = Season.objects.filter(league__club__is_listed=True, league__club__archived_at=None).order_by("-pk")
    public = seasons.exclude(status=Season.Status.DRAFT)
    for club, league, season in public.values_list("league__club__slug", "league__slug", "slug")[:MOST]:
        yield reverse("clubs:season", args=[club, league, season]), None
