"""The public pages of events: read by anybody who may know of them, without signing in."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch, prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from accounts.models import User
from engine.play.rule_sheet.sheet import rule_sheet, sheet_title
from gameplay.house_rules import rule_sources
from gameplay.house_rules.rule_origin import origin
from gameplay.score_sheets.photo_services import MOST as MOST_PHOTOS
from tournaments.lookups import entry_of
from tournaments.models import Member, Stage
from tournaments.public import entry_path, format_text, listing, match_page, overview, schedule
from tournaments.public.names import entrant, entrants_of
from tournaments.roles import ROLES
from tournaments.rules_text import rules_title
from tournaments.score_sheets import photos
from tournaments.score_sheets import services as score_sheets
from tournaments.stage_state import load
from tournaments.views.event import asked, page, seen


@require_safe
def event(request: HttpRequest, event: str) -> HttpResponse:
    """What it is, when, where and how; what goes on just now; what the reader can do next."""
    about = seen(request, event)
    player = about.player
    acts = overview.acts(about.event, player) if isinstance(player, User) else None
    return page(
        request,
        about,
        "overview",
        lambda: overview.overview(about.event, about.stages, about.links, about.live),
        timed=True,
        key=rules_title(about.event) if about.event.terms.get("rules_ref") else "",
        tab="event",
        context={"acts": acts},
    )


@require_safe
def schedule_of(request: HttpRequest, event: str) -> HttpResponse:
    """Who plays whom, at which table and until when, in the reader's zone."""
    about = seen(request, event)
    number, chosen = asked(request, "stage"), asked(request, "round")
    row = next((one for one in about.stages if one.number == number), None) or schedule.current_stage(about.stages)

    def make() -> dict[str, Any]:
        if row is None:
            return {"chosen": None}
        state = load(row, about.event)
        entrants = entrants_of(state, about.links)
        found = schedule.schedule(state, entrants, about.links, live=about.live, number=chosen)
        return {"chosen": found, "stages": about.stages, "url": f"{about.links.event}schedule/"}

    key = f"{row.number if row else 0}:{chosen}"
    return page(request, about, "schedule", make, title=gettext("Schedule"), timed=True, key=key)


@require_safe
def results(request: HttpRequest, event: str) -> HttpResponse:
    """Results as they come, the latest first."""
    about = seen(request, event)
    number = asked(request, "page") or 1

    def make() -> dict[str, Any]:
        found, listed = schedule.results(about.event, about.links, str(number))
        return {"page": found, "results": listed, "has_stages": len(about.stages) > 1}

    return page(request, about, "results", make, title=gettext("Results"), timed=True, key=str(number))


@require_safe
def entries(request: HttpRequest, event: str) -> HttpResponse:
    """Who takes part, with seeds and ratings, and who waits for a place."""
    about = seen(request, event)

    def make() -> dict[str, Any]:
        groups = overview.entries(about.event, about.links)
        return {
            "groups": groups,
            "nouns": listing.nouns(about.event),
            "has_seeds": any(name.seed for name, _ in groups["entered"]),
            "has_ratings": any(row.strength for _, row in groups["entered"]),
        }

    return page(request, about, "entries", make, title=gettext("Entries"))


@require_safe
def entry(request: HttpRequest, event: str, entry: int) -> HttpResponse:
    """An entry's way through the event."""
    about = seen(request, event)
    present = Prefetch("members", Member.objects.filter(left_at=None).exclude(answer=Member.Answer.DECLINED))
    row = entry_of(about.event, entry)
    prefetch_related_objects([row], present)

    def make() -> dict[str, Any]:
        states = [load(one, about.event) for one in about.stages if one.status != Stage.Status.WAITING]
        found = [
            stretch
            for state in states
            if (
                stretch := entry_path.stretch(state, row, entrants_of(state, about.links), about.links, live=about.live)
            )
        ]
        return {
            "row": row,
            "entrant": entrant(row, about.links),
            "members": list(row.members.all()),
            "stretches": found,
            "next": entry_path.next_step(found),
        }

    return page(request, about, "entry", make, title=row.name, timed=True, key=str(entry), tab="entries")


@require_safe
def rules(request: HttpRequest, event: str) -> HttpResponse:
    """The rule sheet of its matches, which kept version it is, and how the event is decided."""
    about = seen(request, event)
    ref = str(about.event.terms.get("rules_ref", ""))
    versions = rule_sources.versions(ref) if ref else []

    def make() -> dict[str, Any]:
        stages = about.stages
        pinned = origin(ref, about.event.rules)
        cuts = [
            format_text.cut_sentence(one, following) for one, following in zip(stages, [*stages[1:], None], strict=True)
        ]
        return {
            "stages": list(zip(format_text.stages(stages), cuts, strict=True)),
            "matches": format_text.matches(about.event),
            "sections": rule_sheet(about.event.rules),
            "origin": pinned,
            "sheet_title": pinned.title if pinned else sheet_title(about.event.rules),
            "has_begun": about.event.has_begun,
        }

    # A newer version of house rules is told of as soon as there is one.
    return page(
        request, about, "rules", make, title=gettext("Rules"), key=versions[-1].ref if versions else "", timed=bool(ref)
    )


@require_safe
def match(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """A match: who, until when, how it stands, and the history of its result."""
    about = seen(request, event)
    row, _ = about.stage(stage)
    pairing = match_page.find(about.event, row.number, match)
    table_url = match_page.table_url(pairing, about.player)
    may_photo = photos.may(pairing, about.player, is_organiser="results" in ROLES.get(about.role, ()))
    return page(
        request,
        about,
        "match",
        lambda: match_page.facts(pairing, row, about.links, about.live),
        title=match_page.title(pairing),
        timed=True,
        key=str(pairing.pk),
        tab=f"stage-{row.number}",
        template="tournaments/event/match.html",
        context={
            "stage": row,
            "pairing": pairing,
            "where": score_sheets.where(pairing),
            "table_url": table_url,
            "photos": photos.of(pairing),
            "may_photo": may_photo,
            "photos_url": f"{pairing.get_absolute_url()}photos/",
            "most_photos": MOST_PHOTOS,
        },
    )
