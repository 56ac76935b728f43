"""Names without an account become people with one, and have their results from then on."""

from __future__ import annotations

from typing import Any, Unpack

from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from clubs import access, text
from clubs.models import Act, Appearance, Copy, Invitation, JoinRequest, Membership, TeamMember
from clubs.models.people import new_token
from clubs.roles import given_by
from clubs.services import lookups
from clubs.services.history import Anybody, How, Record, Rows, declare, perform
from tournaments.services.entries import name_claims as events
from web.errors import Refused

ENDED = gettext_noop("This link has expired, or the name has already been claimed. Ask the club for a new link.")

WITHOUT_ACCOUNT = (Membership.Role.MEMBER, Membership.Role.GUEST)
"""Roles that a name may have before somebody claims it: the others act on the site."""


def unclaimed(record: Record, name: str) -> Membership | None:
    """The name of the club without an account that is called so, if there is exactly one."""
    free = Membership.objects.filter(club=record.club, user=None, left_at=None)
    found = [one for one in free if one.name.casefold() == name.casefold()] if name else []
    return found[0] if len(found) == 1 else None


def read_link(token: str) -> Membership:
    """The name that a link leads to. Raises `Refused`."""
    found = Membership.objects.filter(claim_token=token, user=None, left_at=None, club__archived_at=None)
    name = found.select_related("club").first()
    if name is None:
        raise Refused("link_ended", gettext(ENDED))
    return name


def _release(record: Record, act: Act) -> None:
    """Take the results of a claimed name from the person again, before the rows are set back."""
    members: list[int] = []
    for change in act.changes:
        members += _members_of(change)
        if change["model"] == "membership" and change["is"] is not None:
            _check_role(change["pk"])
    user = _claimed_by(act)
    if user is not None:
        events.release(members, user, by=record.by, now=record.now, within=record)


def _check_role(membership_id: int) -> None:
    """Raise where who claimed a name has a role since then that a name without an account cannot have."""
    one = Membership.objects.filter(pk=membership_id).first()
    if one is not None and one.role not in WITHOUT_ACCOUNT:
        raise Refused(
            "has_role",
            gettext("%(one)s is now %(role)s. Make them a member first.") % {"one": one, "role": text.role(one.role)},
        )


def _members_of(change: dict[str, Any]) -> list[int]:
    """Ids of the members of tournaments that a change of a claim gave to the person."""
    if change["model"] == "appearance":
        return list(Appearance.objects.filter(pk=change["pk"]).values_list("member", flat=True))
    if change["model"] == "membership" and change["is"] is not None:
        return list(Appearance.objects.filter(membership=change["pk"]).values_list("member", flat=True))
    return []


def _claimed_by(act: Act) -> User | None:
    """Who has the name by a claim."""
    for change in act.changes:
        became = change["is"] or {}
        if change["model"] == "membership" and became.get("user_id"):
            return User.objects.filter(pk=became["user_id"]).first()
        if change["model"] == "appearance":
            own = Membership.objects.filter(pk=became["membership_id"]).select_related("user").first()
            return own.user if own is not None else None
    return None


CLAIM = declare(
    "claim",
    needs=Anybody("The link or the letter shows that the name is theirs."),
    undo=Rows("members", first=_release),
)


def claim_by_link(token: str, by: User, **how: Unpack[How]) -> Act:
    """Say that a name is oneself, by the link that the club gave. Raises `Refused`."""
    name_id = read_link(token).pk

    def do(record: Record) -> str:
        name = lookups.membership_of(record, name_id)
        if name.claim_token != token:
            raise Refused("link_ended", gettext(ENDED))
        called = name.name
        claim(record, name, by)
        return gettext("%(by)s claimed the name %(called)s.") % {"by": by, "called": called}

    return perform(lookups.club_of(Membership, name_id), do, CLAIM, by=by, **how)


def claim(record: Record, name: Membership, user: User) -> Membership:
    """Give a name to a person within an act; who is of the club already has both rows made one. Raises `Refused`.

    Their results in the club's events become theirs.
    """
    lookups.check_account(user)
    if name.user_id is not None:
        raise Refused("claimed", gettext("%(name)s already has an account.") % {"name": name})
    own = Membership.objects.filter(club=record.club, user=user, left_at=None).first()
    played = list(Appearance.objects.filter(membership=name).values_list("member", flat=True))
    if own is None:
        # Before the row changes: who claims by an old link finds it ended, whatever becomes of this act later.
        Membership.objects.filter(pk=name.pk).update(claim_token=new_token())
        record.change(name, user=user, email="", role=_role_for(record, name))
    else:
        _merge(record, name, own)
    _settle(record, user, own or name)
    events.claim(played, user, by=record.by, now=record.now, within=record)
    return own or name


def _role_for(record: Record, name: Membership) -> str:
    """The role that a name comes with. A club that was brought in from a file has names of owners and organisers: who
    claims one is a member, unless whoever lets them in may give the role."""
    given = given_by(access.role_of(record.by, record.club)) if record.by is not None else ()
    return name.role if name.role in (*WITHOUT_ACCOUNT, *given) else Membership.Role.MEMBER


def _merge(record: Record, name: Membership, own: Membership) -> None:
    for appearance in Appearance.objects.filter(membership=name):
        record.change(appearance, membership=own)
    here = set(TeamMember.objects.filter(membership=own, left_at=None).values_list("team", flat=True))
    for place in TeamMember.objects.filter(membership=name):
        if place.left_at is None and place.team_id in here:
            record.delete(place)
        else:
            record.change(place, membership=own)
    JoinRequest.objects.filter(membership=name).update(membership=own)
    Invitation.objects.filter(membership=name).update(membership=own)
    Copy.objects.filter(membership=name).delete()
    # The row would come back with its old link when this is undone.
    name.claim_token = new_token()
    Membership.objects.filter(pk=name.pk).update(claim_token=name.claim_token)
    record.delete(name)


def _settle(record: Record, user: User, one: Membership) -> None:
    """End what the person asked for, and letters about the name."""
    for row in JoinRequest.objects.filter(club=record.club, user=user, status=JoinRequest.Status.OPEN):
        record.change(row, status=JoinRequest.Status.ACCEPTED, answered_at=record.now, answered_by=record.by)
    Invitation.objects.filter(membership=one, accepted_at=None, revoked_at=None).update(accepted_at=record.now)
