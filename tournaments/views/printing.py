"""Printouts of an event from the browser: for the wall, for the tables, for people."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from gameplay.score_sheets.codes import code
from tournaments import access
from tournaments.duplicate import preparing, services
from tournaments.exports import sheets, source
from tournaments.models import Stage
from tournaments.plan import Plan
from tournaments.public.crosstable import has_crosstable
from tournaments.views.event import PageContext, page_context, part, query_number
from tournaments.views.stages import stage_part, terms_text


@require_safe
def index(request: HttpRequest, event: str) -> HttpResponse:
    """All printouts; table cards only for organisers."""
    about = page_context(request, event)
    context = {
        "parts": [_part(stage) for stage in about.stages],
        "rounds": sheets.printable(about.event),
        "has_cards": access.may(about.player, about.event, "results"),
        "boards": _boards(about),
        "calendar": settings.SITE_URL + about.links.event + "calendar.ics",
    }
    return _page(request, about, "index", context)


def _boards(about: PageContext) -> list[Stage]:
    """The stages whose dealing sheets the reader may print: a right that nobody has who plays in the event."""
    player, event = about.player, about.event
    if not isinstance(player, User) or not access.may(player, event, "boards") or services.plays_in(player, event):
        return []
    return [stage for stage in about.stages if preparing.plays_boards(stage, event)]


def _part(stage: Stage) -> dict[str, Any]:
    plan = Plan.read(stage.plan_json)
    has_bracket = plan.is_bracket or plan.format == "pod_knockout"
    return {"stage": stage, "has_bracket": has_bracket, "has_crosstable": has_crosstable(plan)}


@require_safe
def stage(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """The bracket or the standings of a stage on a poster, with a code that leads to them."""
    about = page_context(request, event)
    stage_, following = about.stage(stage)
    name, make, timed = stage_part(about, stage_, following)
    with timezone.override(about.event.zone):
        body = part(about, name, make, timed=timed, key=f"print:{stage_.number}")
        address = source.full_url(about.links.stage(stage_.number))
        drawn = code(address, gettext("Code of the page of this stage"))
        context = {
            "stage": stage_,
            "terms": terms_text(about, stage_),
            "body": body,
            "paper": name,
            "address": address,
            "code": drawn,
        }
        return _page(request, about, "stage", context)


@require_safe
def pairings(request: HttpRequest, event: str) -> HttpResponse:
    """Seats of a round, by name and by table."""
    about = page_context(request, event)
    chosen = _chosen(request, about, is_all=True)
    return _page(request, about, "pairings", {"chosen": chosen, "seats": sheets.seats(chosen) if chosen else []})


@require_safe
def scores(request: HttpRequest, event: str) -> HttpResponse:
    """A blank score sheet for each table of a round."""
    about = page_context(request, event)
    chosen = _chosen(request, about)
    blanks = sheets.blanks(about.event, chosen) if chosen else []
    return _page(request, about, "scores", {"chosen": chosen, "blanks": blanks})


@require_safe
def names(request: HttpRequest, event: str) -> HttpResponse:
    """Name cards of the players."""
    about = page_context(request, event)
    return _page(request, about, "names", {"cards": sheets.name_cards(about.event)})


@never_cache
@require_safe
def cards(request: HttpRequest, event: str) -> HttpResponse:
    """A card for each table of a round, whose code leads to its score sheet: for organisers only."""
    about = page_context(request, event)
    access.check(about.player, about.event, "results")
    chosen = _chosen(request, about)
    return _page(request, about, "cards", {"chosen": chosen, "cards": sheets.cards(chosen) if chosen else []})


def _chosen(request: HttpRequest, about: PageContext, *, is_all: bool = False) -> sheets.Chosen | None:
    """The round in the address, else the current one. Raises `Http404` for invalid numbers."""
    numbers = {name: query_number(request, name) for name in ("stage", "round")}
    if any(request.GET.get(name) and number is None for name, number in numbers.items()):
        raise Http404("Round not found.")
    return sheets.choose(about.event, about.stages, numbers["stage"], numbers["round"], is_all=is_all)


def _page(request: HttpRequest, about: PageContext, name: str, context: Mapping[str, Any]) -> HttpResponse:
    """A sheet; times on paper are in the event's own zone."""
    values = {"event": about.event, "tabs": about, "address": source.full_url(about.links.event), **context}
    with timezone.override(about.event.zone):
        return render(request, f"tournaments/print/{name}.html", values)


_PRINT = "events/<slug:event>/print"

urls = [
    path(f"{_PRINT}/", index, name="print"),
    path(f"{_PRINT}/<int:stage>/", stage, name="print_stage"),
    path(f"{_PRINT}/pairings/", pairings, name="print_pairings"),
    path(f"{_PRINT}/scores/", scores, name="print_scores"),
    path(f"{_PRINT}/names/", names, name="print_names"),
    path(f"{_PRINT}/cards/", cards, name="print_cards"),
]
