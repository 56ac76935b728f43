"""What the pages of every part of the site share: answers that a browser may have already, and where a page is."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import NoReverseMatch, reverse
from django.utils.cache import get_conditional_response, patch_vary_headers, set_response_etag


@dataclass(frozen=True)
class Tab:
    """One of the pages that belong together, such as those of an event."""

    name: str
    words: str
    url: str


def address(view: str, *args: object) -> str:
    """Where a page is; empty where the site has no such page."""
    try:
        return reverse(view, args=args)
    except NoReverseMatch:
        return ""


def conditional(request: HttpRequest, response: HttpResponse, *, tag: str = "") -> HttpResponse:
    """The response, or 304 where the reader's browser has it already. What is shown to members is stored nowhere.

    `tag` is the entity tag that tells; left out, it is made of the content.
    """
    patch_vary_headers(response, ["Cookie", "HX-Request"])
    if settings.SESSION_COOKIE_NAME in request.COOKIES:
        return response
    response.headers.setdefault("Cache-Control", "no-cache")
    if tag or _TOKEN.search(response.content):
        response["ETag"] = tag or _tag_besides_token(request, response)
    else:
        set_response_etag(response)
    found = get_conditional_response(request, etag=response.headers.get("ETag"), response=response)
    return found if isinstance(found, HttpResponse) else response


_TOKEN = re.compile(rb'(name="csrfmiddlewaretoken" value=")[^"]*')


def _tag_besides_token(request: HttpRequest, response: HttpResponse) -> str:
    """A tag for a page with a form, whose token is written otherwise each time and means the same: what the reader's
    browser was given, and for as long as that lasts."""
    same = _TOKEN.sub(rb"\1", response.content)
    secret = str(request.META.get("CSRF_COOKIE", "")).encode()
    return f'"{hashlib.sha256(same + secret).hexdigest()[:32]}"'
