"""The public pages of events, for anyone who may see them, without signing in."""

from typing import Any

from django.db.models import Prefetch, prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.queries import player_of
from engine.play.rule_sheet.sheet import rule_sheet
from gameplay.house_rules import rule_sources
from gameplay.house_rules.rule_origin import origin
from gameplay.house_rules.rule_pictures import add_pictures
from gameplay.house_rules.rule_titles import title
from gameplay.score_sheets.photo_services import MOST as MOST_PHOTOS
from tournaments import line_ups, player_links, ties
from tournaments.lookups import entry_of
from tournaments.models import Member, Stage
from tournaments.public import entry_path, format_text, listing, match_page, overview, rule_sheets, schedule
from tournaments.public.names import entrant, entrants_of
from tournaments.roles import ROLES
from tournaments.rules_text import rules_title
from tournaments.score_sheets import photos
from tournaments.score_sheets import services as score_sheets
from tournaments.stage_state import load
from tournaments.views.event import page, page_context, query_number


@require_safe
def event(request: HttpRequest, event: str) -> HttpResponse:
    """The front page: facts, matches being played, and the reader's next steps."""
    about = page_context(request, event)
    player = about.player
    acts = overview.acts(about.event, player) if isinstance(player, User) else overview.visitor_acts(about.event)
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
    """Pairings, tables and times, in the reader's zone."""
    about = page_context(request, event)
    number, chosen = query_number(request, "stage"), query_number(request, "round")
    stage = next((each for each in about.stages if each.number == number), None) or schedule.current_stage(about.stages)

    def make() -> dict[str, Any]:
        if stage is None:
            return {"chosen": None}
        state = load(stage, about.event)
        entrants = entrants_of(state, about.links)
        rounds = schedule.schedule(state, entrants, about.links, live=about.live, number=chosen)
        return {"chosen": rounds, "stages": about.stages, "url": f"{about.links.event}schedule/"}

    key = f"{stage.number if stage else 0}:{chosen}"
    return page(request, about, "schedule", make, title=gettext("Schedule"), timed=True, key=key)


@require_safe
def results(request: HttpRequest, event: str) -> HttpResponse:
    """Results, newest first."""
    about = page_context(request, event)
    number = query_number(request, "page") or 1

    def make() -> dict[str, Any]:
        page_, rows = schedule.results(about.event, about.links, str(number))
        return {"page": page_, "results": rows, "has_stages": len(about.stages) > 1}

    return page(request, about, "results", make, title=gettext("Results"), timed=True, key=str(number))


@require_safe
def entries(request: HttpRequest, event: str) -> HttpResponse:
    """All entries with seeds and ratings, and the waiting list."""
    about = page_context(request, event)

    def make() -> dict[str, Any]:
        groups = overview.entries(about.event, about.links)
        return {
            "groups": groups,
            "nouns": listing.nouns(about.event),
            "has_seeds": any(name.seed for name, _ in groups["entered"]),
            "has_ratings": any(entry.strength for _, entry in groups["entered"]),
        }

    return page(request, about, "entries", make, title=gettext("Entries"))


@require_safe
def entry(request: HttpRequest, event: str, entry: int) -> HttpResponse:
    """An entry's path through the event."""
    about = page_context(request, event)
    present = Prefetch("members", Member.objects.filter(left_at=None).exclude(answer=Member.Answer.DECLINED))
    entry_ = entry_of(about.event, entry)
    prefetch_related_objects([entry_], present)

    def make() -> dict[str, Any]:
        states = [load(stage, about.event) for stage in about.stages if stage.status != Stage.Status.WAITING]
        links = about.links
        parts = (entry_path.stretch(each, entry_, entrants_of(each, links), links, live=about.live) for each in states)
        stretches = [part for part in parts if part]
        return {
            "row": entry_,
            "entrant": entrant(entry_, about.links),
            "members": list(entry_.members.all()),
            "stretches": stretches,
            "next": entry_path.next_step(stretches),
            "next_boards": entry_path.next_boards(stretches),
        }

    people = list(entry_.members.all())
    usernames = player_links.usernames((member.user_id for member in people), player_of(request))
    players = [(member.name, usernames[member.user_id]) for member in people if member.user_id in usernames]
    return page(
        request,
        about,
        "entry",
        make,
        title=entry_.name,
        template="tournaments/event/entry.html",
        timed=True,
        key=str(entry),
        tab="entries",
        context={"players": players},
    )


@require_safe
def rules(request: HttpRequest, event: str) -> HttpResponse:
    """The rule sheet of its matches with its pinned version, and the format of the event."""
    about = page_context(request, event)
    sheets = rule_sheets.sheets(about.event, about.stages)
    chosen = sheets[min(query_number(request, "sheet") or 1, len(sheets)) - 1]
    ref = chosen.terms.rules_ref
    versions = rule_sources.versions(ref) if ref else []

    def make() -> dict[str, Any]:
        stages, played_by = about.stages, chosen.terms.rules
        pinned = origin(ref, played_by)
        cuts = map(format_text.cut_sentence, stages, [*stages[1:], None])
        return {
            "stages": list(zip(format_text.stages(stages), cuts, strict=True)),
            "matches": format_text.matches(about.event),
            "sections": add_pictures(rule_sheet(played_by), played_by),
            "origin": pinned,
            "sheet_title": title(ref, played_by),
            "sheets": sheets if len(sheets) > 1 else (),
            "sheet": chosen,
            "has_begun": about.event.has_begun,
            "commitment": ties.lot_commitment(about.event),
        }

    # A newer version of house rules appears at once.
    return page(
        request,
        about,
        "rules",
        make,
        title=gettext("Rules"),
        template="tournaments/event/rules.html",
        key=f"{chosen.number}:{versions[-1].ref if versions else ''}",
        timed=bool(ref),
    )


@require_safe
def match(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """A match: its sides, time, state, and the history of its result."""
    about = page_context(request, event)
    stage_, _ = about.stage(stage)
    pairing = match_page.find(about.event, stage_.number, match)
    table_url = match_page.table_url(pairing, about.player)
    may_photo = photos.may(pairing, about.player, is_organiser="results" in ROLES.get(about.role, ()))
    return page(
        request,
        about,
        "match",
        lambda: match_page.facts(pairing, stage_, about.links, about.live),
        title=match_page.title(pairing),
        timed=True,
        key=str(pairing.pk),
        tab=f"stage-{stage_.number}",
        template="tournaments/event/match.html",
        context={
            "stage": stage_,
            "pairing": pairing,
            "line_ups": line_ups.shown(pairing, list(pairing.places.all()), line_ups.start_of(pairing), timezone.now()),
            "where": score_sheets.match_position(pairing),
            "table_url": table_url,
            "photos": photos.of(pairing),
            "may_photo": may_photo,
            "photos_url": f"{pairing.get_absolute_url()}photos/",
            "most_photos": MOST_PHOTOS,
        },
    )
