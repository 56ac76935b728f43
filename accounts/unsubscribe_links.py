"""Stop links of e-mails: they work without signing in, for one person and one purpose, and do nothing until pressed."""

from __future__ import annotations

from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from web.errors import NotAllowed

_SALT = "accounts.stopping"

WHAT = {
    "email": gettext_noop("notifications by email"),
    "all": gettext_noop("all notifications, by email and on your devices"),
}


def links(user: User) -> dict[str, str]:
    """The whole addresses `stop_email` and `stop_all` for the foot of an e-mail."""
    return {f"stop_{what}": settings.SITE_URL + reverse("accounts:stop", args=[token(user, what)]) for what in WHAT}


def token(user: User, what: str) -> str:
    """The signed text that lets its bearer stop `what` for this person; it does not expire."""
    return signing.dumps([user.pk, what], salt=_SALT)


def read(token: str) -> tuple[User, str]:
    """Whose notices and which of them the text is about; refuses what this site did not sign."""
    try:
        user_id, what = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        raise NotAllowed("stop_link", gettext("This link is incomplete. Copy it from the email again.")) from None
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is None or what not in WHAT:
        raise NotAllowed("stop_link", gettext("The account for this link no longer exists, so nothing is sent to it."))
    return user, what


def stop(user: User, what: str) -> None:
    """Send the person no more of it. Twice does no harm."""
    changes = {"notice_email": False, "notice_digest": False}
    if what == "all":
        changes["notice_push"] = False
    User.objects.filter(pk=user.pk).update(**changes)
