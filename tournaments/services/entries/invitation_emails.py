"""Invitation emails to members who were entered by email address."""

from __future__ import annotations

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext

from accounts.budgets import INVITATIONS, spend
from accounts.languages import language_of
from acts.kinds import Rows
from tournaments import worker_signals
from tournaments.models import Act, Letter, Member
from tournaments.models.entries import new_token
from tournaments.services.records import Record
from web.channels import email
from web.clocks import read_in
from web.email_queue import EmailQueue


def _end_links(record: Record, act: Act) -> None:
    """End the emailed links of people who lose their places again, before the rows are restored.

    Otherwise the same holder of a link that was passed on could take the place again.
    """
    members = [change["pk"] for change in act.changes if change["model"] == "member"]
    for pk in Member.objects.filter(pk__in=members, email="").values_list("pk", flat=True):
        Member.objects.filter(pk=pk).update(token=new_token())


UNDO_PEOPLE = Rows("entries", first=_end_links)
"""How changes of an entry’s people are undone."""


def write(record: Record, member: Member) -> None:
    """Queue the invitation email to a new member, within an action. Raises `TooMuch`."""
    assert record.by is not None  # noqa: S101  the site itself invites nobody
    spend(INVITATIONS, record.by)
    letter = Letter.objects.create(member=member, by=record.by, due_at=record.now)
    worker_signals.letter_after_commit(letter.pk)


def send(letter_id: int) -> bool:
    """Send an email if it is due. Returns whether it was sent. Safe to run twice and concurrently."""
    if not QUEUE.claim(letter_id):
        return False
    letter = Letter.objects.select_related("member__tournament", "member__entry", "by").get(pk=letter_id)
    if letter.member is not None:
        email.post(_message(letter, letter.member))
    Letter.objects.filter(pk=letter_id).update(due_at=None)
    return letter.member is not None


def send_due() -> None:
    """Send due emails whose task was lost or whose worker died. One that fails stops no other."""
    QUEUE.send_due(send)


def unsent() -> QuerySet[Letter]:
    """Unsent emails to people who have not answered, left or signed up."""
    still = Member.objects.filter(user=None, left_at=None).exclude(answer=Member.Answer.DECLINED).exclude(email="")
    return Letter.objects.filter(due_at__isnull=False, member__in=still.values("pk"))


QUEUE = EmailQueue(unsent, "Letter")


def _message(letter: Letter, member: Member) -> EmailMultiAlternatives:
    tournament = member.tournament
    address = settings.SITE_URL + reverse("tournaments:invitation", args=[tournament.slug, member.token])
    context = {"member": member, "tournament": tournament, "by": letter.by, "address": address}
    # People without an account get it in the language of the person who invites them.
    with read_in(tournament.zone, is_known=False), language_of(letter.by):
        subject = gettext("%(name)s invited you to play in %(event)s") % {"name": letter.by, "event": tournament}
        text = render_to_string("tournaments/invitation_letter.txt", context)
    return email.letter(member.email, subject, text)
