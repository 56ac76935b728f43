"""Accounts elsewhere that people may sign in with, as the environment names them."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ImproperlyConfigured

VARIABLES = {
    "google": ("GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"),
    "apple": ("APPLE_CLIENT_ID", "APPLE_TEAM_ID", "APPLE_KEY_ID", "APPLE_PRIVATE_KEY"),
    "microsoft": ("MICROSOFT_CLIENT_ID", "MICROSOFT_CLIENT_SECRET"),
    "openid_connect": ("OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_URL", "OIDC_NAME"),
}
"""What each needs, by its name in allauth: all of its variables, or none if it is not offered."""


TENANT = "MICROSOFT_TENANT"


def providers(environ: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """The value of SOCIALACCOUNT_PROVIDERS. Raises `ImproperlyConfigured` for values that cannot work."""
    values = {name: environ.get(name, "").strip() for names in VARIABLES.values() for name in names}
    offered: dict[str, dict[str, Any]] = {}
    for kind, names in VARIABLES.items():
        missing = [name for name in names if not values[name]]
        if missing and len(missing) < len(names):
            raise ImproperlyConfigured(f"{', '.join(missing)} must be set as well, or none of {', '.join(names)}.")
        if not missing:
            offered[kind] = {"OAUTH_PKCE_ENABLED": True}
    # Whose token it is, is believed because it comes over TLS.
    if "openid_connect" in offered and not values["OIDC_URL"].startswith("https://"):
        raise ImproperlyConfigured("OIDC_URL must begin with https://.")
    tenant = environ.get(TENANT, "").strip() or "common"
    apps = {
        "google": _app("Google", values["GOOGLE_CLIENT_ID"], values["GOOGLE_CLIENT_SECRET"]),
        # Allauth has the name of the key as the secret, and the team as the key.
        "apple": _app("Apple", values["APPLE_CLIENT_ID"], values["APPLE_KEY_ID"])
        | {
            "key": values["APPLE_TEAM_ID"],
            # A variable has one line in some places.
            "settings": {"certificate_key": values["APPLE_PRIVATE_KEY"].replace("\\n", "\n"), "scope": ["email"]},
        },
        "microsoft": _app("Microsoft", values["MICROSOFT_CLIENT_ID"], values["MICROSOFT_CLIENT_SECRET"])
        | {"settings": {"tenant": tenant}},
        "openid_connect": _app(values["OIDC_NAME"], values["OIDC_CLIENT_ID"], values["OIDC_CLIENT_SECRET"])
        | {"provider_id": "openid", "settings": {"server_url": values["OIDC_URL"]}},
    }
    classes = {"apple": "accounts.providers.apple.Apple", "openid_connect": "accounts.providers.openid.OpenId"}
    for kind, each in offered.items():
        each["APPS"] = [apps[kind]]
        if kind in classes:
            each["provider_class"] = classes[kind]
    return offered


def _app(name: str, client: str, secret: str) -> dict[str, Any]:
    return {"name": name, "client_id": client, "secret": secret}
