"""The people of a club: added by name, renamed, given roles, removed; and what each says of themselves."""

from __future__ import annotations

from collections.abc import Sequence
from email.utils import parseaddr
from typing import Unpack

from django.utils.translation import gettext, gettext_noop

from accounts.display_names import folded
from accounts.models import User
from clubs import access
from clubs.models import Act, Appearance, Membership, TeamMember
from clubs.models.people import new_token
from clubs.roles import given_by
from clubs.services import lookups, naming
from clubs.services.history import Anybody, How, Never, Record, Rows, declare, perform
from clubs.services.members.name_claims import WITHOUT_ACCOUNT
from clubs.text import role as in_words
from web.errors import NotAllowed, Refused

Role = Membership.Role

MOST = 3000
"""People of one club, those who left included."""
MOST_AT_ONCE = 500
KEPT = gettext_noop("A club needs an owner. Make someone else owner first.")


# Adding names


def _check_unused(record: Record, act: Act) -> None:
    """Raise where somebody who was added has played meanwhile: results would go with them."""
    added = [one["pk"] for one in act.changes if one["model"] == "membership" and one["was"] is None]
    is_used = Appearance.objects.filter(membership__in=added).exists()
    if is_used or TeamMember.objects.filter(membership__in=added).exists():
        raise Refused(
            "used_since", gettext("One of them is in a team or has played since then. Remove people one by one.")
        )


ADDITION = declare("add", needs="members", undo=Rows(first=_check_unused))


def add_names(club_id: int, by: User, *, lines: Sequence[str], role: str = Role.MEMBER, **how: Unpack[How]) -> Act:
    """Add people by their names alone, such as `Ann Lee` or `Ann Lee <ann@example.org>`: all of them or none.

    Raises `Refused` with the `line` (from 0) that is wrong.
    """

    def do(record: Record) -> str:
        if role not in WITHOUT_ACCOUNT:
            raise Refused("needs_account", gettext("A name without an account can be a member or a guest."))
        found = []
        taken = naming.taken(record)
        for at, line in enumerate(lines):
            try:
                name, email = _read(line)
                if folded(name) in taken:
                    raise Refused(
                        "name_taken",
                        gettext("%(name)s is already in the club. Add something that tells them apart.")
                        % {"name": name},
                    )
            except Refused as refusal:
                words = (
                    gettext("Line %(line)s: %(sentence)s") % {"line": at + 1, "sentence": refusal.sentence}
                    if len(lines) > 1
                    else refusal.sentence
                )
                raise Refused(refusal.code, words, line=at) from None
            taken[folded(name)] = name
            found.append(Membership(club=record.club, name=name, email=email, role=role))
        add_rows(record, found)
        return (
            gettext("%(found)s was added.") % {"found": found[0]}
            if len(found) == 1
            else gettext("%(found)s names were added.") % {"found": len(found)}
        )

    return perform(club_id, do, ADDITION, by=by, **how)


def add_rows(record: Record, found: Sequence[Membership]) -> None:
    """Add people within an act. Raises `Refused` where there are none, or too many."""
    if not found:
        raise Refused("nobody", gettext("Enter a name."))
    if len(found) > MOST_AT_ONCE:
        raise Refused("too_many", gettext("Add at most %(most)s people at once.") % {"most": MOST_AT_ONCE})
    if Membership.objects.filter(club=record.club).count() + len(found) > MOST:
        raise Refused("too_many", gettext("A club can have at most %(most)s people.") % {"most": MOST})
    record.create_all(found)


def _read(line: str) -> tuple[str, str]:
    """A name and an e-mail address, or nothing in its place."""
    if "@" not in line:
        return naming.clean(line, naming.LONGEST_OF_PERSON), ""
    name, address = parseaddr(line.strip())
    if not address:
        raise Refused(
            "bad_email",
            gettext("%(line)s contains no email address. Enter it like Ann Lee <ann@example.org>.")
            % {"line": line.strip()[:80]},
        )
    if not name:
        raise Refused("no_name", gettext("Enter a name before the address, such as Ann Lee <ann@example.org>."))
    return naming.clean(name, naming.LONGEST_OF_PERSON), naming.clean_address(address)


# Changing


NEW_NAME = declare("rename", needs="members", undo=Rows())


def edit(membership_id: int, by: User, *, name: str, email: str | None = None, **how: Unpack[How]) -> Act:
    """Call somebody of the club otherwise, and say where to write to who has no account. Raises `Refused`."""

    def do(record: Record) -> str:
        one = lookups.membership_of(record, membership_id)
        before, wished = one.name, naming.clean(name, naming.LONGEST_OF_PERSON)
        naming.check_free(record, wished, one.pk)
        address = one.email if email is None or one.user_id is not None else naming.clean_address(email)
        if not record.change(one, name=wished, email=address):
            raise Refused("nothing_new", gettext("Nothing was changed."))
        return (
            gettext("%(before)s is now called %(wished)s.") % {"before": before, "wished": wished}
            if wished != before
            else gettext("The address of %(one)s was changed.") % {"one": one}
        )

    return perform(lookups.club_of(Membership, membership_id), do, NEW_NAME, by=by, **how)


def check_gives(record: Record, by: User, *roles: str) -> None:
    """Raise `NotAllowed` unless somebody may give and take these roles."""
    given = given_by(access.role_of(by, record.club))
    if not set(roles) <= set(given):
        raise NotAllowed("not_your_part", gettext("Only an owner can add or remove owners and organisers."))


def check_owner_stays(record: Record, going: Membership) -> None:
    """Raise `Refused` where the club would be without an owner."""
    others = lookups.organisers(record.club).filter(role=Role.OWNER).exclude(pk=going.pk)
    if going.role == Role.OWNER and not others.exists():
        raise Refused("last_owner", gettext(KEPT))


def _check_roles(record: Record, act: Act) -> None:
    """Raise where undoing would leave the club without an owner, or give a role that is not one's to give."""
    for change in act.changes:
        one = Membership.objects.filter(pk=change["pk"], club=record.club).first()
        if one is None or record.by is None:
            continue
        was = (change["was"] or {}).get("role", one.role)
        check_gives(record, record.by, was, one.role)
        if was != Role.OWNER:
            check_owner_stays(record, one)


ROLE = declare("role", needs="members", undo=Rows(first=_check_roles))


def give_role(membership_id: int, by: User, *, role: str, **how: Unpack[How]) -> Act:
    """Give somebody another role. Raises `NotAllowed` for roles that are not one's to give, and `Refused`."""

    def do(record: Record) -> str:
        one = lookups.membership_of(record, membership_id)
        if role not in Role.values or role == one.role:
            raise Refused(
                "same_role",
                gettext("%(one)s is already %(role)s.") % {"one": one, "role": in_words(one.role)},
            )
        check_gives(record, by, one.role, role)
        if one.user_id is None and role not in WITHOUT_ACCOUNT:
            raise Refused(
                "needs_account",
                gettext("%(one)s cannot be %(role)s without an account.") % {"one": one, "role": in_words(role)},
            )
        check_owner_stays(record, one)
        record.change(one, role=role)
        return gettext("%(one)s is now %(role)s.") % {"one": one, "role": in_words(one.role)}

    return perform(lookups.club_of(Membership, membership_id), do, ROLE, by=by, **how)


CLAIM_LINK = declare("link", needs="members", undo=Never("The old link is not kept."))


def renew_claim_link(membership_id: int, by: User, **how: Unpack[How]) -> Act:
    """Make a new link by which a name is claimed; the old one ends."""

    def do(record: Record) -> str:
        one = lookups.membership_of(record, membership_id)
        if one.user_id is not None:
            raise Refused("claimed", gettext("%(one)s already has an account.") % {"one": one})
        Membership.objects.filter(pk=one.pk).update(claim_token=new_token())
        return gettext("A new claim link was created for %(one)s. The old one no longer works.") % {"one": one}

    return perform(lookups.club_of(Membership, membership_id), do, CLAIM_LINK, by=by, **how)


# Leaving


REMOVAL = declare("remove", needs="members", undo=Rows(first=_check_roles))


def remove(membership_id: int, by: User, **how: Unpack[How]) -> Act:
    """Let somebody be of the club no longer; what they played stays. Raises `NotAllowed` or `Refused`."""

    def do(record: Record) -> str:
        one = lookups.membership_of(record, membership_id)
        check_gives(record, by, one.role)
        _go(record, one)
        return gettext("%(one)s was removed. Their results stay.") % {"one": one}

    return perform(lookups.club_of(Membership, membership_id), do, REMOVAL, by=by, **how)


DEPARTURE = declare(
    "leave",
    needs=Anybody("Every member can leave."),
    undo=Never("People who left join again themselves."),
    archived=True,
)


def leave(club_id: int, by: User, **how: Unpack[How]) -> Act:
    """Be of a club no longer; what one played stays. The last owner cannot. Raises `Refused`."""

    def do(record: Record) -> str:
        one = lookups.own_membership(record)
        _go(record, one)
        return gettext("%(one)s left the club.") % {"one": one}

    return perform(club_id, do, DEPARTURE, by=by, **how)


def _go(record: Record, one: Membership) -> None:
    check_owner_stays(record, one)
    record.change(one, left_at=record.now)
    # What they agreed to ends with it, and does not come back by undoing.
    Membership.objects.filter(pk=one.pk).update(is_listed=False, wants_letters=False, claim_token=new_token())


RETURN = declare("back", needs="members", undo=Rows())


def bring_back(membership_id: int, by: User, **how: Unpack[How]) -> Act:
    """Let somebody who was removed be of the club again, as a member. People with accounts join again themselves."""

    def do(record: Record) -> str:
        one = Membership.objects.filter(pk=membership_id, club=record.club).first()
        if one is None or one.left_at is None:
            raise Refused("not_left", gettext("This name is already in the club."))
        if one.user_id is not None:
            raise Refused(
                "has_account",
                gettext("%(one)s has an account. Invite them to join again.") % {"one": one},
            )
        record.change(one, left_at=None, role=Role.MEMBER, name=naming.free(record, one.name, one.pk))
        return gettext("%(one)s is a member again.") % {"one": one}

    return perform(lookups.club_of(Membership, membership_id), do, RETURN, by=by, **how)


# Oneself


OWN_PROFILE = declare(
    "own",
    needs=Anybody("Every member edits their own club profile."),
    undo=Never("What people say of themselves is theirs."),
)


def edit_own(
    club_id: int,
    by: User,
    *,
    name: str,
    contact: str,
    is_listed: bool,
    wants_letters: bool,
    **how: Unpack[How],
) -> Act:
    """Change what the club calls oneself, what other members may know, and what one agrees to. Raises `Refused`."""

    def do(record: Record) -> str:
        one = lookups.own_membership(record)
        wished = naming.clean(name, naming.LONGEST_OF_PERSON)
        naming.check_free(record, wished, one.pk)
        told = " ".join(contact.split())
        if len(told) > 120:
            raise Refused("too_long", gettext("Contact details can have at most 120 characters."), field="contact")
        # Not through the record: what people agree to is theirs, and no organiser sets it back.
        one.name, one.contact, one.is_listed, one.wants_letters = wished, told, is_listed, wants_letters
        one.save(update_fields=["name", "contact", "is_listed", "wants_letters"])
        return gettext("%(one)s changed their club profile.") % {"one": one}

    return perform(club_id, do, OWN_PROFILE, by=by, **how)
