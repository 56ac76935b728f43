"""Consistency of stored tables: every snapshot with its log, every deal with its key and result."""

from collections.abc import Iterator, Sequence

from django.db import transaction

from engine.errors import EngineError
from engine.play.deal import commitment
from engine.play.moves import parse_move
from engine.play.position import write_without_rules
from engine.play.record import Game
from engine.play.view import outcome_to_json
from gameplay.log.match_history import begin, deal_next, dealt
from gameplay.models import Deal, Move, Table

AT_ONCE = 200


def tables() -> Iterator[tuple[str, list[str]]]:
    """Every table with a deal, oldest first: its address, and its problems in sentences without cards."""
    for table in Table.objects.exclude(snapshot=None).order_by("pk").iterator(AT_ONCE):
        yield table.get_absolute_url(), list(wrong_at(table)) and _wrong_when_locked(table.pk)


def _wrong_when_locked(table_id: int) -> list[str]:
    """The problems of a table at which nobody can move while it is read."""
    with transaction.atomic():
        try:
            return list(wrong_at(Table.objects.locked(table_id)[0]))
        except Table.DoesNotExist:
            return []  # deleted since then


def wrong_at(table: Table) -> Iterator[str]:
    """The problems of a table with a deal, in sentences without cards."""
    deals, moves = dealt(table), list(table.moves.all())
    if not is_whole(moves):
        yield "its moves are not numbered from 1 on without a gap"
        return
    if table.move_count != len(moves):
        yield f"it counts {table.move_count} moves and its log has {len(moves)}"
    for deal in deals:
        if not is_committed(deal):
            yield f"the key of deal {deal.number} does not fit its commitment"
    try:
        game = replayed(table, deals, moves)
    except EngineError as error:
        yield f"its log cannot be replayed ({error.code})"
        return
    if write_without_rules(game.state) != table.snapshot:
        yield "its snapshot is not what its log comes to"
    for deal, log in zip(deals, game.deals, strict=True):
        if deal.result != (log.result and outcome_to_json(log.result)):
            yield f"the result of deal {deal.number} is not what its log comes to"


def is_whole(moves: Sequence[Move]) -> bool:
    """Whether no move of a log is missing, but for the last ones."""
    return [move.number for move in moves] == list(range(1, len(moves) + 1))


def is_committed(deal: Deal) -> bool:
    """Whether the key of a deal is the one that was promised."""
    return commitment(bytes.fromhex(deal.key)) == deal.commitment


def replayed(table: Table, deals: Sequence[Deal], moves: Sequence[Move]) -> Game:
    """The match played again from keys and moves, hidden cards and all. Raises `EngineError`."""
    game = begin(table, deals[0], ("",) * table.seat_count)
    for move in moves:
        if move.deal > game.state.deal:
            deal_next(game, deals[move.deal - 1])
        if game.state.actor != move.seat:
            raise EngineError("It was not this seat's turn.", code="not_your_turn")
        game.play(parse_move(move.text))
    if len(deals) > game.state.deal:
        deal_next(game, deals[-1])
    return game
