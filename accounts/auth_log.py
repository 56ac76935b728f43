"""Log lines about signing in: accepted and refused attempts with their methods, and changes of sign-in settings.

People are account numbers: no line has a name, an email or network address, or anything that was typed.
"""

import logging
from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.account.signals import (
    authentication_step_completed,
    login_code_rejected,
    password_changed,
    password_reset,
    password_set,
)
from allauth.account.utils import filter_users_by_email
from allauth.mfa.signals import authentication_failed, authenticator_added, authenticator_removed, authenticator_reset
from allauth.socialaccount.signals import social_account_added, social_account_removed
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.models import User

log = logging.getLogger(__name__)

PASSWORD, MAILED_CODE, PASSKEY = "password", "mailed code", "passkey"
WAYS = {
    "password": PASSWORD,
    "code": MAILED_CODE,
    "totp": "code of an app",
    "recovery_codes": "recovery code",
    "webauthn": PASSKEY,
    "socialaccount": "account elsewhere",
}
"""Methods of signing in, by their name in allauth."""


def refuse(user: object, way: str) -> None:
    """Log a refused attempt; without a person if no account is known."""
    pk = getattr(user, "pk", None)
    log.warning("%s was refused: %s.", f"Person {pk}" if pk else "Somebody unknown", way, extra={"user": pk})


@receiver(user_logged_in)
def log_sign_in(sender: Any, request: HttpRequest | None, user: User, **kwargs: Any) -> None:
    """Log a sign-in with its methods; new accounts have proved nothing yet."""
    records: list[dict[str, Any]] = []
    if hasattr(request, "session"):
        records = get_authentication_records(request, user)
    ways = ", ".join(dict.fromkeys(_way(record["method"], record.get("type")) for record in records))
    log.info("Person %s signed in%s.", user.pk, f" by {ways}" if ways else "", extra={"user": user.pk})


@receiver(authentication_step_completed)
def tell_of_proof(sender: Any, user: User, method: str, **kwargs: Any) -> None:
    """Log a confirmed identity, before something is changed."""
    if kwargs.get("reauthenticated"):
        way = _way(method, kwargs.get("type"))
        log.info("Person %s proved it once more by %s.", user.pk, way, extra={"user": user.pk})


@receiver(user_login_failed)
def tell_of_password(sender: Any, credentials: dict[str, Any], request: HttpRequest | None, **kwargs: Any) -> None:
    """Log a wrong password of the user signed in, or of the account with this address."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        email = credentials.get("email")
        user = next(iter(filter_users_by_email(email)), None) if email else None
    refuse(user, PASSWORD)


@receiver(login_code_rejected)
def tell_of_mailed_code(sender: Any, user: User, **kwargs: Any) -> None:
    """A mailed code that did not fit."""
    refuse(user, MAILED_CODE)


@receiver(authentication_failed)
def tell_of_code(sender: Any, user: User, **kwargs: Any) -> None:
    """Log a wrong code of the second step, of an unknown kind."""
    refuse(user, "code of a second step")


@receiver([password_changed, password_set, password_reset])
def tell_of_new_password(sender: Any, user: User, **kwargs: Any) -> None:
    """Another password."""
    log.info("Person %s has another password.", user.pk, extra={"user": user.pk})


@receiver([authenticator_added, authenticator_removed, authenticator_reset])
def tell_of_second_step(sender: Any, user: User, authenticator: Any, signal: Any, **kwargs: Any) -> None:
    """Log an added, removed or replaced second step."""
    became = {authenticator_added: "added", authenticator_removed: "removed"}.get(signal, "made anew")
    log.info("Second step of person %s %s: %s.", user.pk, became, WAYS[authenticator.type], extra={"user": user.pk})


@receiver([social_account_added, social_account_removed])
def tell_of_account_elsewhere(sender: Any, request: HttpRequest, signal: Any, **kwargs: Any) -> None:
    """Log an account elsewhere that was connected or disconnected."""
    became = "connected" if signal is social_account_added else "disconnected"
    log.info("Account elsewhere of person %s %s.", request.user.pk, became, extra={"user": request.user.pk})


def _way(method: str, kind: str | None) -> str:
    way = kind or method
    return WAYS.get(way, way)
