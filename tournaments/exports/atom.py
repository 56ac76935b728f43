"""What Atom feeds (RFC 4287) of results have in common: their items."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

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
    """Tells it from all others for ever; a correction has one of its own."""
    at: datetime


class OfItems:
    """The half of a feed that says how an `Item` stands in it; the other half says of what the feed is."""

    def item_title(self, item: Item) -> str:
        return item.title

    def item_description(self, item: Item) -> str:
        # Atom's summaries are HTML.
        return escape(item.words)

    def item_link(self, item: Item) -> str:
        return source.whole(item.url)

    def item_guid(self, item: Item) -> str:
        return f"{source.whole(item.url)}#{item.mark}"

    def item_pubdate(self, item: Item) -> datetime:
        return item.at

    def item_updateddate(self, item: Item) -> datetime:
        return item.at
