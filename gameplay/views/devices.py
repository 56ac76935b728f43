"""The cookie that tells one device from another at matches that count; `services.looks` says what becomes of it."""

import re
import secrets
from typing import cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from accounts.models import User
from accounts.queries import player_of
from gameplay.fair_play import services as page_views

COOKIE = f"{settings.COOKIE_PREFIX}device"
_MADE_HERE = re.compile(r"[\w-]{22}", re.ASCII)


def noted(request: HttpRequest, slug: str, response: HttpResponse) -> HttpResponse:
    """Note that the player's page of a table is open here; a device that is new gets its cookie with the answer."""
    cookie = request.COOKIES.get(COOKIE, "")
    device = cookie if _MADE_HERE.fullmatch(cookie) else secrets.token_urlsafe(16)
    if page_views.note(slug, cast(User, player_of(request)), device) and device != cookie:
        response.set_cookie(
            COOKIE,
            device,
            max_age=page_views.LONGEST,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response
