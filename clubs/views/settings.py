"""Settings of a club, and its link to join."""

from django.conf import settings as site
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import time_zones
from clubs.forms import form_actions
from clubs.forms.club import FIELDS, choices, fields_of, typed_fields
from clubs.forms.form_actions import Refusal
from clubs.models import Act
from clubs.organiser import doors
from clubs.public import page_context
from clubs.services import settings as service


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, club: str) -> HttpResponse:
    """The form of a club’s settings."""
    visit = page_context.visit_for(request, club, "settings")
    if request.method != "POST":
        return _show(request, visit)

    def do() -> Act:
        fields = typed_fields(request, FIELDS)
        return service.change(
            visit.club.pk, form_actions.person(request), fields=fields, **form_actions.how(request, seen=True)
        )

    return form_actions.act(request, "settings", do, lambda refusal: _show(request, visit, refusal), _page(visit))


@require_POST
def link(request: HttpRequest, club: str) -> HttpResponse:
    """Replace the link to join."""
    visit = page_context.visit_for(request, club, "settings")
    to = f"{_page(visit)}#link-h"
    return form_actions.declared(
        request, service.renew_link, visit.club, lambda refusal: _show(request, visit, refusal), to
    )


def _show(request: HttpRequest, visit: page_context.Visit, refusal: Refusal | None = None) -> HttpResponse:
    was_typed = refusal is not None and "name" in request.POST
    context = {
        "values": typed_fields(request, FIELDS) if was_typed else fields_of(visit.club),
        "door": doors.door(visit, "settings"),
        "refusal": refusal,
        "zones": time_zones.names(),
        "link": site.SITE_URL + reverse("clubs:join_by_link", args=[visit.club.join_token]),
        **choices(),
    }
    return page_context.page(request, visit, "clubs/settings.html", context, tab="desk", title=gettext("Settings"))


def _page(visit: page_context.Visit) -> str:
    return reverse("clubs:settings", args=[visit.club.slug])
