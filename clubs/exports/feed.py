"""A club's news as an Atom feed (RFC 4287)."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import linebreaks
from django.utils.translation import gettext

from clubs.models import Club, News
from tournaments.exports import source
from tournaments.exports.atom import MOST, AtomFeed
from web.lettering import plain


class NewsFeed(AtomFeed):
    """The feed of the club that it is called with."""

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
