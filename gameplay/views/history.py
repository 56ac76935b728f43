"""The history of a table: score sheets, rule sheet, log, shuffle check, records."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from engine.play.rule_sheet.sheet import differences, rule_sheet, sheet_title
from engine.play.rules import Rules
from gameplay import link_cards, record_check
from gameplay.house_rules import rule_titles
from gameplay.house_rules.rule_origin import origin
from gameplay.house_rules.rule_pictures import add_pictures
from gameplay.log import match_history
from gameplay.log.lines import log_of
from gameplay.models import Deal, Table
from gameplay.page.open_hands import board_context
from gameplay.views.visits import Visit, visit, whole_number
from web.bodies import anyone, takes
from web.errors import Refused, is_htmx
from web.link_cards import LinkCard


def page(
    request: HttpRequest, name: str, visited: Visit, context: Mapping[str, Any], *, status: int = 200
) -> HttpResponse:
    """The page of that name, or only its part if a page of the table requests it."""
    part = is_htmx(request) and not request.htmx.boosted  # type: ignore[attr-defined]
    template = f"gameplay/{name}_part.html" if part else f"gameplay/{name}.html"
    card = LinkCard(picture=link_cards.table_picture(visited.table, visited.seats))
    shared = {"table": visited.table, "seat": visited.seat, "is_part": part, "link_card": card}
    return render(request, template, {**shared, **context}, status=status)


@require_safe
@never_cache
def scores(request: HttpRequest, slug: str) -> HttpResponse:
    """The score sheets of the deals that are over, line by line."""
    visited = visit(request, slug)
    sheets = match_history.score_sheets(visited.table, visited.seats)
    titles = list(match_history.team_titles(visited.table, visited.seats).values())
    rules_title = rule_titles.title(visited.table.rules_ref, visited.table.rules)
    return page(request, "scores", visited, {"sheets": sheets, "titles": titles, "rules_title": rules_title})


@require_safe
@never_cache
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rule sheet that all players agreed to."""
    visited = visit(request, slug)
    table = visited.table
    rules_here, standard = table.rules, Rules.preset("standard")
    from_version = origin(table.rules_ref, rules_here)
    context = {
        "title": from_version.title if from_version else sheet_title(rules_here),
        "origin": from_version,
        "sections": add_pictures(
            rule_sheet(rules_here, rules_here.shape(table.seat_count, table.team_size)), rules_here
        ),
        "differences": differences(rules_here, standard),
    }
    return page(request, "rules", visited, context)


@require_safe
@never_cache
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything that happened at the table, one deal a page."""
    visited = visit(request, slug)
    table = visited.table
    deal = whole_number(request.GET.get("deal"), table.deal_number, 0, table.deal_number)
    entries = log_of(table, visited.seats, visited.number, deal)
    return page(request, "log", visited, {"entries": entries, "deal": deal, "deals": range(1, table.deal_number + 1)})


@require_safe
@never_cache
def shuffle(request: HttpRequest, slug: str) -> HttpResponse:
    """Commitments, phrases and keys, checked by the page's script."""
    visited = visit(request, slug)
    table = visited.table
    rules = table.rules.in_deal(table.deal_number)
    context = {
        "checks": match_history.shuffle_checks(table, visited.seats),
        "decks": rules.deck_count(table.seat_count),
        "jokers": rules.jokers_per_deck,
        "stack": sum(rules.stacks),
        "phrase": _own_phrase(visited),
    }
    return page(request, "shuffle", visited, context)


def _own_phrase(visited: Visit) -> str | None:
    """The reader's own phrase for the next deal; `None` if none is possible."""
    table = visited.table
    is_open = table.status == Table.Status.GATHERING or table.is_between_deals
    may = visited.seat is not None and is_open and not table.shares_deals
    deal = Deal.objects.filter(table=table, number=table.deal_number + 1, dealt_at=None).first() if may else None
    return None if deal is None or visited.seat is None else deal.phrases[visited.seat.number]


# Records


@require_safe
@never_cache
def record(request: HttpRequest, slug: str) -> JsonResponse:
    """The match as a file: rules, commitments, and every deal that is over."""
    visited = visit(request, slug)
    if visited.table.snapshot is None:
        raise Http404(gettext("The match has not started yet."))
    response = JsonResponse(match_history.record_of(visited.table, visited.seats), json_dumps_params={"indent": 1})
    response["Content-Disposition"] = f'attachment; filename="hand-and-foot-{visited.table.slug}.json"'
    return response


@takes(record_check.MOST_SENT, anyone)
@require_http_methods(["GET", "HEAD", "POST"])
def check_record(request: HttpRequest) -> HttpResponse:
    """Check any record and step through it; nothing of it is stored."""
    if request.method != "POST":
        return render(request, "gameplay/records.html")
    text = ""
    try:
        text = record_check.text_of(request.POST.get("record", ""), request.FILES.get("file"))
        return render(request, "gameplay/record_replay.html", {"text": text, **_record_context(request, text)})
    except Refused as error:
        return render(request, "gameplay/records.html", {"text": text, "refusal": error.sentence}, status=error.status)


def _record_context(request: HttpRequest, text: str) -> dict[str, Any]:
    """A record that was found right, at the step that the form asks for. Raises `Refused`."""
    game, running = record_check.check(text)
    match = match_history.match_of_game(game)
    steps = match_history.steps(match)
    at = whole_number(request.POST.get("step"), len(steps) - 1, 0, len(steps) - 1)
    return {
        **board_context(match_history.open_view(match_history.state_at(match, steps[at])), list(game.players)),
        **_steps_context(steps, at),
        "players": game.players,
        "verdict": record_check.verdict(game, running),
        "done": record_check.move_lines(game, steps[at]),
        "sheets": record_check.score_sheets(game),
        "rules_title": sheet_title(game.rules),
        "is_open": True,
    }


def _steps_context(steps: list[match_history.Step], at: int) -> dict[str, Any]:
    """The step of a record, and the numbers of its buttons."""
    last = len(steps) - 1
    return {
        "step": steps[at],
        "at": at,
        "last": last,
        "back": max(0, at - 1),
        "on": min(last, at + 1),
        "moves": steps[-1].number,
        "beginnings": [(step.deal, index) for index, step in enumerate(steps) if step.is_beginning],
    }


urls = [
    path("tables/<slug:slug>/scores/", scores, name="scores"),
    path("tables/<slug:slug>/rules/", rules, name="rules"),
    path("tables/<slug:slug>/log/", log, name="log"),
    path("tables/<slug:slug>/shuffle/", shuffle, name="shuffle"),
    path("tables/<slug:slug>/record.json", record, name="record"),
    path("records/", check_record, name="records"),
]
