"""Parts of public pages as frames on other sites. A frame takes the height of its content by the one script in it."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import cast

from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.html import escape, format_html
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

View = Callable[..., HttpResponse]
_SCRIPT = Path(settings.BASE_DIR) / "static" / "js" / "embed.js"
_HEIGHT = 520
"""Where the other site does not load the script."""


def framed(view: View) -> View:
    """A page that every site may show in a frame. It has no forms, so framing it misleads nobody."""
    policy: dict[str, list[str]] = {"frame-ancestors": ["*"], "form-action": ["'none'"]}
    return cast(View, xframe_options_exempt(csp_replace(policy)(view)))


def element(path: str, title: str) -> str:
    """The elements that show a frame on another site, as text to be copied."""
    markup = '<iframe src="{}" title="{}" width="100%" height="{}"></iframe>\n<script src="{}/embed.js" async></script>'
    return escape(format_html(markup, f"{settings.SITE_URL}{path}", title, _HEIGHT, settings.SITE_URL))


@require_safe
def embed_script(request: HttpRequest) -> HttpResponse:
    """The script for both sides, at an address that stays, because other sites write it down."""
    response = HttpResponse(_content(), content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "public, max-age=3600"
    return response


@cache
def _content() -> bytes:
    return _SCRIPT.read_bytes()
