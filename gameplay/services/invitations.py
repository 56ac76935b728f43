"""Invitations to a table: by name or by email; and their answers."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMultiAlternatives
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from accounts.budgets import INVITATIONS, spend
from accounts.languages import language_of
from accounts.models import User
from accounts.queries import confirmed_addresses, people_at
from accounts.services import blocks, notices
from engine.play.options import Shape
from engine.play.rules import Rules
from gameplay import recent_partners
from gameplay.access import is_welcome
from gameplay.event_tables import check_free
from gameplay.log.log_language import say_to
from gameplay.models import Invitation, Table
from gameplay.services import seating, tables
from gameplay.services.sitting import Sitting, save, sit_down
from gameplay.signals import invitation_due
from web.channels import email
from web.email_queue import EmailQueue
from web.errors import NotAllowed, Refused


def invite(table_id: int, by: User, guest: str, *, now: datetime | None = None) -> Invitation:
    """Invite someone to the table: an address gets an email, a name a notification. Twice does no harm.

    Nothing shows whether an address belongs to an account. Raises `Refused` with the problem of `guest`.
    """
    guest = guest.strip()
    if "@" in guest:
        return _invite_address(table_id, by, _address(guest), now)
    return invite_person(table_id, by, find_person(by, guest), now=now)


def invite_person(
    table_id: int, by: User, guest: User, *, seat: int | None = None, now: datetime | None = None
) -> Invitation:
    """Invite a person with an account to the table, with a notification; to `seat`, or to any.

    A person who has blocked `by` neither hears nor sees of it, and `by` sees an invitation that nobody answers.
    """
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        _check_host(sitting, by)
        if any(seat.user_id == guest.pk for seat in sitting.seats):
            raise Refused("sits_here", gettext("%(guest)s already has a seat at this table.") % {"guest": guest})
        if blocks.has_blocked(by, guest):
            raise Refused("blocked", gettext("You have blocked %(guest)s. Unblock them first.") % {"guest": guest})
        table = sitting.table
        invitation = Invitation.objects.filter(table=table, user=guest, revoked_at=None).first()
        if invitation is None:
            spend(INVITATIONS, by)
        invitation, is_new = Invitation.objects.get_or_create(
            table=table, user=guest, revoked_at=None, defaults={"token": _token(), "invited_by": by, "seat": seat}
        )
        if is_new and not blocks.has_blocked(guest, by):
            notices.add(
                guest,
                kind="invitation",
                key=f"invitation:{invitation.pk}",
                subject=f"invitation:{invitation.pk}",
                title=say_to(guest, gettext_noop("%(by)s invites you to %(table)s"), by=by, table=table.name),
                url=table.get_absolute_url(),
                due_at=sitting.now,
            )
        if is_new:
            save(sitting)
        return invitation


def find_person(by: User, name: str) -> User:
    """The person of this display name: among those `by` has played with, else on the whole site. Raises `Refused`."""
    if not name:
        raise Refused("nobody", gettext("Enter a name or an email address."))
    partners = [person for person in recent_partners.played_with(by) if str(person).casefold() == name.casefold()]
    people = User.objects.filter(is_guest=False, is_active=True).exclude(pk=by.pk)
    matches = partners or list(people.filter(Q(display_name__iexact=name) | Q(username__iexact=name))[:2])
    if len(matches) > 1:
        raise Refused(
            "several",
            gettext("More than one person is called %(name)s. Enter their email address instead.") % {"name": name},
        )
    if not matches:
        raise Refused(
            "nobody",
            gettext("Nobody here is called %(name)s. To invite someone without an account, enter their email address.")
            % {"name": name},
        )
    return matches[0]


def _address(text: str) -> str:
    address = text.lower()
    try:
        validate_email(address)
    except ValidationError:
        raise Refused("bad_email", gettext("%(who)s is not an email address.") % {"who": text[:80]}) from None
    if len(address) > 254:
        raise Refused("bad_email", gettext("That email address is too long."))
    return address


def _invite_address(table_id: int, by: User, address: str, now: datetime | None) -> Invitation:
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        _check_host(sitting, by)
        open_ones = Invitation.objects.filter(table=sitting.table, email=address, revoked_at=None, answered_at=None)
        if (invitation := open_ones.first()) is not None:
            return invitation
        spend(INVITATIONS, by)
        invitation = Invitation.objects.create(
            table=sitting.table, email=address, token=_token(), invited_by=by, letter_due_at=sitting.now
        )
        save(sitting)
        transaction.on_commit(partial(invitation_due.send, sender=Invitation, invitation_id=invitation.pk), robust=True)
        return invitation


def _check_host(sitting: Sitting, by: User) -> None:
    """Check the right to invite: the creator has it; if anyone with the link can join, everyone here with an account."""
    check_free(sitting.table)
    if sitting.table.status != Table.Status.GATHERING:
        raise Refused("has_begun", gettext("The match has already started."))
    is_open = sitting.table.joining in (Table.Joining.OPEN, Table.Joining.LINK)
    sits_here = any(s.user_id == by.pk for s in sitting.seats) and not by.is_guest
    if sitting.table.creator_id != by.pk and not (is_open and sits_here):
        raise NotAllowed("not_host", gettext("Only the table’s creator can invite people."))


def _token() -> str:
    return secrets.token_urlsafe(32)


# Answers


def read(slug: str, token: str) -> Invitation:
    """The invitation of an email's link. Raises `Refused` with the reason if it is no longer valid."""
    invitation = (
        Invitation.objects.filter(table__slug=slug, token=token).select_related("table", "invited_by").first()
        if token.isascii() and len(token) <= 43
        else None
    )
    if invitation is None or invitation.revoked_at is not None:
        raise Refused("no_invitation", gettext("This invitation is not valid. Ask for a new one."))
    return invitation


def accept(invitation: Invitation, user: User, *, seat: int | None = None, now: datetime | None = None) -> Sitting:
    """Take a seat by invitation, agreeing to the rule sheet; the same person twice does no harm.

    Without a `seat` it is the one that was meant for them, if that is free.
    """
    with transaction.atomic():
        sitting = sit_down(invitation.table_id, now)
        invitation = Invitation.objects.select_for_update().get(pk=invitation.pk)
        check_answerable(invitation, user, is_seated=any(s.user_id == user.pk for s in sitting.seats))
        if seat is None and any(s.number == invitation.seat and not s.is_taken for s in sitting.seats):
            seat = invitation.seat
        sitting = seating.join(invitation.table_id, user, seat=seat, now=now)
        Invitation.objects.filter(pk=invitation.pk).update(answered_at=sitting.now, is_accepted=True)
        if invitation.email and not invitation.is_accepted and invitation.email not in confirmed_addresses(user):
            _tell_creator(sitting, invitation, user)
        return sitting


def _tell_creator(sitting: Sitting, invitation: Invitation, user: User) -> None:
    """Tell the table’s creator who answered an email that was sent to an address they have not confirmed.

    Enough among friends: the creator sees the name, and can remove the player until the match starts.
    """
    creator = sitting.table.creator
    if creator is not None and creator != user:
        notices.add(
            creator,
            kind="other_address",
            key=f"other_address:{invitation.pk}:{user.pk}",
            subject=f"table:{sitting.table.pk}",
            title=say_to(
                creator,
                gettext_noop("%(name)s accepted an emailed invitation to %(table)s with an unconfirmed address"),
                name=user,
                table=sitting.table.name,
            ),
            url=sitting.table.get_absolute_url(),
            due_at=sitting.now,
        )


def check_answerable(invitation: Invitation, user: User, *, is_seated: bool) -> None:
    """Raise `Refused` if this person cannot accept the invitation; players at the table always can."""
    if is_seated:
        return
    if invitation.revoked_at is not None or not is_welcome(user, invitation.table):
        raise Refused("no_invitation", gettext("This invitation was cancelled. Ask for a new one."))
    if invitation.user_id not in (None, user.pk):
        raise Refused("not_yours", gettext("This invitation is for someone else."))
    if invitation.user_id is None and invitation.is_accepted:
        raise Refused("used", gettext("This invitation has already been used. Ask for one of your own."))


def decline(invitation: Invitation, now: datetime | None = None) -> None:
    """Say no; the table shows it."""
    with transaction.atomic():
        sitting = sit_down(invitation.table_id, now)
        changed = Invitation.objects.filter(pk=invitation.pk, answered_at=None, revoked_at=None)
        if changed.update(answered_at=sitting.now, is_accepted=False):
            save(sitting)


def revoke(table_id: int, by: User, invitation_id: int, now: datetime | None = None) -> None:
    """Take an invitation back: its link is no longer good. Twice does no harm."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        if sitting.table.creator_id != by.pk:
            raise NotAllowed("not_creator", gettext("Only the table’s creator can do that."))
        invitations = Invitation.objects.filter(pk=invitation_id, table=sitting.table, revoked_at=None)
        if invitations.update(revoked_at=sitting.now, letter_due_at=None):
            save(sitting)


# Letters


def send_letter(invitation_id: int) -> bool:
    """Send the email of an invitation if it is due; whether it was sent. Safe to run twice and at once."""
    if not QUEUE.claim(invitation_id):
        return False
    invitation = Invitation.objects.select_related("table", "invited_by").get(pk=invitation_id)
    if _is_unwanted(invitation):
        Invitation.objects.filter(pk=invitation_id).update(letter_due_at=None)
        return False
    # The language of the reader is unknown: use that of the inviting player.
    with language_of(invitation.invited_by, settings.LANGUAGE_CODE):
        letter = _letter(invitation)
    email.post(letter)
    Invitation.objects.filter(pk=invitation_id).update(letter_due_at=None)
    return True


def _is_unwanted(invitation: Invitation) -> bool:
    """Whether the address belongs to somebody who has blocked the sender."""
    by = invitation.invited_by
    return by is not None and any(blocks.has_blocked(user, by) for user in people_at(invitation.email))


def send_due_letters() -> None:
    """Send due emails: their task was lost, or its worker died. One that fails stops no other."""
    QUEUE.send_due(send_letter)


def waiting_letters() -> QuerySet[Invitation]:
    """Unsent emails, to tables that still wait for players."""
    gathering = Table.objects.filter(status=Table.Status.GATHERING).values("pk")
    unsent = Invitation.objects.filter(letter_due_at__isnull=False, revoked_at=None, answered_at=None)
    return unsent.filter(table__in=gathering)


QUEUE = EmailQueue(waiting_letters, "The letter of invitation", field="letter_due_at")


def _letter(invitation: Invitation) -> EmailMultiAlternatives:
    table = invitation.table
    address = settings.SITE_URL + reverse("gameplay:invitation", args=[table.slug, invitation.token])
    context = {"invitation": invitation, "table": table, "by": invitation.invited_by, "address": address}
    by = invitation.invited_by or gettext("Someone")
    subject = gettext("%(by)s invites you to play Hand and Foot") % {"by": by}
    return email.letter(invitation.email, subject, render_to_string("gameplay/invitation_letter.txt", context))


# A table made with its guests


def make_with_guests(
    creator: User,
    rules: Rules,
    *,
    name: str,
    shape: Shape,
    terms: Mapping[str, Any],
    people: list[User],
    guests: list[str],
) -> Table:
    """A table, and invitations to people and to names or addresses: all of it, or nothing and `Refused`."""
    with transaction.atomic():
        table = tables.make_table(
            creator, rules, name=name, seat_count=shape.seats, team_size=shape.team_size, terms=terms
        )
        for guest in people:
            invite_person(table.pk, creator, guest)
        for guest_name in guests:
            try:
                invite(table.pk, creator, guest_name)
            except Refused as refusal:
                raise Refused(refusal.code, refusal.sentence, field="invite") from None
        return table
