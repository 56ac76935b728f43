"""Letters that come back: whose they were, and that nothing more is sent there until its owner confirms the address.

Every letter to a person carries a Message-ID that this site has signed, together with the address it went to. A report
of failed delivery (RFC 3464) holds the head of the letter; whose signature does not fit the address that the person has
now is not believed, be it forged or about an address that was changed since.
"""

from __future__ import annotations

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
"""What the letter is about, the account, the signature."""
_ABOUT_NOTICE = re.compile(r"notice-(\d{1,18})")
_PASSES = ("5.2.2", "5.2.3", "5.3.", "5.6.", "5.7.")
"""A full box, a letter that is too large, a policy: an address that refuses for such a reason is still somebody's."""


@dataclass(frozen=True)
class Report:
    """What a report of failed delivery says: which letter, and whether its address is of no use any more."""

    about: str
    user_id: int
    signature: str
    is_for_good: bool


def message_id(user: User, about: str) -> str:
    """The Message-ID of a letter to the person's address as it is now, such as `about` = `notice-412`."""
    host = urlsplit(settings.SITE_URL).hostname or "localhost"
    return f"<{about}.{user.pk}.{_signature(user, about)}@{host}>"


def take(raw: bytes) -> str:
    """Read a message that came back, and stop the mail of whom it was for. What was done, without an address.

    Safe to call twice, and with anything: what is no report on a letter of this site changes nothing.
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
    """What a report of failed delivery says; nothing where the message is none, or not about a letter of this site."""
    try:
        message = message_from_bytes(raw, policy=policy.compat32)
        codes = [code for part in _parts(message, "message/delivery-status") for code in _failures(part)]
        found = _ID.search("\n".join(_heads(message)))
    except (MessageError, ValueError, LookupError):
        return None
    if not codes or found is None:
        return None
    is_for_good = any(code.startswith("5.") and not code.startswith(_PASSES) for code in codes)
    return Report(found[1], int(found[2]), found[3], is_for_good)


def stop(user_id: int) -> bool:
    """An operator stops the mail to an account until its address is confirmed again; whether any was sent before."""
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).filter(pk=user_id, is_active=True).first()
        return user is not None and _stop(user, User.MailStopped.OPERATOR)


def _stop(user: User, why: User.MailStopped) -> bool:
    known = EmailAddress.objects.filter(user=user, email__iexact=user.email)
    if not user.email or known.filter(verified=False).exists():
        return False
    # Every door asks whether an address is confirmed before it sends something there.
    if not known.update(verified=False):
        EmailAddress.objects.create(user=user, email=user.email.lower(), verified=False, primary=True)
    user.mail_stopped_at, user.mail_stopped_for = timezone.now(), why
    user.save(update_fields=["mail_stopped_at", "mail_stopped_for"])
    return True


def _note(user: User, report: Report) -> None:
    """Keep with a notice what became of its letter."""
    if found := _ABOUT_NOTICE.fullmatch(report.about):
        trouble = Notice.Trouble.BOUNCED if report.is_for_good else Notice.Trouble.REFUSED
        Notice.objects.filter(pk=int(found[1]), user=user).update(trouble=trouble)


def _signature(user: User, about: str) -> str:
    return Signer(salt=_SALT).signature(f"{about}.{user.pk}.{user.email.lower()}")


def _parts(message: Message, kind: str) -> Iterator[Message]:
    return (part for part in message.walk() if part.get_content_type() == kind)


def _failures(part: Message) -> Iterator[str]:
    """The codes of the addresses that a letter could not be delivered to: each is a block of fields of its own."""
    blocks = part.get_payload()
    for block in blocks if isinstance(blocks, list) else []:
        if isinstance(block, Message) and str(block.get("Action", "")).strip().lower() == "failed":
            yield (str(block.get("Status", "")).split() or [""])[0]


def _heads(message: Message) -> Iterator[str]:
    """The Message-IDs of the letters that came back, whole or in part."""
    for part in _parts(message, "message/rfc822"):
        inner = part.get_payload()
        if isinstance(inner, list) and inner and isinstance(inner[0], Message):
            yield str(inner[0].get("Message-ID", ""))
    for part in _parts(message, "text/rfc822-headers"):
        body = part.get_payload(decode=True)
        if isinstance(body, bytes):
            yield str(message_from_bytes(body).get("Message-ID", ""))
