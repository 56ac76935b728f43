"""Letters of invitation to members who were named by e-mail address."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from accounts.languages import language_of
from accounts.models import User
from tournaments import worker_signals
from tournaments.models import Letter, Member
from tournaments.services.records import Record
from web.errors import Refused
from web.monitoring.backlog import Waiting, waiting

log = logging.getLogger(__name__)

LETTERS_A_DAY = 20
"""So many letters of invitation a person may have sent within a day; organisers of an event three times as many."""
FOR_ORGANISERS = 3
SENDING_TIME = timedelta(minutes=10)
"""After which a letter whose sending broke off is sent again."""


def write(record: Record, member: Member) -> None:
    """Put the letter to a new member into the outbox, within an act. Raises `Refused` where it would be too many."""
    assert record.by is not None  # noqa: S101  the site itself invites nobody
    # The row of the person, so that two requests at once cannot send more letters than one person may.
    User.objects.select_for_update(no_key=True).get(pk=record.by.pk)
    is_organiser = record.tournament.organisers.filter(user=record.by).exists()
    most = LETTERS_A_DAY * (FOR_ORGANISERS if is_organiser else 1)
    sent = Letter.objects.filter(by=record.by, created_at__gt=record.now - timedelta(days=1))
    if sent.count() >= most:
        raise Refused(
            "too_many_letters",
            gettext(
                "That is more than %(most)s invitation emails in one day. Invite people by account name, "
                "or wait until tomorrow."
            )
            % {"most": most},
        )
    letter = Letter.objects.create(member=member, by=record.by, due_at=record.now)
    worker_signals.letter_after_commit(letter.pk)


def send(letter_id: int) -> bool:
    """Send a letter if it is due; whether it went out. Safe to run twice and at once."""
    # Claimed before it is sent, since no transaction may wait for a mail server.
    if not _due().filter(pk=letter_id).update(due_at=timezone.now() + SENDING_TIME):
        return False
    letter = Letter.objects.select_related("member__tournament", "member__entry", "by").get(pk=letter_id)
    if letter.member is not None:
        _message(letter, letter.member).send()
    Letter.objects.filter(pk=letter_id).update(due_at=None)
    return letter.member is not None


def send_due() -> None:
    """Send what is due: letters whose waking call was lost, or whose worker died. One that fails stops no other."""
    for pk in list(_due().order_by("due_at").values_list("pk", flat=True)[:50]):
        try:
            send(pk)
        except Exception as error:
            log.error("Letter %s could not be sent: %s", pk, type(error).__name__)


def letters_waiting() -> Waiting:
    """The letters that are due and not sent yet."""
    return waiting(_due(), "due_at")


def unsent() -> QuerySet[Letter]:
    """Letters that have not gone out, to people who have not answered, left or come with an account."""
    # Without a join: an update would then look its rows up first, and two at once would both claim a letter.
    still = Member.objects.filter(user=None, left_at=None).exclude(answer=Member.Answer.DECLINED).exclude(email="")
    return Letter.objects.filter(due_at__isnull=False, member__in=still.values("pk"))


def _due() -> QuerySet[Letter]:
    return unsent().filter(due_at__lte=Now())


def _message(letter: Letter, member: Member) -> EmailMessage:
    tournament = member.tournament
    address = settings.SITE_URL + reverse("tournaments:invitation", args=[tournament.slug, member.token])
    context = {"member": member, "tournament": tournament, "by": letter.by, "address": address}
    # One line, whatever people call themselves: a heading cannot be made to carry another.
    # Whoever has no account is written to in the language of who asks them.
    with timezone.override(tournament.zone), language_of(letter.by):
        words = gettext("%(name)s invited you to play in %(event)s") % {"name": letter.by, "event": tournament}
        subject = " ".join(words.split())
        text = render_to_string("tournaments/invitation_letter.txt", context)
    return EmailMessage(subject, text, to=[member.email])
