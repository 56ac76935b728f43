"""API views for a player's own part in events: entering, invitations, own entry, next matches."""

from functools import partial

from django.http import Http404
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from gameplay.api.base import player, read
from gameplay.api.tables import answer
from tournaments import access
from tournaments.api import facts, request_serializers, response_serializers
from tournaments.api.base import add_row, do_act, door
from tournaments.models import Member, Pairing
from tournaments.public import listing
from tournaments.services.entries import enrolment, partners


@door("GET", "events_read", response_serializers.OwnMatches, name="competing_matches_list")
def matches(request: Request) -> Response:
    """Your open matches in all events, least time left first."""
    ids = [own_match.match.pairing.pk for own_match in listing.own_matches(player(request))]
    rows = {pairing.pk: pairing for pairing in facts.with_places(Pairing.objects.filter(pk__in=ids))}
    data = facts.matches(rows[pk] for pk in ids if pk in rows)
    return answer(request, response_serializers.OwnMatches, {"matches": data})


@door("POST", "events_enter", response_serializers.WholeEntry, takes=request_serializers.Enter, status=201)
def enter(request: Request, event: str) -> Response:
    """Enter yourself. Partners get an invitation."""
    tournament = access.open_event(player(request), event)
    form = read(request_serializers.Enter, request.data)
    act = partial(enrolment.enter, tournament.pk, player(request), partners=form["partners"], name=form["name"])
    return add_row(request, tournament, form, act, partial(facts.entry_answer, request, tournament, status=201))


@door("GET", "events_read", response_serializers.WholeEntry, name="events_own_retrieve")
def entry(request: Request, event: str) -> Response:
    """Your entry in the event."""
    tournament, entry = access.own_entry(player(request), event)
    return facts.entry_answer(request, tournament, entry)


# Invitations


@door("GET", "events_read", response_serializers.EntryInvitations, name="competing_invitations_list")
def invitations(request: Request) -> Response:
    """Invitations into entries that wait for your answer."""
    rows = partners.invitations_of(player(request)).order_by("pk")
    data = [
        {
            "id": invitation.pk,
            "event": invitation.tournament.slug,
            "event_name": invitation.tournament.name,
            "entry": invitation.entry.number,
            "entry_name": invitation.entry.name,
            "role": invitation.role,
        }
        for invitation in rows
    ]
    return answer(request, response_serializers.EntryInvitations, {"invitations": data})


@door("POST", "events_enter", takes=request_serializers.Acting)
def accept(request: Request, invitation: int) -> Response:
    """Accept an invitation. Others to the same event are declined. Twice does no harm."""
    member = _own_invitation(request, invitation)
    form = read(request_serializers.Acting, request.data)
    return do_act(request, member.tournament, form, partial(partners.accept, member.pk, player(request)))


@door("POST", "events_enter", takes=request_serializers.Acting)
def decline(request: Request, invitation: int) -> Response:
    """Decline an invitation."""
    member = _own_invitation(request, invitation)
    form = read(request_serializers.Acting, request.data)
    return do_act(request, member.tournament, form, partial(partners.decline, member.pk, player(request)))


def _own_invitation(request: Request, invitation: int) -> Member:
    """An invitation of the person, answered or not. Raises `Http404`."""
    rows = Member.objects.filter(user=player(request), pk=invitation) | Member.objects.filter(
        pk__in=partners.invitations_of(player(request)).filter(pk=invitation).values("pk")
    )
    member = rows.select_related("tournament").first()
    if member is None:
        raise Http404(gettext("Invitation not found."))
    return member
