"""The list of notifications, push for browsers, and unsubscribe links."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import unsubscribe_links
from accounts.forms import PushForm
from accounts.queries import member
from accounts.services import notices as service
from accounts.services import push
from accounts.sessions import PUSH_KEY
from web.errors import NotAllowed, Refused


@login_required
@require_safe
def notices(request: HttpRequest) -> HttpResponse:
    """The own notifications, newest first."""
    user = member(request)
    page = Paginator(service.listed_notices(user), 30).get_page(request.GET.get("page"))
    return render(request, "accounts/notices.html", {"page": page, "unread": service.unread_count(user)})


@login_required
@require_POST
def read(request: HttpRequest) -> HttpResponse:
    """Mark every notification as read."""
    service.mark_read(member(request))
    return redirect("accounts:notices")


@login_required
@require_POST
def subscribe(request: HttpRequest) -> HttpResponse:
    """Subscribe this browser to push messages."""
    form = PushForm(request.POST)
    if not form.is_valid():
        return JsonResponse(
            {"code": "push_keys", "sentence": gettext("This browser sent no address or no keys.")}, status=422
        )
    try:
        subscription = push.subscribe(member(request), **form.cleaned_data)
    except Refused as refused:
        return JsonResponse({"code": refused.code, "sentence": refused.sentence}, status=refused.status)
    request.session[PUSH_KEY] = subscription.pk
    return HttpResponse(status=204)


@login_required
@require_POST
def unsubscribe(request: HttpRequest) -> HttpResponse:
    """Unsubscribe this browser."""
    push.unsubscribe(member(request), request.POST.get("endpoint", ""))
    request.session.pop(PUSH_KEY, None)
    return HttpResponse(status=204)


@login_required
@require_POST
def forget_devices(request: HttpRequest) -> HttpResponse:
    """Unsubscribe all browsers."""
    member(request).push_subscriptions.all().delete()
    messages.success(request, gettext("Notifications are off on all devices."))
    return redirect("accounts:profile")


# A mail program posts here without a page of ours, so without its token; the signed text in the address is the key.
@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Unsubscribe without signing in: the page asks, and only its button or a mail program's one-click does it."""
    try:
        user, purpose = unsubscribe_links.read(token)
    except NotAllowed as refused:
        return render(request, "accounts/stop.html", {"refusal": refused.sentence}, status=404)
    if request.method == "POST":
        unsubscribe_links.stop(user, purpose)
    context = {
        "what": gettext(unsubscribe_links.WHAT[purpose]),
        "is_done": request.method == "POST",
        "is_email": purpose == "email",
    }
    return render(request, "accounts/stop.html", context)


urls = [
    path("notices/", notices, name="notices"),
    path("notices/read/", read, name="read_notices"),
    path("push/subscribe/", subscribe, name="push_subscribe"),
    path("push/unsubscribe/", unsubscribe, name="push_unsubscribe"),
    path("push/forget/", forget_devices, name="push_forget"),
    path("stop/<str:token>/", stop, name="stop"),
]
