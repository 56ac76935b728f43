"""Information about the site: answers to common questions, and the contact for security reports."""

from datetime import timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

VALID_DAYS = 180
"""Validity of security.txt, which is written again for each request."""


@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    """Answers for players and organisers; other pages link to each by its anchor, with the tag `ask`."""
    return render(request, "web/help.html")


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """The contact for security reports as in RFC 9116; 404 if the operator names none."""
    if not settings.SECURITY_CONTACT:
        raise Http404("This site names no contact for reports about its security.")
    expires = timezone.now() + timedelta(days=VALID_DAYS)
    lines = [
        f"Contact: {settings.SECURITY_CONTACT}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: en",
        f"Canonical: {settings.SITE_URL}{request.path}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")
