"""Notifications of a club, for people's outboxes."""

from collections.abc import Callable

from django.urls import reverse

from accounts.languages import language_of
from accounts.models import User
from accounts.services import notices
from clubs.services import lookups
from clubs.services.history import Record

Words = Callable[[], str]
"""Returns a text in the language that is active when it is called."""


def tell(record: Record, user: User, words: Words, *, key: str, url: str = "", kind: str = "club_news") -> None:
    """Put a notification into a person's outbox, in their language; `key` tells apart those of one moment."""
    club = record.club
    with language_of(user):
        text = words()
    notices.add(
        user,
        kind=kind,
        key=f"{kind}:{club.pk}:{club.version}:{key}" if kind == "club_news" else f"{kind}:{key}",
        subject=f"club:{club.pk}",
        title=f"{club.name}: {text}",
        url=url or club.get_absolute_url(),
        due_at=record.now,
    )


def tell_organisers(record: Record, words: Words, *, key: str, kind: str = "club_news", url: str = "") -> None:
    """The same for everyone who accepts members, except the person who acts; without `url` it leads to the desk."""
    url = url or reverse("clubs:desk", args=[record.club.slug])
    for organiser in lookups.organisers(record.club):
        if organiser.user is not None and organiser.user != record.by:
            tell(record, organiser.user, words, key=key, url=url, kind=kind)
