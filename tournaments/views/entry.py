"""Entering an event and managing your own entry: partners, check-in, leaving."""

import secrets
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.queries import masked_address, player_of
from tournaments import access
from tournaments.models import Entry, Member, Tournament
from tournaments.public import listing
from tournaments.public.overview import facts
from tournaments.services.entries import check_ins, enrolment, entry_members, partners, waiting_list, withdrawal
from tournaments.services.entries.person_lookup import PersonRef
from tournaments.services.events import naming
from web import clocks
from web.errors import NotAllowed, Refused
from web.form_actions import number as form_number

_FORM = ["GET", "HEAD", "POST"]
Kind, Role, Said = Tournament.Kind, Member.Role, Member.Answer


def _person(player: User | AnonymousUser) -> User | None:
    return player if isinstance(player, User) and not player.is_guest else None


def _sign_in(request: HttpRequest) -> HttpResponse:
    return redirect_to_login(request.path, reverse(settings.LOGIN_URL))


def _key(request: HttpRequest, person: User) -> str:
    """The key of a form, which makes sending it twice harmless; with the person's id, to be unique in the event."""
    return f"{person.pk}:{request.POST.get('key', '')[:32] or secrets.token_hex(12)}"


# Entering


@never_cache
@require_http_methods(_FORM)
def enter(request: HttpRequest, event: str) -> HttpResponse:
    """The form to enter an event: alone, with a partner, or as a team."""
    player = player_of(request)
    tournament = access.open_event(player, event)
    clocks.go_by(tournament.clock)
    person = _person(player)
    if person is None:
        return _sign_in(request)
    if access.own_member(person, tournament) is not None:
        return redirect("tournaments:own_entry", event)
    refusal = None
    if request.method == "POST":
        try:
            entry = enrolment.enter(
                tournament.pk,
                person,
                partners=_partners(request, tournament),
                name=request.POST.get("name", "").strip() if tournament.entry_kind != Kind.PERSON else "",
                request_key=_key(request, person),
            )
        except Refused as error:
            refusal = error
        else:
            messages.success(request, _entered(entry))
            return redirect("tournaments:own_entry", event)
    context = {
        "event": tournament,
        "facts": facts(tournament),
        "is_full": waiting_list.is_full(tournament),
        "closed": _why_not(tournament, person),
        "nouns": listing.nouns(tournament),
        "rows": _partner_rows(request, tournament),
        "least": max(1, tournament.side_size),
        "name": request.POST.get("name", "")[: naming.LONGEST],
        "key": request.POST.get("key", "")[:32] or secrets.token_hex(12),
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    return render(request, "tournaments/entry/enter.html", context, status=status)


def _why_not(event: Tournament, person: User) -> str:
    """The reason why entries are closed, for a page that is opened; the service decides."""
    is_late = event.entries_close_at is not None and event.entries_close_at <= timezone.now()
    if event.status == Tournament.Status.DRAFT:
        return gettext("Entries are not open yet.")
    if event.has_begun:
        return gettext("The event has already started. Ask an organiser whether there is still a place.")
    if event.status == Tournament.Status.CANCELLED:
        return gettext("The event was cancelled.")
    if not event.takes_entries or is_late:
        return gettext("Entries are closed. Ask an organiser whether there is still a place.")
    return ""


def _most_partners(event: Tournament) -> int:
    return waiting_list.MOST_PLAYERS[Kind(event.entry_kind)] - 1


def _partners(request: HttpRequest, event: Tournament) -> list[PersonRef]:
    """The names in the form, without empty fields."""
    names = [request.POST.get(f"who{at}", "").strip()[:320] for at in range(1, _most_partners(event) + 1)]
    people: list[PersonRef] = [name for name in names if name]
    if event.entry_kind == Kind.PARTNERSHIP and not people:
        raise Refused("no_partner", gettext("Enter your partner’s username or email address."))
    if event.entry_kind == Kind.TEAM and len(people) + 1 < event.side_size:
        raise Refused(
            "too_few",
            gettext("A team needs at least %(count)s players. Add the others, too.") % {"count": event.side_size},
        )
    return people


def _partner_rows(request: HttpRequest, event: Tournament) -> list[dict[str, Any]]:
    """The fields for invited partners; for a team at first enough for a table and a few more."""
    most = _most_partners(event)
    count = most if event.entry_kind != Kind.TEAM else min(most, 7)
    needed = event.side_size - 1
    return [
        {"number": at, "text": request.POST.get(f"who{at}", "")[:320], "is_needed": at <= needed}
        for at in range(1, count + 1)
    ]


def _entered(entry: Entry) -> str:
    return {
        Entry.Status.FORMING: gettext("You have entered. Your entry is complete when everyone you invited accepts."),
        Entry.Status.WAITING: gettext("The event is full. You are on the waiting list."),
    }.get(Entry.Status(entry.status), gettext("You have entered."))


# Own entry


@never_cache
@require_http_methods(_FORM)
def own_entry(request: HttpRequest, event: str) -> HttpResponse:
    """The reader's own entry with its actions, or their invitations; on POST one act."""
    player = player_of(request)
    tournament = access.open_event(player, event)
    clocks.go_by(tournament.clock)
    person = _person(player)
    if person is None:
        return _sign_in(request)
    refusal = None
    if request.method == "POST":
        try:
            return _do(request, tournament, person)
        except Refused as error:
            refusal = error
            tournament.refresh_from_db()
    member = access.own_member(person, tournament)
    invitations = list(partners.invitations_of(person).filter(tournament=tournament))
    if member is None and not invitations and refusal is None:
        return redirect(tournament)
    context = {
        "event": tournament,
        "asked": [(each, naming.current(each.entry)) for each in invitations],
        "refusal": refusal,
        "key": request.POST.get("key", "")[:32] or secrets.token_hex(12),
        "typed": request.POST,
        **(_entry_context(tournament, member, person) if member is not None else {}),
    }
    return render(request, "tournaments/entry/own.html", context, status=refusal.status if refusal else 200)


def _entry_context(event: Tournament, member: Member, person: User) -> dict[str, Any]:
    entry, now = member.entry, timezone.now()
    people = naming.current(entry)
    acts = access.acts_for(person, entry)
    players = [each for each in people if each.role == Role.PLAYER]
    is_gone = entry.status in (Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED)
    is_alive = not is_gone and event.status not in (Tournament.Status.OVER, Tournament.Status.CANCELLED)
    has_room = len(players) < waiting_list.MOST_PLAYERS[Kind(event.entry_kind)] and not (
        event.has_begun and event.entry_kind != Kind.TEAM
    )
    return {
        "entry": entry,
        "member": member,
        "people": people,
        "acts": acts,
        "is_alive": is_alive,
        "may_invite": acts and is_alive and has_room,
        "may_add_reserve": acts and is_alive and len(people) - len(players) < waiting_list.MOST_RESERVES,
        "may_rename": acts and is_alive and event.entry_kind != Kind.PERSON,
        "may_leave": is_alive and event.entry_kind == Kind.TEAM and len(people) > 1,
        "waiting_place": _waiting_place(event, entry),
        "check_in": _check_in(event, entry, now) if acts and is_alive else "",
        "check_in_words": _check_in_words(event, entry),
        "automatic": naming.is_automatic(entry, event.entry_kind, people),
    }


def _waiting_place(event: Tournament, entry: Entry) -> int:
    """The position on the waiting list; 0 for an entry that has a place."""
    if entry.status != Entry.Status.WAITING:
        return 0
    before = Entry.objects.filter(tournament=event, status=Entry.Status.WAITING, number__lt=entry.number)
    return before.count() + 1


def _check_in(event: Tournament, entry: Entry, now: Any) -> str:
    """`now` if check-in is possible, `later` or `missed` if it is not; empty if there is nothing to do."""
    statuses = (Entry.Status.ENTERED, Entry.Status.WAITING)
    if not event.has_check_in or event.has_begun or entry.status not in statuses or entry.is_here:
        return ""
    if event.check_in_from is not None and now < event.check_in_from:
        return "later"
    return "missed" if event.check_in_until is not None and now > event.check_in_until else "now"


def _check_in_words(event: Tournament, entry: Entry) -> str:
    if not event.has_check_in or event.has_begun:
        return ""
    if entry.is_here:
        return gettext("You are checked in.")
    when = facts(event).checks_in
    return gettext("Check-in: %(when)s.") % {"when": when} if when else ""


# Acts on the own entry


def _do(request: HttpRequest, event: Tournament, person: User) -> HttpResponse:
    """Do the act of a form, and show the entry again. Raises `Refused`."""
    act = _ACTS.get(request.POST.get("act", ""))
    if act is None:
        raise Refused("no_act", gettext("Choose an action."))
    messages.success(request, act(request, event, person))
    still = access.own_member(person, event) is not None
    return redirect("tournaments:own_entry", event.slug) if still else redirect(event)


def _entry_of(event: Tournament, person: User) -> Entry:
    member = access.own_member(person, event)
    if member is None:
        raise NotAllowed("not_in_it", gettext("You do not take part in this event."))
    return member.entry


def _member(request: HttpRequest, event: Tournament) -> Member:
    pk = form_number(request, "member")
    member = Member.objects.filter(tournament=event, pk=pk).first() if pk is not None else None
    if member is None:
        raise Refused("no_such_member", gettext("This person is not in this event."))
    return member


def _own_member(request: HttpRequest, event: Tournament, person: User) -> Member:
    """A person of the reader's own entry; organisers have other pages for all entries."""
    member = _member(request, event)
    if member.entry_id != _entry_of(event, person).pk:
        raise Refused("no_such_member", gettext("Person not found in this entry."))
    return member


def _accept(request: HttpRequest, event: Tournament, person: User) -> str:
    partners.accept(_member(request, event).pk, person)
    return gettext("You are taking part.")


def _decline(request: HttpRequest, event: Tournament, person: User) -> str:
    partners.decline(_member(request, event).pk, person)
    return gettext("You declined the invitation.")


def _check_me_in(request: HttpRequest, event: Tournament, person: User) -> str:
    check_ins.check_in(_entry_of(event, person).pk, person)
    return gettext("You are checked in.")


def _withdraw(request: HttpRequest, event: Tournament, person: User) -> str:
    if request.POST.get("sure") != "yes":
        raise Refused("not_sure", gettext("Tick the box to withdraw."), field="sure")
    entry = _entry_of(event, person)
    withdrawal.withdraw(entry.pk, person, at_once=request.POST.get("when") == "now")
    return gettext("You have withdrawn.")


def _invite(request: HttpRequest, event: Tournament, person: User) -> str:
    role = Role.RESERVE if request.POST.get("role") == "reserve" else Role.PLAYER
    member = partners.invite(
        _entry_of(event, person).pk,
        person,
        person=request.POST.get("who", "")[:320],
        role=role,
        request_key=_key(request, person),
    )
    return gettext("%(name)s was invited.") % {"name": member}


def _drop(request: HttpRequest, event: Tournament, person: User) -> str:
    member = _own_member(request, event, person)
    entry_members.remove_member(member.pk, person)
    return (
        gettext("You left.")
        if member.user_id == person.pk
        else gettext("%(name)s is no longer in the entry.") % {"name": member}
    )


def _rename(request: HttpRequest, event: Tournament, person: User) -> str:
    entry = _entry_of(event, person)
    enrolment.rename(entry.pk, person, name=request.POST.get("name", "")[:200])
    entry.refresh_from_db()
    return gettext("You play as %(entry)s.") % {"entry": entry}


def _captain(request: HttpRequest, event: Tournament, person: User) -> str:
    member = _own_member(request, event, person)
    entry_members.make_captain(member.pk, person)
    return gettext("%(name)s is captain.") % {"name": member}


_ACTS: dict[str, Callable[[HttpRequest, Tournament, User], str]] = {
    "accept": _accept,
    "decline": _decline,
    "check_in": _check_me_in,
    "withdraw": _withdraw,
    "invite": _invite,
    "drop": _drop,
    "rename": _rename,
    "captain": _captain,
}


# The link of an invitation email


@never_cache
@require_http_methods(_FORM)
def invitation(request: HttpRequest, event: str, token: str) -> HttpResponse:
    """The link of an invitation email: the event, the entry, yes or no. Works without an account where possible."""
    person = _person(player_of(request))
    try:
        member = partners.read(event, token)
        if member.user_id is not None:
            if person is None:
                return _sign_in(request)
            if member.user_id != person.pk:
                raise NotAllowed("not_yours", gettext("This invitation is for someone else."))
            return redirect("tournaments:own_entry", event)
        if request.method == "POST":
            return _answer_invitation(request, member, person, token)
    except Refused as refusal:
        return render(request, "tournaments/entry/gone.html", {"refusal": refusal}, status=refusal.status)
    return _show_invite(request, member, person)


def _answer_invitation(request: HttpRequest, member: Member, person: User | None, token: str) -> HttpResponse:
    if request.POST.get("answer") == "no":
        partners.decline(member.pk, person, token=token)
        messages.success(request, gettext("You declined the invitation."))
        return redirect("tournaments:events")
    if person is None:
        return _sign_in(request)
    try:
        partners.accept(member.pk, person, token=token)
    except Refused as refusal:
        return _show_invite(request, member, person, refusal)
    messages.success(request, gettext("You are taking part."))
    return redirect("tournaments:own_entry", member.tournament.slug)


def _show_invite(
    request: HttpRequest, member: Member, person: User | None, refusal: Refused | None = None
) -> HttpResponse:
    query = QueryDict(mutable=True)
    query["next"] = request.path
    others = [each for each in naming.current(member.entry) if each.pk != member.pk]
    context = {
        "event": member.tournament,
        "facts": facts(member.tournament),
        "member": member,
        "others": others,
        "is_asked": member.answer == Said.INVITED,
        "person": person,
        "sent_to": masked_address(member.email, person),
        "next_query": query.urlencode(safe="/"),
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    return render(request, "tournaments/entry/invitation.html", context, status=status)
