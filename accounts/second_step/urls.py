"""Addresses of two-step sign-in, under the names that allauth looks for.

Its own list of them would load the library for passkeys at the start, which takes a fifth of a second; so each view
is loaded at its first request. Views that no page of ours needs are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.module_loading import import_string


def lazy_view(view: str) -> Callable[..., HttpResponse]:
    """A view that is loaded from this path at its first request."""

    def load_and_ask(request: HttpRequest, **arguments: Any) -> HttpResponse:
        answer: HttpResponse = import_string(view)(request, **arguments)
        return answer

    return load_and_ask


BASE, TOTP, CODES, PASSKEYS = (f"allauth.mfa.{part}.views" for part in ("base", "totp", "recovery_codes", "webauthn"))
OURS = "accounts.second_step.views"

urlpatterns = [
    path("", lazy_view(f"{BASE}.index"), name="mfa_index"),
    path("authenticate/", lazy_view(f"{OURS}.second_step"), name="mfa_authenticate"),
    path("reauthenticate/", lazy_view(f"{BASE}.reauthenticate"), name="mfa_reauthenticate"),
    path("totp/activate/", lazy_view(f"{TOTP}.activate_totp"), name="mfa_activate_totp"),
    path("totp/deactivate/", lazy_view(f"{TOTP}.deactivate_totp"), name="mfa_deactivate_totp"),
    path("recovery-codes/", lazy_view(f"{CODES}.view_recovery_codes"), name="mfa_view_recovery_codes"),
    path("recovery-codes/generate/", lazy_view(f"{CODES}.generate_recovery_codes"), name="mfa_generate_recovery_codes"),
    path("webauthn/", lazy_view(f"{OURS}.passkeys"), name="mfa_list_webauthn"),
    path("webauthn/add/", lazy_view(f"{PASSKEYS}.add_webauthn"), name="mfa_add_webauthn"),
    path("webauthn/login/", lazy_view(f"{PASSKEYS}.login_webauthn"), name="mfa_login_webauthn"),
    path("webauthn/reauthenticate/", lazy_view(f"{OURS}.passkey_again"), name="mfa_reauthenticate_webauthn"),
    path("webauthn/keys/<int:pk>/edit/", lazy_view(f"{PASSKEYS}.edit_webauthn"), name="mfa_edit_webauthn"),
    path("webauthn/keys/<int:pk>/remove/", lazy_view(f"{PASSKEYS}.remove_webauthn"), name="mfa_remove_webauthn"),
]
