"""Pages of boards: dealing sheets and results board by board for organisers, the boards with their keys for all."""

import json
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments import board_numbers, terms
from tournaments.duplicate import cards, entering, movement, preparing, services, sheet_text, traveller
from tournaments.duplicate.entering import TableOfBoard
from tournaments.exports import source
from tournaments.lookups import stage_of
from tournaments.models import Board, Pairing, Stage, Tournament
from tournaments.plan import Plan
from tournaments.services.matches import boards as shared
from tournaments.services.matches import typed_scores
from tournaments.views.event import page as public_page
from tournaments.views.event import page_context
from tournaments.views.organiser import form_actions
from tournaments.views.organiser.form_actions import Refusal, event_for, person
from web.errors import NotAllowed, Refused
from web.files import JSON, PDF
from web.text import join_words

# Organisers


@require_safe
def organise_boards(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """The boards of a stage: what they take, where they are played, their printouts and results."""
    tournament = event_for(request, event)
    return _show(request, tournament, stage_of(tournament, stage), None)


def _show(request: HttpRequest, event: Tournament, stage: Stage, refusal: Refusal | None) -> HttpResponse:
    stage.tournament = event
    rules, (seats, _) = terms.of_stage(stage).rules, services.table_of(stage)
    sets = shared.expected_sets(stage)
    labels = board_numbers.labels_of(sets, rules)
    pairings = Pairing.objects.filter(round__stage=stage).exclude(status=Pairing.Status.IDLE)
    matches = list(pairings.select_related("round").order_by("round__number", "number"))
    context = {
        "stage": stage,
        "why_not": _why_not(stage),
        "plays": _plays(request, event),
        "rows": _rows(stage, matches),
        "labels": labels,
        "material": preparing.Material(len(labels), rules.deck_count(seats), movement.copies(matches)),
        "drawn": bool(matches),
        "can_void": stage.status == Stage.Status.WAITING
        and Board.objects.filter(stage=stage, printed_at__isnull=False).exists(),
    }
    return form_actions.page(request, event, "boards", context, refusal, tab="rounds")


def _why_not(stage: Stage) -> str:
    try:
        services.rules_to_prepare(stage)
    except Refused as refused:
        return refused.sentence
    return ""


def _plays(request: HttpRequest, event: Tournament) -> str:
    """Why the reader may not print dealing sheets, although a dealer; empty if nothing is against it."""
    try:
        services.check_does_not_play(person(request), event)
    except NotAllowed as refused:
        return refused.sentence
    return ""


def _rows(stage: Stage, matches: list[Pairing]) -> list[dict[str, Any]]:
    """Each board with its tables and how many of them are done; of several issues the newest."""
    rules = terms.of_stage(stage).rules
    newest = {(board.number, board.deal): board for board in Board.objects.filter(stage=stage)}
    rows = []
    for board in sorted(newest.values(), key=lambda each: (each.number, each.deal)):
        on_it = [pairing for pairing in matches if board.number in board_numbers.sets_of(pairing)]
        rows.append(
            {
                "label": board_numbers.label_of(board, rules),
                "issue": board.issue,
                "printed_at": board.printed_at,
                "is_open": board.opened_at is not None,
                "done": sum(not pairing.is_open for pairing in on_it),
                "of": len(on_it),
                "way": join_words(_stop_words(pairing) for pairing in on_it if not pairing.is_online),
            }
        )
    return rows


def _stop_words(pairing: Pairing) -> str:
    words = gettext("round %(round)s at table %(table)s")
    return words % {"round": pairing.round.number, "table": pairing.number}


@never_cache
@require_POST
def print_boards(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """The dealing sheets of boards, as a page to print or as a PDF. Nothing else ever shows them before the play."""
    tournament = event_for(request, event, "boards")
    stage_ = stage_of(tournament, stage)
    stage_.tournament = tournament
    if request.POST.get("file") == "void":
        return _void(request, tournament, stage_)
    first, last = form_actions.number(request, "first"), form_actions.number(request, "last")
    try:
        printed = services.print_sheets(
            stage_.pk, person(request), first=first, last=last, request_key=form_actions.key_of(request)
        )
    except NotAllowed:
        raise
    except Refused as refused:
        return _show(request, tournament, stage_, Refusal("print", refused.sentence, refused.status))
    is_plan = request.POST.get("way") == "stacks"
    if request.POST.get("file") == "pdf":
        return _pdf(tournament, printed, is_plan=is_plan)
    return _sheets(request, tournament, printed, is_plan=is_plan)


def _void(request: HttpRequest, event: Tournament, stage: Stage) -> HttpResponse:
    """Declare printed boards void."""
    try:
        act = services.void_boards(stage.pk, person(request), request_key=form_actions.key_of(request))
    except NotAllowed:
        raise
    except Refused as refused:
        return _show(request, event, stage, Refusal("void", refused.sentence, refused.status))
    messages.success(request, act.sentence)
    return HttpResponseRedirect(reverse("tournaments:organise_boards", args=[event.slug, stage.number]))


def _pdf(event: Tournament, printed: services.Printed, *, is_plan: bool) -> HttpResponse:
    from tournaments.duplicate import paper  # takes long to load

    with timezone.override(event.zone):
        make = paper.building_plans if is_plan else paper.dealing_sheets
        response = HttpResponse(make(event, printed.sheets), content_type=PDF)
    name = "building-plans" if is_plan else "dealing-sheets"
    response["Content-Disposition"] = f'attachment; filename="{event.slug}-{name}.pdf"'
    return response


def _sheets(request: HttpRequest, event: Tournament, printed: services.Printed, *, is_plan: bool) -> HttpResponse:
    context = {
        "event": event,
        "address": source.full_url(event.get_absolute_url()),
        "is_plan": is_plan,
        "boards": [
            {
                "sheet": sheet,
                "about": sheet_text.about(sheet),
                "stock": sheet_text.stock_title(sheet),
                "plan": cards.sorted_rows(sheet) if is_plan else (),
                "heads": sheet_text.plan_heads(sheet) if is_plan else (),
            }
            for sheet in printed.sheets
        ],
        "jokers": sheet_text.joker_words(),
        "face_up": sheet_text.face_up(),
        "is_half": all(len(sheet.seats) <= cards.MOST_IN_HALF for sheet in printed.sheets),
    }
    with timezone.override(event.zone):
        return render(request, "tournaments/print/dealing.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def organise_board(request: HttpRequest, event: str, stage: int, board: int) -> HttpResponse:
    """The results of a board: every table that plays it, with the score of each side."""
    tournament = event_for(request, event, "results")
    stage_ = stage_of(tournament, stage)
    stage_.tournament = tournament
    issues = traveller.find(stage_, board)
    tables = entering.tables_of(stage_, issues[-1])
    if request.method != "POST":
        return _show_board(request, tournament, stage_, board, tables)
    is_kept = request.POST.get("kept") == "yes"
    scores = {table.pairing.pk: _read(request, table) for table in tables if not table.is_final}
    if any(table.errors for table in tables):
        return _show_board(request, tournament, stage_, board, tables, status=422)
    try:
        act = entering.enter_board(
            stage_.pk,
            person(request),
            label=board,
            scores=scores,
            base={pk: base for pk in scores if (base := _shown(request, pk)) is not None},
            is_kept=is_kept,
            request_key=form_actions.key_of(request),
        )
    except NotAllowed:
        raise
    except Refused as refused:
        return _refused(request, tournament, stage_, board, tables, refused)
    messages.success(request, act.sentence)
    return HttpResponseRedirect(reverse("tournaments:organise_boards", args=[tournament.slug, stage_.number]))


def _read(request: HttpRequest, table: TableOfBoard) -> list[int | None]:
    """The typed scores of a table; errors are noted at their cells."""
    table.typed = tuple(
        request.POST.get(f"s{at}-{table.pairing.pk}", "")[:24].strip() for at in range(len(table.names))
    )
    read: list[int | None] = []
    for at, text in enumerate(table.typed):
        try:
            read.append(typed_scores.read_score(text))
        except Refused as refused:
            read.append(None)
            table.errors[at] = refused.sentence
    return read


def _shown(request: HttpRequest, pairing_id: int) -> list[int | None] | None:
    """The scores of a table as the page showed them; `None` if it does not say."""
    try:
        return [typed_scores.read_score(text) for text in request.POST[f"was-{pairing_id}"][:100].split("|")]
    except (KeyError, Refused):
        return None


def _refused(
    request: HttpRequest, event: Tournament, stage: Stage, label: int, tables: list[TableOfBoard], refused: Refused
) -> HttpResponse:
    """The form again, with the sentence at its cell."""
    table = next((each for each in tables if each.pairing.pk == refused.details.get("pairing")), None)
    if table is None:
        refusal = Refusal("board", refused.sentence, refused.status)
        return _show_board(request, event, stage, label, tables, refusal=refusal)
    table.errors[int(refused.details.get("side", 0))] = refused.sentence
    can_keep = bool(refused.details.get("can_keep"))
    return _show_board(request, event, stage, label, tables, can_keep=can_keep, status=422)


def _show_board(
    request: HttpRequest,
    event: Tournament,
    stage: Stage,
    label: int,
    tables: list[TableOfBoard],
    *,
    refusal: Refusal | None = None,
    can_keep: bool = False,
    status: int = 200,
) -> HttpResponse:
    context = {
        "stage": stage,
        "label": label,
        "tables": tables,
        "is_open": any(not table.is_final for table in tables),
        "can_keep": can_keep,
    }
    return form_actions.page(request, event, "board", context, refusal, tab="rounds", status=status)


# Everyone


@require_safe
def boards(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """The boards of a stage with their commitments; of those that all tables have played the keys."""
    about = page_context(request, event)
    stage_, _ = about.stage(stage)
    if not Plan.read(stage_.plan_json).shares_deals:
        raise Http404("This stage has no boards.")

    def make() -> dict[str, Any]:
        return {"stage": stage_, "boards": traveller.boards(stage_), "keys": _keys_url(stage_)}

    return _public(request, about, stage_, "boards", make, gettext("Boards"), str(stage))


def _public(request: HttpRequest, about: Any, stage: Stage, name: str, make: Any, title: str, key: str) -> HttpResponse:
    return public_page(
        request, about, name, make, title=title, key=key, tab=f"stage-{stage.number}", timed=True, context={}
    )


def _keys_url(stage: Stage) -> str:
    return reverse("tournaments:board_keys", args=[stage.tournament.slug, stage.number])


@require_safe
def board(request: HttpRequest, event: str, stage: int, board: int) -> HttpResponse:
    """A board: its commitment, and when all tables have played it every result, the cards and the key."""
    about = page_context(request, event)
    stage_, _ = about.stage(stage)
    traveller.find(stage_, board)

    def make() -> dict[str, Any]:
        url = reverse("tournaments:boards", args=[stage_.tournament.slug, stage_.number])
        return {**traveller.board_page(stage_, board), "url": url, "is_for_field": _is_for_field(stage_)}

    return _public(request, about, stage_, "board", make, movement.title([board]), f"{stage}:{board}")


def _is_for_field(stage: Stage) -> bool:
    return Plan.read(stage.plan_json).scoring in ("matchpoints", "cross_imps")


@require_safe
def board_keys(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """The keys that lie open, for a program that checks the deals."""
    about = page_context(request, event)
    stage_, _ = about.stage(stage)
    response = HttpResponse(json.dumps(traveller.keys(stage_)), content_type=JSON)
    response["Content-Disposition"] = f'attachment; filename="{about.event.slug}-boards.json"'
    return response


_AT = "events/<slug:event>/organise/<int:stage>/boards/"
organising = [
    path(_AT, organise_boards, name="organise_boards"),
    path(f"{_AT}print/", print_boards, name="organise_boards_print"),
    path(f"{_AT}<int:board>/", organise_board, name="organise_board"),
]
urls = [
    path("events/<slug:event>/<int:stage>/boards/", boards, name="boards"),
    path("events/<slug:event>/<int:stage>/boards/keys.json", board_keys, name="board_keys"),
    path("events/<slug:event>/<int:stage>/boards/<int:board>/", board, name="board"),
]
