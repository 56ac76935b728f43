"""Signing in to the API: by a token with scopes, or by the session of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from knox.auth import TokenAuthentication as KnoxTokenAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts import senders
from accounts.addresses import address_of
from accounts.models import ApiToken, User
from accounts.scopes import SCOPES
from accounts.services import tokens

if TYPE_CHECKING:  # REST framework reads this module while it makes that one
    from rest_framework.views import APIView


class TokenAuthentication(KnoxTokenAuthentication):  # type: ignore[misc]
    """`Authorization: Bearer …`; the token is `request.auth`, with its scopes."""

    def authenticate(self, request: Request | HttpRequest) -> tuple[User, ApiToken] | None:
        """The token's owner and the token; `AuthenticationFailed` if it does not exist, `None` without one."""
        signed_in: tuple[User, ApiToken] | None = super().authenticate(request)
        if signed_in is not None:
            senders.remember(request, signed_in[0])
            tokens.note_use(signed_in[1], timezone.now(), address_of(request) or None)
        return signed_in

    def authenticate_credentials(self, token: bytes) -> tuple[User, ApiToken]:
        """The same for the text of a token."""
        try:
            signed_in: tuple[User, ApiToken] = super().authenticate_credentials(token)
        except UnicodeDecodeError:
            raise AuthenticationFailed(gettext("Invalid token.")) from None
        return signed_in


def needs(scope: str) -> type[BasePermission]:
    """A permission class: signed in by session, or by a token that has this scope of `accounts.scopes`."""
    if scope not in SCOPES:
        raise ValueError(f"{scope} is not a scope.")

    class HasScope(BasePermission):
        @property
        def message(self) -> str:
            return gettext("This needs a token with the scope “%(scope)s”.") % {"scope": scope}

        def has_permission(self, request: Request, view: APIView) -> bool:
            if not request.user or not request.user.is_authenticated:
                return False
            return not isinstance(request.auth, ApiToken) or scope in request.auth.scopes

    return HasScope
