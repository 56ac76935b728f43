"""The frame of every page of a club: crest, tabs, and the reader’s permissions."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from accounts.models import User
from accounts.queries import player_of
from clubs import access
from clubs.models import Club, Membership
from clubs.public import link_cards
from clubs.roles import ROLES
from clubs.tonight import evening
from web import clocks, fragment_cache
from web.conditional_pages import Tab
from web.conditional_pages import address as address
from web.conditional_pages import conditional as conditional
from web.form_actions import Refusal
from web.fragment_cache import Make
from web.link_cards import LinkCard


@dataclass(frozen=True)
class Visit:
    """A visit to a club’s pages: the club, and the reader with their permissions."""

    player: User | AnonymousUser
    club: Club

    @cached_property
    def membership(self) -> Membership | None:
        """The reader’s membership."""
        return access.membership_of(self.player, self.club)

    @property
    def role(self) -> str:
        return self.membership.role if self.membership else ""

    @cached_property
    def may(self) -> dict[str, bool]:
        """The reader’s permissions, for templates: `seen.may.news`."""
        return dict.fromkeys(ROLES.get(self.role, ()), True)

    @cached_property
    def tabs(self) -> list[Tab]:
        """The pages of the club that the reader can open."""
        pages = [
            Tab("club", gettext("Club"), "clubs:club"),
            Tab("leagues", gettext("Leagues"), "clubs:leagues"),
            Tab("events", gettext("Events"), "clubs:events"),
            Tab("rules", gettext("House rules"), "clubs:rules"),
            Tab("statistics", gettext("Statistics"), "clubs:statistics"),
            Tab("news", gettext("News"), "clubs:all_news"),
        ]
        if "directory" in self.may:
            pages.insert(5, Tab("members", gettext("Directory"), "clubs:members"))
        if "results" in self.may and evening.is_on(self.club, timezone.now()):
            pages.insert(0, Tab("tonight", gettext("Tonight"), "clubs:tonight"))
        if "members" in self.may:
            pages.append(Tab("desk", gettext("Manage club"), "clubs:desk"))
        tabs = [Tab(tab.name, tab.words, address(tab.url, self.club.slug)) for tab in pages]
        return [tab for tab in tabs if tab.url]


def visit(request: HttpRequest, slug: str) -> Visit:
    """Visit a club, whose pages show its clock. Raises `Http404`."""
    club = access.open_club(slug)
    clocks.go_by(club.zone)
    return Visit(player_of(request), club)


def visit_for(request: HttpRequest, slug: str, act: str) -> Visit:
    """Visit a club to do this (`roles.ACTS`). Raises `Http404` or `NotAllowed`."""
    club_visit = visit(request, slug)
    access.check_as(club_visit.role, act)
    return club_visit


def page(
    request: HttpRequest,
    visit: Visit,
    template: str,
    context: Mapping[str, Any],
    *,
    tab: str,
    title: str = "",
    status: int | None = None,
) -> HttpResponse:
    """A page of a club, with the status of its refusal, if any. Browsers with the current public page get 304."""
    refusal: Refusal | None = context.get("refusal")
    status = status or (refusal.status if refusal else 200)
    values = {
        "club": visit.club,
        "seen": visit,
        "tab": tab,
        "page_title": title,
        "address": f"{settings.SITE_URL}{request.path}",
        "link_card": LinkCard(picture=link_cards.club_picture(visit.club)),
        **context,
    }
    response = render(request, template, values, status=status)
    return conditional(request, response) if status == 200 and request.method == "GET" else response


def card_words(club: Club, stamp: str, key: str, make: Callable[[], Sequence[str]]) -> list[str]:
    """The title and the sentence of a card, cached like a part with this stamp."""

    def write() -> SafeString:
        return SafeString(json.dumps(make()))

    words: list[str] = json.loads(
        fragment_cache.cached(f"club|{club.pk}|{club.version}|{stamp}|card|{key}", write, timed=False)
    )
    return words


def part(club: Club, stamp: str, template: str, make: Make, *, timed: bool = False, key: str = "") -> SafeString:
    """A cached part of a public page, the same for every reader. `stamp` changes with all of its content except the
    club itself; `key` tells apart parts of one template.
    """

    def render_part() -> SafeString:
        return render_to_string(template, {"club": club, **make()})

    return fragment_cache.cached(f"club|{club.pk}|{club.version}|{stamp}|{template}|{key}", render_part, timed=timed)
