"""Emails to people: plain text, in their language and zone, with a link to unsubscribe."""

import logging
from collections.abc import Sequence
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import ngettext

from accounts import unsubscribe_links
from accounts.languages import as_read_by
from accounts.models import Notice, User
from accounts.services import bounces
from web.channels import email
from web.channels.interface import Failed, Message, Where
from web.monitoring import counters

log = logging.getLogger(__name__)

Trouble = Notice.Trouble
NOT_TAKEN = {Trouble.AWAY, Trouble.LATER, Trouble.REFUSED}
"""Troubles of a message that the mail server surely did not take."""
TAKEN = ""
KIND = "notification"
"""The kind of every message about notifications, for programs."""
_TROUBLES = {
    "not_reached": Trouble.AWAY,
    "busy": Trouble.LATER,
    "gone": Trouble.REFUSED,
    "refused": Trouble.REFUSED,
    "no_answer": Trouble.UNSURE,
    "broke_off": Trouble.UNSURE,
}
"""What the troubles of an email (`web.channels.email`) are called on the list of notifications."""


def address_of(user: User) -> str:
    """The address for notifications; empty if there is none or its owner must confirm it."""
    address = EmailAddress.objects.filter(user=user, email__iexact=user.email).first()
    return user.email if address is None or address.verified else ""


def send_notices(user: User, notices: Sequence[Notice]) -> str:
    """Send one message for all these notifications; `TAKEN`, or its `Trouble`."""
    count = len(notices)
    with as_read_by(user):
        several = ngettext("%(count)s thing waits for you", "%(count)s things wait for you", count) % {"count": count}
    subject = notices[0].title if count == 1 else several
    return _send(user, subject, "accounts/mail/notices.txt", notices, about=f"notice-{notices[0].pk}")


def send_digest(user: User, notices: Sequence[Notice]) -> str:
    """Send the daily message; `TAKEN`, or its `Trouble`."""
    count = len(notices)
    with as_read_by(user):
        subject = ngettext(
            "Your day on Foothold: %(count)s thing to do", "Your day on Foothold: %(count)s things to do", count
        ) % {"count": count}
    return _send(user, subject, "accounts/mail/digest.txt", notices, about=f"digest-{timezone.now():%Y%m%d}")


def _send(user: User, subject: str, template: str, notices: Sequence[Notice], *, about: str) -> str:
    address = address_of(user)
    if not address:
        return TAKEN
    links = unsubscribe_links.links(user)
    with as_read_by(user):
        text = render_to_string(template, {"person": user, "lines": lines_of(notices), "count": len(notices), **links})
    message = Message(about, KIND, subject, text)
    where = {"to": address, "stop": links["stop_email"], "message_id": bounces.message_id(user, about)}
    return _deliver(message, where, user)


def lines_of(notices: Sequence[Notice]) -> list[dict[str, Any]]:
    """The notifications with their titles on one line and their full addresses."""
    return [
        {"title": " ".join(notice.title.split()), "body": notice.body.strip(), "url": full_address(notice.url)}
        for notice in notices
    ]


def full_address(path: str) -> str:
    """The full address of a path on this site."""
    return f"{settings.SITE_URL}/{path.lstrip('/')}"


def _deliver(message: Message, where: Where, user: User) -> str:
    try:
        email.CHANNEL.deliver(message, where)
    except Failed as failed:
        trouble = _TROUBLES[failed.trouble]
        log.warning("An email to person %s was not taken: %s", user.pk, failed.trouble)
        counters.count(counters.NOTICES, "email", "unknown" if trouble == Trouble.UNSURE else "failed")
        return trouble
    counters.count(counters.NOTICES, "email", "sent")
    return TAKEN
