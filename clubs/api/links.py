"""Doors behind links: to join a club, to claim a name, to answer a letter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api import request_serializers, response_serializers
from clubs.api.base import Form, done, door, told_done
from clubs.models import Act, Club, Membership
from clubs.services.history import How
from clubs.services.members import joining, member_invitations, name_claims
from gameplay.api.base import player, read
from gameplay.api.tables import answer
from tournaments.api.base import how_of


@door("clubs_join", response_serializers.LinkTold, takes=request_serializers.LinkLook)
def look(request: Request) -> Response:
    """Show the club and the name that a link leads to. Nothing is done."""
    form = read(request_serializers.LinkLook, request.data)
    return answer(request, response_serializers.LinkTold, {**_told(form["kind"], form["token"]), "kind": form["kind"]})


def _told(kind: str, token: str) -> dict[str, Any]:
    if kind == "join":
        return _club(joining.club_of_link(token), None)
    if kind == "claim":
        name = name_claims.read_link(token)
        return _club(name.club, name)
    letter = member_invitations.read(token)
    own = letter.membership
    is_claim = own is not None and own.user_id is None and own.is_here
    return _club(letter.club, own if is_claim else None, str(letter.by or letter.club))


def _club(club: Club, name: Membership | None, by: str = "") -> dict[str, Any]:
    return {"club": club.slug, "club_name": club.name, "name": name.name if name else None, "by": by}


def _take(request: Request, club_of: Callable[[str], Club], do: Callable[[str, How], Act]) -> Response:
    """Do what a link is for. Asked again under the same key it answers as before, though the link has ended."""
    form: Form = read(request_serializers.LinkToken, request.data)
    own = Act.objects.filter(by=player(request))
    if not form["preview"] and (key := how_of(request, own, form).get("request_key")):
        known = own.filter(request_key=key).select_related("club").first()
        if known is not None:
            return told_done(known.club, known.sentence, act=known.pk)
    return done(request, club_of(form["token"]), form, lambda how: do(form["token"], how))


@door("clubs_join", takes=request_serializers.LinkToken)
def join(request: Request) -> Response:
    """Join by a club’s link."""
    by = player(request)
    return _take(request, joining.club_of_link, lambda token, how: joining.join_by_link(token, by, **how))


@door("clubs_join", takes=request_serializers.LinkToken)
def claim(request: Request) -> Response:
    """Claim a name by its link."""
    by = player(request)
    return _take(request, _club_of_name, lambda token, how: name_claims.claim_by_link(token, by, **how))


def _club_of_name(token: str) -> Club:
    return name_claims.read_link(token).club


@door("clubs_join", takes=request_serializers.LinkToken)
def accept_letter(request: Request) -> Response:
    """Accept an invitation email, by the token in its link."""
    by = player(request)
    return _take(request, _club_of_letter, lambda token, how: member_invitations.accept(token, by, **how))


@door("clubs_join", takes=request_serializers.LinkToken)
def decline_letter(request: Request) -> Response:
    """Decline an invitation email, by the token in its link. The history shows it."""
    by = player(request)
    return _take(request, _club_of_letter, lambda token, how: member_invitations.decline(token, by, **how))


def _club_of_letter(token: str) -> Club:
    return member_invitations.read(token).club
