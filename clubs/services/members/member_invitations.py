"""Letters that ask people by e-mail to join a club, or to claim the name under which it knows them.

The outbox is the rows of `Invitation` themselves: written with the act, sent by a task after it, and by a sweeper where
that task was lost.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from datetime import timedelta
from email.utils import getaddresses
from functools import partial
from typing import Unpack

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from accounts.languages import language_of
from accounts.models import User
from clubs.models import Act, Invitation, Membership
from clubs.services import lookups, naming
from clubs.services.history import Anybody, How, Never, Record, declare, perform, row_of
from clubs.services.members import joining, name_claims
from clubs.signals import invitation_due
from web.errors import Refused
from web.monitoring.backlog import Waiting, waiting
from web.text import several

log = logging.getLogger(__name__)

LETTERS_A_DAY = 150
"""So many letters a person may have sent within a day, and so many a club."""
SENDING_TIME = timedelta(minutes=10)
"""After which a letter whose sending broke off is sent again."""
LASTS = timedelta(days=60)
"""How long a letter can be answered."""
ROLES = (Membership.Role.MEMBER, Membership.Role.GUEST)
"""Roles that a letter gives: whoever has it may use it."""
ENDED = gettext_noop("This invitation has expired. Ask the club for a new one, or for its link.")


INVITATION = declare(
    "invite", needs="members", undo=Never("Emails that were sent stay sent. Cancel an invitation instead.")
)
DECLINED_INVITATION = declare(
    "invite",
    needs=Anybody("The link of the email is enough, without an account."),
    undo=Never("The person declined. Invite them again instead."),
)


def invite(club_id: int, by: User, *, addresses: str, role: str = Membership.Role.MEMBER, **how: Unpack[How]) -> Act:
    """Ask people to join by a list of e-mail addresses, one a line or with commas between. Raises `Refused`.

    Left out is who has a letter already that can still be answered. An address that the club keeps for a name asks for
    that name to be claimed.
    """

    def do(record: Record) -> str:
        if role not in ROLES:
            raise Refused(
                "bad_role", gettext("You can invite people by email as members or guests. Give other roles later.")
            )
        wanted = read_addresses(addresses)
        waiting = set(open_ones(record).values_list("email", flat=True))
        asked = [address for address in wanted if address not in waiting]
        if not asked:
            raise Refused("asked_already", gettext("Everyone on this list has already been invited."))
        names = _names(record, asked)
        write(record, [(address, names.get(address)) for address in asked], role)
        left_out = len(wanted) - len(asked)
        values = {"letters": several(len(asked), "invitation"), "number": left_out}
        if left_out:
            return gettext("%(letters)s sent. Already invited: %(number)s.") % values
        return gettext("%(letters)s sent.") % values

    return perform(club_id, do, INVITATION, by=by, **how)


def invite_name(membership_id: int, by: User, **how: Unpack[How]) -> Act:
    """Ask by letter that a name be claimed, at the address that the club keeps for it. Raises `Refused`."""

    def do(record: Record) -> str:
        one = lookups.membership_of(record, membership_id)
        if one.user_id is not None:
            raise Refused("claimed", gettext("%(one)s already has an account.") % {"one": one})
        if not one.email:
            raise Refused("no_address", gettext("Add an email address for %(one)s first.") % {"one": one})
        if open_ones(record).filter(membership=one, email=one.email, due_at__isnull=False).exists():
            raise Refused("asked_already", gettext("An invitation to %(one)s has already been sent.") % {"one": one})
        Invitation.objects.filter(membership=one, accepted_at=None, revoked_at=None).update(revoked_at=record.now)
        write(record, [(one.email, one)], Membership.Role(one.role))
        return gettext("%(one)s was asked by email to claim this name.") % {"one": one}

    return perform(lookups.club_of(Membership, membership_id), do, INVITATION, by=by, **how)


def read_addresses(text: str) -> list[str]:
    """The addresses of a list, each once. Raises `Refused` with the one that is none."""
    lines = [line for line in text.replace(";", "\n").splitlines() if line.strip()]
    found = [address for _, address in getaddresses(lines)] if lines else []
    if not found:
        raise Refused("nobody", gettext("Enter email addresses, one per line."))
    if "" in found:
        wrong = next((line for line in lines if "" in [one for _, one in getaddresses([line])]), lines[0])
        raise Refused("bad_email", gettext("%(wrong)s is not an email address.") % {"wrong": wrong.strip()[:80]})
    return list(dict.fromkeys(naming.clean_address(address) for address in found))


def _names(record: Record, addresses: Sequence[str]) -> dict[str, Membership]:
    """Names without an account by the addresses that the club keeps for them, where only one has it."""
    found: dict[str, list[Membership]] = {}
    for one in Membership.objects.filter(club=record.club, user=None, left_at=None).exclude(email=""):
        found.setdefault(one.email, []).append(one)
    return {address: own[0] for address, own in found.items() if address in addresses and len(own) == 1}


def write(record: Record, asked: Iterable[tuple[str, Membership | None]], role: str) -> None:
    """Put letters into the outbox, within an act. Raises `Refused` where it would be too many."""
    assert record.by is not None  # noqa: S101  the site itself invites nobody
    letters = [
        Invitation(club=record.club, membership=one, email=address, role=role, by=record.by, due_at=record.now)
        for address, one in asked
    ]
    # The row of the person, so that two clubs at once cannot send more letters than one person may.
    User.objects.select_for_update(no_key=True).get(pk=record.by.pk)
    lately = Invitation.objects.filter(created_at__gt=record.now - timedelta(days=1))
    for sent in (lately.filter(by=record.by), lately.filter(club=record.club)):
        if sent.count() + len(letters) > LETTERS_A_DAY:
            raise Refused(
                "too_many_letters",
                gettext(
                    "That would be more than %(most)s emails in one day. Give people the link to join, or "
                    "wait until tomorrow."
                )
                % {"most": LETTERS_A_DAY},
            )
    # Not through the record: the history keeps no addresses, and a letter that went out cannot be undone.
    Invitation.objects.bulk_create(letters)
    for letter in letters:
        transaction.on_commit(partial(invitation_due.send, sender=Invitation, letter_id=letter.pk), robust=True)


def revoke(invitation_id: int, by: User, **how: Unpack[How]) -> Act:
    """Let a letter be answered no longer."""

    def do(record: Record) -> str:
        letter = row_of(record, Invitation, invitation_id)
        if letter.accepted_at is not None:
            raise Refused("answered", gettext("This invitation has already been accepted."))
        Invitation.objects.filter(pk=letter.pk, revoked_at=None).update(revoked_at=record.now)
        return gettext("An invitation was cancelled.")

    return perform(lookups.club_of(Invitation, invitation_id), do, INVITATION, by=by, **how)


# Answering


def read(token: str) -> Invitation:
    """The letter of a link that can be answered. Raises `Refused`."""
    found = Invitation.objects.filter(token=token, accepted_at=None, revoked_at=None, club__archived_at=None)
    letter = found.filter(created_at__gt=timezone.now() - LASTS).select_related("club", "membership", "by").first()
    if letter is None:
        raise Refused("invitation_ended", gettext(ENDED))
    return letter


def accept(token: str, by: User, **how: Unpack[How]) -> Act:
    """Join by a letter, or claim the name that it is about. Raises `Refused`."""
    letter_id, club_id = (found := read(token)).pk, found.club_id
    is_claim = found.membership is not None and found.membership.is_here and found.membership.user_id is None

    def do(record: Record) -> str:
        letter = row_of(record, Invitation, letter_id)
        if letter.accepted_at is not None or letter.revoked_at is not None:
            raise Refused("invitation_ended", gettext(ENDED))
        Invitation.objects.filter(pk=letter.pk).update(accepted_at=record.now)
        if is_claim and letter.membership_id is not None:
            name = lookups.membership_of(record, letter.membership_id)
            called = name.name
            name_claims.claim(record, name, by)
            return gettext("%(by)s claimed the name %(called)s.") % {"by": by, "called": called}
        return gettext("%(name)s joined by invitation.") % {"name": joining.let_in(record, by, letter.role)}

    return perform(club_id, do, name_claims.CLAIM if is_claim else joining.JOINING, by=by, **how)


def decline(token: str, by: User | None = None, **how: Unpack[How]) -> Act:
    """Say no to a letter; needs no account. Raises `Refused`."""
    letter_id, club_id = (found := read(token)).pk, found.club_id

    def do(record: Record) -> str:
        letter = row_of(record, Invitation, letter_id)
        if letter.accepted_at is not None or letter.revoked_at is not None:
            raise Refused("invitation_ended", gettext(ENDED))
        Invitation.objects.filter(pk=letter.pk).update(revoked_at=record.now)
        return gettext("An invitation was declined.")

    return perform(club_id, do, DECLINED_INVITATION, by=by, **how)


def open_ones(record: Record) -> QuerySet[Invitation]:
    """Letters of the club that can still be answered."""
    own = Invitation.objects.filter(club=record.club, accepted_at=None, revoked_at=None)
    return own.filter(created_at__gt=record.now - LASTS)


# Sending


def send(letter_id: int) -> bool:
    """Send a letter if it is due; whether it went out. Safe to run twice and at once."""
    # Claimed before it is sent, since no transaction may wait for a mail server.
    if not _due().filter(pk=letter_id).update(due_at=timezone.now() + SENDING_TIME):
        return False
    letter = Invitation.objects.select_related("club", "membership", "by").get(pk=letter_id)
    _message(letter).send()
    Invitation.objects.filter(pk=letter_id).update(due_at=None)
    return True


def send_due() -> None:
    """Send what is due: letters whose waking call was lost, or whose worker died. One that fails stops no other."""
    for pk in list(_due().order_by("due_at").values_list("pk", flat=True)[:50]):
        try:
            send(pk)
        except Exception as error:
            log.error("Invitation %s could not be sent: %s", pk, type(error).__name__)


def letters_waiting() -> Waiting:
    """The letters that are due and not sent yet."""
    return waiting(_due(), "due_at")


def unsent() -> QuerySet[Invitation]:
    """Letters that have not gone out, and can still be answered."""
    # Without a join: an update would then look its rows up first, and two at once would both claim a letter.
    return Invitation.objects.filter(due_at__isnull=False, accepted_at=None, revoked_at=None)


def _due() -> QuerySet[Invitation]:
    return unsent().filter(due_at__lte=Now())


def _message(letter: Invitation) -> EmailMessage:
    address = settings.SITE_URL + reverse("clubs:invitation", args=[letter.token])
    name = letter.membership if letter.membership is not None and letter.membership.user_id is None else None
    context = {"club": letter.club, "name": name, "by": letter.by or letter.club, "address": address}
    # One line, whatever people call themselves: a heading cannot be made to carry another.
    # In the language of who asks: of an address nobody knows another.
    with language_of(letter.by, settings.LANGUAGE_CODE):
        asks = gettext("%(name)s invited you to join %(club)s") % {"name": context["by"], "club": letter.club}
        return EmailMessage(
            " ".join(asks.split()), render_to_string("clubs/invitation_letter.txt", context), to=[letter.email]
        )
