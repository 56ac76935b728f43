"""The outboxes of emails: those overdue, and how one of them is sent."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from accounts.notice_places import sending as notice_sending
from clubs.news_places import sending as news_sending
from clubs.services.members import member_invitations
from clubs.services.publications import newsletter_sending
from gameplay.services import invitations
from tournaments.services.entries import invitation_emails


@dataclass(frozen=True)
class Outbox:
    """Emails of one kind: those not yet sent, and the function that sends one."""

    kind: str
    title: str
    waiting: Callable[[], QuerySet[Any]]
    send: Callable[[int], bool]

    def overdue(self, before: datetime) -> QuerySet[Any]:
        """Unsent emails written before a moment, the oldest first."""
        return self.waiting().filter(created_at__lt=before).order_by("created_at", "pk")


_ALL = (
    Outbox("table", gettext_noop("Invitation to a table"), invitations.waiting_letters, invitations.send_letter),
    Outbox("event", gettext_noop("Invitation to an event"), invitation_emails.unsent, invitation_emails.send),
    Outbox("club", gettext_noop("Invitation to a club"), member_invitations.unsent, member_invitations.send),
    Outbox("newsletter", gettext_noop("Copy of a newsletter"), newsletter_sending.unsent, newsletter_sending.send_copy),
    Outbox("place", gettext_noop("News for a place"), news_sending.OUTBOX.late, news_sending.OUTBOX.send),
    Outbox(
        "own_place", gettext_noop("Notifications for a channel"), notice_sending.OUTBOX.late, notice_sending.OUTBOX.send
    ),
)
OUTBOXES = {box.kind: box for box in _ALL}
