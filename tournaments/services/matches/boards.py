"""Deals that several tables of a stage play: their keys, and when they lie open to everybody.

Every function is called under the tournament's lock.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from datetime import datetime

from django.db.models import Q

from accounts.models import User
from engine.play.deal import new_key
from engine.play.rules import Rules
from gameplay.models import Deal, Table
from gameplay.services import event_tables
from tournaments.models import Board, Pairing, Stage, Tournament
from tournaments.plan import Plan

MOST_DEALS = 12
"""Deals that tables share in a match to a target score; hardly any match has more, and what comes after is not shared."""


def boards_of(pairing: Pairing, rules: Rules) -> list[tuple[int, int]]:
    """The shared deals of a match, one for each deal: number of the board, and which deal of that number.

    A match of more deals than it has boards plays several deals of each.
    """
    numbers = pairing.boards or [pairing.round.number]
    count = rules.length.number if rules.length.by == "deals" else MOST_DEALS
    each = -(-count // len(numbers))
    return [(numbers[index // each], index % each + 1) for index in range(count)]


def keys_for(pairing: Pairing, users: list[User]) -> list[bytes]:
    """The keys of a match's shared deals: of the first issue that lies open nowhere and none of its players has seen."""
    stage = pairing.round.stage
    if not Plan.read(stage.plan_json).shares_deals:
        return []
    wanted = boards_of(pairing, stage.tournament.rules)
    own = Board.objects.filter(stage=stage, number__in={number for number, _ in wanted})
    for issue in itertools.count(1):
        known = {(board.number, board.deal): board for board in own.filter(issue=issue)}
        have = [known[one] for one in wanted if one in known]
        if any(board.opened_at for board in have) or event_tables.know_deals(users, [board.key for board in have]):
            continue
        fresh = [
            Board(stage=stage, number=number, deal=deal, issue=issue, key=new_key().hex())
            for number, deal in wanted
            if (number, deal) not in known
        ]
        known |= {(board.number, board.deal): board for board in Board.objects.bulk_create(fresh)}
        return [bytes.fromhex(known[one].key) for one in wanted]
    raise AssertionError("there is always another issue")


def unseal_finished(stage: Stage, now: datetime) -> bool:
    """Open the shared deals of a stage that every table has played which plays them; whether there were any."""
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
    done = [
        table_id
        for table_id, own in sealed.items()
        if not any(board.pk in busy or board.number in awaited for board in own)
    ]
    event_tables.unseal(done, now)
    opened = {board.pk for table_id in done for board in sealed[table_id]}
    Board.objects.filter(pk__in=opened).update(opened_at=now)
    return bool(done)


def _awaited(stage: Stage) -> set[int]:
    """Numbers of boards that a match is still to play."""
    waits = (Pairing.Status.WAITS, Pairing.Status.READY, Pairing.Status.PLAYING)
    unplayed = Q(table=None) | Q(table__status=Table.Status.PLAYING)
    rows = Pairing.objects.filter(unplayed, round__stage=stage, status__in=waits).values_list("boards", "round__number")
    return {number for boards, round_number in rows for number in boards or [round_number]}
