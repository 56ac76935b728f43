"""Creating, archiving and restoring a club."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import time_zones
from clubs.forms import form_actions
from clubs.forms.club import FIELDS, choices, typed_fields
from clubs.forms.form_actions import Refusal
from clubs.models import Act, Club
from clubs.public import page_context
from clubs.services import club_lifecycle
from clubs.views.login_required import person_of, sign_in
from web.errors import NotAllowed, Refused

_FORM = ["GET", "HEAD", "POST"]


@never_cache
@require_http_methods(_FORM)
def new_club(request: HttpRequest) -> HttpResponse:
    """The form to create a club."""
    person = person_of(request)
    if person is None:
        return sign_in(request)
    if request.method != "POST":
        return _form(request, {"time_zone": person.time_zone, "joining": Club.Joining.REQUEST, "is_listed": True})
    values = typed_fields(request, FIELDS)
    try:
        club = club_lifecycle.make_club(
            person,
            name=str(values["name"]),
            slug=request.POST.get("slug", "")[:80],
            fields=values,
            request_key=form_actions.how(request).get("request_key"),
        )
    except NotAllowed:
        raise
    except Refused as refused:
        at = str(refused.details.get("field", "name"))
        return _form(request, values, Refusal(at, refused.sentence, refused.status))
    messages.success(request, gettext("%(club)s started. Here is what to do next.") % {"club": club})
    return redirect("clubs:bring_in_people" if request.GET.get("then") == "import" else "clubs:desk", club.slug)


def _form(request: HttpRequest, values: dict[str, Any], refusal: Refusal | None = None) -> HttpResponse:
    context = {
        "values": {**values, "slug": request.POST.get("slug", "")[:80]},
        "refusal": refusal,
        "zones": time_zones.names(),
        **choices(),
    }
    return render(request, "clubs/new.html", context, status=refusal.status if refusal else 200)


@never_cache
@require_http_methods(_FORM)
def archive(request: HttpRequest, club: str) -> HttpResponse:
    """Archive a club, after a confirmation, or restore it."""
    visit = page_context.visit_for(request, club, "archive")
    if request.method != "POST":
        return _show(request, visit)

    def do() -> Act:
        person = form_actions.person(request)
        if visit.club.archived_at is not None:
            return club_lifecycle.restore(visit.club.pk, person, **form_actions.how(request))
        if request.POST.get("sure") != "yes":
            raise Refused("not_sure", gettext("Tick the box to archive the club."), field="sure")
        return club_lifecycle.archive(visit.club.pk, person, **form_actions.how(request))

    return form_actions.act(request, "sure", do, lambda refusal: _show(request, visit, refusal), _desk(visit.club))


def _show(request: HttpRequest, visit: page_context.Visit, refusal: Refusal | None = None) -> HttpResponse:
    context = {"refusal": refusal}
    return page_context.page(request, visit, "clubs/archive.html", context, tab="desk", title=gettext("Archive"))


def _desk(club: Club) -> str:
    return reverse("clubs:desk", args=[club.slug])
