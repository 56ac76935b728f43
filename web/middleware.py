"""Rules for every page: input is text, a refusal is a page of its own, and personal pages stay out of caches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from web.error_pages import is_of_api, json_refusal
from web.errors import Refused


class Pages:
    """Answers refusals that no view has caught, refuses programs that ask without TLS where pages lead to it, and keeps
    players' pages from being stored anywhere.

    Without the last, the back button would show a hand after its player has signed out.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SECURE_SSL_REDIRECT and is_of_api(request) and not request.is_secure():
            sentence = gettext("Use https. This request was not encrypted, so revoke any token that was in it.")
            return json_refusal("https_only", sentence, 403)
        response = self.get_response(request)
        if settings.SESSION_COOKIE_NAME in {*request.COOKIES, *response.cookies}:
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response

    def process_view(self, request: HttpRequest, view: object, args: object, kwargs: dict[str, Any]) -> None:
        """Refuse input with a NUL character, which is not text and which not every database can look for.

        The API refuses it in its own way.
        """
        if not is_of_api(request) and any("\0" in text for text in _texts(request, kwargs)):
            raise BadRequest("A NUL character is no text.")

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """A page with the refusal's sentence; any other error is not ours."""
        if not isinstance(error, Refused):
            return None
        return render(request, "web/refused.html", {"sentence": error.sentence}, status=error.status)


def _texts(request: HttpRequest, kwargs: dict[str, Any]) -> Iterator[str]:
    """Every text that the request brings: of its path, its query and its form."""
    yield from (value for value in kwargs.values() if isinstance(value, str))
    for data in (request.GET, request.POST):
        for name, values in data.lists():
            yield name
            yield from (value for value in values if isinstance(value, str))
