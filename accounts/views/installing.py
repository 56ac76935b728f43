"""Files with which a browser installs the site: service worker and manifest at the root, and an offline page."""

import json
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_safe

_STATIC = Path(settings.BASE_DIR) / "static"


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """The worker of the whole site; it may only look after what lies below its own address."""
    return _answer((_STATIC / "sw.js").read_bytes(), "text/javascript; charset=utf-8")


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Name, colours and icons of the installed site, in the reader's language."""
    static = json.loads((_STATIC / "manifest.webmanifest").read_text())
    translated = {"lang": get_language(), "description": gettext("Hand and Foot with friends, a turn a day")}
    return _answer(json.dumps({**static, **translated}, ensure_ascii=False).encode(), "application/manifest+json")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The offline page of the service worker: the same for everyone of a language, so that it can be cached."""
    return render(None, "accounts/offline.html")


def _answer(content: bytes, content_type: str) -> HttpResponse:
    response = HttpResponse(content, content_type=content_type)
    response["Cache-Control"] = "no-cache"
    return response


urls = [
    path("sw.js", service_worker, name="service_worker"),
    path("manifest.webmanifest", manifest, name="manifest"),
    path("offline/", offline, name="offline"),
]
