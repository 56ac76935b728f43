"""The sentences of scripts in a reader's language: one script for each language, which a browser keeps for a year."""

import hashlib
from functools import cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils import translation
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog

from web.text import is_english

ROOT = "/catalogue/"
"""The root of addresses that are the same for everyone; see accounts/middleware.py."""
_YEAR = 365 * 24 * 3600


def address() -> str:
    """The address of the active language's catalogue; empty for English, which scripts are written in."""
    return (
        ""
        if is_english()
        else reverse("catalogue", args=[translation.get_language(), _mark(translation.get_language())])
    )


@require_safe
def catalogue(request: HttpRequest, language: str, mark: str) -> HttpResponse:
    """A script with the sentences of all scripts; a page of another release is answered too, but for once."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    response = HttpResponse(_script(language), content_type="text/javascript; charset=utf-8")
    is_ours = mark == _mark(language)
    response["Cache-Control"] = f"public, max-age={_YEAR}, immutable" if is_ours else "no-cache"
    return response


@cache
def _script(language: str) -> bytes:
    with translation.override(language):
        # Of the apps only one, which has no sentences of its own: Django would add those of its admin pages.
        return JavaScriptCatalog(packages=["config"]).get(HttpRequest()).content


@cache
def _mark(language: str) -> str:
    return hashlib.sha256(_script(language)).hexdigest()[:16]


urls = [path("catalogue/<slug:language>/<slug:mark>.js", catalogue, name="catalogue")]
