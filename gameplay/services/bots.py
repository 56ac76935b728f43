"""Bots' turns: thought out without a lock, made in a transaction of their own; safe to run twice and at once."""

from __future__ import annotations

import logging
import traceback
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models.functions import Now

from engine.bots import make_bot
from engine.bots.bot import last_resort
from engine.play.game import apply
from engine.play.moves import Move as EngineMove
from engine.play.state import OVER, State
from engine.play.view import view
from gameplay.models import Move, Table
from gameplay.services.match_play import play_moves
from gameplay.services.sitting import sit_down
from gameplay.snapshot import state_of
from gameplay.standing_orders import services as standing_orders

log = logging.getLogger(__name__)

OVERDUE = timedelta(seconds=3)
RETRY = timedelta(minutes=10)
"""A table at which a bot could not move at all is looked at again after this."""
_MOST_TURNS = 200
_MOST_MOVES = 200


def play_table(table_id: int) -> None:
    """Play the turns of a table's bots, one at a time, and carry out standing orders, until a person must act."""
    for _ in range(_MOST_TURNS):
        if not play_turn(table_id) and not standing_orders.carry_out(table_id):
            return


def play_turn(table_id: int, now: datetime | None = None) -> bool:
    """Play the turn of the bot that must act; whether it did. Does nothing if no bot must act.

    If another moves while it thinks, its moves are dropped.
    """
    table = Table.objects.filter(pk=table_id).first()
    level = None if table is None else _bot_to_act(table)
    if table is None or not level:
        return False
    moves = think(state_of(table), level)
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        if sitting.table.move_count != table.move_count or _bot_to_act(sitting.table) != level:
            return False
        play_moves(sitting, sitting.seats[sitting.table.seat_to_act or 0], moves, by=Move.By.BOT)
        return True


def _bot_to_act(table: Table) -> str:
    """The level of the bot that should move now; empty if a person or nobody must act."""
    if table.bot_due_at is None or table.seat_to_act is None or table.paused_at is not None:
        return ""
    return table.seats.values_list("bot", flat=True).get(number=table.seat_to_act)


def think(state: State, level: str) -> list[EngineMove]:
    """The moves of a bot of this level for the turn, or the question, of the seat to act."""
    bot = make_bot(level)
    seat, turn, moves = state.actor, state.turn, list[EngineMove]()
    while state.phase != OVER and state.actor == seat and state.turn == turn and len(moves) < _MOST_MOVES:
        position = view(state, seat)
        try:
            move = bot.choose(position)
            state = apply(state, move).state
        except Exception as error:
            # A bot that stumbles must not hold up the table.
            log.error("A bot of level %s failed: %s", level, where(error))
            move = last_resort(position.position)
            state = apply(state, move).state
        moves.append(move)
    return moves


def where(error: Exception) -> str:
    """An error for the log, without its message: that might name a hidden card."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__} at {frames[-1].filename}:{frames[-1].lineno}" if frames else type(error).__name__


def sweep() -> None:
    """Play at every table whose bot is overdue: its wake-up call was lost, or its worker died."""
    due = Table.objects.running().filter(bot_due_at__lt=Now() - OVERDUE).order_by("bot_due_at")
    for table_id in list(due.values_list("pk", flat=True)[:100]):
        try:
            play_table(table_id)
        except Exception as error:
            log.error("The bots of table %s failed: %s", table_id, where(error))
            Table.objects.filter(pk=table_id, bot_due_at__isnull=False).update(bot_due_at=Now() + RETRY)
            note_failure(table_id)


def note_failure(table_id: int) -> None:
    """Note the time of a failure at a table; the next act there clears it."""
    Table.objects.filter(pk=table_id, failed_at=None).update(failed_at=Now())
