"""Two-step sign-in as allauth calls for it: texts, the QR code, and stored secrets."""

from __future__ import annotations

import base64
import logging
import secrets

import segno
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import InvalidToken
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from accounts.models import User
from web.ciphers import cipher

log = logging.getLogger(__name__)

SITE = "Foothold"


class Adapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Two-step sign-in of this site."""

    error_messages = {
        "add_email_blocked": gettext_lazy(
            "Your account has two-step sign-in, so its address cannot be changed. Turn it off under "
            "“Signing in”, change and confirm the address, then turn it on again."
        ),
        "cannot_delete_authenticator": gettext_lazy("Two-step sign-in cannot be turned off."),
        "cannot_generate_recovery_codes": gettext_lazy("Recovery codes are for accounts with an app or a passkey."),
        "incorrect_code": gettext_lazy("That code is wrong. Try again with a new one."),
        "unverified_email": gettext_lazy("Confirm your email address first, so that nobody can lock you out with it."),
    }

    def get_totp_issuer(self) -> str:
        """The site's name in the app."""
        return SITE

    def build_totp_svg(self, url: str) -> str:
        """The code for the app's camera, as SVG within the page: it has no style of its own, as the policy wants."""
        drawn = segno.make(url, error="m", micro=False).svg_inline(
            border=4,
            omitsize=True,
            light="#fff",
            svgclass="qr",
            lineclass=None,
            title=gettext("The key as a code for a camera"),
        )
        return SafeString(drawn.replace("<svg ", '<svg role="img" ', 1))

    def encrypt(self, text: str) -> str:
        """A secret as it is stored: a copy of the database alone does not give it away."""
        return cipher(b"second step").encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """The secret; after a change of SECRET_KEY one that no code fits."""
        try:
            return cipher(b"second step").decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            log.error("A two-step secret was saved under another SECRET_KEY. See manage.py forget_second_step.")
            return base64.b32encode(secrets.token_bytes(20)).decode()

    def generate_authenticator_name(self, user: User, type: str) -> str:
        """The name of a passkey without one."""
        number = Authenticator.objects.filter(user=user, type=type).count() + 1
        return gettext("Passkey %(number)s") % {"number": number}

    def _get_site_name(self) -> str:
        return SITE
