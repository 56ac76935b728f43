"""What a club says of itself, and its link to join."""

from __future__ import annotations

from django.conf import settings as site
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import time_zones
from clubs.forms import acting
from clubs.forms.acting import Refusal
from clubs.forms.club import FIELDS, choices, fields_of, typed_fields
from clubs.models import Act
from clubs.public import page_context
from clubs.services import settings as service


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, club: str) -> HttpResponse:
    """The form of everything that a club says of itself."""
    seen = page_context.seen_for(request, club, "settings")
    if request.method != "POST":
        return _show(request, seen)

    def do() -> Act:
        fields = typed_fields(request, FIELDS)
        return service.change(seen.club.pk, acting.person(request), fields=fields, **acting.how(request, seen=True))

    return acting.act(request, "settings", do, lambda refusal: _show(request, seen, refusal), _page(seen))


@require_POST
def link(request: HttpRequest, club: str) -> HttpResponse:
    """Make the link to join anew."""
    seen = page_context.seen_for(request, club, "settings")
    return acting.declared(
        request, service.renew_link, seen.club, lambda refusal: _show(request, seen, refusal), f"{_page(seen)}#link-h"
    )


def _show(request: HttpRequest, seen: page_context.Seen, refusal: Refusal | None = None) -> HttpResponse:
    was_typed = refusal is not None and "name" in request.POST
    context = {
        "values": typed_fields(request, FIELDS) if was_typed else fields_of(seen.club),
        "refusal": refusal,
        "zones": time_zones.names(),
        "link": site.SITE_URL + reverse("clubs:join_by_link", args=[seen.club.join_token]),
        **choices(),
    }
    status = refusal.status if refusal else 200
    return page_context.page(
        request, seen, "clubs/settings.html", context, tab="desk", title=gettext("Settings"), status=status
    )


def _page(seen: page_context.Seen) -> str:
    return reverse("clubs:settings", args=[seen.club.slug])
