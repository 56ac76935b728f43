"""Who is playing, and by which clock: `request.player`, and the time zone and language of everything that is shown.

`request.player` is the person signed in, else the guest of this session, else nobody.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.functional import SimpleLazyObject

from accounts import guests, time_zones
from accounts.models import User
from web import js_catalog


def player(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Set `request.player`, and answer in that person's zone and language."""

    def middleware(request: HttpRequest) -> HttpResponse:
        request.player = SimpleLazyObject(lambda: guests.player_of(request))  # type: ignore[attr-defined]
        if request.path.startswith(js_catalog.ROOT):
            return get_response(request)
        person = _person(request)
        with timezone.override(time_zones.zone_of(request, person)), translation.override(_language(request, person)):
            response = get_response(request)
        # The page of whoever is not signed in follows the languages that the browser asks for.
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
        return response

    return middleware


def _person(request: HttpRequest) -> User | None:
    """The player, without a look at the database where no session could name one."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    found = request.player  # type: ignore[attr-defined]
    return found if found.pk is not None else None


def _language(request: HttpRequest, person: User | None) -> str:
    known = dict(settings.LANGUAGES)
    if person is not None and not person.is_guest and person.language in known:
        return person.language
    return translation.get_language_from_request(request)
