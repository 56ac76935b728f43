"""Shared deals of a stage: their keys, their numbers on the tables, and when they become public.

Every function that changes something is called under the tournament’s lock.
"""

import itertools
from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime

from django.db.models import Q

from accounts.models import User
from engine.compete.movements import howell, mitchell
from engine.compete.records import CannotPair
from engine.play.deal import new_key
from engine.play.rules import Rules
from gameplay.models import Deal, Table
from gameplay.services import event_tables
from tournaments import terms
from tournaments.board_numbers import boards_of, deals_of_match, sets_of
from tournaments.models import Board, Entry, Pairing, Stage, Tournament
from tournaments.plan import DUPLICATE, Plan
from tournaments.stage_state import StageState


def expected_sets(stage: Stage) -> list[int]:
    """The sets that a stage plays: as drawn, or before the draw of a movement for the entries so far.

    Empty if that is not known yet.
    """
    drawn = Pairing.objects.filter(round__stage=stage).exclude(status=Pairing.Status.IDLE)
    rows = drawn.values_list("boards", "round__number")
    numbers = {number for boards, round_number in rows for number in boards or [round_number]}
    plan = Plan.read(stage.plan_json)
    if numbers or plan.format not in DUPLICATE or stage.number > 1:
        return sorted(numbers)
    entries = Entry.objects.filter(tournament=stage.tournament_id, status=Entry.Status.ENTERED).count()
    movement = howell.howell if plan.format == "howell" else mitchell.mitchell
    try:
        rounds = movement(entries, rounds=plan.rounds or None)
    except CannotPair:
        return []
    return sorted({number for drawn_round in rounds for boards in drawn_round.boards for number in boards})


def ensure(stage: Stage, numbers: Collection[int], rules: Rules) -> list[Board]:
    """The boards of these sets that the next table plays: of each the first issue that is secret, made if missing."""
    deals = [(number, deal) for number in sorted(numbers) for deal in range(1, deals_of_match(rules) + 1)]
    existing = {
        (board.number, board.deal, board.issue): board
        for board in Board.objects.filter(stage=stage, number__in=list(numbers))
    }
    opened = {(board.number, board.issue) for board in existing.values() if board.opened_at}
    issues = {
        number: next(issue for issue in itertools.count(1) if (number, issue) not in opened) for number in numbers
    }
    missing = [(number, deal) for number, deal in deals if (number, deal, issues[number]) not in existing]
    created = Board.objects.bulk_create(
        Board(stage=stage, number=number, deal=deal, issue=issues[number], key=new_key().hex())
        for number, deal in missing
    )
    existing |= {(board.number, board.deal, board.issue): board for board in created}
    return [existing[number, deal, issues[number]] for number, deal in deals]


def make_for_tables(state: StageState) -> bool:
    """Make the boards of a stage that is played at real tables as soon as it is drawn, so that their commitments can
    be read before the first card. Returns whether any were made.
    """
    if not state.plan.shares_deals or state.stage.status != Stage.Status.RUNNING:
        return False
    at_tables = [
        table.row
        for round_ in state.rounds
        for table in round_.tables
        if not table.row.is_online and table.row.status not in (Pairing.Status.IDLE, Pairing.Status.DONE)
    ]
    needed = {(number, pairing.issue) for pairing in at_tables for number in sets_of(pairing)}
    if not needed:
        return False
    have = set(Board.objects.filter(stage=state.stage, deal=1).values_list("number", "issue"))
    missing = sorted(needed - have)
    rules = terms.of_stage(state.stage).rules
    Board.objects.bulk_create(
        Board(stage=state.stage, number=number, deal=deal, issue=issue, key=new_key().hex())
        for number, issue in missing
        for deal in range(1, deals_of_match(rules) + 1)
    )
    return bool(missing)


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
        if _played_at_tables(pairing, {number for number, _ in boards}, issue):
            continue
        fresh = [
            Board(stage=stage, number=number, deal=deal, issue=issue, key=new_key().hex())
            for number, deal in boards
            if (number, deal) not in by_board
        ]
        by_board |= {(board.number, board.deal): board for board in Board.objects.bulk_create(fresh)}
        pairing.issue = issue
        return [bytes.fromhex(by_board[board].key) for board in boards]
    raise AssertionError("there is always another issue")


def _played_at_tables(pairing: Pairing, numbers: Collection[int], issue: int) -> bool:
    """Whether an entry of a match has played these boards at a real table."""
    entries = list(pairing.places.values_list("entry_id", flat=True))
    others = Pairing.objects.filter(
        round__stage=pairing.round.stage,
        is_online=False,
        issue=issue,
        begun_at__isnull=False,
        places__entry__in=entries,
    )
    return any(set(numbers) & set(sets_of(other)) for other in others.exclude(pk=pairing.pk).select_related("round"))


def unseal_finished(stage: Stage, now: datetime) -> bool:
    """Publish the shared deals of a stage that all their tables have played. Returns whether there were any.

    At a real table they are played when its result is final: until then somebody could ask what lies in the stock.
    """
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
    online = {board.pk for table_boards in sealed.values() for board in table_boards}
    at_tables = [board for board in boards.values() if board.pk not in online and board.number not in awaited]
    opened |= {board.pk for board in _played(stage, at_tables, is_over=is_over)}
    Board.objects.filter(pk__in=opened).update(opened_at=now)
    return bool(opened or finished)


def _played(stage: Stage, boards: Sequence[Board], *, is_over: bool) -> list[Board]:
    """Those of the boards that were played at real tables alone, or never will be."""
    if is_over or not boards:
        return list(boards)
    done = Pairing.objects.filter(round__stage=stage, is_online=False, status=Pairing.Status.DONE, result__isnull=False)
    played = {(number, pairing.issue) for pairing in done.select_related("round") for number in sets_of(pairing)}
    return [board for board in boards if (board.number, board.issue) in played]


def _awaited(stage: Stage) -> set[int]:
    """Numbers of boards that a match must still play."""
    unplayed = Q(table__status=Table.Status.PLAYING) | Q(table=None)
    open_ones = Pairing.objects.filter(unplayed, round__stage=stage).exclude(
        status__in=(Pairing.Status.DONE, Pairing.Status.IDLE)
    )
    rows = open_ones.values_list("boards", "round__number")
    return {number for boards, round_number in rows for number in boards or [round_number]}
