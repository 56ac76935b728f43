"""The language of the site, chosen from the foot of any page."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import path
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods
from django.views.i18n import set_language

from accounts.models import User


@require_http_methods(["GET", "HEAD", "POST"])
def language(request: HttpRequest) -> HttpResponseBase:
    """Choose the language: on this device, and for members also in all sessions, emails and notifications."""
    if request.method == "POST":
        return _choose(request)
    return render(request, "accounts/language.html", {"next": back_to(request, request.GET.get("next", ""))})


def _choose(request: HttpRequest) -> HttpResponse:
    code, player = request.POST.get("language", ""), request.player  # type: ignore[attr-defined]
    if code not in dict(settings.LANGUAGES):
        return HttpResponseRedirect(back_to(request, request.POST.get("next", "")))
    if player.pk is not None:
        User.objects.filter(pk=player.pk).update(language=code)
    return set_language(request)


def back_to(request: HttpRequest, url: str) -> str:
    """The page to return to, if it is one of ours."""
    is_ours = url.startswith("/") and url_has_allowed_host_and_scheme(url, allowed_hosts={request.get_host()})
    return url if is_ours else "/"


urls = [path("language/", language, name="language")]
