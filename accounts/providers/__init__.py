"""Signing in with accounts elsewhere, such as Google’s, by allauth. Which are offered, settings say."""

from __future__ import annotations

from django.conf import settings


def offered() -> dict[str, str]:
    """The names of the providers that are offered, by what addresses and rows call them."""
    return {
        app.get("provider_id", kind): app["name"]
        for kind, provider in settings.SOCIALACCOUNT_PROVIDERS.items()
        for app in provider["APPS"]
    }
