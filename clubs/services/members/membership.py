"""Members of a club: added by name, renamed, given roles, removed; and their own profiles."""

from collections.abc import Sequence
from email.utils import parseaddr
from typing import Any, Unpack

from django.utils.translation import gettext, gettext_noop

from accounts.display_names import folded
from accounts.models import User
from clubs import access
from clubs.models import Act, Appearance, Membership, TeamMember
from clubs.models.people import new_token
from clubs.roles import given_by
from clubs.services import lookups, naming, person_names
from clubs.services.history import ActionRequest, Anybody, Never, Record, Rows, declare, perform
from clubs.services.members import contact_details
from clubs.services.members.contact_details import Details
from clubs.services.members.name_claims import WITHOUT_ACCOUNT
from clubs.text import role as in_words
from web.errors import NotAllowed, Refused

Role = Membership.Role

MOST = 3000
"""Members of one club, former ones included."""
MOST_AT_ONCE = 500
KEPT = gettext_noop("A club needs an owner. Make someone else owner first.")


# Adding names


def _check_unused(record: Record, act: Act) -> None:
    """Raise if an added person has played since then, because undoing would delete results."""
    added = [change["pk"] for change in act.changes if change["model"] == "membership" and change["was"] is None]
    is_used = Appearance.objects.filter(membership__in=added).exists()
    if is_used or TeamMember.objects.filter(membership__in=added).exists():
        raise Refused(
            "used_since", gettext("One of them is in a team or has played since then. Remove people one by one.")
        )


ADDITION = declare("add", needs="members", undo=Rows(first=_check_unused))


def add_names(
    club_id: int, by: User, *, lines: Sequence[str], role: str = Role.MEMBER, **how: Unpack[ActionRequest]
) -> Act:
    """Add people by names such as `Ann Lee` or `Ann Lee <ann@example.org>`, all or none. Blank lines say nothing.
    Raises `Refused` with the `line` (from 0)."""

    def do(record: Record) -> str:
        if role not in WITHOUT_ACCOUNT:
            raise Refused("needs_account", gettext("A name without an account can be a member or a guest."))
        members: list[Membership] = []
        used = naming.used_names(record)
        for at, line in enumerate(lines):
            if not line.strip():
                continue
            try:
                name, email = _read(line)
                if folded(name) in used:
                    is_listed = any(folded(member.name) == folded(name) for member in members)
                    words = (
                        gettext("%(name)s is already in the list. Add something that tells them apart.")
                        if is_listed
                        else gettext("%(name)s is already in the club. Add something that tells them apart.")
                    )
                    raise Refused("name_taken", words % {"name": name})
            except Refused as refusal:
                words = (
                    gettext("Line %(line)s: %(sentence)s") % {"line": at + 1, "sentence": refusal.sentence}
                    if len(lines) > 1
                    else refusal.sentence
                )
                raise Refused(refusal.code, words, line=at) from None
            used[folded(name)] = name
            members.append(Membership(club=record.club, name=name, email=email, role=role))
        add_rows(record, members)
        return (
            gettext("%(found)s was added.") % {"found": members[0]}
            if len(members) == 1
            else gettext("%(found)s names were added.") % {"found": len(members)}
        )

    return perform(club_id, do, ADDITION, by=by, **how)


def add_rows(record: Record, members: Sequence[Membership]) -> None:
    """Add people within an act. Raises `Refused` if there are none, or too many."""
    if not members:
        raise Refused("nobody", gettext("Enter a name."))
    if len(members) > MOST_AT_ONCE:
        raise Refused("too_many", gettext("Add at most %(most)s people at once.") % {"most": MOST_AT_ONCE})
    if Membership.objects.filter(club=record.club).count() + len(members) > MOST:
        raise Refused("too_many", gettext("A club can have at most %(most)s people.") % {"most": MOST})
    record.create_all(members)


def _read(line: str) -> tuple[str, str]:
    """A name and an email address, which may be empty."""
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


def _name_before(record: Record, act: Act) -> None:
    """Bring everything back in line with the name before. Raises if it was corrected again, someone else has it, or the
    details have become the person's own."""
    for change in act.changes:
        was, became = change["was"] or {}, change["is"] or {}
        member = Membership.objects.filter(pk=change["pk"], club=record.club).first()
        if member is not None and member.user_id is not None and {*OWN} & was.keys():
            raise _own_details(member)
        if member is None or "name" not in was or member.name != became["name"]:
            continue
        naming.check_free(record, was["name"], member.pk)
        member.name = was["name"]
        person_names.correct(record.club, member, became["name"])
        act.refresh_from_db(fields=["sentence"])


NEW_NAME = declare(person_names.RENAMED, needs="members", undo=Rows(first=_name_before))


OWN = (*contact_details.FIELDS, "is_listed")
"""Fields that only the person changes once they have an account."""


def _own_details(member: Membership) -> Refused:
    return Refused(
        "has_account", gettext("%(one)s has an account. Only they can change their contact details.") % {"one": member}
    )


def edit(
    membership_id: int,
    by: User,
    *,
    name: str,
    email: str | None = None,
    note: str | None = None,
    is_listed: bool | None = None,
    details: Details | None = None,
    **how: Unpack[ActionRequest],
) -> Act:
    """Correct a member's name wherever it appears, and change the club's note on them. For a member without an account,
    also their email address, contact details and consents, as they said; `None` keeps what is there.

    Raises `Refused`.
    """

    def do(record: Record) -> str:
        member = lookups.membership_of(record, membership_id)
        before, new_name = member.name, naming.clean(name, naming.LONGEST_OF_PERSON)
        naming.check_free(record, new_name, member.pk)
        values: dict[str, Any] = {"name": new_name}
        if note is not None:
            values["note"] = naming.clean_text(" ".join(note.split()), 500, gettext("A note"), field="note")
        if member.user_id is None:
            address = member.email if email is None else naming.clean_address(email)
            values |= {"email": address, **contact_details.clean(member, details or {}, email=address)}
            values["is_listed"] = member.is_listed if is_listed is None else is_listed
        elif details or is_listed is not None:
            raise _own_details(member)
        changed = [field for field, value in values.items() if getattr(member, field) != value]
        if not record.change(member, **values):
            raise Refused("nothing_new", gettext("Nothing was changed."))
        if new_name != before:
            person_names.correct(record.club, member, before)
            return gettext("The name of %(one)s was corrected.") % {"one": member}
        if {*changed} <= {"email", "shows_email"}:
            return gettext("The address of %(one)s was changed.") % {"one": member}
        return gettext("The contact details of %(one)s were changed.") % {"one": member}

    return perform(lookups.club_of(Membership, membership_id), do, NEW_NAME, by=by, **how)


def check_gives(record: Record, by: User, *roles: str) -> None:
    """Raise `NotAllowed` unless the person may give and take these roles."""
    allowed = given_by(access.role_of(by, record.club))
    if not set(roles) <= set(allowed):
        raise NotAllowed("not_your_part", gettext("Only an owner can add or remove owners and organisers."))


def check_owner_stays(record: Record, member: Membership) -> None:
    """Raise `Refused` if the club would be without an owner."""
    other_owners = lookups.organisers(record.club).filter(role=Role.OWNER).exclude(pk=member.pk)
    if member.role == Role.OWNER and not other_owners.exists():
        raise Refused("last_owner", gettext(KEPT))


def _check_roles(record: Record, act: Act) -> None:
    """Raise if undoing would leave the club without an owner, or give a role that the person may not give."""
    for change in act.changes:
        member = Membership.objects.filter(pk=change["pk"], club=record.club).first()
        if member is None or record.by is None:
            continue
        was = (change["was"] or {}).get("role", member.role)
        check_gives(record, record.by, was, member.role)
        if was != Role.OWNER:
            check_owner_stays(record, member)


ROLE = declare("role", needs="members", undo=Rows(first=_check_roles))


def give_role(membership_id: int, by: User, *, role: str, **how: Unpack[ActionRequest]) -> Act:
    """Give a member another role. Raises `NotAllowed` for roles that the person may not give, and `Refused`."""

    def do(record: Record) -> str:
        member = lookups.membership_of(record, membership_id)
        if role not in Role.values or role == member.role:
            raise Refused(
                "same_role", gettext("%(one)s is already %(role)s.") % {"one": member, "role": in_words(member.role)}
            )
        check_gives(record, by, member.role, role)
        if member.user_id is None and role not in WITHOUT_ACCOUNT:
            raise Refused(
                "needs_account",
                gettext("%(one)s cannot be %(role)s without an account.") % {"one": member, "role": in_words(role)},
            )
        check_owner_stays(record, member)
        record.change(member, role=role)
        return gettext("%(one)s is now %(role)s.") % {"one": member, "role": in_words(member.role)}

    return perform(lookups.club_of(Membership, membership_id), do, ROLE, by=by, **how)


CLAIM_LINK = declare("link", needs="members", undo=Never("The old link is not kept."))


def renew_claim_link(membership_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Make a new link to claim a name; the old one expires."""

    def do(record: Record) -> str:
        member = lookups.membership_of(record, membership_id)
        if member.user_id is not None:
            raise Refused("claimed", gettext("%(one)s already has an account.") % {"one": member})
        Membership.objects.filter(pk=member.pk).update(claim_token=new_token())
        return gettext("A new claim link was created for %(one)s. The old one no longer works.") % {"one": member}

    return perform(lookups.club_of(Membership, membership_id), do, CLAIM_LINK, by=by, **how)


# Leaving


REMOVAL = declare("remove", needs="members", undo=Rows(first=_check_roles))


def remove(membership_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Remove a member from the club; their results stay. Raises `NotAllowed` or `Refused`."""

    def do(record: Record) -> str:
        member = lookups.membership_of(record, membership_id)
        check_gives(record, by, member.role)
        _end(record, member)
        return gettext("%(one)s was removed. Their results stay.") % {"one": member}

    return perform(lookups.club_of(Membership, membership_id), do, REMOVAL, by=by, **how)


DEPARTURE = declare(
    "leave",
    needs=Anybody("Every member can leave."),
    undo=Never("People who left join again themselves."),
    archived=True,
)


def leave(club_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Leave a club; your results stay. The last owner cannot. Raises `Refused`."""

    def do(record: Record) -> str:
        member = lookups.own_membership(record)
        _end(record, member)
        return gettext("%(one)s left the club.") % {"one": member}

    return perform(club_id, do, DEPARTURE, by=by, **how)


def _end(record: Record, member: Membership) -> None:
    check_owner_stays(record, member)
    record.change(member, left_at=record.now)
    # Consents end with it, and undoing does not restore them.
    Membership.objects.filter(pk=member.pk).update(
        is_listed=False, wants_letters=False, claim_token=new_token(), **contact_details.NOTHING_SHOWN
    )


RETURN = declare("back", needs="members", undo=Rows())


def restore(membership_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Restore a removed name as a member. People with accounts join again themselves. Raises `Refused`."""

    def do(record: Record) -> str:
        member = Membership.objects.filter(pk=membership_id, club=record.club).first()
        if member is None or member.left_at is None:
            raise Refused("not_left", gettext("This name is already in the club."))
        if member.user_id is not None:
            raise Refused(
                "has_account", gettext("%(one)s has an account. Invite them to join again.") % {"one": member}
            )
        record.change(member, left_at=None, role=Role.MEMBER, name=naming.free_name(record, member.name, member.pk))
        return gettext("%(one)s is a member again.") % {"one": member}

    return perform(lookups.club_of(Membership, membership_id), do, RETURN, by=by, **how)


# Own profile


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
    details: Details | None = None,
    **how: Unpack[ActionRequest],
) -> Act:
    """Change your own name in the club, contact details and consents. Raises `Refused`."""

    def do(record: Record) -> str:
        member = lookups.own_membership(record)
        new_name = naming.clean(name, naming.LONGEST_OF_PERSON)
        naming.check_free(record, new_name, member.pk)
        line = " ".join(contact.split())
        if len(line) > 120:
            raise Refused("too_long", gettext("Contact details can have at most 120 characters."), field="contact")
        before = member.name
        values = {"name": new_name, "contact": line, "is_listed": is_listed, "wants_letters": wants_letters}
        values |= contact_details.clean(member, details or {}, email=contact_details.email_of(member))
        # Not through the record: consents are the member's own, and no organiser can undo them.
        for field, value in values.items():
            setattr(member, field, value)
        member.save(update_fields=[*values])
        if new_name != before:
            person_names.correct(record.club, member, before, by_themselves=True)
        return gettext("%(one)s changed their club profile.") % {"one": member}

    return perform(club_id, do, OWN_PROFILE, by=by, **how)


def follow_account(user: User, was: str) -> None:
    """Give a person's new name to the clubs that know them by the one before, unless someone else there has it."""
    here = Membership.objects.filter(user=user, name=was, left_at=None, club__archived_at=None)
    for pk in list(here.values_list("pk", flat=True)):

        def do(record: Record, pk: int = pk) -> str:
            member = lookups.membership_of(record, pk)
            member.name = naming.free_name(record, str(user)[: naming.LONGEST_OF_PERSON], member.pk)
            member.save(update_fields=["name"])
            person_names.correct(record.club, member, was, by_themselves=True)
            return gettext("%(one)s changed their club profile.") % {"one": member}

        perform(lookups.club_of(Membership, pk), do, OWN_PROFILE, by=user)
