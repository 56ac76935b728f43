"""The list of clubs, a club's own page, its events, and who may do what in it."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.queries import player_of
from clubs.models import Club, Membership
from clubs.public import overview, page_context
from clubs.roles import ACTS, RANKS, ROLES
from gameplay.access import is_member

A_PAGE = 50


@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    """The clubs that want to be found, and one's own."""
    player = player_of(request)
    query = " ".join(request.GET.get("q", "").split())[:80]
    found = _counted(Club.objects.alive().filter(is_listed=True))
    if query:
        found = found.filter(
            Q(name__icontains=query) | Q(line__icontains=query) | Q(venue__icontains=query) | Q(slug__icontains=query)
        )
    page = Paginator(found.order_by("name", "pk"), A_PAGE).get_page(request.GET.get("page"))
    listed = overview.listed(page)
    context = {
        "page": page,
        "listed": listed,
        "has_meetings": any(one.meets for one in listed),
        "query": query,
        "own": _own(player),
    }
    return page_context.conditional(request, render(request, "clubs/list.html", context))


def _counted(found: QuerySet[Club]) -> QuerySet[Club]:
    here = Q(memberships__left_at=None) & ~Q(memberships__role=Membership.Role.GUEST)
    return found.annotate(member_count=Count("memberships", filter=here))


def _own(player: User | AnonymousUser) -> list[tuple[Club, str]]:
    """The clubs that somebody is of, with what they are there."""
    if not is_member(player):
        return []
    mine = Membership.objects.filter(user__pk=player.pk or 0, left_at=None).select_related("club")
    return [(one.club, one.get_role_display()) for one in mine.order_by("club__archived_at", "club__name")]


@require_safe
def club(request: HttpRequest, club: str) -> HttpResponse:
    """A club's own page."""
    seen = page_context.seen(request, club)
    inside = bool(seen.role)

    def make() -> dict[str, Any]:
        return overview.overview(seen.club, inside=inside)

    key = "in" if inside else "out"
    main = page_context.part(seen.club, overview.stamp(seen.club), "clubs/club_part.html", make, timed=True, key=key)
    return page_context.page(request, seen, "clubs/club.html", {"main_part": main, "is_own": inside}, tab="club")


@require_safe
def events(request: HttpRequest, club: str) -> HttpResponse:
    """The club's events; those that its leagues are made of have pages of their own."""
    seen = page_context.seen(request, club)
    context = overview.all_events(seen.club, inside=bool(seen.role))
    return page_context.page(request, seen, "clubs/events.html", context, tab="events", title=gettext("Events"))


@require_safe
def roles(request: HttpRequest, club: str) -> HttpResponse:
    """Who may do what, made from the table that the code checks."""
    seen = page_context.seen(request, club)
    titles = {role: Membership.Role(role).label for role in RANKS}
    rows = [(words, [(title, act in ROLES[role]) for role, title in titles.items()]) for act, words in ACTS.items()]
    context = {"titles": list(titles.values()), "rows": rows}
    return page_context.page(request, seen, "clubs/roles.html", context, tab="", title=gettext("Roles and permissions"))
