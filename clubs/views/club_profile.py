"""A member’s club profile, and leaving the club."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.forms import contact_details, form_actions
from clubs.forms.form_actions import Refusal
from clubs.models import Act, Membership
from clubs.public import page_context
from clubs.public.page_context import Visit
from clubs.services.members import membership
from clubs.services.members.contact_details import email_of
from clubs.views.login_required import person_of, sign_in
from web.errors import NotAllowed, Refused

_FORM = ["GET", "HEAD", "POST"]


@never_cache
@require_http_methods(_FORM)
def club_profile(request: HttpRequest, club: str) -> HttpResponse:
    """Your club profile: name, contact, directory and newsletter."""
    if person_of(request) is None:
        return sign_in(request)
    visit, member = _visit_as_member(request, club)
    if request.method != "POST":
        return _show(request, visit, member)

    def do() -> str:
        membership.edit_own(
            visit.club.pk,
            form_actions.person(request),
            name=request.POST.get("name", "")[:200],
            contact=request.POST.get("contact", "")[:500],
            is_listed="is_listed" in request.POST,
            wants_letters="wants_letters" in request.POST,
            details=contact_details.read(request),
            **form_actions.how(request),
        )
        return gettext("Club profile saved.")

    to = reverse("clubs:own", args=[visit.club.slug])
    return form_actions.act(request, "name", do, lambda refusal: _show(request, visit, member, refusal), to)


@never_cache
@require_http_methods(_FORM)
def leave(request: HttpRequest, club: str) -> HttpResponse:
    """Leave the club, after a confirmation."""
    if person_of(request) is None:
        return sign_in(request)
    visit, member = _visit_as_member(request, club)
    if request.method != "POST":
        return _leave_page(request, visit, member)

    def do() -> Act:
        if request.POST.get("sure") != "yes":
            raise Refused("not_sure", gettext("Tick the box to leave the club."), field="sure")
        return membership.leave(visit.club.pk, form_actions.person(request), **form_actions.how(request))

    to = visit.club.get_absolute_url()
    return form_actions.act(request, "sure", do, lambda refusal: _leave_page(request, visit, member, refusal), to)


def _visit_as_member(request: HttpRequest, slug: str) -> tuple[Visit, Membership]:
    visit = page_context.visit(request, slug)
    if visit.membership is None:
        raise NotAllowed("not_of_club", gettext("You are not a member of this club."))
    return visit, visit.membership


def _show(request: HttpRequest, visit: Visit, member: Membership, refusal: Refusal | None = None) -> HttpResponse:
    values: dict[str, object] = {
        "name": member.name,
        "contact": member.contact,
        "wants_letters": member.wants_letters,
        **contact_details.values(member),
    }
    if refusal is not None:
        texts = {name: request.POST.get(name, "")[:500] for name in ("name", "contact")}
        wants = {"wants_letters": "wants_letters" in request.POST}
        values = {**texts, **wants, **contact_details.values(member, request)}
    context = {
        "own": member,
        "values": values,
        "ways": Membership.HearsBy.choices,
        "email": email_of(member),
        "refusal": refusal,
    }
    return page_context.page(
        request, visit, "clubs/members/own.html", context, tab="club", title=gettext("Your club profile")
    )


def _leave_page(request: HttpRequest, visit: Visit, member: Membership, refusal: Refusal | None = None) -> HttpResponse:
    context = {"own": member, "refusal": refusal}
    return page_context.page(request, visit, "clubs/members/leave.html", context, tab="club", title=gettext("Leave"))
