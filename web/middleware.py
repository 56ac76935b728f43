"""Rules for every page: a large body is asked for first, input is text, a refusal is a page of its own, and personal
pages stay out of caches.
"""

from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.utils.translation import gettext

from web import bodies
from web.error_pages import body_refused, form_only, is_of_api, json_refusal, refusal
from web.errors import Refused


class Bodies:
    """Decides before a large body is read whether this address takes it from this sender.

    Listed before the middleware that looks for a token of ours in the form, which reads all of it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            return self.get_response(request)
        finally:
            if release := getattr(request, "release_body", None):
                release()

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: dict[str, Any]
    ) -> HttpResponseBase | None:
        """Nothing if the request can go on; 100 if it only asked whether it can."""
        question = bodies.question_of(request)
        length = question.length if question else _length_of(request)
        if (question is None and length <= bodies.SMALL) or bodies.is_received(request):
            return None
        limit = bodies.body_limit_of(view, is_api=is_of_api(request))
        if length > limit.most:
            return body_refused(request, bodies.too_large(limit.most))
        try:
            if (answer := limit.check(request, **kwargs)) is not None:
                return answer
            release = bodies.hold(request, length or limit.most)
        except Refused as refused:
            return refusal(request, refused)
        if question is None:
            request.release_body = release  # type: ignore[attr-defined]
            return None
        question.most, question.release = limit.most, release
        return HttpResponse(status=100)


def _length_of(request: HttpRequest) -> int:
    """The declared length of a body. Raises `bodies.BodyRefused` for one without: Django would read nothing of it."""
    length = request.META.get("CONTENT_LENGTH") or ""
    if not length and request.META.get("HTTP_TRANSFER_ENCODING"):
        raise bodies.no_length()
    return int(length) if length.isascii() and length.isdigit() else 0


class Pages:
    """Answers refusals that no view has caught, and visits of addresses that only take forms; refuses programs that ask
    without TLS where pages lead to it; and keeps players' pages from being stored anywhere.

    Without the last, the back button would show a hand after its player has signed out.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SECURE_SSL_REDIRECT and is_of_api(request) and not request.is_secure():
            sentence = gettext("Use https. This request was not encrypted, so revoke any token that was in it.")
            return json_refusal("https_only", sentence, 403)
        response = self.get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and request.method == "GET" and not is_of_api(request):
            allowed = response.headers["Allow"]
            response = form_only(request)
            response.headers["Allow"] = allowed
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
        return refusal(request, error)


def _texts(request: HttpRequest, kwargs: dict[str, Any]) -> Iterator[str]:
    """Every text that the request brings: of its path, its query and its form."""
    yield from (value for value in kwargs.values() if isinstance(value, str))
    for data in (request.GET, request.POST):
        for name, values in data.lists():
            yield name
            yield from (value for value in values if isinstance(value, str))
