"""Emails to people: plain text, in their language and zone, with a link to unsubscribe."""

import logging
import smtplib
from collections.abc import Sequence
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import ngettext

from accounts import unsubscribe_links
from accounts.languages import as_read_by
from accounts.models import Notice, User
from accounts.services import bounces
from web.monitoring import counters

log = logging.getLogger(__name__)

Trouble = Notice.Trouble
NOT_TAKEN = {Trouble.AWAY, Trouble.LATER, Trouble.REFUSED}
"""Troubles of a message that the mail server surely did not take."""
TAKEN = ""


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
    message = EmailMessage(
        subject=" ".join(subject.split()),
        body=text,
        to=[address],
        headers={
            "List-Unsubscribe": f"<{links['stop_email']}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
            "Message-ID": bounces.message_id(user, about),
        },
    )
    return _deliver(message, user)


def lines_of(notices: Sequence[Notice]) -> list[dict[str, Any]]:
    """The notifications with their titles on one line and their full addresses."""
    return [
        {"title": " ".join(notice.title.split()), "body": notice.body.strip(), "url": full_address(notice.url)}
        for notice in notices
    ]


def full_address(path: str) -> str:
    """The full address of a path on this site."""
    return f"{settings.SITE_URL}/{path.lstrip('/')}"


def _deliver(message: EmailMessage, user: User) -> str:
    connection = get_connection()
    try:
        connection.open()
    except (OSError, smtplib.SMTPException) as error:
        log.warning("The mail server cannot be reached: %s", type(error).__name__)
        counters.count(counters.NOTICES, "email", "failed")
        return Trouble.AWAY
    try:
        connection.send_messages([message])
    except (smtplib.SMTPResponseException, smtplib.SMTPRecipientsRefused) as error:
        log.warning("The mail server did not take a message to person %s: %s", user.pk, type(error).__name__)
        counters.count(counters.NOTICES, "email", "failed")
        return Trouble.REFUSED if _is_for_good(error) else Trouble.LATER
    except (OSError, smtplib.SMTPException) as error:
        log.warning("Whether a message to person %s was taken is unknown: %s", user.pk, type(error).__name__)
        counters.count(counters.NOTICES, "email", "unknown")
        return Trouble.UNSURE
    else:
        counters.count(counters.NOTICES, "email", "sent")
    finally:
        connection.close()
    return TAKEN


def _is_for_good(error: smtplib.SMTPResponseException | smtplib.SMTPRecipientsRefused) -> bool:
    """Whether a mail server says that it will not take the message later either."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    return error.smtp_code >= 500
