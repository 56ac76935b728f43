"""The adapter between allauth and this site."""

from __future__ import annotations

import logging
import secrets
import smtplib
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.ratelimit import respond_429
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_noop

from accounts.languages import language_of
from accounts.models import User

log = logging.getLogger(__name__)

TOO_OFTEN = {"too_many_login_attempts", "rate_limited"}
WAYS = {
    "reauthenticate": gettext_noop("Use my password"),
    "mfa_reauthenticate": gettext_noop("Use a code"),
    "mfa_reauthenticate:webauthn": gettext_noop("Use a passkey"),
}


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Generated usernames, which nobody types or sees; accounts with two-step sign-in confirm it before any change."""

    def populate_username(self, request: HttpRequest, user: User) -> None:
        """A username that tells nothing of the person."""
        user.username = user.username or f"p-{secrets.token_hex(8)}"

    def validation_error(self, code: str, *args: object) -> Exception:
        """The error of a form. Limits are answered alike everywhere: with the page that asks to wait, and 429."""
        if code in TOO_OFTEN:
            refused: Exception = ImmediateHttpResponse(respond_429(self.request))
        else:
            refused = super().validation_error(code, *args)
        return refused

    def get_reauthentication_methods(self, user: User | AnonymousUser) -> list[dict[str, Any]]:
        """Ways to confirm an identity again: the second step if there is one, else the password.

        With a password alone, anyone with it could turn off two-step sign-in at an open browser.
        """
        methods = super().get_reauthentication_methods(user)
        words = [WAYS[method["id"]] for method in methods]
        described = [{**method, "description": gettext(way)} for method, way in zip(methods, words, strict=True)]
        passkeys = [method for method in described if method["id"].endswith(":webauthn")]
        codes = [method for method in described if method["id"] == "mfa_reauthenticate"]
        return passkeys + codes or described

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Write in the language of the account’s owner, not necessarily that of the request."""
        with language_of(context.get("user")):
            super().send_mail(template_prefix, email, context)

    def send_notification_mail(self, *args: Any, **kwargs: Any) -> None:
        """Email the account about a change. The change is already made, so a mail server that is down is no error."""
        try:
            super().send_notification_mail(*args, **kwargs)
        except (OSError, smtplib.SMTPException) as error:
            log.warning("A message about a change of somebody's account could not be sent: %s", type(error).__name__)
