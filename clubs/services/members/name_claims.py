"""Claims of names: people with accounts take over names of the club and their results."""

from typing import Any, Unpack

from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from clubs import access, text
from clubs.models import Act, Appearance, Copy, Invitation, JoinRequest, Membership, TeamMember
from clubs.models.people import new_token
from clubs.roles import given_by
from clubs.services import lookups
from clubs.services.history import ActionRequest, Anybody, Record, Rows, declare, perform
from clubs.services.members import contact_details
from clubs.services.members.contact_details import UNSAID
from tournaments.services.entries import name_claims as events
from web.errors import Refused

ENDED = gettext_noop("This link has expired, or the name has already been claimed. Ask the club for a new link.")

WITHOUT_ACCOUNT = (Membership.Role.MEMBER, Membership.Role.GUEST)
"""Roles that an unclaimed name may have: the others act on the site."""


def unclaimed(record: Record, name: str) -> Membership | None:
    """The only unclaimed name of the club that matches, or `None`."""
    free = Membership.objects.filter(club=record.club, user=None, left_at=None)
    matching = [member for member in free if member.name.casefold() == name.casefold()] if name else []
    return matching[0] if len(matching) == 1 else None


def read_link(token: str) -> Membership:
    """The name that a link to claim leads to. Raises `Refused`."""
    names = Membership.objects.filter(claim_token=token, user=None, left_at=None, club__archived_at=None)
    name = names.select_related("club").first()
    if name is None:
        raise Refused("link_ended", gettext(ENDED))
    return name


def _release(record: Record, act: Act) -> None:
    """Take the results of a claimed name from the person, before the rows are restored."""
    members: list[int] = []
    for change in act.changes:
        members += _members_of(change)
        if change["model"] == "membership" and change["is"] is not None:
            _check_role(change["pk"])
    _drop_own_details(act)
    user = _claimed_by(act)
    if user is not None:
        events.release(members, user, by=record.by, now=record.now, within=record)


def _check_role(membership_id: int) -> None:
    """Raise if the person has been given a role since then that a name without an account cannot have."""
    name = Membership.objects.filter(pk=membership_id).first()
    if name is not None and name.role not in WITHOUT_ACCOUNT:
        raise Refused(
            "has_role",
            gettext("%(one)s is now %(role)s. Make them a member first.") % {"one": name, "role": text.role(name.role)},
        )


def _drop_own_details(act: Act) -> None:
    """Leave of the details what the claim left: no organiser sees, and no name keeps, what the person entered since.

    A member who claimed a name besides keeps what they entered instead of its details.
    """
    changes = [change for change in act.changes if change["model"] == "membership" and change["is"] is not None]
    claimed = {change["pk"] for change in changes if change["is"].get("user_id")}
    left = {field: value for change in changes for field, value in change["is"].items() if field in UNSAID}
    Membership.objects.filter(pk__in=claimed).update(**{**UNSAID, **left})
    for change in changes:
        if change["pk"] not in claimed:
            _keep_own_details(change)
    act.changes = [change for change in act.changes if change["is"] != {}]


def _keep_own_details(change: dict[str, Any]) -> None:
    """Leave out of a change what the member has entered since; a detail that goes takes its consent along."""
    member = Membership.objects.filter(pk=change["pk"]).first()
    left = change["is"]
    newer = {field for field in contact_details.FIELDS if field in left and getattr(member, field, None) != left[field]}
    for detail, consent in contact_details.CONSENTS.items():
        if detail in newer:
            newer.add(consent)
        elif detail in left:
            newer.discard(consent)
            Membership.objects.filter(pk=change["pk"]).update(**{consent: left.get(consent, False)})
    for side in ("was", "is"):
        change[side] = {field: value for field, value in change[side].items() if field not in newer}


def _members_of(change: dict[str, Any]) -> list[int]:
    """Ids of the members of tournaments that a change of a claim gave to the person."""
    if change["model"] == "appearance":
        return list(Appearance.objects.filter(pk=change["pk"]).values_list("member", flat=True))
    if change["model"] == "membership" and change["is"] is not None:
        return list(Appearance.objects.filter(membership=change["pk"]).values_list("member", flat=True))
    return []


def _claimed_by(act: Act) -> User | None:
    """The person who claimed the name."""
    for change in act.changes:
        became = change["is"] or {}
        if change["model"] == "membership" and became.get("user_id"):
            return User.objects.filter(pk=became["user_id"]).first()
        if change["model"] == "appearance":
            member = Membership.objects.filter(pk=became["membership_id"]).select_related("user").first()
            return member.user if member is not None else None
    return None


CLAIM = declare(
    "claim",
    needs=Anybody("The link or the letter shows that the name is theirs."),
    undo=Rows("members", first=_release),
)


def claim_by_link(token: str, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Claim a name by the link that the club gave. Raises `Refused`."""
    name_id = read_link(token).pk

    def do(record: Record) -> str:
        name = lookups.membership_of(record, name_id)
        if name.claim_token != token:
            raise Refused("link_ended", gettext(ENDED))
        former_name = name.name
        claim(record, name, by)
        return gettext("%(by)s claimed the name %(called)s.") % {"by": by, "called": former_name}

    return perform(lookups.club_of(Membership, name_id), do, CLAIM, by=by, **how)


def claim(record: Record, name: Membership, user: User) -> Membership:
    """Give a name and its results to a person within an act; the rows of a member are merged. Raises `Refused`."""
    lookups.check_account(user)
    if name.user_id is not None:
        raise Refused("claimed", gettext("%(name)s already has an account.") % {"name": name})
    member = Membership.objects.filter(club=record.club, user=user, left_at=None).first()
    played = list(Appearance.objects.filter(membership=name).values_list("member", flat=True))
    if member is None:
        # Before the row changes: the old link has expired, even if this act is undone later.
        Membership.objects.filter(pk=name.pk).update(claim_token=new_token())
        details = contact_details.claimed(name, user)
        # Noted in full: undoing the claim gives the name what the club knew of it, whatever the person enters.
        record.change(name, **UNSAID)
        record.change(name, user=user, role=_role_for(record, name), **details)
    else:
        _merge(record, name, member)
    _close_requests(record, user, member or name)
    events.claim(played, user, by=record.by, now=record.now, within=record)
    return member or name


def _role_for(record: Record, name: Membership) -> str:
    """The role that a claimed name has. Names of owners and organisers, in an imported club, become members unless the
    person who accepts them may give the role."""
    allowed = given_by(access.role_of(record.by, record.club)) if record.by is not None else ()
    return name.role if name.role in (*WITHOUT_ACCOUNT, *allowed) else Membership.Role.MEMBER


def _merge(record: Record, name: Membership, member: Membership) -> None:
    for appearance in Appearance.objects.filter(membership=name):
        record.change(appearance, membership=member)
    here = set(TeamMember.objects.filter(membership=member, left_at=None).values_list("team", flat=True))
    for place in TeamMember.objects.filter(membership=name):
        if place.left_at is None and place.team_id in here:
            record.delete(place)
        else:
            record.change(place, membership=member)
    JoinRequest.objects.filter(membership=name).update(membership=member)
    Invitation.objects.filter(membership=name).update(membership=member)
    Copy.objects.filter(membership=name).delete()
    record.change(member, **contact_details.taken_over(name, member))
    # The row would come back with its old link when this is undone.
    name.claim_token = new_token()
    Membership.objects.filter(pk=name.pk).update(claim_token=name.claim_token)
    record.delete(name)


def _close_requests(record: Record, user: User, member: Membership) -> None:
    """Accept the person's open requests and the invitations for the name."""
    for request in JoinRequest.objects.filter(club=record.club, user=user, status=JoinRequest.Status.OPEN):
        record.change(request, status=JoinRequest.Status.ACCEPTED, answered_at=record.now, answered_by=record.by)
    Invitation.objects.filter(membership=member, accepted_at=None, revoked_at=None).update(accepted_at=record.now)
