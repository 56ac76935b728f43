"""oEmbed (oembed.com): other sites ask how to show the address of a page, and get a frame or a picture.

Apps declare which of their pages can be shown. What they answer is what a stranger may see.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import Resolver404, resolve
from django.utils.html import format_html
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from web.link_cards import absolute
from web.link_pictures.canvas import HEIGHT, WIDTH
from web.sent_numbers import read_whole

FRAME = (600, 520)
"""Width and height of a frame, if the other site has room for it."""
SECONDS = 600


@dataclass(frozen=True)
class Embed:
    """How a page is shown elsewhere."""

    title: str
    picture: str
    """The path of its picture."""
    frame: str = ""
    """The path of the page for frames; without one the picture alone is shown."""


_shown: dict[str, Callable[..., Embed]] = {}


def register(view: str, embed: Callable[..., Embed]) -> None:
    """Declare pages by the name of their address; `embed` takes its parts. It raises `Http404` for private ones."""
    _shown[view] = embed


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """The answer for the address `url` as JSON; XML is not offered."""
    if request.GET.get("format", "json") != "json":
        return HttpResponse(gettext("Only JSON is available."), status=501, content_type="text/plain; charset=utf-8")
    embed = _find(request.GET.get("url", "")[:2000])
    response = JsonResponse(_answer(embed, request.GET))
    response["Cache-Control"] = f"public, max-age={SECONDS}"
    response["Access-Control-Allow-Origin"] = "*"
    return response


def _find(url: str) -> Embed:
    try:
        parts = urlsplit(url)
        if f"{parts.scheme}://{parts.netloc}" != settings.SITE_URL:
            raise Http404("This address is of another site.")
        match = resolve(parts.path)
    except (ValueError, Resolver404) as error:
        raise Http404("Page not found.") from error
    if match.view_name not in _shown:
        raise Http404("This page cannot be shown on other sites.")
    return _shown[match.view_name](**match.kwargs)


def _answer(embed: Embed, query: Mapping[str, str]) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "version": "1.0",
        "title": embed.title,
        "provider_name": "Foothold",
        "provider_url": settings.SITE_URL,
        "cache_age": SECONDS,
        "thumbnail_url": absolute(embed.picture),
        "thumbnail_width": WIDTH,
        "thumbnail_height": HEIGHT,
    }
    if not embed.frame:
        return {**answer, "type": "photo", "url": absolute(embed.picture), "width": WIDTH, "height": HEIGHT}
    width, height = (
        _size(query.get(name, ""), usual) for name, usual in zip(("maxwidth", "maxheight"), FRAME, strict=True)
    )
    frame = format_html(
        '<iframe src="{}" title="{}" width="{}" height="{}"></iframe>',
        absolute(embed.frame),
        embed.title,
        width,
        height,
    )
    return {**answer, "type": "rich", "html": str(frame), "width": width, "height": height}


def _size(text: str, usual: int) -> int:
    """The room that the other site has, if it is less than usual."""
    return min(usual, read_whole(text, digits=5) or usual)
