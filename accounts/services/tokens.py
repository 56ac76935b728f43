"""Tokens for the API: made, shown once, revoked."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext
from knox.models import get_digest_token
from knox.settings import CONSTANTS

from accounts.models import ApiToken, User
from accounts.scopes import SCOPES
from web.errors import Refused

MOST = 20
"""Tokens a person may have at once."""


def create(user: User, *, name: str, scopes: list[str], days: int | None) -> tuple[ApiToken, str]:
    """Create a token; returns it with its text, which is not stored. `days` is its lifetime."""
    if not scopes or not set(scopes) <= set(SCOPES):
        raise Refused("token_scopes", gettext("Choose at least one permission for the token."))
    if user.auth_token_set.count() >= MOST:
        sentence = gettext("You already have %(most)s tokens. Revoke one that you no longer use.")
        raise Refused("token_many", sentence % {"most": MOST})
    digest, text = get_digest_token()
    token = ApiToken.objects.create(
        digest=digest,
        token_key=text[: CONSTANTS.TOKEN_KEY_LENGTH],
        user=user,
        name=name,
        scopes=[scope for scope in SCOPES if scope in scopes],
        expiry=timezone.now() + timedelta(days=days) if days else None,
    )
    return token, text


def revoke(user: User, token_key: str) -> None:
    """End a token at once. Twice does no harm."""
    user.auth_token_set.filter(token_key=token_key).delete()


def note_use(token: ApiToken, now: datetime) -> None:
    """Remember when the token was last used, to the minute: not every call need write."""
    if token.last_used_at is None or token.last_used_at <= now - timedelta(minutes=1):
        token.last_used_at = now
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
