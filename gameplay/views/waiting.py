"""The waiting room: seats, bots, phrases, and invitations."""

import secrets
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts import time_zones
from accounts.guests import remember
from accounts.models import User
from accounts.queries import masked_address, player_of
from engine.play.options import Shape
from engine.play.rule_sheet.sheet import Section, differences, rule_sheet, sheet_title
from engine.play.rules import Rules
from gameplay import link_cards, recent_partners
from gameplay.access import invitations_of, is_member, is_somebody, may_join, open_table, takes_guests
from gameplay.forms import shape_words
from gameplay.house_rules.rule_origin import origin
from gameplay.models import Deal, Invitation, Reserve, Seat, Table
from gameplay.queries import sent_from
from gameplay.retention import UNSTARTED
from gameplay.score_sheets.codes import code
from gameplay.services import guest_seats, invitations, phrases, reserves, seating, tables
from gameplay.views.tables import Params, View, members_only
from web.errors import NotAllowed, Refused
from web.form_actions import number as form_number


def waiting_room(
    request: HttpRequest, table: Table, seat: Seat | None, refusal: Refused | None = None, status: int = 200
) -> HttpResponse:
    """The page of a table that waits for its players."""
    context = _room(request, table, seat) | {"refusal": refusal, "typed": request.POST if refusal else {}}
    if context["is_host"] and table.joining in (Table.Joining.OPEN, Table.Joining.LINK):
        context["code"] = code(context["address"], gettext("QR code with the link to this table"))
    if context["takes_guest"]:
        context |= {"guest_key": secrets.token_urlsafe(24), "longest_name": guest_seats.LONGEST_NAME}
    response = render(request, "gameplay/waiting.html", context, status=refusal.status if refusal else status)
    response["Cache-Control"] = "no-store"
    return response


@never_cache
@require_safe
def waiting_part(request: HttpRequest, slug: str) -> HttpResponse:
    """The current seats, fetched after a change; after the start, a redirect to the table."""
    try:
        table, seat = open_table(player_of(request), slug)
    except Http404:
        return render(request, "gameplay/waiting_gone.html")
    if table.status != Table.Status.GATHERING:
        return HttpResponseClientRedirect(table.get_absolute_url())
    return render(request, "gameplay/waiting_part.html", _room(request, table, seat))


def _room(request: HttpRequest, table: Table, seat: Seat | None) -> dict[str, Any]:
    player, rules = player_of(request), table.rules
    seats = list(table.seats.select_related("user"))
    deal = Deal.objects.only("commitment", "phrases").get(table=table, number=1)
    for place, phrase in zip(seats, deal.phrases, strict=True):
        place.has_phrase = bool(phrase)  # type: ignore[attr-defined]
    is_creator = is_somebody(player) and table.creator_id == player.pk and table.wish_id is None
    is_open = table.joining in (Table.Joining.OPEN, Table.Joining.LINK)
    hosts = is_creator or (seat is not None and is_member(player) and is_open)
    return {
        "table": table,
        "seat": seat,
        "seats": seats,
        "teams": [[s for s in seats if s.number % table.teams == team] for team in range(table.teams)],
        "free": sum(not s.is_taken for s in seats),
        "commitment": deal.commitment,
        "phrase": deal.phrases[seat.number] if seat else "",
        "is_creator": is_creator,
        "days": UNSTARTED.days,
        "is_host": hosts,
        "is_member": is_member(player),
        "may_join": seat is None and may_join(player, table),
        "takes_guest": seat is None and not is_member(player) and takes_guests(table),
        "is_guest": seat is not None and not is_member(player),
        "levels": seating.BOT_LEVELS,
        "invitations": sent_from(table) if is_creator else (),
        "known": _former_partners(cast(User, player), seats) if hosts else (),
        "address": settings.SITE_URL + table.get_absolute_url(),
        "link_card": link_cards.table_card(table, seats),
        **sheet_context(table, rules, player),
    }


def sheet_context(table: Table, rules: Rules, player: User | AnonymousUser) -> dict[str, Any]:
    """The rule sheet of a table, and its differences from the reader's usual rules."""
    usual = recent_partners.usual_rules([player]).get(player.pk) if isinstance(player, User) else None
    usual = usual or Rules.preset("standard")
    sheet: tuple[Section, ...] = rule_sheet(rules, rules.shape(table.seat_count, table.team_size))
    from_version = origin(table.rules_ref, rules)
    return {
        "sheet": sheet,
        "sheet_title": from_version.title if from_version else sheet_title(rules),
        "origin": from_version,
        "shape_words": shape_words(Shape(table.seat_count, table.team_size)),
        "usual_title": sheet_title(usual),
        "is_usual": usual == rules,
        "differs": differences(rules, usual),
    }


def _former_partners(player: User, seats: Sequence[Seat]) -> list[User]:
    here = {seat.user_id for seat in seats}
    return [person for person in recent_partners.played_with(player, 12) if person.pk not in here]


def _act(request: HttpRequest, slug: str, act: Callable[[Table, User], object], success: str = "") -> HttpResponse:
    """Do an act at a table and show it again; a refusal is shown on the page, with the typed text."""
    player = player_of(request)
    table, _ = open_table(player, slug)
    try:
        act(table, cast(User, player))
    except Refused as refusal:
        table.refresh_from_db()
        if table.status != Table.Status.GATHERING:
            messages.warning(request, refusal.sentence)
            return redirect(table)
        return waiting_room(request, table, Seat.objects.filter(table=table, user__pk=player.pk or 0).first(), refusal)
    if success:
        messages.success(request, success)
    return redirect("gameplay:lobby" if not Table.objects.filter(pk=table.pk).exists() else table)


@members_only
@require_POST
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a seat, agreeing to the rule sheet."""

    def act(table: Table, user: User) -> None:
        if not may_join(user, table) and not table.seats.filter(user=user).exists():
            if table.status != Table.Status.GATHERING:
                raise Refused("has_begun", gettext("The match has already started."))
            raise NotAllowed("not_invited", gettext("Only invited players can join this table."))
        invitation = invitations_of(user).filter(table=table, is_accepted=False).first()
        if invitation is None:
            seating.join(table.pk, user, seat=form_number(request, "seat"))
        else:
            invitations.accept(invitation, user, seat=form_number(request, "seat"))

    return _act(request, slug, act)


@require_POST
def join_as_guest(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a seat under a name, without an account."""
    player = player_of(request)
    if is_member(player):
        return join(request, slug)

    def act(table: Table, user: User) -> None:
        guest = guest_seats.join(
            table.pk,
            user if is_somebody(user) else None,
            name=request.POST.get("name", ""),
            key=request.POST.get("key", "")[:64] or secrets.token_urlsafe(24),
            time_zone=time_zones.guess(request),
            seat=form_number(request, "seat"),
        )
        remember(request, guest)

    return _act(request, slug, act)


def seated_only(view: View[Params]) -> View[Params]:
    """Let guests act at tables where they sit; send everyone else without an account to sign in."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: Params.args, **kwargs: Params.kwargs) -> HttpResponse:
        return (view if is_somebody(player_of(request)) else members_only(view))(request, *args, **kwargs)

    return guarded


@seated_only
@require_POST
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave the own seat."""
    return _act(request, slug, lambda table, user: seating.leave(table.pk, user), gettext("You left the table."))


@seated_only
@require_POST
def change_seat(request: HttpRequest, slug: str) -> HttpResponse:
    """Move to a free seat."""
    return _act(request, slug, lambda table, user: seating.move_to(table.pk, user, seat=_seat(request)))


@members_only
@require_POST
def swap_seats(request: HttpRequest, slug: str) -> HttpResponse:
    """Swap two seats."""
    return _act(
        request,
        slug,
        lambda table, user: seating.swap(
            table.pk, user, first=_seat(request, "first"), second=_seat(request, "second")
        ),
    )


@members_only
@require_POST
def remove_player(request: HttpRequest, slug: str) -> HttpResponse:
    """Remove a player."""
    return _act(request, slug, lambda table, user: seating.remove(table.pk, user, seat=_seat(request)))


@members_only
@require_POST
def seat_bot(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a bot to a free seat, or remove it."""
    level = request.POST.get("level", "")
    return _act(request, slug, lambda table, user: seating.seat_bot(table.pk, user, seat=_seat(request), level=level))


@members_only
@require_POST
def seat_bots(request: HttpRequest, slug: str) -> HttpResponse:
    """Add bots to all free seats."""
    level = request.POST.get("level", "")
    return _act(request, slug, lambda table, user: seating.seat_bots(table.pk, user, level=level))


@members_only
@require_POST
def cancel(request: HttpRequest, slug: str) -> HttpResponse:
    """Cancel the table."""
    return _act(request, slug, lambda table, user: tables.cancel(table.pk, user), gettext("Table cancelled."))


@members_only
@require_POST
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """Start the match."""
    return _act(request, slug, lambda table, user: tables.start(table.pk, user))


@require_POST
def phrase(request: HttpRequest, slug: str) -> HttpResponse:
    """Add an own phrase to the shuffle of the next deal."""
    if not is_somebody(player_of(request)):
        raise Http404(gettext("Table not found."))
    text = request.POST.get("phrase", "")
    success = gettext("Phrase added to the next shuffle.") if text.strip() else gettext("Phrase removed.")
    return _act(request, slug, lambda table, user: phrases.set_phrase(table.pk, user, text), success)


@members_only
@require_POST
def reserve(request: HttpRequest, slug: str) -> HttpResponse:
    """Offer to be a reserve, or withdraw the offer."""
    is_offer = request.POST.get("offer", "yes") == "yes"
    act = reserves.offer_reserve if is_offer else reserves.withdraw_reserve
    success = (
        gettext("You are a reserve for this table.")
        if is_offer
        else gettext("You are no longer a reserve for this table.")
    )
    return _act(request, slug, lambda table, user: act(table.pk, user), success)


def is_reserve(player: User | AnonymousUser, table: Table) -> bool:
    """Whether the person has offered to step in at the table."""
    return isinstance(player, User) and Reserve.objects.filter(table=table, user__pk=player.pk).exists()


def _seat(request: HttpRequest, name: str = "seat") -> int:
    number = form_number(request, name)
    if number is None:
        raise Refused("no_seat_chosen", gettext("Choose a seat."))
    return number


# Invitations


@members_only
@require_POST
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Invite a listed person, or a typed name or address."""
    guest = request.POST.get("who", "").strip()

    def act(table: Table, user: User) -> None:
        picked = form_number(request, "person")
        if picked is None:
            invitations.invite(table.pk, user, guest)
            return
        partners = [person for person in recent_partners.played_with(user) if person.pk == picked]
        if not partners:
            raise Refused("nobody", gettext("Choose someone you have played with."))
        invitations.invite_person(table.pk, user, partners[0])

    return _act(request, slug, act, gettext("Invited: %(name)s.") % {"name": guest} if guest else gettext("Invited."))


@members_only
@require_POST
def revoke(request: HttpRequest, slug: str) -> HttpResponse:
    """Take an invitation back."""
    number = form_number(request, "invitation") or 0
    return _act(request, slug, lambda table, user: invitations.revoke(table.pk, user, number))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """The page of an invitation by email: the table's rules, and the way to a seat."""
    player = player_of(request)
    try:
        invited = invitations.read(slug, token)
        table = invited.table
        is_seated = is_somebody(player) and table.seats.filter(user__pk=player.pk or 0).exists()
        if is_seated:
            return redirect(table)
        if is_member(player):
            invitations.check_answerable(invited, cast(User, player), is_seated=False)
        if request.method == "POST":
            return _answer(request, invited)
        if table.status != Table.Status.GATHERING:
            raise Refused("has_begun", gettext("The match started without you because every seat was taken."))
    except Refused as refusal:
        return render(request, "gameplay/invitation_gone.html", {"refusal": refusal}, status=refusal.status)
    return render(request, "gameplay/invitation.html", _invitation(request, invited))


def _invitation(request: HttpRequest, invited: Invitation) -> dict[str, Any]:
    table, player = invited.table, player_of(request)
    query = QueryDict(mutable=True)
    query["next"] = request.path
    return {
        "invitation": invited,
        "table": table,
        "seats": list(table.seats.all()),
        "is_member": is_member(player),
        "sent_to": masked_address(invited.email, cast(User, player) if is_member(player) else None),
        "next_query": query.urlencode(safe="/"),
        **sheet_context(table, table.rules, player),
    }


def _answer(request: HttpRequest, invited: Invitation) -> HttpResponse:
    player = player_of(request)
    if request.POST.get("answer") == "no":
        invitations.decline(invited)
        messages.success(request, gettext("You declined the invitation."))
        return redirect("gameplay:lobby")
    if not is_member(player):
        return redirect_to_login(request.path, reverse(settings.LOGIN_URL))
    invitations.accept(invited, cast(User, player), seat=form_number(request, "seat"))
    return redirect(invited.table)


@members_only
@require_POST
def decline(request: HttpRequest, slug: str) -> HttpResponse:
    """Say no to an invitation to the table."""
    user = cast(User, player_of(request))
    for invited in invitations_of(user).filter(table__slug=slug, answered_at=None):
        invitations.decline(invited)
    messages.success(request, gettext("You declined the invitation."))
    return redirect("gameplay:lobby")


urls = [
    path("tables/<slug:slug>/waiting/", waiting_part, name="waiting_part"),
    path("tables/<slug:slug>/join/", join, name="join"),
    path("tables/<slug:slug>/join-as-guest/", join_as_guest, name="join_as_guest"),
    path("tables/<slug:slug>/leave/", leave, name="leave"),
    path("tables/<slug:slug>/seat/", change_seat, name="change_seat"),
    path("tables/<slug:slug>/swap/", swap_seats, name="swap_seats"),
    path("tables/<slug:slug>/remove/", remove_player, name="remove_player"),
    path("tables/<slug:slug>/bot/", seat_bot, name="seat_bot"),
    path("tables/<slug:slug>/bots/", seat_bots, name="seat_bots"),
    path("tables/<slug:slug>/cancel/", cancel, name="cancel"),
    path("tables/<slug:slug>/start/", start, name="start"),
    path("tables/<slug:slug>/phrase/", phrase, name="phrase"),
    path("tables/<slug:slug>/reserve/", reserve, name="reserve"),
    path("tables/<slug:slug>/invite/", invite, name="invite"),
    path("tables/<slug:slug>/revoke/", revoke, name="revoke"),
    path("tables/<slug:slug>/decline/", decline, name="decline"),
    path("tables/<slug:slug>/invitation/<str:token>/", invitation, name="invitation"),
]
