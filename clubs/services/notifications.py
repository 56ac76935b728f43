"""News of a club for people's outboxes."""

from __future__ import annotations

from collections.abc import Callable

from django.urls import reverse

from accounts.languages import language_of
from accounts.models import User
from accounts.services import notices
from clubs.services import lookups
from clubs.services.history import Record

Words = Callable[[], str]
"""Says something, in the language that is active when it is called."""


def tell(record: Record, user: User, words: Words, *, what: str, url: str = "", kind: str = "club_news") -> None:
    """Put news of the club into a person's outbox, in their language; `what` tells it from others of the same moment."""
    club = record.club
    with language_of(user):
        said = words()
    notices.add(
        user,
        kind=kind,
        key=f"{kind}:{club.pk}:{club.version}:{what}" if kind == "club_news" else f"{kind}:{what}",
        subject=f"club:{club.pk}",
        title=f"{club.name}: {said}",
        url=url or club.get_absolute_url(),
        due_at=record.now,
    )


def tell_organisers(record: Record, words: Words, *, what: str, kind: str = "club_news") -> None:
    """The same for everybody who lets people in, but not for who did it."""
    url = reverse("clubs:desk", args=[record.club.slug])
    for one in lookups.organisers(record.club):
        if one.user is not None and one.user != record.by:
            tell(record, one.user, words, what=what, url=url, kind=kind)
