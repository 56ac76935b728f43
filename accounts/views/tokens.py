"""Tokens for the API: made, shown once, revoked."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import fresh_sign_in
from accounts.forms import TokenForm
from accounts.queries import member
from accounts.scopes import SCOPES
from accounts.services import tokens as service
from web.errors import Refused


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """The own tokens, and a form for another, which takes fresh proof of identity.

    Only the answer to the form shows the token's text.
    """
    user = member(request)
    form = TokenForm(request.POST or None)
    text = None
    if request.method == "POST" and form.is_valid():
        if not fresh_sign_in.is_proved(request):
            reason = gettext("Before we create a token, please sign in again with a code by email.")
            return fresh_sign_in.ask_for_code(request, "accounts:tokens", reason)
        try:
            token, text = service.create(user, **form.cleaned_data)
            service.email_creation(request, token)
            form = TokenForm()
        except Refused as refused:
            form.add_error(None, refused.sentence)
    context = {"form": form, "text": text, "tokens": user.auth_token_set.all(), "scopes": SCOPES, "now": timezone.now()}
    return render(request, "accounts/tokens.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def revoke(request: HttpRequest, token_key: str) -> HttpResponse:
    """End a token at once."""
    service.revoke(member(request), token_key)
    messages.success(request, gettext("Token revoked."))
    return redirect("accounts:tokens")


urls = [path("tokens/", tokens, name="tokens"), path("tokens/<slug:token_key>/revoke/", revoke, name="revoke_token")]
