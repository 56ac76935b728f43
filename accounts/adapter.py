"""How allauth meets this site."""

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
    """Usernames are made up: nobody types or sees one. Who has a second step proves it before anything is changed."""

    def populate_username(self, request: HttpRequest, user: User) -> None:
        """A username that tells nothing of the person."""
        user.username = user.username or f"p-{secrets.token_hex(8)}"

    def validation_error(self, code: str, *args: object) -> Exception:
        """What a form raises. A limit is answered alike wherever it is met: with the page that asks to wait, and 429."""
        if code in TOO_OFTEN:
            refused: Exception = ImmediateHttpResponse(respond_429(self.request))
        else:
            refused = super().validation_error(code, *args)
        return refused

    def get_reauthentication_methods(self, user: User | AnonymousUser) -> list[dict[str, Any]]:
        """How somebody proves who they are once more: by the second step where there is one, else by the password.

        With a password alone, whoever found it out could take the second step off at an open browser.
        """
        known = super().get_reauthentication_methods(user)
        words = [WAYS[one["id"]] for one in known]
        found = [{**one, "description": gettext(way)} for one, way in zip(known, words, strict=True)]
        passkeys = [one for one in found if one["id"].endswith(":webauthn")]
        codes = [one for one in found if one["id"] == "mfa_reauthenticate"]
        return passkeys + codes or found

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Write in the language of whoever the account is of, who need not be the one that asks."""
        with language_of(context.get("user")):
            super().send_mail(template_prefix, email, context)

    def send_notification_mail(self, *args: Any, **kwargs: Any) -> None:
        """Tell somebody by mail what was changed. The change is made already: a mail server that is away is no fault."""
        try:
            super().send_notification_mail(*args, **kwargs)
        except (OSError, smtplib.SMTPException) as error:
            log.warning("A message about a change of somebody's account could not be sent: %s", type(error).__name__)
