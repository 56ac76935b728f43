"""The people of a club: the directory for members, and pages for organisers."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.display_names import FORMER
from clubs.forms import contact_details, form_actions
from clubs.forms.form_actions import Refusal
from clubs.models import Act, Invitation, JoinRequest, KeptAside, Membership
from clubs.organiser import doors
from clubs.organiser.traces import traces_of
from clubs.public import handbook, page_context
from clubs.public.lookups import first_or_404
from clubs.public.page_context import Visit
from clubs.roles import RANKS, given_by
from clubs.services.members import joining, member_invitations, membership, name_claims
from clubs.views import desk
from tournaments import player_links
from web.errors import Refused

_FORM = ["GET", "HEAD", "POST"]
_TYPED = {"name": 200, "email": 320, "note": 600}
"""Fields of a person, and the most characters that are read of them."""
Role = Membership.Role


# The directory


@never_cache
@require_safe
def directory(request: HttpRequest, club: str) -> HttpResponse:
    """The members who agreed to be listed, for members."""
    visit = page_context.visit_for(request, club, "directory")
    shown_members = handbook.listed_members(visit.club)
    pages = player_links.usernames((member.user_id for member in shown_members), visit.player)
    return page_context.page(
        request,
        visit,
        "clubs/members/directory.html",
        {"listed": [(member, pages.get(member.user_id or 0, "")) for member in shown_members]},
        tab="members",
        title=gettext("Directory"),
    )


@never_cache
@require_safe
def handbook_page(request: HttpRequest, club: str) -> HttpResponse:
    """The members’ handbook, to be printed: what each member allows to be shown, for members."""
    visit = page_context.visit_for(request, club, "directory")
    context = {"book": handbook.handbook(visit.club)}
    return page_context.page(
        request, visit, "clubs/members/handbook.html", context, tab="members", title=gettext("Members’ handbook")
    )


@never_cache
@require_safe
def handbook_pdf(request: HttpRequest, club: str) -> HttpResponse:
    """The same as PDF."""
    from clubs.exports import handbook_pdf as paper  # which takes long to load

    visit = page_context.visit_for(request, club, "directory")
    response = HttpResponse(paper.book(visit.club, timezone.now()), content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{visit.club.slug}-handbook.pdf"'
    return response


# All members, for organisers


@never_cache
@require_safe
def people(request: HttpRequest, club: str) -> HttpResponse:
    """All members of the club, current and former."""
    return _people(request, page_context.visit_for(request, club, "members"))


def _people(request: HttpRequest, visit: Visit, refusal: Refusal | None = None) -> HttpResponse:
    query = " ".join(request.GET.get("q", "").split())[:60]
    members = list(Membership.objects.filter(club=visit.club).select_related("user"))
    matching = [member for member in members if query.casefold() in member.name.casefold()]
    here = [member for member in matching if member.left_at is None]
    context = {
        "groups": [_group(role, [member for member in here if member.role == role]) for role in RANKS],
        "count": sum(member.left_at is None for member in members),
        "former": [member for member in matching if member.left_at is not None],
        "letters": _open_invitations(visit),
        "kept_aside": KeptAside.objects.filter(club=visit.club, what="members"),
        "door": doors.door(visit, "members"),
        "query": query,
        "typed": request.POST if refusal else {},
        "refusal": refusal,
    }
    return page_context.page(request, visit, "clubs/members/people.html", context, tab="desk", title=gettext("Members"))


def _group(role: str, members: list[Membership]) -> tuple[str, list[Membership]]:
    """The members with a role, and its name."""
    count = len(members)
    titles = {
        Role.OWNER: ngettext("Owner", "Owners", count),
        Role.ORGANISER: ngettext("Organiser", "Organisers", count),
        Role.SCORER: ngettext("Scorer", "Scorers", count),
        Role.MEMBER: ngettext("Member", "Members", count),
        Role.GUEST: ngettext("Guest", "Guests", count),
    }
    return titles[Role(role)], members


def _open_invitations(visit: Visit) -> list[Invitation]:
    """Invitations without an answer."""
    waiting = Invitation.objects.filter(club=visit.club, accepted_at=None, revoked_at=None)
    recent = waiting.filter(created_at__gt=timezone.now() - member_invitations.LASTS)
    return list(recent.select_related("membership").order_by("-pk"))


@require_POST
def add(request: HttpRequest, club: str) -> HttpResponse:
    """Add people by their names."""
    visit = page_context.visit_for(request, club, "members")

    def do() -> Act:
        lines = request.POST.get("names", "")[:50_000].splitlines()
        role = request.POST.get("role", Role.MEMBER)
        person, how = form_actions.person(request), form_actions.how(request)
        return membership.add_names(visit.club.pk, person, lines=lines, role=role, **how)

    return form_actions.act(request, "add", do, lambda refusal: _people(request, visit, refusal), _page(visit))


@require_POST
def invite(request: HttpRequest, club: str) -> HttpResponse:
    """Invite people by email."""
    visit = page_context.visit_for(request, club, "members")

    def do() -> Act:
        text = request.POST.get("addresses", "")[:50_000]
        role = request.POST.get("role", Role.MEMBER)
        return member_invitations.invite(
            visit.club.pk, form_actions.person(request), addresses=text, role=role, **form_actions.how(request)
        )

    return form_actions.act(request, "invite", do, lambda refusal: _people(request, visit, refusal), _page(visit))


@require_POST
def revoke_invitation(request: HttpRequest, club: str, invitation: int) -> HttpResponse:
    """Cancel an invitation."""
    visit = page_context.visit_for(request, club, "members")
    this_invitation = first_or_404(
        Invitation.objects.filter(club=visit.club, pk=invitation), gettext("Invitation not found.")
    )

    def do() -> Act:
        return member_invitations.revoke(this_invitation.pk, form_actions.person(request), **form_actions.how(request))

    at = f"letter-{this_invitation.pk}"
    return form_actions.act(request, at, do, lambda refusal: _people(request, visit, refusal), _page(visit))


@require_POST
def answer(request: HttpRequest, club: str, asked: int) -> HttpResponse:
    """Answer a request to join or to claim a name."""
    visit = page_context.visit_for(request, club, "members")
    join_request = first_or_404(JoinRequest.objects.filter(club=visit.club, pk=asked), gettext("Request not found."))

    def do() -> Act:
        person, how = form_actions.person(request), form_actions.how(request)
        wish = request.POST.get("answer", "")
        if wish == "no":
            return joining.decline(join_request.pk, person, **how)
        if wish != "yes":
            raise Refused("no_answer", gettext("Choose yes or no."))
        return joining.accept(join_request.pk, person, membership_id=form_actions.number(request, "membership"), **how)

    to = reverse("clubs:desk", args=[visit.club.slug])
    return form_actions.act(
        request, f"request-{join_request.pk}", do, lambda refusal: desk.show(request, visit, refusal), to
    )


# One member


@never_cache
@require_http_methods(_FORM)
def person_page(request: HttpRequest, club: str, membership: int) -> HttpResponse:
    """A member of the club, with the forms to change them."""
    visit = page_context.visit_for(request, club, "members")
    members = Membership.objects.filter(club=visit.club, pk=membership).select_related("user", "club")
    member = first_or_404(members, gettext("Nobody in this club has this number."))
    if request.method != "POST":
        return _person(request, visit, member)
    wish = request.POST.get("act", "")
    to = _page(visit) if wish in ("remove", "back") else reverse("clubs:person", args=[visit.club.slug, member.pk])

    def show(refusal: Refusal) -> HttpResponse:
        return _person(request, visit, member, refusal)

    return form_actions.act(request, wish or "edit", lambda: _do(request, member, wish), show, to)


def _do(request: HttpRequest, member: Membership, wish: str) -> Act:
    person, how = form_actions.person(request), form_actions.how(request)
    if wish == "edit":
        sent = {name: request.POST[name][:most] for name, most in _TYPED.items() if name in request.POST}
        details = contact_details.read(request)
        is_listed = "is_listed" in request.POST if details else None
        return membership.edit(member.pk, person, **{"name": "", **sent}, details=details, is_listed=is_listed, **how)
    if wish == "role":
        return membership.give_role(member.pk, person, role=request.POST.get("role", ""), **how)
    if wish == "remove":
        if request.POST.get("sure") != "yes":
            raise Refused("not_sure", gettext("Tick the box to remove %(name)s.") % {"name": member})
        return membership.remove(member.pk, person, **how)
    if wish == "back":
        return membership.restore(member.pk, person, **how)
    if wish == "link":
        return membership.renew_claim_link(member.pk, person, **how)
    if wish == "letter":
        return member_invitations.invite_name(member.pk, person, **how)
    raise Refused("no_act", gettext("Choose an action."))


def _person(request: HttpRequest, visit: Visit, member: Membership, refusal: Refusal | None = None) -> HttpResponse:
    gives = given_by(visit.role)
    typed: dict[str, Any] = {name: getattr(member, name) for name in _TYPED}
    is_refused = refusal is not None and request.POST.get("act") == "edit"
    if is_refused:
        typed = {name: request.POST.get(name, "")[:600] for name in typed}
    roles = [role for role in gives if member.user_id or role in name_claims.WITHOUT_ACCOUNT]
    context = {
        "row": member,
        "typed": typed | contact_details.values(member, request if is_refused else None),
        "ways": Membership.HearsBy.choices,
        "roles": [(role, Role(role).label) for role in roles] if member.role in gives else [],
        "may_remove": member.role in gives,
        "may_forget": member.user_id is None and member.role in gives and member.name != FORMER,
        "traces": traces_of(member),
        "claim_link": settings.SITE_URL + reverse("clubs:claim", args=[member.claim_token]),
        "refusal": refusal,
    }
    return page_context.page(request, visit, "clubs/members/person.html", context, tab="desk", title=member.name)


def _page(visit: Visit) -> str:
    return reverse("clubs:people", args=[visit.club.slug])
