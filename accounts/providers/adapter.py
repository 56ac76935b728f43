"""The adapter between allauth’s part for accounts elsewhere and this site.

An account here is never taken over by an address, not even by one that both sides have verified: whoever has an account
signs in to it, and connects the other one. So a provider that lies about an address, or gives it to somebody else
later, opens nothing.
"""

from __future__ import annotations

import logging
from typing import Any

from allauth.account.utils import filter_users_by_email
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp, SocialLogin
from allauth.socialaccount.providers.base import AuthError, AuthProcess
from django.conf import settings
from django.http import HttpRequest
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy

from accounts import auth_log
from accounts.models import User

log = logging.getLogger(__name__)


class Adapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """Providers from settings alone; nothing is stored of an account elsewhere but its number and address."""

    error_messages = {
        **DefaultSocialAccountAdapter.error_messages,
        "email_taken": gettext_lazy(
            "There is an account with this address already. If it is yours, sign in, then connect %s under “Signing in”."
        ),
    }

    def list_apps(self, request: HttpRequest, provider: str | None = None, client_id: str | None = None) -> list[Any]:
        """The providers of the settings; the table that could name more is not asked."""
        return [
            SocialApp(provider=kind, **app)
            for kind, each in settings.SOCIALACCOUNT_PROVIDERS.items()
            for app in each["APPS"]
            if provider in (None, kind, app.get("provider_id")) and client_id in (None, app["client_id"])
        ]

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]) -> User:
        """The address, verified only if that is said in so many words, and the first name as a proposal."""
        user: User = sociallogin.user
        user.email = data.get("email") or ""
        user.display_name = str(data.get("first_name") or "")
        sociallogin.account.extra_data = {"email": user.email}
        for address in sociallogin.email_addresses:
            address.verified = address.verified is True
        return user

    def get_signup_form_initial_data(self, sociallogin: SocialLogin) -> dict[str, Any]:
        """What the form for a new account proposes."""
        return {"email": sociallogin.user.email, "display_name": sociallogin.user.display_name}

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Before a sign-in: keep no token, and send people whose address has an account to sign in to that."""
        # It would lie in the session until the sign-up is complete.
        sociallogin.token = None
        if sociallogin.is_existing or sociallogin.state.get("process") == AuthProcess.CONNECT:
            return
        verified = [address.email for address in sociallogin.email_addresses if address.verified]
        if any(filter_users_by_email(email) for email in verified):
            page = {"provider": sociallogin.provider, "email": verified[0], "next": reverse("mfa_index")}
            raise ImmediateHttpResponse(render(request, "socialaccount/taken.html", page, status=409))

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Any,
        error: str = AuthError.UNKNOWN,
        exception: Exception | None = None,
        extra_context: dict[str, Any] | None = None,
    ) -> None:
        """Answer with a page that says what else one can do; a provider’s own words are not shown."""
        is_cancelled = error == AuthError.CANCELLED
        if not is_cancelled:
            auth_log.refuse(request.user, provider.sub_id)
        if exception is not None:
            log.warning("Provider %s did not answer as it should: %s", provider.sub_id, type(exception).__name__)
        page = {"provider": provider, "is_cancelled": is_cancelled}
        status = 200 if is_cancelled else 401
        raise ImmediateHttpResponse(render(request, "socialaccount/failed.html", page, status=status))

    def get_connect_redirect_url(self, request: HttpRequest, socialaccount: Any) -> str:
        """The page about signing in, which lists what is connected."""
        return reverse("mfa_index")
