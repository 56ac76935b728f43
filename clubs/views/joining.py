"""Joining a club: requests, the club’s link, invitations, and claims of names."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.queries import masked_address
from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.models import Act, Club, Invitation, JoinRequest, Membership
from clubs.public import page_context
from clubs.services.members import joining, member_invitations, name_claims
from clubs.views.login_required import next_query, person_of, sign_in
from web.errors import Refused

_FORM = ["GET", "HEAD", "POST"]


@never_cache
@require_http_methods(_FORM)
def join(request: HttpRequest, club: str) -> HttpResponse:
    """The form to join a club, or for members to claim another name in it."""
    visit = page_context.visit(request, club)
    person = person_of(request)
    if request.method != "POST":
        return _join_page(request, visit)
    if person is None:
        return sign_in(request)
    wish = request.POST.get("act", "")

    def do() -> object:
        how = form_actions.how(request)
        if wish == "join":
            return joining.join(visit.club.pk, person, **how)
        if wish == "ask":
            words = request.POST.get("words", "")[:1000]
            joining.ask(visit.club.pk, person, words=words, name=request.POST.get("name", "")[:200], **how)
            return gettext("An organiser of the club will answer. You get a notification.")
        if wish == "withdraw" and (own_request := _own_request(visit.club, person)) is not None:
            return joining.withdraw(own_request.pk, person, **how)
        raise Refused("no_act", gettext("Choose an action."))

    to = visit.club.get_absolute_url() if wish == "join" else reverse("clubs:join", args=[visit.club.slug])
    return form_actions.act(request, wish or "join", do, lambda refusal: _join_page(request, visit, refusal), to)


def _join_page(request: HttpRequest, visit: page_context.Visit, refusal: Refusal | None = None) -> HttpResponse:
    person = person_of(request)
    typed = request.POST if refusal else request.GET
    context = {
        "person": person,
        "own": visit.membership,
        "asked": _own_request(visit.club, person) if person else None,
        "typed": {"name": typed.get("name", "")[:200], "words": typed.get("words", "")[:1000]},
        "next_query": next_query(request),
        "refusal": refusal,
    }
    title = gettext("Your name in the club") if visit.membership else pgettext("club", "Join")
    return page_context.page(request, visit, "clubs/joining/join.html", context, tab="club", title=title)


def _own_request(club: Club, person: User) -> JoinRequest | None:
    return JoinRequest.objects.filter(club=club, user=person, status=JoinRequest.Status.OPEN).first()


# Links


@never_cache
@require_http_methods(_FORM)
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """The page of the club’s link: the club, and the button to join."""

    def find() -> tuple[Club, Membership | None]:
        return joining.club_of_link(token), None

    def take(person: User) -> Act:
        return joining.join_by_link(token, person, **form_actions.how(request))

    return _token_page(request, find, take)


@never_cache
@require_http_methods(_FORM)
def claim(request: HttpRequest, token: str) -> HttpResponse:
    """The page of a claim link: the name, and the button to claim it."""

    def find() -> tuple[Club, Membership | None]:
        name = name_claims.read_link(token)
        return name.club, name

    def take(person: User) -> Act:
        return name_claims.claim_by_link(token, person, **form_actions.how(request))

    return _token_page(request, find, take)


@never_cache
@require_http_methods(_FORM)
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The page of an invitation, with the buttons to accept or decline. Declining needs no account."""
    letters: list[Invitation] = []

    def find() -> tuple[Club, Membership | None]:
        letter = member_invitations.read(token)
        letters.append(letter)
        is_claim = letter.membership is not None and letter.membership.user_id is None and letter.membership.is_here
        return letter.club, letter.membership if is_claim else None

    def take(person: User) -> Act:
        return member_invitations.accept(token, person, **form_actions.how(request))

    if request.method == "POST" and request.POST.get("answer") == "no":
        return _declined(request, token)
    return _token_page(request, find, take, letters)


def _declined(request: HttpRequest, token: str) -> HttpResponse:
    try:
        member_invitations.decline(token)
    except Refused as refusal:
        return _ended(request, refusal)
    messages.success(request, gettext("You declined the invitation."))
    return redirect("clubs:clubs")


def _ended(request: HttpRequest, refusal: Refused) -> HttpResponse:
    return render(request, "clubs/joining/ended.html", {"refusal": refusal}, status=refusal.status)


def _token_page(
    request: HttpRequest,
    find: Callable[[], tuple[Club, Membership | None]],
    take: Callable[[User], Act],
    letters: list[Invitation] | None = None,
) -> HttpResponse:
    """A page that its link gives access to. It shows the club before anything is done."""
    try:
        club, name = find()
    except Refused as refusal:
        return _ended(request, refusal)
    person = person_of(request)
    if request.method == "POST" and person is None:
        return sign_in(request)
    if request.method != "POST" or person is None:
        return _answer_page(request, club, name, letters)
    return form_actions.act(
        request,
        "answer",
        lambda: _welcome(take(person), club),
        lambda refusal: _answer_page(request, club, name, letters, refusal),
        club.get_absolute_url(),
    )


def _welcome(act: Act, club: Club) -> str:
    return gettext("Welcome to %(club)s.") % {"club": club}


def _answer_page(
    request: HttpRequest,
    club: Club,
    name: Membership | None,
    letters: list[Invitation] | None,
    refusal: Refusal | None = None,
) -> HttpResponse:
    person, letter = person_of(request), letters[0] if letters else None
    member = Membership.objects.filter(club=club, user=person, left_at=None).first() if person else None
    context = {
        "club": club,
        "name": name,
        "by": str(letter.by or letter.club) if letter else "",
        "is_letter": letter is not None,
        "sent_to": masked_address(letter.email, person) if letter else "",
        "own": member,
        "person": person,
        "next_query": next_query(request),
        "refusal": refusal,
    }
    return render(request, "clubs/joining/letter.html", context, status=refusal.status if refusal else 200)
