"""API views for invitations: received and sent. A seat is taken by joining the table."""

from __future__ import annotations

from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from gameplay.access import invitations_of, open_invitations, open_table
from gameplay.api import serializers
from gameplay.api.base import ReadAndAdd, described, endpoint, player, read
from gameplay.api.tables import answer
from gameplay.queries import sent_from
from gameplay.services import invitations
from web.errors import NotAllowed, Refused

_MOST = 100


@endpoint("GET", "read", serializers.Invitations, name="invitations_list")
def received(request: Request) -> Response:
    """Invitations that you can answer, to your account or to your confirmed email address."""
    invitations = open_invitations(player(request)).order_by("-pk")[:_MOST]
    return answer(request, serializers.Invitations, {"invitations": invitations})


class Sent(ReadAndAdd):
    """The invitations of a table."""

    @described(serializers.SentInvitations, name="tables_invitations")
    def get(self, request: Request, slug: str) -> Response:
        """Invitations to the table that wait for an answer or were declined. For the creator."""
        table, _ = open_table(player(request), slug)
        if table.creator_id != player(request).pk:
            raise NotAllowed("not_creator", gettext("Only the table’s creator can see the invitations."))
        return answer(request, serializers.SentInvitations, {"invitations": sent_from(table)})

    @described(serializers.SentInvitation, takes=serializers.Invite, refusals=(422,), status=201, name="tables_invite")
    def post(self, request: Request, slug: str) -> Response:
        """Invite someone to the table: an account by notification, an address by email.

        For the creator, or for everyone at a table that is open by link. Inviting twice does no harm.
        """
        table, _ = open_table(player(request), slug)
        form = read(serializers.Invite, request.data)
        sent = invitations.invite(table.pk, player(request), form["who"])
        return answer(request, serializers.SentInvitation, sent, status=201)


@endpoint("POST", "tables", None, takes=serializers.Revoke, refusals=(422,), status=204)
def revoke(request: Request, slug: str) -> Response:
    """Cancel an invitation. For the creator. Twice does no harm."""
    table, _ = open_table(player(request), slug)
    invitations.revoke(table.pk, player(request), read(serializers.Revoke, request.data)["invitation"])
    return Response(status=204)


@endpoint("POST", "tables", None, takes=serializers.Nothing, refusals=(422,), status=204)
def decline(request: Request, slug: str) -> Response:
    """Decline an invitation to the table. Twice does no harm."""
    table, _ = open_table(player(request), slug)
    read(serializers.Nothing, request.data)
    own_invitations = list(invitations_of(player(request)).filter(table=table, is_accepted=False))
    if not own_invitations:
        raise Refused("no_invitation", gettext("You are not invited to this table."))
    for invitation in own_invitations:
        invitations.decline(invitation)
    return Response(status=204)
