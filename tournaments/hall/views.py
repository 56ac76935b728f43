"""The hall screen, by its secret link: a page that turns by itself, for any browser or television stick."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from gameplay.score_sheets.codes import code
from tournaments.exports import source
from tournaments.hall.screen import pages
from tournaments.models import Hall, Tournament
from tournaments.views.event import query_number

SECONDS = 20
"""Time that a page stays."""


@never_cache
@require_safe
def screen(request: HttpRequest, token: str) -> HttpResponse:
    """One page of the screen; it asks for the next one itself. `?hold` stays on it."""
    hall = Hall.objects.filter(token=token).select_related("tournament").first() if token.isascii() else None
    if hall is None or hall.tournament.status == Tournament.Status.DRAFT:
        raise Http404("Hall screen not found.")
    event, now = hall.tournament, timezone.now()
    with timezone.override(event.zone):
        turning = pages(event, hall, now)
        at = ((query_number(request, "page") or 1) - 1) % len(turning)
        address = reverse("tournaments:screen", args=[token])
        context = {
            "event": event,
            "hall": hall,
            "now": now,
            "page": turning[at],
            "number": at + 1,
            "dots": [number == at for number in range(len(turning))],
            "hold": "hold" in request.GET,
            "next": f"{address}?page={(at + 1) % len(turning) + 1}",
            "seconds": SECONDS,
            **(_way_in(event) if turning[at].kind in ("clock", "empty") else {}),
        }
        response = render(request, "tournaments/hall/screen.html", context)
    response["X-Robots-Tag"] = "noindex"
    return response


def _way_in(event: Tournament) -> dict[str, str]:
    """The address of the event's page and its code, if anyone with it may see that page."""
    if event.visibility == Tournament.Visibility.CIRCLE:
        return {}
    address = source.full_url(event.get_absolute_url())
    return {"address": address.partition("://")[2], "code": code(address, gettext("Code of the page of this event"))}
