"""The profile, with preferences of play and notifications."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from accounts import time_zones
from accounts.forms import ProfileForm
from accounts.languages import language_of
from accounts.models import User
from accounts.queries import member
from accounts.services import mail
from web.channels import web_push


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """The own profile, to read and to change."""
    user = User.objects.get(pk=member(request).pk)
    form = ProfileForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        saved = form.save()
        with language_of(saved):
            messages.success(request, gettext("Profile saved."))
        return redirect("accounts:profile")
    context = {
        "form": form,
        "zones": time_zones.names(),
        "browser_zone": time_zones.guess(request) if time_zones.COOKIE in request.COOKIES else user.time_zone,
        "push_key": web_push.public_key(),
        "devices": user.push_subscriptions.count(),
        "is_address_confirmed": bool(mail.address_of(user)),
    }
    return render(request, "accounts/profile.html", context, status=422 if form.errors else 200)


urls = [path("", profile, name="profile")]
