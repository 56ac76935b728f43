"""Signing in with Apple. Loaded late: see `accounts.providers.urls`."""

from __future__ import annotations

from typing import Any

from allauth.socialaccount.models import SocialLogin, SocialToken
from allauth.socialaccount.providers.apple.provider import AppleProvider
from allauth.socialaccount.providers.apple.views import AppleOAuth2Adapter
from allauth.socialaccount.providers.oauth2.views import OAuth2Adapter
from django.http import HttpRequest


class AppleAdapter(AppleOAuth2Adapter):  # type: ignore[misc]
    """Without a second session for every answer of Apple: all that counts comes with the token."""

    def get_access_token_data(self, *values: Any, **options: Any) -> dict[str, Any]:
        data: dict[str, Any] = OAuth2Adapter.get_access_token_data(self, *values, **options)
        return data

    def complete_login(self, request: HttpRequest, app: Any, token: SocialToken, **kwargs: Any) -> SocialLogin:
        return self.get_provider().sociallogin_from_response(request, token.user_data)


class Apple(AppleProvider):  # type: ignore[misc]
    """Apple, as this site asks it."""

    oauth2_adapter_class = AppleAdapter
