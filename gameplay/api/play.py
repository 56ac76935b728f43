"""API views for play: the view of a seat, its legal moves, moves, and the log."""

from collections.abc import Sequence
from typing import Any

from django.db import IntegrityError
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from engine.play.cards import write_cards
from engine.play.moves import parse_move, write_move
from engine.play.state import LIFT
from engine.play.view import View, view_to_json
from gameplay import lifts
from gameplay.access import open_table, own_seat
from gameplay.api import serializers
from gameplay.api.base import JSON, endpoint, engine_words, player, read, read_query
from gameplay.api.tables import answer, table_answer
from gameplay.log.match_history import record_of
from gameplay.models import Happening, Move, Seat, Table
from gameplay.services import hints, play
from gameplay.services.match_play import MoveRefused
from gameplay.services.sitting import Sitting
from gameplay.snapshot import NoPosition, view_of
from web.errors import Refused

LIFTS = ("lift 25", "lift 50", "lift 75")
"""Legal moves in place of the numbers of cards, which nobody can choose."""


class NotStarted(Refused):
    """There is nothing to see yet."""

    def __init__(self) -> None:
        super().__init__("not_started", "The match has not started yet.")


@endpoint("GET", "read", serializers.Seen, refusals=(422,), name="tables_view")
def view(request: Request, slug: str) -> Response:
    """The deal as your seat sees it, or as watchers see it."""
    table, seat = open_table(player(request), slug)
    return answer(request, serializers.Seen, _position(table, seat))


@endpoint("GET", "read", serializers.LegalMoves, refusals=(422,))
def legal_moves(request: Request, slug: str) -> Response:
    """Your legal moves, in notation: complete up to equal cards, except for sets of several melds."""
    table, seat = own_seat(player(request), slug)
    return answer(
        request,
        serializers.LegalMoves,
        {"move_count": table.move_count, "moves": _choices(_view(table, seat), table, seat)},
    )


@endpoint("POST", "play", serializers.Played, takes=serializers.Moves, refusals=(409, 422))
def moves(request: Request, slug: str) -> Response:
    """Make moves, all of them or none. A draw, or anything else that shows you new cards, ends the list.

    409 if someone has moved since `seen`. 422 with `code`, `sentence`, `move` (its position) and `cards` if a move is
    refused. A request with the same `key` is not done again, and gets the same answer.
    """
    table, seat = own_seat(player(request), slug)
    form = read(serializers.Moves, request.data)
    key, seen = form.get("key"), form["seen"]
    try:
        now = _play(table, player(request), form["moves"], seen=seen, request_key=key).table
    except MoveRefused as error:
        error.details["cards"] = write_cards(error.refusal.cards)
        raise
    except IntegrityError:
        raise Refused("key_used", gettext("This key was already sent with other moves. Choose another key.")) from None
    log = _log(now, seen, _last_of(now, seat, key))
    return answer(request, serializers.Played, {**_position(now, seat), "log": log}, seat=seat)


@endpoint("POST", "play", serializers.Hint, takes=serializers.SeenMoves, refusals=(409, 422))
def hint(request: Request, slug: str) -> Response:
    """The best acts of your turn, with what each is worth and why. Changes nothing. 422 where hints are not allowed."""
    table, _ = own_seat(player(request), slug)
    form = read(serializers.SeenMoves, request.data)
    acts = hints.give_hint(table.pk, player(request), seen=form["seen"])
    rows = [{"move": write_move(act.move), "worth": round(act.worth), "reason": act.reason} for act in acts]
    return answer(request, serializers.Hint, {"move_count": form["seen"], "acts": rows})


@endpoint("POST", "play", serializers.WholeTable, takes=serializers.NextDeal, refusals=(422,))
def next_deal(request: Request, slug: str) -> Response:
    """Confirm that you have seen the score sheet. The next deal starts when all have. Twice does no harm."""
    table, _ = own_seat(player(request), slug)
    form = read(serializers.NextDeal, request.data)
    play.ready_for_next_deal(table.pk, player(request), deal=form["deal"])
    return table_answer(request, table.pk)


@endpoint("GET", "read", serializers.LogPage, asks=serializers.Since)
def log(request: Request, slug: str) -> Response:
    """The moves of all deals, and their effects as far as you can see them."""
    table, seat = open_table(player(request), slug)
    query = read_query(serializers.Since, request)
    lines = list(Move.objects.filter(table=table, number__gt=query["since"])[: query["limit"] + 1])
    page = {"lines": lines[: query["limit"]], "more": len(lines) > query["limit"]}
    return answer(request, serializers.LogPage, page, seat=seat)


@endpoint("GET", "read", serializers.HappeningPage, asks=serializers.Since)
def happenings(request: Request, slug: str) -> Response:
    """Everything else that happened at the table."""
    table, _ = open_table(player(request), slug)
    query = read_query(serializers.Since, request)
    lines = list(Happening.objects.filter(table=table, pk__gt=query["since"])[: query["limit"] + 1])
    page = {"lines": lines[: query["limit"]], "more": len(lines) > query["limit"]}
    return answer(request, serializers.HappeningPage, page)


@endpoint("GET", "read", JSON, refusals=(422,))
def record(request: Request, slug: str) -> Response:
    """The match as a record that the engine replays and checks, without the key of a deal under way."""
    table, _ = open_table(player(request), slug)
    if table.snapshot is None:
        raise NotStarted
    return Response(record_of(table, list(table.seats.all())))


def _position(table: Table, seat: Seat | None) -> dict[str, Any]:
    position = _view(table, seat)
    data = view_to_json(position)
    if "legal_moves" in data:
        data["legal_moves"] = _choices(position, table, seat)
    return {"table": table.slug, "version": table.version, "move_count": table.move_count, "view": data}


def _view(table: Table, seat: Seat | None) -> View:
    try:
        return view_of(table, None if seat is None else seat.number)
    except NoPosition:
        raise NotStarted from None


def _choices(position: View, table: Table, seat: Seat | None) -> list[str]:
    """The legal moves, if the seat can move now."""
    if table.status != Table.Status.PLAYING or table.paused_at is not None:
        return []
    if position.position.phase in lifts.BEFORE_PLAY:
        choices = LIFTS if position.position.phase == LIFT else [write_move(move) for move in lifts.STACKS.values()]
        return list(choices) if seat is not None and seat.is_lifting else []
    return [write_move(move) for move in position.legal_moves()]


def _play(table: Table, user: User, texts: Sequence[str], **sent: Any) -> Sitting:
    """Make moves in notation. The site works out the cards of a lift, so `grab` is refused."""
    kind, _, rest = texts[0].strip().partition(" ")
    if kind == "lift":
        if len(texts) > 1 or not (rest.isascii() and rest.isdigit() and int(rest[:4]) <= 100):
            raise Refused(
                "bad_input", gettext("Send a lift as the only move, with a place from 0 to 100, for example `lift 40`.")
            )
        return play.play_lift(table.pk, user, int(rest[:4]), **sent)
    with engine_words():
        moves = [parse_move(text) for text in texts]
    if any(move.kind == "grab" for move in moves):
        raise Refused(
            "bad_input", gettext("Send `lift` with a place from 0 to 100. The cards above it are counted for you.")
        )
    return play.play(table.pk, user, moves, **sent)


def _last_of(table: Table, seat: Seat, key: str | None) -> int:
    """The number of the last move of the act: of the first request, if it was repeated."""
    log = Move.objects.filter(table=table, seat=seat.number, request_key=key) if key else Move.objects.none()
    number = log.values_list("number", flat=True).first()
    return table.move_count if number is None else number  # a lift can still wait for others


def _log(table: Table, since: int, last: int) -> list[Move]:
    return list(Move.objects.filter(table=table, number__gt=since, number__lte=last)[: serializers.MOST_LINES])
