"""Fresh proof of identity, before something that anyone at an open browser must not do."""

import time
from datetime import timedelta

from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.login import get_authentication_records
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from accounts.queries import member

FRESH = timedelta(minutes=10)
"""Time since signing in with a code by email in which an account without a password has proved itself."""


@reauthentication_required  # type: ignore[untyped-decorator]
def is_proved(request: HttpRequest) -> bool:
    """Whether the person signed in has just confirmed their identity.

    Allauth asks for the second step, else for the password, and then repeats the request. Without either, only a fresh
    code by email counts.
    """
    user = member(request)
    records = get_authentication_records(request, user)
    return user.has_usable_password() or any(time.time() - record["at"] < FRESH.total_seconds() for record in records)


def ask_for_code(request: HttpRequest, view: str, reason: str) -> HttpResponse:
    """Sign out, and ask for a code by email that leads back to this page."""
    messages.info(request, reason)
    logout(request)
    return redirect(f"{reverse('account_request_login_code')}?{urlencode({'next': reverse(view)})}")
