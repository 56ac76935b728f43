"""Standing answers and orders: set by a player, carried out when it is their move."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from gameplay import worker_signals
from gameplay.models import Move, Table
from gameplay.services.match_play import play_moves
from gameplay.services.sitting import Sitting, save, sit_down
from gameplay.snapshot import view_of
from gameplay.standing_orders.orders import move_for, read_standing
from web.errors import Refused


def set_standing(table_id: int, user: User, data: Mapping[str, Any], now: datetime | None = None) -> Sitting:
    """Save a player's standing orders (`gameplay.standing_orders.orders`); an empty mapping deletes them.

    Raises `NotAllowed`, or `Refused` if they make no sense.
    """
    standing = read_standing(data)
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        table, seat = sitting.table, sitting.seat_of(user)
        if table.status not in (Table.Status.GATHERING, Table.Status.PLAYING):
            raise Refused("match_over", gettext("The match is over."))
        seat.standing = standing.to_json()
        seat.save(update_fields=["standing"])
        if seat.standing and table.seat_to_act == seat.number and table.paused_at is None:
            table.bot_due_at = sitting.now
            worker_signals.after_commit(table.pk)
        save(sitting)
        return sitting


def carry_out(table_id: int, now: datetime | None = None) -> bool:
    """Make the move that the person to act has said to make; whether one was made."""
    if not Table.objects.running().filter(pk=table_id, bot_due_at__isnull=False).exists():
        return False
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        table = sitting.table
        if table.bot_due_at is None or table.seat_to_act is None or table.paused_at is not None:
            return False
        seat = sitting.seats[table.seat_to_act]
        if seat.bot:
            return False
        table.bot_due_at = None
        move = move_for(view_of(table, seat.number), read_standing(seat.standing))
        if move is None:
            table.save(update_fields=["bot_due_at"])
            return False
        play_moves(sitting, seat, [move], by=Move.By.STANDING)
        return True
