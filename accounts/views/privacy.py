"""Privacy: take one's data away, and be forgotten."""

from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import fresh_sign_in
from accounts import privacy as service
from accounts.queries import member


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
def delete(request: HttpRequest) -> HttpResponse:
    """Delete the account: asks for the password, or a mailed code, then once more, then does it."""
    if not fresh_sign_in.is_proved(request):
        if request.method != "POST":
            return render(request, "accounts/delete.html", {"is_to_prove": True})
        reason = gettext("Before we delete your account, please sign in again with a code by email.")
        return fresh_sign_in.ask_for_code(request, "accounts:delete", reason)
    if request.method == "POST":
        user = member(request)
        logout(request)
        service.delete_account(user)
        return render(request, "accounts/deleted.html")
    return render(request, "accounts/delete.html")


urls = [
    path("privacy/", privacy, name="privacy"),
    path("privacy/export/", export, name="export"),
    path("privacy/delete/", delete, name="delete"),
]
