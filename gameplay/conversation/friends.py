"""Friends and blocked people: who is here, requests, and the acts between two people."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.queries import member
from accounts.services import blocks
from accounts.services import friends as service
from gameplay import presence
from web.errors import Refused

_ACTS: dict[str, tuple[Callable[[User, str], object], object]] = {
    "ask": (service.ask, gettext_lazy("Request sent.")),
    "accept": (service.accept, gettext_lazy("You are friends now.")),
    "end": (service.end, gettext_lazy("Removed.")),
    "block": (blocks.block, gettext_lazy("Blocked. We do not tell them.")),
    "unblock": (blocks.unblock, gettext_lazy("Unblocked.")),
}


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def friends(request: HttpRequest) -> HttpResponse:
    """Friends, requests and blocked people; `act` is a key of `_ACTS`, `who` a username."""
    user = member(request)
    if request.method != "POST":
        return _page(request, user)
    act, words = _ACTS.get(request.POST.get("act", ""), (None, ""))
    who = request.POST.get("who", "")[:150]
    try:
        if act is None:
            raise Refused("no_act", gettext("Choose what to do."))
        act(user, who)
    except Refused as refused:
        return _page(request, user, refused, who)
    messages.success(request, str(words))
    return redirect("gameplay:friends")


def _page(request: HttpRequest, user: User, refused: Refused | None = None, who: str = "") -> HttpResponse:
    rows = list(service.friendships_of(user))
    friends = [row.other(user) for row in rows if row.accepted_at is not None]
    here = presence.shown_on_site(friends)
    waiting = [row for row in rows if row.accepted_at is None]
    context = {
        "friends": sorted(
            ((friend, friend.pk in here) for friend in friends), key=lambda pair: (not pair[1], str(pair[0]).casefold())
        ),
        "received": [row.first for row in waiting if row.second_id == user.pk],
        "asked": [row.second for row in waiting if row.first_id == user.pk],
        "blocked": [row.person for row in blocks.blocks_of(user)],
        "refusal": refused,
        "is_block": request.POST.get("act") == "block",
        "who": who,
    }
    return render(request, "gameplay/friends.html", context, status=refused.status if refused else 200)


urls = [path("friends/", friends, name="friends")]
