"""The endpoint for bounced emails of a mail service."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden, HttpResponseNotAllowed
from django.urls import path
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from accounts.services import bounces


# A mail service has no page of ours, and so no token of one; it proves itself by a secret of its own.
@csrf_exempt
@never_cache
def bounced(request: HttpRequest) -> HttpResponse:
    """Accept a bounced email as it is (`message/rfc822`). Closed unless BOUNCE_TOKEN is set."""
    secret = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
    if not settings.BOUNCE_TOKEN or not constant_time_compare(secret, settings.BOUNCE_TOKEN):
        return HttpResponseForbidden("This door is for the mail service.\n", content_type="text/plain; charset=utf-8")
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    return HttpResponse(f"{bounces.handle_report(request.body)}\n", content_type="text/plain; charset=utf-8")


urls = [path("mail/bounces/", bounced, name="bounces")]
