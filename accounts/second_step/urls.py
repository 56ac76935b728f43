"""Addresses of the second step, under the names that allauth looks for.

Its own list of them would load the library for passkeys at the start, which takes a fifth of a second; so each view is
loaded when it is first asked for. What is not here, no page of ours needs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.module_loading import import_string


def late(view: str) -> Callable[..., HttpResponse]:
    """The view with this path, loaded when it is first asked for."""

    def load_and_ask(request: HttpRequest, **arguments: Any) -> HttpResponse:
        answer: HttpResponse = import_string(view)(request, **arguments)
        return answer

    return load_and_ask


BASE, TOTP, CODES, PASSKEYS = (f"allauth.mfa.{part}.views" for part in ("base", "totp", "recovery_codes", "webauthn"))
OURS = "accounts.second_step.views"

urlpatterns = [
    path("", late(f"{BASE}.index"), name="mfa_index"),
    path("authenticate/", late(f"{OURS}.second_step"), name="mfa_authenticate"),
    path("reauthenticate/", late(f"{BASE}.reauthenticate"), name="mfa_reauthenticate"),
    path("totp/activate/", late(f"{TOTP}.activate_totp"), name="mfa_activate_totp"),
    path("totp/deactivate/", late(f"{TOTP}.deactivate_totp"), name="mfa_deactivate_totp"),
    path("recovery-codes/", late(f"{CODES}.view_recovery_codes"), name="mfa_view_recovery_codes"),
    path("recovery-codes/generate/", late(f"{CODES}.generate_recovery_codes"), name="mfa_generate_recovery_codes"),
    path("webauthn/", late(f"{OURS}.passkeys"), name="mfa_list_webauthn"),
    path("webauthn/add/", late(f"{PASSKEYS}.add_webauthn"), name="mfa_add_webauthn"),
    path("webauthn/login/", late(f"{PASSKEYS}.login_webauthn"), name="mfa_login_webauthn"),
    path("webauthn/reauthenticate/", late(f"{OURS}.passkey_again"), name="mfa_reauthenticate_webauthn"),
    path("webauthn/keys/<int:pk>/edit/", late(f"{PASSKEYS}.edit_webauthn"), name="mfa_edit_webauthn"),
    path("webauthn/keys/<int:pk>/remove/", late(f"{PASSKEYS}.remove_webauthn"), name="mfa_remove_webauthn"),
]
