"""Bots' turns: thought out without a lock, made in a transaction of their own; safe to run twice and at once."""

from __future__ import annotations

import logging
import traceback
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from engine.bots import make_bot
from engine.bots.bot import last_resort
from engine.bots.first_deal import Host
from engine.play.events import NOTHING_SEEN, PublicLog
from engine.play.game import apply
from engine.play.moves import Move as EngineMove
from engine.play.state import OVER, State
from engine.play.view import view
from gameplay.log.story import public_log
from gameplay.models import Move, Table
from gameplay.services.leaving import STAND_IN
from gameplay.services.match_play import play_moves
from gameplay.services.sitting import sit_down
from gameplay.snapshot import state_of
from gameplay.standing_orders import services as standing_orders
from gameplay.standing_orders.orders import read_standing

logger = logging.getLogger(__name__)

RETRY = timedelta(minutes=10)
"""A table at which a bot could not move at all is looked at again after this."""
_MOST_MOVES = 200


def act(table_id: int, now: datetime | None = None, *, seconds: float | None = None) -> bool:
    """Play the bot's turn, or carry out the standing order, that a table waits for; whether there was one.

    A bot thinks for so many seconds at most, or as long as its level does.
    """
    return play_turn(table_id, now, seconds=seconds) or standing_orders.carry_out(table_id, now)


def play_turn(table_id: int, now: datetime | None = None, *, seconds: float | None = None) -> bool:
    """Play the turn of the bot that must act; whether it did. Does nothing if no bot must act.

    If another moves while it thinks, its moves are dropped.
    """
    table = Table.objects.filter(pk=table_id).first()
    level = None if table is None else _bot_to_act(table, now or timezone.now())
    if table is None or not level:
        return False
    is_host = table.guide is not None
    moves = think(state_of(table), level, public_log(table), seconds=seconds, is_host=is_host)
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        if sitting.table.move_count != table.move_count or _bot_to_act(sitting.table, sitting.now) != level:
            return False
        seat = sitting.seats[sitting.table.seat_to_act or 0]
        play_moves(sitting, seat, moves, by=Move.By.BOT if seat.bot else Move.By.STAND_IN)
        return True


def _bot_to_act(table: Table, now: datetime) -> str:
    """The level of the bot that should move now, for a player who has ordered one too; empty if nobody's bot must."""
    if table.bot_due_at is None or table.seat_to_act is None or table.paused_at is not None:
        return ""
    bot, stored, lift = table.seats.values_list("bot", "standing", "lift").get(number=table.seat_to_act)
    return STAND_IN if not bot and not lift and stored.get("bot") and read_standing(stored).has_bot(now) else bot


def think(
    state: State, level: str, log: PublicLog = NOTHING_SEEN, *, seconds: float | None = None, is_host: bool = False
) -> list[EngineMove]:
    """The moves of a bot of this level for the turn, or the question, of the seat to act; `log` is what it saw.

    A host of a first deal plays as a novice does, and leaves going out to the newcomer.
    """
    bot = Host() if is_host else make_bot(level, seconds=seconds)
    seat, turn, moves = state.actor, state.turn, list[EngineMove]()
    while state.phase != OVER and state.actor == seat and state.turn == turn and len(moves) < _MOST_MOVES:
        position = view(state, seat, log=log)
        try:
            move = bot.choose(position)
            state, events = apply(state, move)
        except Exception as error:
            # A bot that stumbles must not hold up the table.
            logger.error("A bot of level %s failed: %s", level, where(error))
            move = last_resort(position.position)
            state, events = apply(state, move)
        log = log.after(events)
        moves.append(move)
    return moves


def where(error: Exception) -> str:
    """An error for the log, without its message: that might name a hidden card."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__} at {frames[-1].filename}:{frames[-1].lineno}" if frames else type(error).__name__


def put_off(table_id: int) -> None:
    """Look at a table at which a bot could not move again later."""
    Table.objects.filter(pk=table_id, bot_due_at__isnull=False).update(bot_due_at=Now() + RETRY)
    note_failure(table_id)


def note_failure(table_id: int) -> None:
    """Note the time of a failure at a table; the next act there clears it."""
    Table.objects.filter(pk=table_id, failed_at=None).update(failed_at=Now())
