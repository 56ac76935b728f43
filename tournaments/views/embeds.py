"""Standings and brackets for a club's own site: a frame without any script, which other sites may show."""

from __future__ import annotations

from typing import Any

from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from tournaments.views.event import conditional, part, seen
from tournaments.views.stages import stage_part


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"], "script-src": ["'none'"]})  # type: ignore[arg-type]
def embed(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """A stage's standings or bracket. Nothing can be done in it, so that framing it misleads nobody."""
    about = seen(request, event)
    row, following = about.stage(stage)
    name, make, timed = stage_part(about, row, following)
    body = part(about, name, make, timed=timed, key=str(row.number))
    context: dict[str, Any] = {
        "event": about.event,
        "stage": row,
        "body": body,
        "address": f"{settings.SITE_URL}{about.links.stage(row.number)}",
    }
    return conditional(request, render(request, "tournaments/event/embed.html", context))
