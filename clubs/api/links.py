"""API views for links: join a club, claim a name, answer an invitation."""

from collections.abc import Callable
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from accounts.queries import masked_address
from clubs.api import request_serializers, response_serializers
from clubs.api.base import Form, done_response, post_view, run_action
from clubs.models import Act, Club, Membership
from clubs.services.history import ActionRequest
from clubs.services.members import joining, member_invitations, name_claims
from gameplay.api.base import player, read
from gameplay.api.tables import answer
from tournaments.api.base import action_request


@post_view("clubs_join", response_serializers.LinkTold, takes=request_serializers.LinkLook)
def show_link(request: Request) -> Response:
    """Show the club and the name that a link leads to. Nothing is done."""
    form = read(request_serializers.LinkLook, request.data)
    data = {**_link_target(form["kind"], form["token"], player(request)), "kind": form["kind"]}
    return answer(request, response_serializers.LinkTold, data)


def _link_target(kind: str, token: str, reader: User) -> dict[str, Any]:
    if kind == "join":
        return _club(joining.club_of_link(token), None)
    if kind == "claim":
        name = name_claims.read_link(token)
        return _club(name.club, name)
    letter = member_invitations.read(token)
    member = letter.membership
    is_claim = member is not None and member.user_id is None and member.is_here
    sent_to = masked_address(letter.email, reader)
    return _club(letter.club, member if is_claim else None, str(letter.by or letter.club), sent_to)


def _club(club: Club, name: Membership | None, by: str = "", sent_to: str = "") -> dict[str, Any]:
    name_text = name.name if name else None
    return {"club": club.slug, "club_name": club.name, "name": name_text, "by": by, "sent_to": sent_to}


def _take(request: Request, club_of: Callable[[str], Club], do: Callable[[str, ActionRequest], Act]) -> Response:
    """Do the action of a link. A repeated key gets the same answer again, even if the link has expired."""
    form: Form = read(request_serializers.LinkToken, request.data)
    acts = Act.objects.filter(by=player(request))
    if not form["preview"] and (key := action_request(request, acts, form).get("request_key")):
        repeated = acts.filter(request_key=key).select_related("club").first()
        if repeated is not None:
            return done_response(repeated.club, repeated.sentence, act=repeated.pk)
    return run_action(request, club_of(form["token"]), form, lambda how: do(form["token"], how))


@post_view("clubs_join", takes=request_serializers.LinkToken)
def join(request: Request) -> Response:
    """Join by a club’s link."""
    by = player(request)
    return _take(request, joining.club_of_link, lambda token, how: joining.join_by_link(token, by, **how))


@post_view("clubs_join", takes=request_serializers.LinkToken)
def claim(request: Request) -> Response:
    """Claim a name by its link."""
    by = player(request)
    return _take(request, _club_of_name, lambda token, how: name_claims.claim_by_link(token, by, **how))


def _club_of_name(token: str) -> Club:
    return name_claims.read_link(token).club


@post_view("clubs_join", takes=request_serializers.LinkToken)
def accept_invitation(request: Request) -> Response:
    """Accept an invitation email, by the token in its link."""
    by = player(request)
    return _take(request, _club_of_invitation, lambda token, how: member_invitations.accept(token, by, **how))


@post_view("clubs_join", takes=request_serializers.LinkToken)
def decline_invitation(request: Request) -> Response:
    """Decline an invitation email, by the token in its link. The history shows it."""
    by = player(request)
    return _take(request, _club_of_invitation, lambda token, how: member_invitations.decline(token, by, **how))


def _club_of_invitation(token: str) -> Club:
    return member_invitations.read(token).club
