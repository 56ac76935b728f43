"""Signing in with the OpenID Connect provider of the settings."""

from __future__ import annotations

import hashlib
from typing import Any

from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider


class OpenId(OpenIDConnectProvider):  # type: ignore[misc]
    """A provider whose people are other people once the settings name another server."""

    def extract_uid(self, data: dict[str, Any]) -> str:
        """A digest of the server and of its number for the person, which may be longer than the field."""
        return hashlib.sha256(f"{self.server_url} {super().extract_uid(data)}".encode()).hexdigest()
