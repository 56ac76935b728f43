"""Shared deals of a stage: their keys, and when they become public.

Every function is called under the tournament’s lock.
"""

import itertools
from collections import defaultdict
from datetime import datetime

from django.db.models import Q

from accounts.models import User
from engine.play.deal import new_key
from engine.play.rules import Rules
from gameplay.models import Deal, Table
from gameplay.services import event_tables
from tournaments import terms
from tournaments.models import Board, Pairing, Stage, Tournament
from tournaments.plan import Plan

MOST_DEALS = 12
"""Shared deals in a match to a target score. Hardly any match has more, and further deals are not shared."""


def boards_of(pairing: Pairing, rules: Rules) -> list[tuple[int, int]]:
    """The shared deals of a match: number of the board, and the deal of that number.

    A match of more deals than it has boards plays several deals of each.
    """
    numbers = pairing.boards or [pairing.round.number]
    count = rules.length.number if rules.length.by == "deals" else MOST_DEALS
    each = -(-count // len(numbers))
    return [(numbers[index // each], index % each + 1) for index in range(count)]


def keys_for(pairing: Pairing, users: list[User]) -> list[bytes]:
    """Keys of a match’s shared deals, from the first issue that is secret and new to all its players."""
    stage = pairing.round.stage
    if not Plan.read(stage.plan_json).shares_deals:
        return []
    boards = boards_of(pairing, terms.of_round(pairing.round).rules)
    stage_boards = Board.objects.filter(stage=stage, number__in={number for number, _ in boards})
    for issue in itertools.count(1):
        by_board = {(board.number, board.deal): board for board in stage_boards.filter(issue=issue)}
        have = [by_board[board] for board in boards if board in by_board]
        if any(board.opened_at for board in have) or event_tables.know_deals(users, [board.key for board in have]):
            continue
        fresh = [
            Board(stage=stage, number=number, deal=deal, issue=issue, key=new_key().hex())
            for number, deal in boards
            if (number, deal) not in by_board
        ]
        by_board |= {(board.number, board.deal): board for board in Board.objects.bulk_create(fresh)}
        return [bytes.fromhex(by_board[board].key) for board in boards]
    raise AssertionError("there is always another issue")


def unseal_finished(stage: Stage, now: datetime) -> bool:
    """Publish the shared deals of a stage that all their tables have played. Returns whether there were any."""
    boards = {board.key: board for board in Board.objects.filter(stage=stage, opened_at=None)}
    if not boards:
        return False
    sealed = defaultdict[int, list[Board]](list)
    playing: set[int] = set()
    dealt = Deal.objects.filter(table__is_sealed=True, key__in=list(boards))
    for table_id, status, key in dealt.values_list("table_id", "table__status", "key"):
        sealed[table_id].append(boards[key])
        if status == Table.Status.PLAYING:
            playing.add(table_id)
    busy = {board.pk for table_id in playing for board in sealed[table_id]}
    is_over = stage.status == Stage.Status.OVER or stage.tournament.status == Tournament.Status.CANCELLED
    awaited = set() if is_over else _awaited(stage)
    finished = [
        table_id
        for table_id, table_boards in sealed.items()
        if not any(board.pk in busy or board.number in awaited for board in table_boards)
    ]
    event_tables.unseal(finished, now)
    opened = {board.pk for table_id in finished for board in sealed[table_id]}
    Board.objects.filter(pk__in=opened).update(opened_at=now)
    return bool(finished)


def _awaited(stage: Stage) -> set[int]:
    """Numbers of boards that a match must still play."""
    waits = (Pairing.Status.WAITS, Pairing.Status.READY, Pairing.Status.PLAYING)
    unplayed = Q(table=None) | Q(table__status=Table.Status.PLAYING)
    rows = Pairing.objects.filter(unplayed, round__stage=stage, status__in=waits).values_list("boards", "round__number")
    return {number for boards, round_number in rows for number in boards or [round_number]}
