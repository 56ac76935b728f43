"""Privacy: take one's data away, and be forgotten."""

from __future__ import annotations

import time
from datetime import timedelta

from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.login import get_authentication_records
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import privacy as service
from accounts.queries import member

FRESH = timedelta(minutes=10)
"""Time since signing in with a code by email in which an account without a password can be deleted."""


@login_required
@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """The own data in short, with buttons to download it and to delete the account."""
    return render(request, "accounts/privacy.html")


@login_required
@never_cache
@require_safe
def export(request: HttpRequest) -> HttpResponse:
    """The own data as a file."""
    data = service.export(member(request))
    response = JsonResponse(data, json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="foothold-{timezone.now():%Y-%m-%d}.json"'
    return response


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required  # type: ignore[untyped-decorator]
def delete(request: HttpRequest) -> HttpResponse:
    """Delete the account: asks for the password, or a mailed code, then once more, then does it."""
    if not _has_proved_itself(request):
        if request.method != "POST":
            return render(request, "accounts/delete.html", {"is_to_prove": True})
        messages.info(request, gettext("Before we delete your account, please sign in again with a code by email."))
        logout(request)
        return redirect(f"{reverse('account_request_login_code')}?{urlencode({'next': reverse('accounts:delete')})}")
    if request.method == "POST":
        user = member(request)
        logout(request)
        service.delete_account(user)
        return render(request, "accounts/deleted.html")
    return render(request, "accounts/delete.html")


def _has_proved_itself(request: HttpRequest) -> bool:
    """Whether the identity is confirmed: by the password, which allauth has asked for, or by a fresh code by email."""
    user = member(request)
    records = get_authentication_records(request, user)
    return user.has_usable_password() or any(time.time() - record["at"] < FRESH.total_seconds() for record in records)


urls = [
    path("privacy/", privacy, name="privacy"),
    path("privacy/export/", export, name="export"),
    path("privacy/delete/", delete, name="delete"),
]
