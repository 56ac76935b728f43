"""The picture of the site itself, for pages that have none of their own."""

from functools import cache

from django.http import Http404
from django.utils.translation import get_language, gettext

from web.link_pictures import kinds, layouts
from web.link_pictures.canvas import Canvas
from web.link_pictures.kinds import Picture

KEY = "foothold"


def address() -> str:
    """Its path in the language of the page."""
    return _address(get_language() or "en")


@cache
def _address(language: str) -> str:
    return kinds.address("site", KEY, find(KEY).version)


def find(key: str) -> Picture:
    """The picture; it is always the same."""
    if key != KEY:
        raise Http404("The site has one picture.")
    return Picture(kinds.version_of("site"), _draw)


def _draw() -> Canvas:
    lines = gettext("Play Hand and Foot"), gettext("with friends"), gettext("near and far")
    return layouts.front("Foothold", lines)
