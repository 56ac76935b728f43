"""Values for the templates of all pages."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from web import docs_pages, js_catalog


def site(request: HttpRequest) -> dict[str, Any]:
    """The player (a person, a guest or nobody), the site's address and version, whether it has docs, and the scripts' sentences."""
    return {
        "player": getattr(request, "player", None),
        "site_url": settings.SITE_URL,
        "site_version": settings.VERSION,
        "has_docs": docs_pages.are_built(),
        "catalogue": js_catalog.address(),
    }
