"""What every page's template may use."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from web import js_catalog


def site(request: HttpRequest) -> dict[str, Any]:
    """The player (a person, a guest or nobody), the site's address, the version that is running, and where the sentences of scripts are."""
    return {
        "player": getattr(request, "player", None),
        "site_url": settings.SITE_URL,
        "site_version": settings.VERSION,
        "catalogue": js_catalog.address(),
    }
