"""Tools for pages of every part of the site: conditional answers, and addresses of pages."""

import hashlib
import re
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import NoReverseMatch, reverse
from django.utils.cache import get_conditional_response, patch_vary_headers, set_response_etag


@dataclass(frozen=True)
class Tab:
    """A tab: one of the pages that belong together, such as those of an event."""

    name: str
    words: str
    url: str


def address(view: str, *args: object) -> str:
    """The address of a page; empty if the site has no such page."""
    try:
        return reverse(view, args=args)
    except NoReverseMatch:
        return ""


def conditional(request: HttpRequest, response: HttpResponse, *, tag: str = "") -> HttpResponse:
    """The response, or 304 if the reader's browser has it already. Pages for members are never stored.

    `tag` is its entity tag; by default it is made of the content.
    """
    patch_vary_headers(response, ["Cookie", "HX-Request"])
    if settings.SESSION_COOKIE_NAME in request.COOKIES:
        return response
    response.headers.setdefault("Cache-Control", "no-cache")
    if tag or _TOKEN.search(response.content):
        response["ETag"] = tag or _tag_besides_token(request, response)
    else:
        set_response_etag(response)
    answer = get_conditional_response(request, etag=response.headers.get("ETag"), response=response)
    return answer if isinstance(answer, HttpResponse) else response


_TOKEN = re.compile(rb'(name="csrfmiddlewaretoken" value=")[^"]*')


def _tag_besides_token(request: HttpRequest, response: HttpResponse) -> str:
    """A tag for a page with a form: made of the content without its changing token, and of the browser's cookie."""
    same = _TOKEN.sub(rb"\1", response.content)
    secret = str(request.META.get("CSRF_COOKIE", "")).encode()
    return f'"{hashlib.sha256(same + secret).hexdigest()[:32]}"'
