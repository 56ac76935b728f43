"""The adapter between allauth and this site."""

import logging
import secrets
import smtplib
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.ratelimit import respond_429
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_noop

from accounts import sign_in_limits
from accounts.budgets import EMAILS, charge, spend
from accounts.languages import language_of
from accounts.models import User

log = logging.getLogger(__name__)

TOO_OFTEN = {"too_many_login_attempts", "rate_limited"}
CODE_MAILS = {"account/email/login_code", "account/email/unknown_account"}
WAYS = {
    "reauthenticate": gettext_noop("Use my password"),
    "mfa_reauthenticate": gettext_noop("Use a code"),
    "mfa_reauthenticate:webauthn": gettext_noop("Use a passkey"),
}


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Generated usernames, which nobody types or sees; accounts with two-step sign-in confirm it before any change."""

    _is_notification = False

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

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """The person with this address and password. A wrong one counts, and past a limit the answer is 429."""
        attempt = sign_in_limits.try_password(request, credentials.get("email", ""))
        user: User | None = super().authenticate(request, **credentials)
        if user is not None:
            attempt.give_back()
        return user

    def generate_login_code(self) -> str:
        """The code to sign in with that was prepared for this request, else a new one."""
        mail = getattr(self.request, "code_mail", None)
        code: str = super().generate_login_code() if mail is None else mail.code
        return code

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
        """Write in the language of the account’s owner; a code past the limit is not sent again, but still works.

        Raises `TooMuch` if too many were sent on behalf of this network address.
        """
        mail = getattr(self.request, "code_mail", None)
        if mail is not None and not mail.is_to_send and template_prefix in CODE_MAILS:
            messages.info(self.request, gettext("We have already sent this code several times. Use the newest email."))
            return
        (charge if self._is_notification else spend)(EMAILS, None)
        with language_of(context.get("user")):
            super().send_mail(template_prefix, email, context)

    def send_notification_mail(self, *args: Any, **kwargs: Any) -> None:
        """Email the account about a change. The change is already made, so a mail server that is down is no error,
        and no limit keeps it back."""
        self._is_notification = True
        try:
            super().send_notification_mail(*args, **kwargs)
        except (OSError, smtplib.SMTPException) as error:
            log.warning("A message about a change of somebody's account could not be sent: %s", type(error).__name__)
