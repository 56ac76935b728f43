"""What every page of a club begins with: its band and crest, its tabs, and who looks at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from accounts.models import User
from accounts.queries import player_of
from clubs import access
from clubs.models import Club, Membership
from clubs.roles import ROLES
from web import fragment_cache
from web.conditional_pages import Tab
from web.conditional_pages import address as address
from web.conditional_pages import conditional as conditional
from web.fragment_cache import Make


@dataclass(frozen=True)
class Seen:
    """A club as one reader sees it."""

    player: User | AnonymousUser
    club: Club

    @cached_property
    def membership(self) -> Membership | None:
        """The reader as somebody of the club."""
        return access.membership_of(self.player, self.club)

    @property
    def role(self) -> str:
        return self.membership.role if self.membership else ""

    @cached_property
    def may(self) -> dict[str, bool]:
        """What the reader may do, for templates: `seen.may.news`."""
        return dict.fromkeys(ROLES.get(self.role, ()), True)

    @cached_property
    def tabs(self) -> list[Tab]:
        """The pages of the club that the reader may open."""
        found = [
            Tab("club", gettext("Club"), "clubs:club"),
            Tab("leagues", gettext("Leagues"), "clubs:leagues"),
            Tab("events", gettext("Events"), "clubs:events"),
            Tab("rules", gettext("House rules"), "clubs:rules"),
            Tab("statistics", gettext("Statistics"), "clubs:statistics"),
            Tab("news", gettext("News"), "clubs:all_news"),
        ]
        if "directory" in self.may:
            found.insert(5, Tab("members", gettext("Members"), "clubs:members"))
        if "members" in self.may:
            found.append(Tab("desk", gettext("Manage club"), "clubs:desk"))
        tabs = [Tab(one.name, one.words, address(one.url, self.club.slug)) for one in found]
        return [one for one in tabs if one.url]


def seen(request: HttpRequest, slug: str) -> Seen:
    """The club as whoever asks sees it. Raises `Http404`."""
    return Seen(player_of(request), access.open_club(slug))


def seen_for(request: HttpRequest, slug: str, act: str) -> Seen:
    """The club, for somebody who may do this in it (`roles.ACTS`). Raises `Http404` or `NotAllowed`."""
    found = seen(request, slug)
    access.check_as(found.role, act)
    return found


def page(
    request: HttpRequest,
    club: Seen,
    template: str,
    context: Mapping[str, Any],
    *,
    tab: str,
    title: str = "",
    status: int = 200,
) -> HttpResponse:
    """A page of a club. What visitors see is answered with 304 where their browser has it already."""
    shown = {
        "club": club.club,
        "seen": club,
        "tab": tab,
        "page_title": title,
        "address": f"{settings.SITE_URL}{request.path}",
        **context,
    }
    response = render(request, template, shown, status=status)
    return conditional(request, response) if status == 200 and request.method == "GET" else response


def part(club: Club, stamp: str, template: str, make: Make, *, timed: bool = False, key: str = "") -> SafeString:
    """A part of a public page, kept or made now. `stamp` changes with all that it shows, the club's own version aside;
    `key` tells apart parts of one template. Shows the same to every reader."""

    def made() -> SafeString:
        return render_to_string(template, {"club": club, **make()})

    return fragment_cache.kept(f"club|{club.pk}|{club.version}|{stamp}|{template}|{key}", made, timed=timed)
