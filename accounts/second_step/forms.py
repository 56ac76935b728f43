"""Forms of two-step sign-in. Loaded late: see `accounts.second_step.urls`."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.core import context, ratelimit
from allauth.mfa.base import forms as by_code
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn import forms as by_passkey
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from accounts import auth_log, sign_in_limits
from accounts.display_names import clean_display_name
from accounts.models import User

MOST = 10
"""Passkeys a person may have."""
LARGEST = 20_000
"""Most characters of a browser's answer for a passkey; the usual is a tenth of it."""
STRANGE = gettext_noop("We do not recognise this passkey, or it took too long. Please try again.")


def code_field(label: str, autocomplete: str = "one-time-code") -> forms.CharField:
    """A field for a code, with a keyboard that has digits."""
    attributes = {"autocomplete": autocomplete, "inputmode": "numeric", "spellcheck": "false"}
    return forms.CharField(label=gettext_lazy(label), max_length=40, widget=forms.TextInput(attrs=attributes))


class ActivateForm(ActivateTOTPForm):  # type: ignore[misc]
    """The first code of an app, which shows that the app has the key."""

    code = code_field(gettext_noop("Code that the app shows"))


class Limited:
    """A code that counts if it is wrong, for the device or network; see `accounts.sign_in_limits`."""

    user: User

    def clean_code(self) -> str:
        attempt = sign_in_limits.try_code(context.request, self.user)
        code: str = super().clean_code()  # type: ignore[misc]
        attempt.give_back()
        return code


class CodeForm(Limited, by_code.AuthenticateForm):  # type: ignore[misc]
    """A code of the app, or a recovery code, at sign-in."""

    code = code_field(gettext_noop("Code"))


class CodeAgainForm(Limited, by_code.ReauthenticateForm):  # type: ignore[misc]
    """The same before something is changed."""

    code = code_field(gettext_noop("Code"))


@contextmanager
def plain_errors() -> Iterator[None]:
    """Answer unreadable input like a wrong passkey, without the library's reason."""
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, struct.error):
        raise ValidationError(gettext(STRANGE), code="strange") from None
    except ValidationError as error:
        if error.code != "incorrect_code":
            raise
        raise ValidationError(gettext(STRANGE), code="strange") from error


class CredentialField(forms.JSONField):
    """The browser's answer for a passkey."""

    def __init__(self) -> None:
        super().__init__(
            widget=forms.HiddenInput,
            error_messages={"required": gettext_lazy(STRANGE), "invalid": gettext_lazy(STRANGE)},
        )

    def to_python(self, value: Any) -> Any:
        if len(str(value)) > LARGEST:
            raise ValidationError(gettext(STRANGE), code="strange")
        with plain_errors():
            credential = super().to_python(value)
        if not isinstance(credential, dict):
            raise ValidationError(gettext(STRANGE), code="strange")
        return credential

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Never show the answer again: a passkey answers once."""
        return initial


class Named(forms.Form):
    """A passkey's name, for its owner alone."""

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"] or self.initial["name"]
        return clean_display_name(name)


def name_field() -> forms.CharField:
    return forms.CharField(
        label=gettext_lazy("Name"),
        required=False,
        max_length=50,
        help_text=gettext_lazy("A name to recognise it by, such as the device it is on."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class AddPasskeyForm(Named, by_passkey._BaseAddWebAuthnForm):  # type: ignore[misc]
    """A new passkey that can sign in alone, because it asks for a finger, a face or a PIN."""

    name = name_field()
    credential = CredentialField()

    def clean(self) -> dict[str, Any]:
        if self.user.authenticator_set.filter(type=Authenticator.Type.WEBAUTHN).count() >= MOST:
            sentence = gettext("You already have %(most)s passkeys. Remove one first.")
            raise ValidationError(sentence % {"most": MOST})
        with plain_errors():
            return super().clean() or {}


class RenamePasskeyForm(Named, by_passkey.EditWebAuthnForm):  # type: ignore[misc]
    """Another name for a passkey."""

    name = name_field()


class PasskeyForm(by_passkey.AuthenticateWebAuthnForm):  # type: ignore[misc]
    """A passkey as the second step."""

    credential = CredentialField()

    def clean_credential(self) -> Authenticator:
        """The passkey that answered. Nothing can be guessed, so only the work of a place is limited."""
        if not ratelimit.consume(context.request, action="passkey"):
            raise get_adapter().validation_error("rate_limited")
        with plain_errors():
            return super().clean_credential()

    def clean(self) -> dict[str, Any] | None:
        """Log the refusal of any invalid answer."""
        if "credential" in self.errors:
            auth_log.refuse(self.user, auth_log.PASSKEY)
        cleaned: dict[str, Any] | None = super().clean()
        return cleaned


class PasskeyAloneForm(PasskeyForm, by_passkey.LoginWebAuthnForm):  # type: ignore[misc]
    """A passkey in the place of a password."""

    credential = CredentialField()


class PasskeyAgainForm(PasskeyForm, by_passkey.ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """A passkey before something is changed."""

    credential = CredentialField()
