"""The start of every public page of an event: its reader, its event, and whether there is anything new to show."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext

from accounts.models import User
from accounts.queries import player_of
from tournaments.access import open_event, role_of
from tournaments.lookups import stage_among, stages_of
from tournaments.models import Stage, Tournament
from tournaments.plan import Plan
from tournaments.public import fragment_cache, link_cards, listing, live
from tournaments.public.names import Links, links_of
from tournaments.rules_text import are_house_rules, own_length, rules_alone
from web import clocks
from web.conditional_pages import Tab
from web.conditional_pages import address as address
from web.conditional_pages import conditional as conditional
from web.errors import is_htmx
from web.fragment_cache import Make
from web.sent_numbers import read_whole
from web.text import on_calendar


@dataclass(frozen=True)
class PageContext:
    """An event as one reader sees it."""

    player: User | AnonymousUser
    event: Tournament
    live: live.Playing

    @cached_property
    def stamp(self) -> str:
        """A text that changes with everything that the pages show."""
        return live.stamp(self.event, self.live)

    @cached_property
    def links(self) -> Links:
        return links_of(self.event)

    @cached_property
    def stages(self) -> list[Stage]:
        """The stages in order, each knowing its event."""
        return stages_of(self.event)

    @cached_property
    def role(self) -> str:
        """The reader's role as an organiser; empty for none."""
        return role_of(self.player, self.event)

    def stage(self, number: int) -> tuple[Stage, Stage | None]:
        """A stage and the stage that it feeds. Raises `Http404`."""
        return stage_among(self.stages, number)

    @property
    def tabs(self) -> list[Tab]:
        """The pages of the event."""
        base, slug = self.links.event, self.event.slug
        tabs = [Tab("event", gettext("Overview"), base)]
        tabs += [
            Tab(f"stage-{each.number}", self._stage_words(each), self.links.stage(each.number)) for each in self.stages
        ]
        tabs += [
            Tab("schedule", gettext("Schedule"), f"{base}schedule/"),
            Tab("results", gettext("Results"), f"{base}results/"),
            Tab(
                "entries",
                {"person": gettext("Players"), "partnership": gettext("Pairs")}.get(
                    self.event.entry_kind, gettext("Teams")
                ),
                f"{base}entries/",
            ),
            Tab("rules", gettext("Rules"), f"{base}rules/"),
        ]
        printed = address("tournaments:print", slug)
        return [*tabs, Tab("print", gettext("Print"), printed)] if printed else tabs

    def _stage_words(self, stage: Stage) -> str:
        if len(self.stages) > 1:
            return stage.name
        plan = Plan.read(stage.plan_json)
        if plan.is_bracket or plan.format == "pod_knockout":
            return gettext("Bracket")
        return gettext("Ladder") if plan.format == "ladder" else gettext("Standings")


def page_context(request: HttpRequest, event: str) -> PageContext:
    """The event as the reader sees it, by its clock. Raises `Http404` if they may not know of it."""
    player = player_of(request)
    tournament = open_event(player, event)
    clocks.go_by(tournament.clock)
    return PageContext(player, tournament, live.playing(tournament))


def query_number(request: HttpRequest, name: str) -> int | None:
    """A number in the query of the address; `None` without one, or for other text."""
    return read_whole(request.GET.get(name, ""), digits=5)


def page(
    request: HttpRequest,
    event: PageContext,
    name: str,
    make: Make,
    *,
    title: str = "",
    template: str = "tournaments/event/page.html",
    timed: bool = False,
    key: str = "",
    tab: str = "",
    context: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """A page of an event around a part of this name, which is cached until there is something new.

    An open page requests the part alone, with the stamp of its content, and gets an empty answer until that changes.
    """
    if is_htmx(request) and request.GET.get("seen") == event.stamp:
        return HttpResponse(status=204)
    content = cache(make)
    body = part(event, name, content, timed=timed, key=key)
    query = {each: value for each, value in request.GET.items() if each != "seen"}
    values = {
        "event": event.event,
        "seen": event,
        "body": body,
        "stamp": event.stamp,
        "again": f"{request.path}?{urlencode({**query, 'seen': event.stamp})}",
        "listens": event.event.status not in (Tournament.Status.OVER, Tournament.Status.CANCELLED),
        "follows": event.event.status == Tournament.Status.RUNNING,
        "page_title": title,
        "tab": tab or name,
        "takes": name in ("overview", "schedule", "results"),
        **(context or {}),
    }
    if is_htmx(request) and "seen" in request.GET:
        return render(request, "tournaments/event/part.html", values)
    address = f"{settings.SITE_URL}{request.path}"
    words = summary(event)
    card = link_cards.card(event.event, event.stamp, name, key, content, words)
    response = render(request, template, {**values, "address": address, "summary": words, "link_card": card})
    return conditional(request, response)


def part(event: PageContext, name: str, make: Make, *, timed: bool = False, key: str = "") -> SafeString:
    """A part of a page, from the cache or made now. `key` tells apart parts of one name."""

    def render_part() -> SafeString:
        return render_to_string(f"tournaments/event/{name}_part.html", {"event": event.event, **make()})

    return fragment_cache.cached(event.event, event.stamp, f"{name}:{key}", render_part, timed=timed)


def _rules(tournament: Tournament) -> str:
    phrase = rules_alone(tournament)
    if are_house_rules(tournament):
        return gettext("by %(rules)s") % {"rules": phrase}
    return gettext("by the %(rules)s of Hand and Foot") % {"rules": phrase}


def summary(event: PageContext) -> str:
    """The event in a sentence, for previews elsewhere."""
    tournament = event.event
    parts = [listing.formats(event.stages) or gettext("An event"), _rules(tournament), own_length(tournament)]
    where = tournament.venue or (gettext("online") if tournament.setting == Tournament.Setting.ONLINE else "")
    when = ""
    if tournament.starts_at:
        when = on_calendar(tournament.starts_at.astimezone(tournament.zone), pgettext("date format", "j F Y"))
    return ", ".join(each for each in (*parts, where, when) if each) + "."
