"""Tokens for the API: made, shown once, revoked."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from knox.models import get_digest_token
from knox.settings import CONSTANTS

from accounts.models import ApiToken, User
from accounts.scopes import SCOPES
from accounts.services.mail import full_address
from web.errors import Refused

log = logging.getLogger(__name__)

MOST = 20
"""Tokens a person may have at once."""
USUAL_DAYS = 90
"""Lifetime of a token, unless its person chooses another."""
NEVER = 0
"""The lifetime of a token that never expires, and the operator's limit that allows one."""


def lifetimes() -> list[int]:
    """Lifetimes to choose from, in days: the usual ones that the operator allows, and the longest."""
    most = settings.API_TOKEN_MOST_DAYS
    usual = (30, USUAL_DAYS, 365)
    return [*usual, NEVER] if most == NEVER else sorted({days for days in usual if days < most} | {most})


def usual_days() -> int:
    """The lifetime that is preselected."""
    return min(USUAL_DAYS, settings.API_TOKEN_MOST_DAYS or USUAL_DAYS)


def unexpired(user: User) -> QuerySet[ApiToken]:
    """The person's tokens that still work."""
    return user.auth_token_set.filter(Q(expiry=None) | Q(expiry__gt=timezone.now()))


def create(user: User, *, name: str, scopes: list[str], days: int | None = None) -> tuple[ApiToken, str]:
    """Create a token; returns it with its text, which is not stored.

    `days` is its lifetime, by default the usual one; `NEVER` only if the operator allows it.
    """
    if not scopes or not set(scopes) <= set(SCOPES):
        raise Refused("token_scopes", gettext("Choose at least one permission for the token."))
    lifetime, most = usual_days() if days is None else days, settings.API_TOKEN_MOST_DAYS
    if lifetime < 0 or (most != NEVER and not 0 < lifetime <= most):
        raise Refused("token_days", gettext("Choose an earlier day for the token to expire."))
    digest, text = get_digest_token()
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if unexpired(user).count() >= MOST:
            sentence = gettext("You already have %(most)s tokens. Revoke one that you no longer use.")
            raise Refused("token_many", sentence % {"most": MOST})
        token = ApiToken.objects.create(
            digest=digest,
            token_key=text[: CONSTANTS.TOKEN_KEY_LENGTH],
            user=user,
            name=name,
            scopes=[scope for scope in SCOPES if scope in scopes],
            expiry=None if lifetime == NEVER else timezone.now() + timedelta(days=lifetime),
        )
    log.info("Person %s has a new API token.", user.pk, extra={"user": user.pk})
    return token, text


def email_creation(request: HttpRequest, token: ApiToken) -> None:
    """Email the person that they have a new token, what it allows and where to revoke it."""
    context = {
        "user": token.user,
        "token": token,
        "permissions": [gettext(SCOPES[scope]) for scope in token.scopes],
        "address": full_address(reverse("accounts:tokens")),
    }
    get_adapter(request).send_notification_mail("accounts/mail/token_created", token.user, context)


def revoke(user: User, token_key: str) -> None:
    """End a token at once. Twice does no harm."""
    _end(user, user.auth_token_set.filter(token_key=token_key))


def revoke_all(user: User) -> None:
    """End all tokens of a person at once."""
    _end(user, user.auth_token_set.all())


def note_use(token: ApiToken, now: datetime, address: str | None) -> None:
    """Remember when the token was last used, to the minute, and from which address: not every call need write."""
    if token.last_used_at is None or token.last_used_at <= now - timedelta(minutes=1):
        token.last_used_at, token.last_used_from = now, address
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now, last_used_from=address)


def _end(user: User, tokens: QuerySet[ApiToken]) -> None:
    if count := tokens.delete()[0]:
        log.info("API tokens of person %s revoked: %s.", user.pk, count, extra={"user": user.pk})
