"""Files that browsers and programs expect at the root of a site: robots.txt, llms.txt, the sitemap, and icons."""

from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.views.decorators.http import require_safe

from web import frames, oembed, sitemap
from web.files import PNG
from web.link_cards import PRIVATE, absolute

_STATIC = Path(settings.BASE_DIR) / "static" / "img"
DAY = "public, max-age=86400"


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """What search engines need not read, and where the sitemap is."""
    lines = [
        "User-agent: *",
        *(f"Disallow: {part}" for part in PRIVATE),
        "",
        f"Sitemap: {absolute(reverse('sitemap'))}",
    ]
    return _text("\n".join(lines) + "\n")


@require_safe
def llms(request: HttpRequest) -> HttpResponse:
    """What programs that read for people find here, and in which form (https://llmstxt.org)."""
    return _text((Path(__file__).parent / "llms.txt").read_text().replace("{site}", settings.SITE_URL))


def _text(content: str) -> HttpResponse:
    response = HttpResponse(content, content_type="text/plain; charset=utf-8")
    response["Cache-Control"] = DAY
    return response


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """The icon for browsers that do not read the page's own."""
    return _icon("favicon.ico", "image/vnd.microsoft.icon")


@require_safe
def touch_icon(request: HttpRequest) -> HttpResponse:
    """The icon on the home screen of a phone."""
    return _icon("apple-touch-icon.png", PNG)


def _icon(name: str, kind: str) -> HttpResponse:
    response = HttpResponse(_content(name), content_type=kind)
    response["Cache-Control"] = DAY
    return response


@cache
def _content(name: str) -> bytes:
    return (_STATIC / name).read_bytes()


urls = [
    path("robots.txt", robots, name="robots"),
    path("llms.txt", llms, name="llms"),
    path("sitemap.xml", sitemap.sitemap, name="sitemap"),
    path("oembed", oembed.oembed, name="oembed"),
    path("embed.js", frames.embed_script, name="embed_script"),
    path("favicon.ico", favicon, name="favicon"),
    path("apple-touch-icon.png", touch_icon, name="touch_icon"),
]
