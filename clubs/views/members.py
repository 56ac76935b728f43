"""The people of a club: the directory for members, and the pages of those who let people in."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.forms import acting
from clubs.forms.acting import Refusal
from clubs.models import Act, Invitation, JoinRequest, Membership
from clubs.public import page_context
from clubs.roles import RANKS, given_by
from clubs.services.members import joining, member_invitations, membership, name_claims
from clubs.views import desk
from web.errors import Refused

_FORM = ["GET", "HEAD", "POST"]
Role = Membership.Role


# The directory


@never_cache
@require_safe
def directory(request: HttpRequest, club: str) -> HttpResponse:
    """Those members who agreed to be in it, for members."""
    seen = page_context.seen_for(request, club, "directory")
    listed = Membership.objects.filter(club=seen.club, left_at=None, is_listed=True)
    shown = list(listed) if seen.club.has_directory else []
    return page_context.page(
        request, seen, "clubs/members/directory.html", {"listed": shown}, tab="members", title=gettext("Members")
    )


# Everybody, for who lets people in


@never_cache
@require_safe
def people(request: HttpRequest, club: str) -> HttpResponse:
    """Everybody of the club."""
    return _people(request, page_context.seen_for(request, club, "members"))


def _people(request: HttpRequest, seen: page_context.Seen, refusal: Refusal | None = None) -> HttpResponse:
    query = " ".join(request.GET.get("q", "").split())[:60]
    everybody = list(Membership.objects.filter(club=seen.club).select_related("user"))
    found = [one for one in everybody if query.casefold() in one.name.casefold()]
    here = [one for one in found if one.left_at is None]
    context = {
        "groups": [_group(role, [one for one in here if one.role == role]) for role in RANKS],
        "count": sum(one.left_at is None for one in everybody),
        "former": [one for one in found if one.left_at is not None],
        "letters": _letters(seen),
        "query": query,
        "typed": request.POST if refusal else {},
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    return page_context.page(
        request, seen, "clubs/members/people.html", context, tab="desk", title=gettext("People"), status=status
    )


def _group(role: str, found: list[Membership]) -> tuple[str, list[Membership]]:
    """Those of a role below its name."""
    count = len(found)
    titles = {
        Role.OWNER: ngettext("Owner", "Owners", count),
        Role.ORGANISER: ngettext("Organiser", "Organisers", count),
        Role.SCORER: ngettext("Scorer", "Scorers", count),
        Role.MEMBER: ngettext("Member", "Members", count),
        Role.GUEST: ngettext("Guest", "Guests", count),
    }
    return titles[Role(role)], found


def _letters(seen: page_context.Seen) -> list[Invitation]:
    """Letters that wait for an answer."""
    waiting = Invitation.objects.filter(club=seen.club, accepted_at=None, revoked_at=None)
    recent = waiting.filter(created_at__gt=timezone.now() - member_invitations.LASTS)
    return list(recent.select_related("membership").order_by("-pk"))


@require_POST
def add(request: HttpRequest, club: str) -> HttpResponse:
    """Add people by their names."""
    seen = page_context.seen_for(request, club, "members")

    def do() -> Act:
        lines = [line for line in request.POST.get("names", "")[:50_000].splitlines() if line.strip()]
        role = request.POST.get("role", Role.MEMBER)
        return membership.add_names(seen.club.pk, acting.person(request), lines=lines, role=role, **acting.how(request))

    return acting.act(request, "add", do, lambda refusal: _people(request, seen, refusal), _page(seen))


@require_POST
def invite(request: HttpRequest, club: str) -> HttpResponse:
    """Ask people to join by letter."""
    seen = page_context.seen_for(request, club, "members")

    def do() -> Act:
        text = request.POST.get("addresses", "")[:50_000]
        role = request.POST.get("role", Role.MEMBER)
        return member_invitations.invite(
            seen.club.pk, acting.person(request), addresses=text, role=role, **acting.how(request)
        )

    return acting.act(request, "invite", do, lambda refusal: _people(request, seen, refusal), _page(seen))


@require_POST
def letter(request: HttpRequest, club: str, invitation: int) -> HttpResponse:
    """Take a letter back."""
    seen = page_context.seen_for(request, club, "members")
    row = Invitation.objects.filter(club=seen.club, pk=invitation).first()
    if row is None:
        raise Http404(gettext("Invitation not found."))

    def do() -> Act:
        return member_invitations.revoke(row.pk, acting.person(request), **acting.how(request))

    return acting.act(request, f"letter-{row.pk}", do, lambda refusal: _people(request, seen, refusal), _page(seen))


@require_POST
def answer(request: HttpRequest, club: str, asked: int) -> HttpResponse:
    """Answer who asks to join, or to have a name."""
    seen = page_context.seen_for(request, club, "members")
    row = JoinRequest.objects.filter(club=seen.club, pk=asked).first()
    if row is None:
        raise Http404(gettext("Request not found."))

    def do() -> Act:
        person, how = acting.person(request), acting.how(request)
        wish = request.POST.get("answer", "")
        if wish == "no":
            return joining.decline(row.pk, person, **how)
        if wish != "yes":
            raise Refused("no_answer", gettext("Choose yes or no."))
        return joining.accept(row.pk, person, membership_id=acting.number(request, "membership"), **how)

    to = reverse("clubs:desk", args=[seen.club.slug])
    return acting.act(request, f"request-{row.pk}", do, lambda refusal: desk.show(request, seen, refusal), to)


# One of them


@never_cache
@require_http_methods(_FORM)
def person_page(request: HttpRequest, club: str, membership: int) -> HttpResponse:
    """Somebody of the club, and what can be done about them."""
    seen = page_context.seen_for(request, club, "members")
    row = Membership.objects.filter(club=seen.club, pk=membership).select_related("user").first()
    if row is None:
        raise Http404(gettext("Nobody in this club has this number."))
    if request.method != "POST":
        return _person(request, seen, row)
    wish = request.POST.get("act", "")
    to = _page(seen) if wish in ("remove", "back") else reverse("clubs:person", args=[seen.club.slug, row.pk])

    def show(refusal: Refusal) -> HttpResponse:
        return _person(request, seen, row, refusal)

    return acting.act(request, wish or "edit", lambda: _do(request, row, wish), show, to)


def _do(request: HttpRequest, row: Membership, wish: str) -> Act:
    person, how = acting.person(request), acting.how(request)
    if wish == "edit":
        typed = {"name": request.POST.get("name", "")[:200], "email": request.POST.get("email", "")[:320]}
        return membership.edit(row.pk, person, name=typed["name"], email=typed["email"], **how)
    if wish == "role":
        return membership.give_role(row.pk, person, role=request.POST.get("role", ""), **how)
    if wish == "remove":
        if request.POST.get("sure") != "yes":
            raise Refused("not_sure", gettext("Tick the box to remove %(name)s.") % {"name": row})
        return membership.remove(row.pk, person, **how)
    if wish == "back":
        return membership.bring_back(row.pk, person, **how)
    if wish == "link":
        return membership.renew_claim_link(row.pk, person, **how)
    if wish == "letter":
        return member_invitations.invite_name(row.pk, person, **how)
    raise Refused("no_act", gettext("Choose an action."))


def _person(
    request: HttpRequest, seen: page_context.Seen, row: Membership, refusal: Refusal | None = None
) -> HttpResponse:
    gives = given_by(seen.role)
    typed: dict[str, Any] = {"name": row.name, "email": row.email}
    if refusal is not None and request.POST.get("act") == "edit":
        typed = {name: request.POST.get(name, "")[:320] for name in typed}
    roles = [role for role in gives if row.user_id or role in name_claims.WITHOUT_ACCOUNT]
    context = {
        "row": row,
        "typed": typed,
        "roles": [(role, Role(role).label) for role in roles] if row.role in gives else [],
        "may_remove": row.role in gives,
        "claim_link": settings.SITE_URL + reverse("clubs:claim", args=[row.claim_token]),
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    return page_context.page(
        request, seen, "clubs/members/person.html", context, tab="desk", title=row.name, status=status
    )


def _page(seen: page_context.Seen) -> str:
    return reverse("clubs:people", args=[seen.club.slug])
