"""Invitations by email to join a club, or to claim the name under which it knows a person.

The outbox is the rows of `Invitation` themselves: written with the act, sent by a task after it, and by a sweeper if
that task was lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from email.utils import getaddresses
from functools import partial
from typing import Unpack

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from accounts.budgets import INVITATIONS, spend
from accounts.languages import language_of
from accounts.models import User
from accounts.queries import confirmed_addresses
from clubs.models import Act, Invitation, Membership
from clubs.services import lookups, naming, notifications
from clubs.services.history import ActionRequest, Anybody, Never, Record, declare, perform, row_of
from clubs.services.members import joining, name_claims
from clubs.signals import invitation_due
from web.channels import email
from web.email_queue import EmailQueue
from web.errors import Refused
from web.text import several

LASTS = timedelta(days=60)
"""Time in which an invitation can be answered."""
ROLES = (Membership.Role.MEMBER, Membership.Role.GUEST)
"""Roles that an invitation gives: anyone who has it can use it."""
ENDED = gettext_noop("This invitation has expired. Ask the club for a new one, or for its link.")


INVITATION = declare(
    "invite", needs="members", undo=Never("Emails that were sent stay sent. Cancel an invitation instead.")
)
DECLINED_INVITATION = declare(
    "invite",
    needs=Anybody("The link of the email is enough, without an account."),
    undo=Never("The person declined. Invite them again instead."),
)


def invite(
    club_id: int, by: User, *, addresses: str, role: str = Membership.Role.MEMBER, **how: Unpack[ActionRequest]
) -> Act:
    """Invite people by a list of email addresses, one a line or separated by commas. Raises `Refused`.

    Leaves out addresses with an open invitation. An address that the club has for a name is invited to claim that name.
    """

    def do(record: Record) -> str:
        if role not in ROLES:
            raise Refused(
                "bad_role", gettext("You can invite people by email as members or guests. Give other roles later.")
            )
        all_addresses = read_addresses(addresses)
        waiting = set(open_invitations(record).values_list("email", flat=True))
        invited = [address for address in all_addresses if address not in waiting]
        if not invited:
            raise Refused("asked_already", gettext("Everyone on this list has already been invited."))
        names = _names(record, invited)
        write(record, [(address, names.get(address)) for address in invited], role)
        left_out = len(all_addresses) - len(invited)
        values = {"invitations": several(len(invited), "invitation"), "number": left_out}
        if left_out:
            return gettext("%(invitations)s sent. Already invited: %(number)s.") % values
        return gettext("%(invitations)s sent.") % values

    return perform(club_id, do, INVITATION, by=by, **how)


def invite_name(membership_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Invite a person by email to claim their name, at the club's address for it. Raises `Refused`."""

    def do(record: Record) -> str:
        member = lookups.membership_of(record, membership_id)
        if member.user_id is not None:
            raise Refused("claimed", gettext("%(one)s already has an account.") % {"one": member})
        if not member.email:
            raise Refused("no_address", gettext("Add an email address for %(one)s first.") % {"one": member})
        if open_invitations(record).filter(membership=member, email=member.email, due_at__isnull=False).exists():
            raise Refused("asked_already", gettext("An invitation to %(one)s has already been sent.") % {"one": member})
        Invitation.objects.filter(membership=member, accepted_at=None, revoked_at=None).update(revoked_at=record.now)
        write(record, [(member.email, member)], Membership.Role(member.role))
        return gettext("%(one)s was asked by email to claim this name.") % {"one": member}

    return perform(lookups.club_of(Membership, membership_id), do, INVITATION, by=by, **how)


def read_addresses(text: str) -> list[str]:
    """The addresses of a list, each once. Raises `Refused` with the first that is not an address."""
    lines = [line for line in text.replace(";", "\n").splitlines() if line.strip()]
    parsed = [address for _, address in getaddresses(lines)] if lines else []
    if not parsed:
        raise Refused("nobody", gettext("Enter email addresses, one per line."))
    if "" in parsed:
        wrong = next((line for line in lines if "" in [address for _, address in getaddresses([line])]), lines[0])
        raise Refused("bad_email", gettext("%(wrong)s is not an email address.") % {"wrong": wrong.strip()[:80]})
    return list(dict.fromkeys(naming.clean_address(address) for address in parsed))


def _names(record: Record, addresses: Sequence[str]) -> dict[str, Membership]:
    """Names without an account by their addresses, if only one has it."""
    by_email: dict[str, list[Membership]] = {}
    for member in Membership.objects.filter(club=record.club, user=None, left_at=None).exclude(email=""):
        by_email.setdefault(member.email, []).append(member)
    return {email: people[0] for email, people in by_email.items() if email in addresses and len(people) == 1}


def write(record: Record, invited: Iterable[tuple[str, Membership | None]], role: str) -> None:
    """Put invitations into the outbox, within an act. Raises `TooMuch`."""
    assert record.by is not None  # noqa: S101  the site itself invites nobody
    letters = [
        Invitation(club=record.club, membership=member, email=address, role=role, by=record.by, due_at=record.now)
        for address, member in invited
    ]
    spend(INVITATIONS, record.by, len(letters))
    # Not through the record: the history stores no addresses, and a sent email cannot be undone.
    Invitation.objects.bulk_create(letters)
    for letter in letters:
        transaction.on_commit(partial(invitation_due.send, sender=Invitation, letter_id=letter.pk), robust=True)


def revoke(invitation_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Cancel an invitation."""

    def do(record: Record) -> str:
        letter = row_of(record, Invitation, invitation_id)
        if letter.accepted_at is not None:
            raise Refused("answered", gettext("This invitation has already been accepted."))
        Invitation.objects.filter(pk=letter.pk, revoked_at=None).update(revoked_at=record.now)
        return gettext("An invitation was cancelled.")

    return perform(lookups.club_of(Invitation, invitation_id), do, INVITATION, by=by, **how)


# Answering


def read(token: str) -> Invitation:
    """The open invitation of a link. Raises `Refused`."""
    letters = Invitation.objects.filter(token=token, accepted_at=None, revoked_at=None, club__archived_at=None)
    letter = letters.filter(created_at__gt=timezone.now() - LASTS).select_related("club", "membership", "by").first()
    if letter is None:
        raise Refused("invitation_ended", gettext(ENDED))
    return letter


def accept(token: str, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Join by an invitation, or claim its name. Raises `Refused`."""
    letter_id, club_id = (letter := read(token)).pk, letter.club_id
    is_claim = letter.membership is not None and letter.membership.is_here and letter.membership.user_id is None

    def do(record: Record) -> str:
        letter = row_of(record, Invitation, letter_id)
        if letter.accepted_at is not None or letter.revoked_at is not None:
            raise Refused("invitation_ended", gettext(ENDED))
        Invitation.objects.filter(pk=letter.pk).update(accepted_at=record.now)
        if is_claim and letter.membership_id is not None:
            name = lookups.membership_of(record, letter.membership_id)
            former_name = name.name
            name_claims.claim(record, name, by)
            sentence = gettext("%(by)s claimed the name %(called)s.") % {"by": by, "called": former_name}
        else:
            member = joining.add_member(record, by, letter.role)
            sentence = gettext("%(name)s joined by invitation.") % {"name": member}
        return " ".join([sentence, *_warn_of_address(record, letter, by)])

    return perform(club_id, do, name_claims.CLAIM if is_claim else joining.JOINING, by=by, **how)


def _warn_of_address(record: Record, letter: Invitation, by: User) -> list[str]:
    """Tell the organisers if somebody answers an email that was sent to an address they have not confirmed.

    As for an event: the link may have been passed on, or the person may have another address. They can undo it.
    Returns the sentence for the history, if any.
    """
    if letter.email in confirmed_addresses(by):
        return []
    notifications.tell_organisers(
        record,
        lambda: (
            gettext("%(name)s accepted an emailed invitation with an unconfirmed address. Check that you know them")
            % {"name": by}
        ),
        key=f"address:{letter.pk}",
    )
    return [gettext("The account has not confirmed the invited address.")]


def decline(token: str, by: User | None = None, **how: Unpack[ActionRequest]) -> Act:
    """Decline an invitation; needs no account. Raises `Refused`."""
    letter_id, club_id = (letter := read(token)).pk, letter.club_id

    def do(record: Record) -> str:
        letter = row_of(record, Invitation, letter_id)
        if letter.accepted_at is not None or letter.revoked_at is not None:
            raise Refused("invitation_ended", gettext(ENDED))
        Invitation.objects.filter(pk=letter.pk).update(revoked_at=record.now)
        return gettext("An invitation was declined.")

    return perform(club_id, do, DECLINED_INVITATION, by=by, **how)


def open_invitations(record: Record) -> QuerySet[Invitation]:
    """Invitations of the club that can still be answered."""
    invitations = Invitation.objects.filter(club=record.club, accepted_at=None, revoked_at=None)
    return invitations.filter(created_at__gt=record.now - LASTS)


# Sending


def send(letter_id: int) -> bool:
    """Send an invitation if it is due; whether it was sent. Safe to run twice and at once."""
    if not QUEUE.claim(letter_id):
        return False
    letter = Invitation.objects.select_related("club", "membership", "by").get(pk=letter_id)
    email.post(_message(letter))
    Invitation.objects.filter(pk=letter_id).update(due_at=None)
    return True


def send_due() -> None:
    """Send all invitations that are due, such as after a lost task or a dead worker. One that fails stops no other."""
    QUEUE.send_due(send)


def unsent() -> QuerySet[Invitation]:
    """Invitations that are not sent and can still be answered."""
    return Invitation.objects.filter(due_at__isnull=False, accepted_at=None, revoked_at=None)


QUEUE = EmailQueue(unsent, "Invitation")


def _message(letter: Invitation) -> EmailMultiAlternatives:
    address = settings.SITE_URL + reverse("clubs:invitation", args=[letter.token])
    name = letter.membership if letter.membership is not None and letter.membership.user_id is None else None
    context = {"club": letter.club, "name": name, "by": letter.by or letter.club, "address": address}
    # In the inviter's language: the address has none.
    with language_of(letter.by, settings.LANGUAGE_CODE):
        subject = gettext("%(name)s invited you to join %(club)s") % {"name": context["by"], "club": letter.club}
        return email.letter(letter.email, subject, render_to_string("clubs/invitation_letter.txt", context))
