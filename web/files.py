"""Files: made once until something changes, and not sent if the reader's browser has them."""

import hashlib
from collections.abc import Callable
from datetime import tzinfo

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from web.conditional_pages import conditional

CSV, JSON, PDF = "text/csv; charset=utf-8; header=present", "application/json", "application/pdf"
ICS, ATOM, PNG = "text/calendar; charset=utf-8", "application/atom+xml; charset=utf-8", "image/png"

SECONDS = 600
"""Longest time in the cache."""


def kept_file(
    request: HttpRequest,
    name: str,
    kind: str,
    make: Callable[[], bytes],
    *,
    follows: str,
    zone: tzinfo,
    saved: bool = False,
) -> HttpResponse:
    """A file of this name and media type, with times in a zone; `follows` and the language decide its content.

    `saved`: to be stored by the reader's browser, and not shown.
    """
    mark = hashlib.sha256(f"{settings.SITE_URL}|{name}|{translation.get_language()}|{follows}".encode()).hexdigest()[
        :24
    ]
    response = HttpResponse(content_type=kind)
    response["Content-Disposition"] = f'{"attachment" if saved else "inline"}; filename="{name}"'
    answer = conditional(request, response, tag=f'W/"{mark}"')
    if answer is response:
        response.content = _content(mark, zone, make)
    return answer


def _content(mark: str, zone: tzinfo, make: Callable[[], bytes]) -> bytes:
    content: bytes | None = cache.get(f"file:{mark}")
    if content is None:
        with timezone.override(zone):
            content = make()
        cache.set(f"file:{mark}", content, SECONDS)
    return content
