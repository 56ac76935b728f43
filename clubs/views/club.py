"""The list of clubs, a club’s own page, its events and roles."""

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
from clubs.public import link_cards, overview, page_context
from clubs.roles import ACTS, RANKS, ROLES
from gameplay.access import is_member

A_PAGE = 50


@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    """Public clubs, and your own."""
    player = player_of(request)
    query = " ".join(request.GET.get("q", "").split())[:80]
    clubs_found = _with_counts(Club.objects.alive().filter(is_listed=True))
    if query:
        clubs_found = clubs_found.filter(
            Q(name__icontains=query) | Q(line__icontains=query) | Q(venue__icontains=query) | Q(slug__icontains=query)
        )
    page = Paginator(clubs_found.order_by("name", "pk"), A_PAGE).get_page(request.GET.get("page"))
    rows = overview.club_rows(page)
    context = {
        "page": page,
        "listed": rows,
        "has_meetings": any(row.meets for row in rows),
        "query": query,
        "own": _own_clubs(player),
    }
    return page_context.conditional(request, render(request, "clubs/list.html", context))


def _with_counts(clubs: QuerySet[Club]) -> QuerySet[Club]:
    here = Q(memberships__left_at=None) & ~Q(memberships__role=Membership.Role.GUEST)
    return clubs.annotate(member_count=Count("memberships", filter=here))


def _own_clubs(player: User | AnonymousUser) -> list[tuple[Club, str]]:
    """A player’s clubs, with their roles."""
    if not is_member(player):
        return []
    memberships = Membership.objects.filter(user__pk=player.pk or 0, left_at=None).select_related("club")
    in_order = memberships.order_by("club__archived_at", "club__name")
    return [(membership.club, membership.get_role_display()) for membership in in_order]


@require_safe
def club(request: HttpRequest, club: str) -> HttpResponse:
    """A club's own page."""
    visit = page_context.visit(request, club)
    inside = bool(visit.role)

    def make() -> dict[str, Any]:
        return overview.overview(visit.club, inside=inside)

    key = "in" if inside else "out"
    main = page_context.part(visit.club, overview.stamp(visit.club), "clubs/club_part.html", make, timed=True, key=key)
    context = {"main_part": main, "is_own": inside, "link_card": link_cards.club_card(visit.club)}
    return page_context.page(request, visit, "clubs/club.html", context, tab="club")


@require_safe
def events(request: HttpRequest, club: str) -> HttpResponse:
    """The club’s events, without those of its leagues."""
    visit = page_context.visit(request, club)
    context = overview.all_events(visit.club, inside=bool(visit.role))
    return page_context.page(request, visit, "clubs/events.html", context, tab="events", title=gettext("Events"))


@require_safe
def roles(request: HttpRequest, club: str) -> HttpResponse:
    """Roles and permissions, from the table that the code checks."""
    visit = page_context.visit(request, club)
    titles = {role: Membership.Role(role).label for role in RANKS}
    rows = [(words, [(title, act in ROLES[role]) for role, title in titles.items()]) for act, words in ACTS.items()]
    context = {"titles": list(titles.values()), "rows": rows}
    title = gettext("Roles and permissions")
    return page_context.page(request, visit, "clubs/roles.html", context, tab="", title=title)
