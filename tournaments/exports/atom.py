"""Atom feeds (RFC 4287), and their items with results."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib.syndication.views import Feed
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape

from tournaments.exports import source

MOST = 50
"""Items in a feed, the latest."""


@dataclass(frozen=True)
class Item:
    """Something that happened."""

    title: str
    words: str
    url: str
    mark: str
    """An id that is never used again; a correction has one of its own."""
    at: datetime


if TYPE_CHECKING:
    _Feed = Feed[Any, Any]
else:
    _Feed = Feed


class AtomFeed(_Feed):
    """A feed that has the address of its page as its id."""

    feed_type = Atom1Feed

    def feed_guid(self, subject: Any) -> str:
        return str(self.link(subject))


class OfItems(AtomFeed):
    """A feed of `Item`s."""

    def item_title(self, item: Item) -> str:
        return item.title

    def item_description(self, item: Item) -> str:
        # Atom's summaries are HTML.
        return escape(item.words)

    def item_link(self, item: Item) -> str:
        return source.full_url(item.url)

    def item_guid(self, item: Item) -> str:
        return f"{source.full_url(item.url)}#{item.mark}"

    def item_pubdate(self, item: Item) -> datetime:
        return item.at

    def item_updateddate(self, item: Item) -> datetime:
        return item.at
