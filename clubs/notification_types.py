"""Checks whether notifications about clubs are still wanted when they are due. Registered when the app is ready."""

from accounts.models import Notice
from accounts.notice_places.topics import CLUBS
from accounts.services import notices
from clubs.coming import letters
from clubs.models import JoinRequest, NewsPlace
from clubs.news_places import sending
from clubs.services.publications import matchday_drafts


def is_news(notice: Notice) -> bool:
    """News always are, but only once, also for people who get one message a day."""
    return not notice.was_sent


def is_asked(notice: Notice) -> bool:
    """Whether a request is still waiting for an answer."""
    return JoinRequest.objects.filter(pk=int(notice.key.split(":")[1]), status=JoinRequest.Status.OPEN).exists()


def is_paused(notice: Notice) -> bool:
    """Whether a place for news is still paused."""
    return NewsPlace.objects.filter(pk=int(notice.key.split(":")[1]), removed_at=None).exclude(rest="").exists()


def is_unsent(notice: Notice) -> bool:
    """Whether a newsletter is still to be sent."""
    return matchday_drafts.is_waiting(int(notice.key.split(":")[1]))


def register() -> None:
    """Register the check of each kind with the sender of notifications."""
    notices.register("club_news", CLUBS, is_news)
    notices.register("club_ask", CLUBS, is_asked)
    notices.register(letters.NOTICE, CLUBS, letters.is_wanted)
    notices.register(sending.NOTICE, CLUBS, is_paused)
    notices.register(matchday_drafts.NOTICE, CLUBS, is_unsent)
