"""Addresses of signing in with accounts elsewhere, some under the names that allauth looks for.

The views are loaded at their first request, as in `accounts.second_step.urls`.
"""

from __future__ import annotations

from django.urls import path

from accounts.second_step.urls import lazy_view

VIEWS = "accounts.providers.views"
callback = lazy_view(f"{VIEWS}.callback")
apple_callback = lazy_view(f"{VIEWS}.apple_callback")
# Apple sends a form from its own pages, which has no token of ours; the state in it is asked for as with the others.
apple_callback.csrf_exempt = True  # type: ignore[attr-defined]

urlpatterns = [
    path("signup/", lazy_view(f"{VIEWS}.sign_up"), name="socialaccount_signup"),
    path("<slug:provider_id>/", lazy_view(f"{VIEWS}.start"), name="provider_start"),
    path("connected/<int:pk>/disconnect/", lazy_view(f"{VIEWS}.disconnect"), name="provider_disconnect"),
    path("google/callback/", callback, {"provider_id": "google"}, name="google_callback"),
    path("microsoft/callback/", callback, {"provider_id": "microsoft"}, name="microsoft_callback"),
    path("apple/callback/", apple_callback, name="apple_callback"),
    path("apple/finish/", callback, {"provider_id": "apple"}, name="apple_finish_callback"),
    path("<slug:provider_id>/callback/", callback, name="openid_connect_callback"),
]
