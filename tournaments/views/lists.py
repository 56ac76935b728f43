"""Lists of events: all visible ones, and the reader's own."""

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.queries import player_of
from tournaments import access
from tournaments.public import listing
from web.sent_numbers import read_whole

A_PAGE = 30
"""The most finished events on one page."""
MOST = 200
"""Events under way and upcoming on the page; beyond that number, search by name."""


@require_safe
def events(request: HttpRequest) -> HttpResponse:
    """Events under way, upcoming and finished, the reader's own first."""
    player = player_of(request)
    name = " ".join(request.GET.get("name", "").split())[:80]
    own_ids = listing.own_ids(player) if isinstance(player, User) and player.pk else set()
    visible = access.list_events(player)
    if name:
        visible = visible.filter(name__icontains=name)
    current = list(listing.current(listing.with_counts(visible))[: MOST + 1])
    number = _page(request)
    ended = list(listing.ended(listing.with_counts(visible))[(number - 1) * A_PAGE : number * A_PAGE + 1])
    listing.with_stages([*current, *ended])
    lines = listing.lines(current[:MOST], own_ids)
    context = {
        "name": name,
        "running": [line for line in lines if line.event.status == listing.Status.RUNNING],
        "coming": [line for line in lines if line.event.status in listing.COMING],
        "drafts": [line for line in lines if line.event.status == listing.Status.DRAFT],
        "has_more": len(current) > MOST,
        "ended": listing.lines(ended[:A_PAGE], own_ids),
        "later": number - 1,
        "earlier": number + 1 if len(ended) > A_PAGE else 0,
    }
    return render(request, "tournaments/event/list.html", context)


def _page(request: HttpRequest) -> int:
    return read_whole(request.GET.get("page", ""), digits=4) or 1


@require_safe
def my_matches(request: HttpRequest) -> HttpResponse:
    """The reader's next matches over all events."""
    player = player_of(request)
    if not isinstance(player, User) or player.is_guest:
        return redirect_to_login(request.get_full_path(), reverse(settings.LOGIN_URL))
    own_events = listing.with_counts(access.list_events(player).filter(pk__in=listing.own_ids(player)))
    current, ended = list(listing.current(own_events)[:MOST]), list(listing.ended(own_events)[:10])
    listing.with_stages([*current, *ended])
    context = {
        **listing.grouped(listing.own_matches(player)),
        "events": listing.lines(current, set()),
        "slugs": ",".join(event.slug for event in current),
        "versions": " ".join(f"{event.slug}:{event.version}" for event in current),
        "ended": listing.lines(ended, set()),
    }
    return render(request, "tournaments/event/mine.html", context)
