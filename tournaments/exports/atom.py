"""Items of Atom feeds (RFC 4287) with results."""

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
    """An id that is never used again; a correction has one of its own."""
    at: datetime


class OfItems:
    """The half of a feed that shows an `Item`; the other half describes the feed."""

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
