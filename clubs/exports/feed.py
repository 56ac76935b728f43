"""A club's news as an Atom feed (RFC 4287)."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib.syndication.views import Feed
from django.http import HttpRequest
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import linebreaks
from django.utils.translation import gettext

from clubs.models import Club, News
from tournaments.exports import source
from tournaments.exports.lettering import plain

MOST = 50
"""Items in a feed, the latest."""

if TYPE_CHECKING:
    _Feed = Feed[News, Club]
else:
    _Feed = Feed


class NewsFeed(_Feed):
    """The feed of the club that it is called with."""

    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Club:
        club: Club = kwargs["club"]
        return club

    def title(self, club: Club) -> str:
        return plain(club.name)

    def subtitle(self, club: Club) -> str:
        return plain(club.line) or gettext("News from the club.")

    def author_name(self, club: Club) -> str:
        return plain(club.name)

    def link(self, club: Club) -> str:
        return source.full_url(reverse("clubs:all_news", args=[club.slug]))

    def feed_url(self, club: Club) -> str:
        return source.full_url(reverse("clubs:news_feed", args=[club.slug]))

    def feed_guid(self, club: Club) -> str:
        return self.link(club)

    def items(self, club: Club) -> list[News]:
        return list(News.objects.filter(club=club).select_related("club").order_by("-published_at", "-pk")[:MOST])

    def item_title(self, item: News) -> str:
        return plain(item.title)

    def item_description(self, item: News) -> str:
        # Atom's summaries are HTML.
        return linebreaks("\n".join(plain(line) for line in item.body.split("\n")), autoescape=True)

    def item_link(self, item: News) -> str:
        return source.full_url(reverse("clubs:news", args=[item.club.slug, item.pk]))

    def item_guid(self, item: News) -> str:
        return self.item_link(item)

    def item_pubdate(self, item: News) -> datetime:
        return item.published_at

    def item_updateddate(self, item: News) -> datetime:
        return item.published_at
