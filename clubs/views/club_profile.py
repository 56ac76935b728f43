"""What a member says of themselves in a club, what they agree to, and leaving."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.forms import acting
from clubs.forms.acting import Refusal
from clubs.models import Act, Membership
from clubs.public import page_context
from clubs.services.members import membership
from clubs.views.login_required import person_of, sign_in
from web.errors import NotAllowed, Refused

_FORM = ["GET", "HEAD", "POST"]


@never_cache
@require_http_methods(_FORM)
def own(request: HttpRequest, club: str) -> HttpResponse:
    """One's own entry: name, what others may know, directory and newsletter."""
    if person_of(request) is None:
        return sign_in(request)
    seen, mine = _mine(request, club)
    if request.method != "POST":
        return _show(request, seen, mine)

    def do() -> str:
        membership.edit_own(
            seen.club.pk,
            acting.person(request),
            name=request.POST.get("name", "")[:200],
            contact=request.POST.get("contact", "")[:500],
            is_listed="is_listed" in request.POST,
            wants_letters="wants_letters" in request.POST,
            **acting.how(request),
        )
        return gettext("Club profile saved.")

    to = reverse("clubs:own", args=[seen.club.slug])
    return acting.act(request, "name", do, lambda refusal: _show(request, seen, mine, refusal), to)


@never_cache
@require_http_methods(_FORM)
def leave(request: HttpRequest, club: str) -> HttpResponse:
    """Leave the club; asks once more."""
    if person_of(request) is None:
        return sign_in(request)
    seen, mine = _mine(request, club)
    if request.method != "POST":
        return _leave_page(request, seen, mine)

    def do() -> Act:
        if request.POST.get("sure") != "yes":
            raise Refused("not_sure", gettext("Tick the box to leave the club."), field="sure")
        return membership.leave(seen.club.pk, acting.person(request), **acting.how(request))

    to = seen.club.get_absolute_url()
    return acting.act(request, "sure", do, lambda refusal: _leave_page(request, seen, mine, refusal), to)


def _mine(request: HttpRequest, slug: str) -> tuple[page_context.Seen, Membership]:
    seen = page_context.seen(request, slug)
    if seen.membership is None:
        raise NotAllowed("not_of_club", gettext("You are not a member of this club."))
    return seen, seen.membership


def _show(
    request: HttpRequest, seen: page_context.Seen, mine: Membership, refusal: Refusal | None = None
) -> HttpResponse:
    values: dict[str, object] = {
        "name": mine.name,
        "contact": mine.contact,
        "is_listed": mine.is_listed,
        "wants_letters": mine.wants_letters,
    }
    if refusal is not None:
        texts = {name: request.POST.get(name, "")[:500] for name in ("name", "contact")}
        values = {**texts, **{name: name in request.POST for name in ("is_listed", "wants_letters")}}
    context = {"own": mine, "values": values, "refusal": refusal}
    status = refusal.status if refusal else 200
    return page_context.page(
        request, seen, "clubs/members/own.html", context, tab="club", title=gettext("Your club profile"), status=status
    )


def _leave_page(
    request: HttpRequest, seen: page_context.Seen, mine: Membership, refusal: Refusal | None = None
) -> HttpResponse:
    context = {"own": mine, "refusal": refusal}
    status = refusal.status if refusal else 200
    return page_context.page(
        request, seen, "clubs/members/leave.html", context, tab="club", title=gettext("Leave"), status=status
    )
