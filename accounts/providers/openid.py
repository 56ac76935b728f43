"""Signing in with the OpenID Connect providers of the settings."""

from __future__ import annotations

import hashlib
import logging
from typing import Any

from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.http import HttpRequest

log = logging.getLogger(__name__)


class OpenIdAdapter(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]
    """Also compares the nonce, which allauth does not send, and the issuer that the configuration names.

    OpenID Connect Discovery 1.0, 4.3: the issuer must be the address that the configuration was read under. Only then is
    the issuer of a token, which allauth compares with the configuration, the server of the settings. 4.1 lets a slash at
    the end of it go.
    """

    _nonce = ""

    @property
    def openid_config(self) -> dict[str, Any]:
        """The provider's configuration. Raises `ValueError` if it names another issuer than the settings."""
        config: dict[str, Any] = super().openid_config
        server, _, _ = self.get_provider().server_url.partition("/.well-known/")
        if str(config["issuer"]).rstrip("/") != server.rstrip("/"):
            log.warning("The issuer of %s is %r, and not %s.", self.provider_id, config["issuer"], server)
            raise ValueError("another issuer")
        return config

    def get_access_token_data(
        self, request: HttpRequest, app: SocialApp, client: Any, pkce_code_verifier: str | None = None
    ) -> dict[str, Any]:
        self._nonce = _nonce(pkce_code_verifier or "")
        data: dict[str, Any] = super().get_access_token_data(request, app, client, pkce_code_verifier)
        return data

    def _decode_id_token(self, app: SocialApp, id_token: str) -> dict[str, Any]:
        claims: dict[str, Any] = super()._decode_id_token(app, id_token)
        if claims.get("nonce") != self._nonce:
            raise OAuth2Error("The token is for another sign-in.")
        return claims


class OpenId(OpenIDConnectProvider):  # type: ignore[misc]
    """One of several providers. Its people are other people once the settings name another server."""

    oauth2_adapter_class = OpenIdAdapter

    @property
    def server_url(self) -> str:
        """The address of its configuration, under the issuer; a slash at the issuer’s end is not doubled."""
        return str(self.wk_server_url(self.app.settings["server_url"].rstrip("/")))

    def get_pkce_params(self) -> dict[str, Any]:
        """Parameters of the way there, the nonce among them; allauth stores the verifier in the session."""
        params: dict[str, Any] = super().get_pkce_params()
        return {**params, "nonce": _nonce(params["code_verifier"])}

    def serialize(self) -> dict[str, Any]:
        """The name for a sign-up that is not complete; allauth’s is that of all these providers."""
        return {**super().serialize(), "id": self.sub_id}

    def extract_uid(self, data: dict[str, Any]) -> str:
        """A digest of the server and of its number for the person, which may be longer than the field.

        Of the server as the settings have it: the people of one with a slash at its end stay connected.
        """
        return hashlib.sha256(f"{super().server_url} {super().extract_uid(data)}".encode()).hexdigest()


def _nonce(verifier: str) -> str:
    """The nonce of a sign-in: it follows from the verifier, which stays secret until the answer is back."""
    return hashlib.sha256(f"nonce {verifier}".encode()).hexdigest()
