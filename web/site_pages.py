"""The site's own pages in the sitemap, and its picture."""

from collections.abc import Iterator

from django.urls import reverse

from web import docs_pages, sitemap
from web.link_pictures import kinds, site_picture


def register() -> None:
    """Declare them. Called once, when the app is ready."""
    kinds.register("site", site_picture.find)
    sitemap.register(_pages)


def _pages() -> Iterator[sitemap.Page]:
    yield reverse("help"), None
    if docs_pages.are_built():
        yield reverse("docs"), None
