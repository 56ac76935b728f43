"""Doors to one's own part in events: entering, invitations, one's entry, one's next matches."""

from __future__ import annotations

from functools import partial

from django.http import Http404
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from gameplay.api.base import player, read
from gameplay.api.tables import answer
from tournaments import access
from tournaments.api import facts, request_serializers, response_serializers
from tournaments.api.base import done, door, made_row
from tournaments.models import Member, Pairing
from tournaments.public import listing
from tournaments.services.entries import enrolment, partners


@door("GET", "events_read", response_serializers.OwnMatches, name="competing_matches_list")
def matches(request: Request) -> Response:
    """Your open matches in all events, least time left first."""
    ids = [one.match.pairing.pk for one in listing.own_matches(player(request))]
    rows = {row.pk: row for row in facts.with_places(Pairing.objects.filter(pk__in=ids))}
    found = facts.matches(rows[pk] for pk in ids if pk in rows)
    return answer(request, response_serializers.OwnMatches, {"matches": found})


@door("POST", "events_enter", response_serializers.WholeEntry, takes=request_serializers.Enter, status=201)
def enter(request: Request, event: str) -> Response:
    """Enter yourself. Partners get an invitation."""
    found = access.open_event(player(request), event)
    form = read(request_serializers.Enter, request.data)
    act = partial(enrolment.enter, found.pk, player(request), partners=form["partners"], name=form["name"])
    return made_row(request, found, form, act, lambda row: facts.entry_answer(request, found, row, status=201))


@door("GET", "events_read", response_serializers.WholeEntry, name="events_own_retrieve")
def entry(request: Request, event: str) -> Response:
    """Your entry in the event."""
    found, row = access.own_entry(player(request), event)
    return facts.entry_answer(request, found, row)


# Invitations


@door("GET", "events_read", response_serializers.EntryInvitations, name="competing_invitations_list")
def invitations(request: Request) -> Response:
    """Invitations into entries that wait for your answer."""
    rows = partners.invitations_of(player(request)).order_by("pk")
    found = [
        {
            "id": row.pk,
            "event": row.tournament.slug,
            "event_name": row.tournament.name,
            "entry": row.entry.number,
            "entry_name": row.entry.name,
            "role": row.role,
        }
        for row in rows
    ]
    return answer(request, response_serializers.EntryInvitations, {"invitations": found})


@door("POST", "events_enter", takes=request_serializers.Acting)
def accept(request: Request, invitation: int) -> Response:
    """Accept an invitation. Others to the same event are declined. Twice does no harm."""
    row = _asked(request, invitation)
    form = read(request_serializers.Acting, request.data)
    return done(request, row.tournament, form, partial(partners.accept, row.pk, player(request)))


@door("POST", "events_enter", takes=request_serializers.Acting)
def decline(request: Request, invitation: int) -> Response:
    """Decline an invitation."""
    row = _asked(request, invitation)
    form = read(request_serializers.Acting, request.data)
    return done(request, row.tournament, form, partial(partners.decline, row.pk, player(request)))


def _asked(request: Request, invitation: int) -> Member:
    """An invitation of the person's own, answered or not. Raises `Http404`."""
    own = Member.objects.filter(user=player(request), pk=invitation) | Member.objects.filter(
        pk__in=partners.invitations_of(player(request)).filter(pk=invitation).values("pk")
    )
    row = own.select_related("tournament").first()
    if row is None:
        raise Http404(gettext("Invitation not found."))
    return row
