"""Unsubscribe links of emails: without signing in, for one person and purpose, and without effect until pressed."""

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
    """The full addresses `stop_email` and `stop_all` for the foot of an email."""
    return {f"stop_{kind}": settings.SITE_URL + reverse("accounts:stop", args=[token(user, kind)]) for kind in WHAT}


def token(user: User, purpose: str) -> str:
    """A signed text that allows its bearer to unsubscribe this person from `purpose`; it does not expire."""
    return signing.dumps([user.pk, purpose], salt=_SALT)


def read(token: str) -> tuple[User, str]:
    """The person and purpose of a token; refuses any that this site did not sign."""
    try:
        user_id, purpose = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        raise NotAllowed("stop_link", gettext("This link is incomplete. Copy it from the email again.")) from None
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is None or purpose not in WHAT:
        raise NotAllowed("stop_link", gettext("The account for this link no longer exists, so nothing is sent to it."))
    return user, purpose


def stop(user: User, purpose: str) -> None:
    """Unsubscribe the person. Twice does no harm."""
    changes = {"notice_email": False, "notice_digest": False}
    if purpose == "all":
        changes["notice_push"] = False
    User.objects.filter(pk=user.pk).update(**changes)
