"""Accounts elsewhere that people may sign in with, as the environment names them."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ImproperlyConfigured

VARIABLES = {
    "google": ("GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"),
    "apple": ("APPLE_CLIENT_ID", "APPLE_TEAM_ID", "APPLE_KEY_ID", "APPLE_PRIVATE_KEY"),
    "microsoft": ("MICROSOFT_CLIENT_ID", "MICROSOFT_CLIENT_SECRET"),
    "openid": ("OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_URL", "OIDC_NAME"),
    "openid-2": ("OIDC_2_CLIENT_ID", "OIDC_2_CLIENT_SECRET", "OIDC_2_URL", "OIDC_2_NAME"),
    "openid-3": ("OIDC_3_CLIENT_ID", "OIDC_3_CLIENT_SECRET", "OIDC_3_URL", "OIDC_3_NAME"),
}
"""What each needs, by its name in addresses: all of its variables, or none if it is not offered."""


OPENID = [name for name in VARIABLES if name.startswith("openid")]
TENANT = "MICROSOFT_TENANT"


def providers(environ: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """The value of SOCIALACCOUNT_PROVIDERS. Raises `ImproperlyConfigured` for values that cannot work."""
    values = {name: environ.get(name, "").strip() for names in VARIABLES.values() for name in names}
    offered = [name for name, names in VARIABLES.items() if _is_offered(names, values)]
    apps = _apps(values, environ)
    chosen: dict[str, dict[str, Any]] = {name: {"APPS": [apps[name]]} for name in offered if name in apps}
    if openid := [_openid(name, values) for name in OPENID if name in offered]:
        chosen["openid_connect"] = {"APPS": openid}
    classes = {"apple": "accounts.providers.apple.Apple", "openid_connect": "accounts.providers.openid.OpenId"}
    for kind, each in chosen.items():
        each["OAUTH_PKCE_ENABLED"] = True
        if kind in classes:
            each["provider_class"] = classes[kind]
    return chosen


def _is_offered(names: tuple[str, ...], values: Mapping[str, str]) -> bool:
    """Whether all of the variables are set. Raises `ImproperlyConfigured` for some without others."""
    missing = [name for name in names if not values[name]]
    if missing and len(missing) < len(names):
        raise ImproperlyConfigured(f"{', '.join(missing)} must be set as well, or none of {', '.join(names)}.")
    return not missing


def _apps(values: Mapping[str, str], environ: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """The providers that there is one of."""
    tenant = environ.get(TENANT, "").strip() or "common"
    return {
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
    }


def _openid(provider: str, values: Mapping[str, str]) -> dict[str, Any]:
    """One of the providers of OpenID Connect."""
    client, secret, url, name = (values[variable] for variable in VARIABLES[provider])
    # Whose token it is, is believed because it comes over TLS.
    if not url.startswith("https://"):
        raise ImproperlyConfigured(f"{VARIABLES[provider][2]} must begin with https://.")
    return _app(name, client, secret) | {"provider_id": provider, "settings": {"server_url": url}}


def _app(name: str, client: str, secret: str) -> dict[str, Any]:
    return {"name": name, "client_id": client, "secret": secret}
