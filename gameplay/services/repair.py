"""Repairs by an operator: tables that are stuck, or that differ from their log."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext

from engine.errors import EngineError
from engine.play.record import Game
from engine.play.view import outcome_to_json
from gameplay.log.match_history import dealt
from gameplay.models import Deal, Table
from gameplay.monitoring import integrity
from gameplay.services import bots
from gameplay.services.match_play import begin_deal, set_actor
from gameplay.services.sitting import Sitting, save, sit_down
from gameplay.snapshot import keep, state_of
from web.errors import Refused

_DAMAGED = "The log of this table is damaged, so nothing can be rebuilt from it. Bring it back from a backup."
_APART = "The table and its log differ about whether the deal is over. Bring the table back from a backup."


def move_bot(table_id: int, now: datetime | None = None) -> None:
    """Play the turn of the bot, or of the standing order, that must act. Raises `Refused` if there is none."""
    if not Table.objects.running().filter(pk=table_id, bot_due_at__isnull=False, paused_at=None).exists():
        raise Refused("not_due", gettext("No bot has to play at this table."))
    bots.act(table_id, now)


def deal_now(table_id: int, now: datetime | None = None) -> None:
    """Begin the next deal of a table at which no clock would ever begin it. Raises `Refused`."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        table = sitting.table
        runs = table.status == Table.Status.PLAYING and table.paused_at is None
        if not runs or not table.is_between_deals or table.deadline_at is not None:
            raise Refused(
                "not_between", gettext("This table is not waiting for a deal, or a clock already runs for it.")
            )
        begin_deal(sitting, state_of(table))


def check(table_id: int) -> list[str]:
    """Differences of a table from its log, in sentences without cards. Raises `Refused` before the start."""
    problems = _wrong(Table.objects.get(pk=table_id))
    if not problems:
        return []
    # Somebody may have moved while it was read.
    with transaction.atomic():
        return _wrong(Table.objects.locked(table_id)[0])


def rebuild(table_id: int, now: datetime | None = None) -> None:
    """Write the snapshot again from the log, with its consequences. Raises `Refused` if that is impossible."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        if not _wrong(sitting.table):
            raise Refused("sound", gettext("This table agrees with its log, so there is nothing to rebuild."))
        deals = dealt(sitting.table)
        game = _replayed(sitting.table, deals)
        _correct_results(deals, game)
        _follow(sitting, game)
        save(sitting)


def _wrong(table: Table) -> list[str]:
    if table.snapshot is None:
        raise Refused("not_started", gettext("No cards have been dealt at this table."))
    return list(integrity.wrong_at(table))


def _replayed(table: Table, deals: Sequence[Deal]) -> Game:
    moves = list(table.moves.all())
    if not integrity.is_whole(moves) or not all(integrity.is_committed(deal) for deal in deals):
        raise Refused("log_damaged", _DAMAGED)
    try:
        return integrity.replayed(table, deals, moves)
    except EngineError:
        raise Refused("log_damaged", _DAMAGED) from None


def _correct_results(deals: Sequence[Deal], game: Game) -> None:
    for deal, log in zip(deals, game.deals, strict=True):
        result = log.result and outcome_to_json(log.result)
        if deal.result != result:
            Deal.objects.filter(pk=deal.pk).update(result=result)


def _follow(sitting: Sitting, game: Game) -> None:
    """Bring a locked table to the state of its log; the caller saves."""
    table, state = sitting.table, game.state
    is_over = game.deals[-1].result is not None
    if table.status == Table.Status.PLAYING and is_over != table.is_between_deals:
        raise Refused("log_apart", _APART)
    keep(table, state)
    table.move_count, table.deal_number = table.moves.count(), state.deal
    if table.status == Table.Status.PLAYING and not is_over and table.seat_to_act != state.actor:
        set_actor(sitting, state)
