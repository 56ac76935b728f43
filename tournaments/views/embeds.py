"""Standings and brackets for a club's own site: a frame that other sites may show."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.views.event import conditional, page_context, part
from tournaments.views.stages import stage_part
from web.frames import framed


@require_safe
@framed
def embed(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """A stage's standings or bracket."""
    about = page_context(request, event)
    stage_, following = about.stage(stage)
    name, make, timed = stage_part(about, stage_, following)
    body = part(about, name, make, timed=timed, key=str(stage_.number))
    context: dict[str, Any] = {
        "event": about.event,
        "stage": stage_,
        "body": body,
        "address": f"{settings.SITE_URL}{about.links.stage(stage_.number)}",
    }
    return conditional(request, render(request, "tournaments/event/embed.html", context))
