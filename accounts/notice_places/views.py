"""The page where a person says where else their notifications go."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.notice_places import services
from accounts.notice_places.page import Page
from accounts.notice_places.topics import TOPICS, USUAL
from accounts.queries import member
from web.channels.known import LONGEST
from web.errors import NotAllowed, Refused
from web.form_actions import Refusal
from web.sent_numbers import read_whole


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def channels(request: HttpRequest) -> HttpResponse:
    """The own channels: places, what goes there, and a new one. Only the answer that made a secret shows it."""
    user = member(request)
    if request.method != "POST":
        return _page(request, user)
    wish, _, about = request.POST.get("act", "").partition(":")
    number = read_whole(about, digits=18) or 0
    try:
        words, secret = _do(request, user, wish, number)
    except NotAllowed:
        raise
    except Refused as refused:
        at = str(refused.details.get("field", ""))
        is_there = number and not isinstance(refused, services.NoPlace)
        at = f"{wish}-{number}" if is_there else at
        return _page(request, user, Refusal(at, refused.sentence, refused.status, refused.code), place=number)
    if secret:
        return _page(request, user, secret=secret)
    messages.success(request, words)
    return redirect("accounts:channels")


def _do(request: HttpRequest, user: User, wish: str, number: int) -> tuple[str, str]:
    """Do what a button says. Returns what happened, in words, and a secret to be shown."""
    chosen = request.POST.getlist("topics")[: len(TOPICS) + 1]
    if wish == "add":
        typed, name = request.POST.get("typed", ""), request.POST.get("name", "")
        place, secret = services.add(user, typed=typed, chosen=chosen, name=name)
        return gettext("Notifications now go to %(place)s.") % {"place": place}, secret
    if wish == "remove":
        services.remove(user, number)
        return gettext("Channel removed."), ""
    if wish == "save":
        place = services.change(user, number, chosen=chosen, name=request.POST.get("name"))
        return gettext("Changed what goes to %(place)s.") % {"place": place}, ""
    if wish == "secret":
        place, secret = services.renew_secret(user, number)
        return gettext("Renewed the signing secret of %(place)s.") % {"place": place}, secret
    if wish == "test":
        return gettext("A test was sent to %(place)s.") % {"place": services.test(user, number)}, ""
    if wish == "pause":
        return gettext("%(place)s is paused.") % {"place": services.pause(user, number, rests=True)}, ""
    if wish == "resume":
        return gettext("%(place)s is used again.") % {"place": services.pause(user, number, rests=False)}, ""
    raise Refused("no_act", gettext("Choose an action."))


def _page(
    request: HttpRequest, user: User, refusal: Refusal | None = None, *, place: int = 0, secret: str = ""
) -> HttpResponse:
    is_typed = refusal is not None and request.POST.get("act") == "add"
    context = {
        "page": Page(user),
        "typed": request.POST.get("typed", "")[:LONGEST] if is_typed else "",
        "name": request.POST.get("name", "")[: services.LONGEST_NAME] if is_typed else "",
        "ticked": set(request.POST.getlist("topics")) if is_typed else set(USUAL),
        "refused_place": place,
        "changed_topics": set(request.POST.getlist("topics")),
        "changed_name": request.POST.get("name", "")[: services.LONGEST_NAME],
        "changed": place if refusal is not None and request.POST.get("act") == f"save:{place}" else 0,
        "secret": secret,
        "refusal": refusal,
    }
    status = refusal.status if refusal is not None else 200
    return render(request, "accounts/channels.html", context, status=status)


urls = [path("channels/", channels, name="channels")]
