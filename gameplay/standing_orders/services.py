"""Standing answers and orders: set by a player, carried out when it is their move.

An order is carried out as a move of its player a few seconds after the turn began, one move at a time: nothing at the
table tells others that it was one, and setting one changes nothing that they see.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from engine.play.cards import Cards
from engine.play.state import ANSWERING, DRAWING
from gameplay import lifts, worker_signals
from gameplay.log import story
from gameplay.models import Move, Seat, Table
from gameplay.services.match_play import play_moves
from gameplay.services.sitting import Sitting, save, sit_down
from gameplay.snapshot import state_of, view_of
from gameplay.standing_orders.choice import move_for
from gameplay.standing_orders.orders import Standing, read_standing, without_discard
from gameplay.standing_orders.pace import pause
from web.errors import Refused


def set_standing(table_id: int, user: User, data: Mapping[str, Any], now: datetime | None = None) -> Sitting:
    """Save a player's standing orders (`gameplay.standing_orders.orders`); an empty mapping deletes them.

    Raises `NotAllowed`, or `Refused` if they make no sense, or not now.
    """
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        table, seat = sitting.table, sitting.seat_of(user)
        standing = read_standing(data, user.zone, sitting.now)
        if table.status not in (Table.Status.GATHERING, Table.Status.PLAYING):
            raise Refused("match_over", gettext("The match is over."))
        _check(sitting, seat, standing)
        seat.standing = standing.to_json()
        if standing.lift and seat.is_lifting:
            seat.is_lifting = False
            save(sitting)
        seat.save(update_fields=["standing"])
        if seat.standing and table.seat_to_act == seat.number and table.paused_at is None:
            table.bot_due_at = sitting.now
            table.save(update_fields=["bot_due_at"])
            worker_signals.after_commit(table.pk)
        return sitting


def _check(sitting: Sitting, seat: Seat, standing: Standing) -> None:
    """Raise `Refused` for orders that the table, or the position, does not allow."""
    table = sitting.table
    if standing.bot and table.missed == Table.Missed.FORFEIT:
        words = gettext("At this table nobody plays for you. A missed turn loses the match.")
        raise Refused("no_bot_here", words, field="bot")
    if not standing.take and not standing.discard:
        return
    if table.snapshot is None or table.is_between_deals:
        words = gettext("Orders for your next turn need a deal that is being played.")
        raise Refused("no_deal", words, field="take")
    state = state_of(table)
    if state.turn == seat.number and state.phase not in (DRAWING, *lifts.BEFORE_PLAY):
        words = gettext("Your turn has started. Finish it first, then set orders for the next one.")
        raise Refused("too_late", words, field="take")
    if any(card not in state.hands[seat.number] for card in standing.discard):
        raise Refused("not_in_hand", gettext("Choose a card that you have."), field="discard")


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
        standing = read_standing(seat.standing)
        state = state_of(table)
        if state.phase in lifts.BEFORE_PLAY:
            return not seat.is_lifting and lift_for(sitting, seat, by=Move.By.STANDING)
        drawn = _drawn_by_order(table, seat) if standing.discard and state.phase not in (DRAWING, ANSWERING) else None
        move = move_for(view_of(table, seat.number, state), standing, drawn)
        # A draw is followed by its discard, a while later: a player has to look at the cards first.
        table.bot_due_at = sitting.now + pause(table) if move is not None and move.kind == "draw" else None
        if move is None:
            if drawn is not None:
                seat.standing = without_discard(seat.standing)
                seat.save(update_fields=["standing"])
            table.save(update_fields=["bot_due_at"])
            return False
        play_moves(sitting, seat, [move], by=Move.By.STANDING)
        if table.bot_due_at is not None:
            worker_signals.after_commit(table.pk)
        return True


def lift_for(sitting: Sitting, seat: Seat, *, by: Move.By) -> bool:
    """Make the lift, or choice, of the seat to act: as its player has wished, or else by nobody's hand."""
    state = state_of(sitting.table)
    if seat.lift:
        move, by, key = lifts.move_of(state, seat.lift), Move.By.PLAYER, seat.lift["key"]
    else:
        move, key = lifts.guess(state), None
    play_moves(sitting, seat, [move], by=by, request_key=key)
    return True


def _drawn_by_order(table: Table, seat: Seat) -> Cards | None:
    """The cards that an order drew for the player with the last move; `None` if that was anything else."""
    last = table.moves.order_by("number").last()
    if last is None or last.seat != seat.number or last.by != Move.By.STANDING or last.text != "draw":
        return None
    return b"".join(event.cards for event in story.read_events(last.events, seat.number) if event.kind == "drew")
