"""Views in place of allauth's that would mislead. Loaded late: see `accounts.second_step.urls`."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from allauth.mfa.base.views import authenticate
from allauth.mfa.webauthn.views import ReauthenticateWebAuthnView
from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse


def second_step(request: HttpRequest) -> HttpResponse:
    """The second step of a sign-in; if an operator has just turned it off, sign-in starts again."""
    answer: HttpResponse = authenticate(request)
    stage = getattr(request, "_login_stage", None)
    if stage is not None and answer.get("Location") == reverse("account_login"):
        return stage.abort()  # type: ignore[no-any-return]
    return answer


class PasskeyAgain(ReauthenticateWebAuthnView):  # type: ignore[misc]
    """A passkey before something is changed; one that was not taken is asked for again."""

    def form_invalid(self, form: Form) -> HttpResponse:
        for words in form.errors.get("credential", []):
            get_adapter().add_message(self.request, messages.ERROR, message=words)
        return HttpResponseRedirect(self.passthrough_next_url(self.request.path))


passkey_again = PasskeyAgain.as_view()


def passkeys(request: HttpRequest) -> HttpResponse:
    """The list of passkeys is part of the page about signing in."""
    return redirect("mfa_index")
