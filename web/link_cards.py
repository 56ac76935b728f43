"""What a page says about itself where its link is shown: title, sentence, picture, and facts for search engines."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings


@dataclass(frozen=True)
class LinkCard:
    """The card of a page's link. What is empty is taken from the page: its title, its description, the site's picture."""

    title: str = ""
    description: str = ""
    picture: str = ""
    """The path of the picture."""
    facts: Mapping[str, Any] | None = None
    """The matter in the words of schema.org, without the context."""
    embed: str = ""
    """The path of the frame that shows this page on other sites, for oEmbed."""


PRIVATE = ("/accounts/", "/you/", "/operator/", "/api/v1/")
"""Parts of the site that nobody finds by searching, whose pages say no address: some have a secret in it. Pages that say
`noindex` are not among them, because programs must read that."""


def absolute(path: str) -> str:
    """A path of this site as an address for other sites."""
    return f"{settings.SITE_URL}{path}" if path else ""
