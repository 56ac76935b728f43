"""Playing, as players do it: an act of moves, and being ready for the next deal."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext

from accounts.models import User
from engine.play.moves import Move as EngineMove
from engine.play.state import CHOOSE, LIFT, State
from gameplay import lifts
from gameplay.log import story
from gameplay.models import Move, Seat, Table
from gameplay.services import clocks
from gameplay.services.match_play import begin_deal_if_ready, play_moves
from gameplay.services.sitting import Sitting, save, sit_down
from gameplay.snapshot import state_of
from web.errors import Refused, Stale


class StalePage(Stale):
    """Someone moved since the page was made."""

    def __init__(self, table: Table) -> None:
        super().__init__(
            "stale",
            gettext("The table has changed since you last saw it. Check it again."),
            move_count=table.move_count,
        )


def play(
    table_id: int,
    user: User,
    moves: Sequence[EngineMove] | Callable[[State], Sequence[EngineMove]],
    *,
    seen: int,
    request_key: str | None = None,
    from_now_on: bool = False,
    now: datetime | None = None,
) -> Sitting:
    """Make the moves of one act of a page or program, all or none.

    `moves` may be worked out from the locked position, as a lift is. `seen` is the number of moves in the log that the
    sender had seen. What shows the player new cards, such as a draw, ends an act. An act whose `request_key` is known is
    not done again. All players choose a stack at the same time, as they lift (`play_lift`); `from_now_on` leaves later
    choices to the site. Raises `NotAllowed`, `StalePage`, `Refused` or `MoveRefused`.
    """
    if not callable(moves) and any(move.kind == "grab" for move in moves):
        raise Refused(
            "not_in_rules", gettext("Mark a place on the stock. You see the number of cards when you lift them.")
        )
    try:
        if not callable(moves) and any(move.kind == "keep" for move in moves):
            sitting = _choose_stack(table_id, user, moves, seen, request_key, from_now_on=from_now_on, now=now)
            if sitting is not None:
                return sitting
        return _play(table_id, user, moves, seen=seen, request_key=request_key, now=now)
    except IntegrityError:
        # The lock is held and the page is fresh, so only its key can be one of an earlier act.
        raise Refused("key_used", gettext("You already sent this move, and the table has changed since.")) from None


def _play(
    table_id: int,
    user: User,
    moves: Sequence[EngineMove] | Callable[[State], Sequence[EngineMove]],
    *,
    seen: int,
    request_key: str | None,
    now: datetime | None,
) -> Sitting:
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        table, seat = sitting.table, sitting.seat_of(user)
        if seen != table.move_count:
            # Only an act that was done makes its own page stale, so a known key can be here only.
            if not request_key or not _was_done(sitting, seat, request_key, seen):
                raise StalePage(table)
            return sitting
        check_running(table)
        acts = moves(state_of(table)) if callable(moves) else moves
        if not acts:
            raise Refused("no_move", gettext("That is not a move."))
        too_late = is_late(sitting) and seat.number == table.seat_to_act and not _counts_after_all(sitting)
        if not too_late:
            play_moves(sitting, seat, acts, by=Move.By.PLAYER, request_key=request_key)
    if too_late:  # raised out here: what the missed deadline brought about must stay
        raise Refused("too_late", gettext("Your time for this turn has run out."))
    return sitting


def _was_done(sitting: Sitting, seat: Seat, request_key: str, seen: int) -> bool:
    """Whether the act of this key is in the log; if so, its effects are told as they were the first time."""
    log = Move.objects.filter(table=sitting.table)
    last = log.filter(seat=seat.number, request_key=request_key).first()
    if last is None:
        return False
    for events in log.filter(number__gt=seen, number__lte=last.number).values_list("events", flat=True):
        sitting.happened += story.read_events(events, seat.number)
    return True


def play_lift(
    table_id: int,
    user: User,
    mark: int,
    *,
    seen: int,
    request_key: str | None = None,
    from_now_on: bool = False,
    now: datetime | None = None,
) -> Sitting:
    """Lift from the stock at a mark from 0 to 100; how many cards that is, the deal's secret seed decides.

    All players lift at the same time, whatever they have `seen` of each other's lifts. A lift is made when those before
    it in the order are, and nobody knows it until then. `from_now_on` leaves later lifts to the site.
    """
    if not 0 <= mark <= 100:
        raise Refused("out_of_range", gettext("Mark a place from 0 to 100."))
    try:
        with transaction.atomic():
            sitting = sit_down(table_id, now)
            return _act_before_play(sitting, user, LIFT, {"mark": mark}, seen, request_key, from_now_on=from_now_on)
    except IntegrityError:
        raise Refused("key_used", gettext("You already sent this move, and the table has changed since.")) from None


def _choose_stack(
    table_id: int,
    user: User,
    moves: Sequence[EngineMove],
    seen: int,
    request_key: str | None,
    *,
    from_now_on: bool,
    now: datetime | None,
) -> Sitting | None:
    """Choose a stack while stacks are chosen; `None` if they are not."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        sitting.seat_of(user)
        check_running(sitting.table)
        if state_of(sitting.table).phase != CHOOSE:
            return None
        stacks = {move: number for number, move in lifts.STACKS.items()}
        if len(moves) > 1 or moves[0] not in stacks:
            raise Refused("look_first", gettext("Choose a stack first, and look at your cards before you continue."))
        wish = {"keep": stacks[moves[0]]}
        return _act_before_play(sitting, user, CHOOSE, wish, seen, request_key, from_now_on=from_now_on)


def _act_before_play(
    sitting: Sitting,
    user: User,
    phase: str,
    wish: dict[str, Any],
    seen: int,
    request_key: str | None,
    *,
    from_now_on: bool,
) -> Sitting:
    """Lift or choose by this wish, at once or when those before it in the order have."""
    table, seat = sitting.table, sitting.seat_of(user)
    check_running(table)
    state = state_of(table)
    if state.phase != phase or not seat.is_lifting:
        return _answer_late_wish(sitting, seat, state, phase, seen, request_key)
    if from_now_on:
        seat.standing = {**seat.standing, "lift": True}
    if seat.number == state.actor:
        play_moves(sitting, seat, [lifts.move_of(state, wish)], by=Move.By.PLAYER, request_key=request_key)
    else:
        seat.is_lifting, seat.lift = False, {**wish, "key": request_key}
        save(sitting)
    return sitting


def _answer_late_wish(
    sitting: Sitting, seat: Seat, state: State, phase: str, seen: int, request_key: str | None
) -> Sitting:
    """Answer a lift, or a choice, that was made already as the first time. Raises `StalePage` or `Refused` for any other."""
    if request_key and ((seat.lift or {}).get("key") == request_key or _was_done(sitting, seat, request_key, seen)):
        return sitting
    if seen != sitting.table.move_count:
        raise StalePage(sitting.table)
    if phase == CHOOSE:
        raise Refused("already_chosen", gettext("You have already chosen. The others are still choosing."))
    if state.phase != LIFT:
        raise Refused("wrong_phase", gettext("Cards are lifted before the deal."))
    if seat.number not in lifts.lifters(state):
        raise Refused("not_your_turn", gettext("Only the dealer lifts."))
    raise Refused("already_lifted", gettext("You have already lifted. The others are still lifting."))


def check_running(table: Table) -> None:
    """Raise `Refused` unless a deal is being played and the clock is not stopped by a pause."""
    if table.status == Table.Status.GATHERING:
        raise Refused("not_started", gettext("The match has not started yet."))
    if table.status != Table.Status.PLAYING:
        raise Refused("match_over", gettext("The match is over."))
    if table.is_between_deals:
        raise Refused("between_deals", gettext("The deal is over. The next one has not started yet."))
    if table.paused_at is not None:
        raise Refused("paused", gettext("The match is paused."))


def is_late(sitting: Sitting) -> bool:
    """Whether the deadline of the seat to act has passed."""
    return sitting.table.deadline_at is not None and sitting.now > sitting.table.deadline_at


def _counts_after_all(sitting: Sitting) -> bool:
    """Whether a late move counts after all, because the sweeper was down; if not, act on the missed deadline."""
    return not clocks.act(sitting)


def ready_for_next_deal(table_id: int, user: User, *, deal: int, now: datetime | None = None) -> Sitting:
    """Note that a player has looked at the score sheet of `deal`; when all have, start the next deal."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        seat = sitting.seat_of(user)
        if sitting.table.deal_number != deal or not sitting.table.is_between_deals:
            return sitting
        seat.is_ready = True
        if not begin_deal_if_ready(sitting):
            save(sitting)
        return sitting
