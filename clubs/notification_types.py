"""Which notices about clubs are still wanted when they are about to go out. Registered when the app is ready."""

from __future__ import annotations

from accounts.models import Notice
from accounts.services import notices
from clubs.models import JoinRequest


def is_news(notice: Notice) -> bool:
    """News always are; they are told once, also to who reads one message a day."""
    return not notice.was_sent


def is_asked(notice: Notice) -> bool:
    """Whether a request still waits for an answer."""
    return JoinRequest.objects.filter(pk=int(notice.key.split(":")[1]), status=JoinRequest.Status.OPEN).exists()


def register() -> None:
    """Name the question of each kind to the sender of notices."""
    notices.register("club_news", is_news)
    notices.register("club_ask", is_asked)
