"""The sitemap for search engines: apps declare their public pages, and what a stranger may not find is not in it."""

from collections.abc import Callable, Iterable
from datetime import datetime
from itertools import chain
from xml.etree.ElementTree import Element, SubElement, tostring

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from web.files import kept_file
from web.link_cards import absolute

MOST = 50_000
"""Addresses that one sitemap may have."""
XML = "application/xml"
Page = tuple[str, datetime | None]
"""A path, and when the page last changed, if that is known."""
_pages: list[Callable[[], Iterable[Page]]] = []


def register(pages: Callable[[], Iterable[Page]]) -> None:
    """Declare public pages of an app, the most important first."""
    _pages.append(pages)


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """Public pages of the site, at most ten minutes old."""
    zone = timezone.get_default_timezone()
    return kept_file(request, "sitemap.xml", XML, _write, follows=timezone.now().strftime("%H:%M")[:4], zone=zone)


def _write() -> bytes:
    root = Element("urlset", xmlns="http://www.sitemaps.org/schemas/sitemap/0.9")
    every = chain.from_iterable(pages() for pages in _pages)
    for (path, changed_at), _ in zip(every, range(MOST), strict=False):
        page = SubElement(root, "url")
        SubElement(page, "loc").text = absolute(path)
        if changed_at is not None:
            SubElement(page, "lastmod").text = changed_at.isoformat(timespec="seconds")
    content: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return content
