"""Signing in with accounts elsewhere, connecting and disconnecting them. Loaded late: see `accounts.providers.urls`."""

from __future__ import annotations

from typing import Any

from allauth.account.utils import get_next_redirect_url
from allauth.decorators import rate_limit
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.internal.flows import connect
from allauth.socialaccount.models import SocialAccount, SocialApp
from allauth.socialaccount.providers.base import AuthProcess, Provider
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.socialaccount.views import SignupView
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from requests import RequestException

from accounts import fresh_sign_in, sign_in_limits
from accounts.models import User
from accounts.providers import offered
from accounts.queries import has_other_way_in, member

STRANGE = (RequestException, LookupError, TypeError, ValueError)
"""What goes wrong with a provider that is away or answers nonsense."""


@require_POST
def start(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Go to the provider: to sign in or up, or to connect its account to the one signed in, after fresh proof.

    The way there is a page of its own: browsers hold the redirect of a form to the addresses of `form-action`, and one
    provider sends people on to another.
    """
    provider = _provider(request, provider_id)
    sign_in_limits.try_provider(request)
    process = AuthProcess.LOGIN
    if request.user.is_authenticated:
        if not fresh_sign_in.is_proved(request):
            return _ask_for_code(request)
        process = AuthProcess.CONNECT
    try:
        answer: HttpResponse = provider.redirect(request, process, next_url=get_next_redirect_url(request))
    except STRANGE as error:
        return _failed(request, provider, error)
    if "Location" not in answer:
        return answer
    return render(request, "socialaccount/away.html", {"provider": provider, "address": answer["Location"]})


@never_cache
@require_safe
def callback(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Back from the provider, with a code that it changes into who this is."""
    provider = _provider(request, provider_id)
    sign_in_limits.try_provider(request)
    try:
        view = OAuth2CallbackView.adapter_view(provider.get_oauth2_adapter(request))
        answer: HttpResponse = view(request)
    except STRANGE as error:
        return _failed(request, provider, error)
    return answer


@require_POST
def apple_callback(request: HttpRequest) -> HttpResponse:
    """Back from Apple, by a form to which browsers add no cookie; so the answer goes on as those of others begin."""
    _provider(request, "apple")
    sent = {name: request.POST[name] for name in ("code", "state", "error") if name in request.POST}
    return redirect(f"{reverse('apple_finish_callback')}?{urlencode(sent)}")


@method_decorator(rate_limit(action="signup"), name="dispatch")
class SignUp(SignupView):  # type: ignore[misc]
    """The name and address of a new account, for who comes from a provider; counted as every sign-up."""

    def form_valid(self, form: Form) -> HttpResponse:
        try:
            answer: HttpResponse = super().form_valid(form)
        except IntegrityError:
            # Sent twice: the account is there.
            return redirect("account_login")
        return answer

    def get_authenticated_redirect_url(self) -> str:
        return reverse("mfa_index")


sign_up = SignUp.as_view()


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def disconnect(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask whether to disconnect an account, then do it, after fresh proof; refused for the only way to sign in."""
    user = member(request)
    mine = SocialAccount.objects.filter(user=user, provider__in=offered())
    account = get_object_or_404(mine, pk=pk)
    if not fresh_sign_in.is_proved(request):
        return _ask_for_code(request)
    page: dict[str, Any] = {"account": account, "name": offered()[account.provider]}
    if request.method == "POST":
        with transaction.atomic():
            User.objects.select_for_update().get(pk=user.pk)
            if has_other_way_in(user, account):
                connect.disconnect(request, account)
                return redirect("mfa_index")
        page["is_last"] = True
    return render(request, "socialaccount/disconnect.html", page, status=409 if page.get("is_last") else 200)


def _provider(request: HttpRequest, provider_id: str) -> Provider:
    """The provider, if it is offered."""
    if provider_id not in offered():
        raise Http404
    try:
        return get_adapter(request).get_provider(request, provider_id)
    except SocialApp.DoesNotExist as missing:
        raise Http404 from missing


def _ask_for_code(request: HttpRequest) -> HttpResponse:
    reason = gettext("Before you change how you sign in, please sign in again with a code by email.")
    return fresh_sign_in.ask_for_code(request, "mfa_index", reason)


def _failed(request: HttpRequest, provider: Provider, error: Exception) -> HttpResponse:
    answer: HttpResponse = render_authentication_error(request, provider, exception=error)
    return answer
