"""Bounced emails: stop the mail to their address until its owner confirms it.

Every email to a person carries a Message-ID that this site has signed, together with the address it went to. A
report of failed delivery (RFC 3464) holds the head of the email; if its signature does not fit the person's current
address, it is ignored, as forged or about a former address.
"""

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import Message
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.signing import Signer
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.models import Notice, User

log = logging.getLogger(__name__)

_SALT = "accounts.bounces"
_ID = re.compile(r"<([a-z]+(?:-\d{1,20})*)\.(\d{1,18})\.([\w-]{43})@")
"""Subject of the email, account and signature."""
_ABOUT_NOTICE = re.compile(r"notice-(\d{1,18})")
_PASSES = ("5.2.2", "5.2.3", "5.3.", "5.6.", "5.7.")
"""Full mailbox, too large, policy: an address that refuses for such a reason is still in use."""


@dataclass(frozen=True)
class Report:
    """A report of failed delivery: the email, and whether its address is useless."""

    about: str
    user_id: int
    signature: str
    is_for_good: bool


def message_id(user: User, about: str) -> str:
    """The Message-ID of an email to the person's current address, such as `about` = `notice-412`."""
    host = urlsplit(settings.SITE_URL).hostname or "localhost"
    return f"<{about}.{user.pk}.{_signature(user, about)}@{host}>"


def handle_report(raw: bytes) -> str:
    """Read a bounced email and stop the mail to its account. Returns a summary without an address.

    Safe to call twice and with anything: other input changes nothing.
    """
    report = read(raw)
    if report is None:
        return "This is not a delivery report about an email from this site."
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).filter(pk=report.user_id, is_active=True).first()
        if user is None or not constant_time_compare(report.signature, _signature(user, report.about)):
            return "This email did not go to the current address of an account."
        _note(user, report)
        if not report.is_for_good:
            return f"An email to account {user.pk} was not delivered, for a temporary reason."
        if not _stop(user, User.MailStopped.BOUNCED):
            return f"Mail to account {user.pk} is already stopped."
    log.warning("An email to account %s bounced. No mail goes to it until its address is confirmed again.", user.pk)
    return f"No mail goes to account {user.pk} until its address is confirmed again."


def read(raw: bytes) -> Report | None:
    """The report of a bounced email; `None` if it is not one, or not about an email of this site."""
    try:
        message = message_from_bytes(raw, policy=policy.compat32)
        codes = [code for part in _parts(message, "message/delivery-status") for code in _failures(part)]
        mail_id = _ID.search("\n".join(_heads(message)))
    except (MessageError, ValueError, LookupError):
        return None
    if not codes or mail_id is None:
        return None
    is_for_good = any(code.startswith("5.") and not code.startswith(_PASSES) for code in codes)
    return Report(mail_id[1], int(mail_id[2]), mail_id[3], is_for_good)


def stop(user_id: int) -> bool:
    """Stop the mail to an account until its address is confirmed again; whether any was sent before. For operators."""
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).filter(pk=user_id, is_active=True).first()
        return user is not None and _stop(user, User.MailStopped.OPERATOR)


def _stop(user: User, why: User.MailStopped) -> bool:
    addresses = EmailAddress.objects.filter(user=user, email__iexact=user.email)
    if not user.email or addresses.filter(verified=False).exists():
        return False
    # All mail goes to confirmed addresses only.
    if not addresses.update(verified=False):
        EmailAddress.objects.create(user=user, email=user.email.lower(), verified=False, primary=True)
    user.mail_stopped_at, user.mail_stopped_for = timezone.now(), why
    user.save(update_fields=["mail_stopped_at", "mail_stopped_for"])
    return True


def _note(user: User, report: Report) -> None:
    """Save the trouble with the email of a notification."""
    if match := _ABOUT_NOTICE.fullmatch(report.about):
        trouble = Notice.Trouble.BOUNCED if report.is_for_good else Notice.Trouble.REFUSED
        Notice.objects.filter(pk=int(match[1]), user=user).update(trouble=trouble)


def _signature(user: User, about: str) -> str:
    return Signer(salt=_SALT).signature(f"{about}.{user.pk}.{user.email.lower()}")


def _parts(message: Message, kind: str) -> Iterator[Message]:
    return (part for part in message.walk() if part.get_content_type() == kind)


def _failures(part: Message) -> Iterator[str]:
    """The codes of addresses that an email could not be delivered to: each is a block of fields of its own."""
    blocks = part.get_payload()
    for block in blocks if isinstance(blocks, list) else []:
        if isinstance(block, Message) and str(block.get("Action", "")).strip().lower() == "failed":
            yield (str(block.get("Status", "")).split() or [""])[0]


def _heads(message: Message) -> Iterator[str]:
    """The Message-IDs of bounced emails, whole or in part."""
    for part in _parts(message, "message/rfc822"):
        inner = part.get_payload()
        if isinstance(inner, list) and inner and isinstance(inner[0], Message):
            yield str(inner[0].get("Message-ID", ""))
    for part in _parts(message, "text/rfc822-headers"):
        body = part.get_payload(decode=True)
        if isinstance(body, bytes):
            yield str(message_from_bytes(body).get("Message-ID", ""))
