"""Email: every email of this site that is not about signing in goes to the mail server here."""

import logging
import smtplib

from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend

from web.channels.interface import Channel, Failed, Message, Where, read_nothing

log = logging.getLogger(__name__)

Refusal = smtplib.SMTPResponseException | smtplib.SMTPRecipientsRefused


def letter(
    to: str, subject: str, text: str, *, html: str = "", stop: str = "", message_id: str = ""
) -> EmailMultiAlternatives:
    """An email, with a subject of one line: a name in it cannot add a header. `stop` is the address that unsubscribes
    its reader; `message_id` is the same whenever it is sent again, so that mail programs show it once."""
    unsubscribe = {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    headers = {**(unsubscribe if stop else {}), **({"Message-ID": message_id} if message_id else {})}
    if headers:
        headers["Auto-Submitted"] = "auto-generated"
    email = EmailMultiAlternatives(" ".join(subject.split()), text, to=[to], headers=headers)
    if html:
        email.attach_alternative(html, "text/html")
    return email


def post(email: EmailMultiAlternatives) -> None:
    """Hand an email to the mail server. Raises `Failed`: `gone` if it knows no such address."""
    connection = email.connection = get_connection()
    try:
        _connect(connection)
        _hand_over(email)
    except Failed as failed:
        log.warning("An email was not taken: %s, %s", failed.trouble, type(failed.__cause__).__name__)
        raise
    finally:
        connection.close()


def post_or_drop(email: EmailMultiAlternatives) -> bool:
    """Hand an email over; False if the mail server does not know its address. Raises other `Failed`."""
    try:
        post(email)
    except Failed as failed:
        if failed.trouble != "gone":
            raise
        return False
    return True


def _connect(connection: BaseEmailBackend) -> None:
    try:
        connection.open()
    except (OSError, smtplib.SMTPException) as error:
        raise Failed("not_reached") from error


def _hand_over(email: EmailMultiAlternatives) -> None:
    try:
        email.send()
    except (smtplib.SMTPResponseException, smtplib.SMTPRecipientsRefused) as error:
        raise Failed(_trouble(error)) from error
    except (OSError, smtplib.SMTPException) as error:
        raise Failed("no_answer") from error


def _trouble(error: Refusal) -> str:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return "gone" if all(code >= 500 for code, _ in error.recipients.values()) else "busy"
    return "refused" if error.smtp_code >= 500 else "busy"


def write(message: Message) -> str:
    """All of it: an email has no limit."""
    return "\n\n".join(filter(None, (message.title, message.text, message.url)))


def send(message: Message, where: Where) -> None:
    """Send a message as plain text. `where` has the address (`to`), and can have `stop` and `message_id` of `letter`."""
    text = "\n\n".join(filter(None, (message.text, message.url)))
    post(letter(subject=message.title, text=text, **where))


CHANNEL = Channel("email", "Email", "", read_nothing, write, send)
