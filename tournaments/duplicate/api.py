"""API views for boards: their commitments and results, dealing sheets, and results board by board."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from engine.play.cards import write_cards
from gameplay.api.base import player, read
from gameplay.api.tables import answer
from tournaments import access, seating
from tournaments.api import request_serializers, response_serializers
from tournaments.api.base import action_request, acts_of, do_act, door, organised, read_view, reader
from tournaments.duplicate import entering, services, traveller
from tournaments.duplicate.cards import Sheet, Stack
from tournaments.lookups import stage_of
from tournaments.models import Pairing, Place, Stage
from web.errors import Refused


@read_view(response_serializers.Boards, name="events_boards_list")
def boards(request: Request, event: str, stage: int) -> Response:
    """The boards of a stage with their commitments. Those that all tables have played have their key."""
    stage_ = stage_of(access.open_event(reader(request), event), stage)
    rows = [
        {
            "board": row.label,
            "issue": row.issue,
            "commitment": row.commitment,
            "key": row.key or None,
            "opened_at": row.opened_at,
            "done": row.done,
            "tables": row.of,
        }
        for row in traveller.boards(stage_)
    ]
    return answer(request, response_serializers.Boards, {"boards": rows, "version": stage_.tournament.version})


@read_view(response_serializers.WholeBoard, name="events_boards_retrieve")
def board(request: Request, event: str, stage: int, board: int) -> Response:
    """A board. When all tables have played it also its results, its cards and its key."""
    stage_ = stage_of(access.open_event(reader(request), event), stage)
    page = traveller.board_page(stage_, board)
    newest = page["issues"][-1]
    results = [
        {
            "match": row.match,
            "round": row.round,
            "names": row.names,
            "scores": row.numbers,
            "points": [str(points) for points in row.match_points],
        }
        for row in newest["rows"]
    ]
    data = {
        "board": board,
        "issue": newest["issue"],
        "commitment": newest["commitment"],
        "key": newest["key"] or None,
        "opened_at": newest["opened_at"],
        "results": results,
        "cards": _sheet(newest["sheet"]) if newest["sheet"] is not None else None,
        "version": stage_.tournament.version,
    }
    return answer(request, response_serializers.WholeBoard, data)


@door("POST", "events_organise", response_serializers.DealingSheets, takes=request_serializers.PrintBoards)
def deal(request: Request, event: str, stage: int) -> Response:
    """The dealing sheets of boards, for people with the right who do not play; or declare printed ones void."""
    tournament = organised(request, event, "boards")
    stage_ = stage_of(tournament, stage)
    form = read(request_serializers.PrintBoards, request.data)
    how = action_request(request, acts_of(tournament), form)
    if form["is_void"]:
        act = services.void_boards(stage_.pk, player(request), **how)
        data = {"act": act.pk, "sentence": act.sentence, "sheets": []}
        return answer(request, response_serializers.DealingSheets, data)
    printed = services.print_sheets(stage_.pk, player(request), first=form.get("first"), last=form.get("last"), **how)
    data = {
        "act": printed.act.pk,
        "sentence": printed.act.sentence,
        "sheets": [_sheet(sheet) for sheet in printed.sheets],
    }
    return answer(request, response_serializers.DealingSheets, data)


@door("POST", "events_results", takes=request_serializers.BoardResults)
def enter(request: Request, event: str, stage: int, board: int) -> Response:
    """Enter the scores of a board at several tables, as one action."""
    tournament = organised(request, event, "results")
    stage_ = stage_of(tournament, stage)
    form = read(request_serializers.BoardResults, request.data)
    scores = {_match(stage_, line["match"]).pk: _by_side(stage_, line) for line in form["tables"]}

    def act(**how: Any) -> Any:
        return entering.enter_board(
            stage_.pk, player(request), label=board, scores=scores, is_kept=form["is_kept"], **how
        )

    return do_act(request, tournament, form, act)


def _match(stage: Stage, name: str) -> Pairing:
    pairing = Pairing.objects.filter(round__stage=stage, name=name).first()
    if pairing is None:
        raise Http404(gettext("Match not found."))
    return pairing


def _by_side(stage: Stage, line: Any) -> list[int | None]:
    """The scores of a table by side. Raises `Refused` if there are not as many."""
    places = list(Place.objects.filter(pairing=_match(stage, line["match"])))
    if len(line["scores"]) != len(seating.sides_of(places)):
        raise Refused("bad_lines", gettext("A result has one score for each side of the match."))
    return list(line["scores"])


def _sheet(sheet: Sheet) -> dict[str, Any]:
    return {
        "board": sheet.label,
        "issue": sheet.issue,
        "seats": [
            {"name": seat.name, "stacks": [{"name": stack.name, "cards": _cards(stack)} for stack in seat.stacks]}
            for seat in sheet.seats
        ],
        "pile": _cards(sheet.pile),
        "stock": _cards(sheet.stock),
    }


def _cards(stack: Stack) -> str:
    return write_cards(card.index for card in stack.cards)
