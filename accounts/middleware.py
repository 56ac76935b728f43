"""The player of a request, `request.player`, and the time zone and language of the answer.

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
        # Pages without sign-in follow the languages of the browser.
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
        return response

    return middleware


def _person(request: HttpRequest) -> User | None:
    """The player, without a query if no session could name one."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    player = request.player  # type: ignore[attr-defined]
    return player if player.pk is not None else None


def _language(request: HttpRequest, person: User | None) -> str:
    languages = dict(settings.LANGUAGES)
    if person is not None and not person.is_guest and person.language in languages:
        return person.language
    return translation.get_language_from_request(request)
