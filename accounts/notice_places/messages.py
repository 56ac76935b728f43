"""Notifications in words for a place: their titles, bodies and addresses, and nothing else."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from accounts.languages import as_read_by
from accounts.models import Notice, User
from accounts.services.mail import KIND, full_address, lines_of
from web.channels.interface import Message


def message_of(user: User, notices: Sequence[Notice], key: str) -> Message:
    """One message for all these notifications, as the person reads them."""
    lines = lines_of(notices)
    if len(lines) == 1:
        return Message(key, KIND, lines[0]["title"], lines[0]["body"], lines[0]["url"])
    with as_read_by(user):
        count = len(lines)
        title = ngettext("%(count)s thing waits for you", "%(count)s things wait for you", count) % {"count": count}
    text = "\n\n".join("\n".join(filter(None, (line["title"], line["body"], line["url"]))) for line in lines)
    return Message(key, KIND, title, text, full_address(reverse("accounts:notices")))


def test_message(user: User, key: str) -> Message:
    """The message that shows that a place works."""
    with as_read_by(user):
        text = gettext("This is a test. Your notifications will appear here.")
    return Message(key, "test", "Foothold", text, full_address(reverse("accounts:channels")))
