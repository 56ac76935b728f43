"""What every page's template may use."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, Any]:
    """The player (a person, a guest or nobody), the site's address, and the version that is running."""
    return {
        "player": getattr(request, "player", None),
        "site_url": settings.SITE_URL,
        "site_version": settings.VERSION,
    }
