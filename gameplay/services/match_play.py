"""Effects of moves: turns, the deals they end, the match those end. All of it at a locked table."""

from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.utils.translation import gettext, gettext_noop

from engine.play.deal import commitment, new_key
from engine.play.events import Event
from engine.play.game import apply, new_game, next_deal
from engine.play.legality.legal import why_not
from engine.play.moves import Move as EngineMove
from engine.play.moves import write_move
from engine.play.refusals import IllegalMove, Refusal
from engine.play.scoring import outcome
from engine.play.state import ANSWERING, CHOOSE, LIFT, State
from engine.play.view import outcome_to_json
from gameplay import clocks, lifts, worker_signals
from gameplay.lifts import BEFORE_PLAY
from gameplay.log import story
from gameplay.log.log_language import say_at
from gameplay.models import Deal, Happening, Move, Seat, Table
from gameplay.services.lessons import note_lessons
from gameplay.services.sitting import Sitting, save, send_notice, tell
from gameplay.signals import table_over
from gameplay.snapshot import keep, state_of
from gameplay.standing_orders import orders
from gameplay.standing_orders.pace import pause
from web.errors import Refused
from web.monitoring import counters

SHOWING = frozenset({"kept", "peeked", "drew", "red_three_laid", "knee_picked_up", "foot_picked_up"})
"""Events by which a player comes to see cards. They end an act: what followed might be refused, which would undo them and
yet tell of those cards, again and again, before anything is drawn."""


class MoveRefused(Refused):
    """A move refused by the engine; none of the moves is made."""

    def __init__(self, refusal: Refusal, index: int) -> None:
        super().__init__(refusal.code.value, refusal.sentence, move=index)
        self.refusal, self.index = refusal, index


def play_moves(
    sitting: Sitting, seat: Seat, moves: Sequence[EngineMove], *, by: Move.By, request_key: str | None = None
) -> State:
    """Apply moves by a seat of a locked table, log them, and hand on turn and clock. Raises `MoveRefused`."""
    table, now = sitting.table, sitting.now
    before = state = state_of(table)
    rows: list[Move] = []
    happened: list[Event] = []
    for index, move in enumerate(moves):
        if by == Move.By.PLAYER and any(event.kind in SHOWING and event.seat == seat.number for event in happened):
            raise Refused(
                "look_first", gettext("That shows you new cards. Look at them before you continue."), move=index
            )
        if state.actor != seat.number:
            refusal = why_not(state, move, seat.number)
            if refusal is None:
                raise AssertionError("only the seat to act can move")
            raise MoveRefused(refusal, index)
        try:
            after, events = apply(state, move)
        except IllegalMove as error:
            raise MoveRefused(error.refusal, index) from None
        note_lessons(table, state, move, events)
        state = after
        happened.extend(events)
        table.move_count += 1
        rows.append(
            Move(
                table=table,
                number=table.move_count,
                deal=state.deal,
                seat=seat.number,
                text=write_move(move),
                by=by,
                at=now,
                events=story.keep_events(events),
            )
        )
    rows[-1].request_key = request_key
    sitting.new_moves += rows
    transaction.on_commit(partial(counters.count, counters.MOVES, str(by), times=len(rows)))
    sitting.happened += happened
    sitting.state = state
    keep(table, state)
    if before.phase in BEFORE_PLAY:
        seat.is_lifting, seat.lift = False, None
    _hand_on(sitting, before, state, happened)
    if by == Move.By.PLAYER:
        seat.missed_in_a_row = 0
        seat.standing = orders.after_own_move(seat.standing)
        # Within a turn there is nothing of others' to have seen.
        if table.seat_to_act != seat.number and before.phase not in BEFORE_PLAY:
            seat.seen_number, seat.looked_at = table.move_count, now
    save(sitting)
    return state


def begin_deal(sitting: Sitting, before: State | None) -> None:
    """Deal the next cards: the key is fixed since the deal's row was made, the phrases are fixed now."""
    table, seats, now = sitting.table, sitting.seats, sitting.now
    deal = Deal.objects.get(table=table, number=table.deal_number + 1)
    key, phrases = bytes.fromhex(deal.key), tuple(deal.phrases)
    if before is None:
        state = new_game(
            table.rules, key, seats=table.seat_count, team_size=table.team_size, phrases=phrases, assist=table.assist
        )
    else:
        state = next_deal(before, key, phrases)
    deal.dealer, deal.dealt_at = state.dealer, now
    deal.save(update_fields=["dealer", "dealt_at"])
    table.deal_number = state.deal
    table.is_between_deals = False
    for seat in seats:
        seat.is_ready = False
    words = gettext_noop("%(dealer)s dealt deal %(deal)s.")
    tell(sitting, Happening.Kind.DEALT, words, state.dealer, dealer=seats[state.dealer], deal=state.deal)
    sitting.state = state
    keep(table, state)
    if state.phase in BEFORE_PLAY:
        _start_together(sitting, state)
    else:
        _start_turn(sitting, state)
    save(sitting)


def begin_deal_if_ready(sitting: Sitting) -> bool:
    """Start the next deal if one is awaited and everyone is ready; whether it started."""
    table = sitting.table
    if not table.is_between_deals or table.paused_at is not None or not all(s.is_ready for s in sitting.seats):
        return False
    begin_deal(sitting, state_of(table))
    return True


def new_deal_row(table: Table, number: int, key: bytes | None = None) -> Deal:
    """The row of a deal to come, with a fresh key unless one is given: from here on its commitment is public.

    Where tables share their deals, the row was made with the table.
    """
    if key is None and table.shares_deals and (shared := Deal.objects.filter(table=table, number=number).first()):
        return shared
    key = key or new_key()
    return Deal.objects.create(
        table=table, number=number, key=key.hex(), commitment=commitment(key), phrases=[""] * table.seat_count
    )


def _hand_on(sitting: Sitting, before: State, state: State, happened: Sequence[Event]) -> None:
    """After moves: the clock, the next seat, or the end of the deal."""
    table, seats, now = sitting.table, sitting.seats, sitting.now
    result = outcome(state)
    is_new_turn = any(event.kind == "turn_began" for event in happened) or state.turn != before.turn
    if result is None and state.actor == before.actor and not is_new_turn:
        return  # the same player continues, on the same clock
    if state.phase in BEFORE_PLAY and state.phase == before.phase:  # at the same time, on one clock
        _pass_on(sitting, state)
        return
    clocks.stop(table, seats, now)
    if state.phase in BEFORE_PLAY:
        _start_together(sitting, state)
        return
    if (is_new_turn or result is not None) and before.phase not in BEFORE_PLAY:
        clocks.end_turn(table, seats[before.turn])
        seats[before.turn].standing = orders.after_turn(seats[before.turn].standing)
        transaction.on_commit(partial(counters.count, counters.TURNS))
    if result is not None:
        _end_deal(sitting, state)
    elif is_new_turn or before.phase in BEFORE_PLAY:
        _start_turn(sitting, state)
    else:  # a partner is asked, or has answered
        set_actor(sitting, state)


def _start_turn(sitting: Sitting, state: State) -> None:
    clocks.begin_turn(sitting.table, sitting.seats[state.turn])
    set_actor(sitting, state)


_TOGETHER = {
    LIFT: gettext_noop("lift from the stock for the next deal"),
    CHOOSE: gettext_noop("choose your stack for the next deal"),
}


def _start_together(sitting: Sitting, state: State) -> None:
    """Let all lift, or choose, at the same time; nobody waits for a bot, or for a player who leaves it to the site."""
    table, order = sitting.table, lifts.lifters(state)
    for seat in sitting.seats:
        seat.lift = None
        seat.is_lifting = seat.number in order and seat.user_id is not None and not seat.standing.get("lift")
        if seat.user is not None and seat.is_lifting and not table.is_practice:
            key = f"turn:{table.pk}:{table.move_count}"
            send_notice(sitting, seat.user, "turn", key, _TOGETHER[state.phase])
    clocks.wait_for_lifts(table, sitting.now)
    _pass_on(sitting, state)


def _pass_on(sitting: Sitting, state: State) -> None:
    """Name the next seat that lifts or chooses. If its wish is known, or left to the site, the worker makes it."""
    table, seat = sitting.table, sitting.seats[state.actor]
    table.seat_to_act = seat.number
    table.bot_due_at = None
    if not seat.is_lifting and table.paused_at is None:
        table.bot_due_at = sitting.now
        worker_signals.after_commit(table.pk)


def set_actor(sitting: Sitting, state: State) -> None:
    """Hand the move to a seat: its clock runs, its bot wakes, its player is told."""
    table, seat, is_answer = sitting.table, sitting.seats[state.actor], state.phase == ANSWERING
    table.seat_to_act = seat.number
    if state.phase in BEFORE_PLAY:
        seat.is_lifting = seat.user_id is not None and seat.lift is None and not seat.standing.get("lift")
        _pass_on(sitting, state)
        return
    clocks.start(table, seat, sitting.now, most=clocks.ANSWER_TIME if is_answer else None)
    if (seat.bot or seat.standing) and table.paused_at is None:
        table.bot_due_at = sitting.now if seat.bot else sitting.now + pause(table)
        worker_signals.after_commit(table.pk)
    else:
        table.bot_due_at = None
    if seat.user is not None and not table.is_practice:
        words = gettext_noop("your partner asks to go out") if is_answer else gettext_noop("your turn")
        key = f"turn:{table.pk}:{table.move_count}"
        send_notice(sitting, seat.user, "turn", key, words, clocks.until_words(table, seat.user))


def _end_deal(sitting: Sitting, state: State) -> None:
    """Save the result; then the next deal is awaited, or the match is over."""
    table, now = sitting.table, sitting.now
    result = outcome(state)
    assert result is not None  # noqa: S101  the caller has seen it
    Deal.objects.filter(table=table, number=state.deal).update(ended_at=now, result=outcome_to_json(result))
    transaction.on_commit(partial(counters.count, counters.DEALS))
    table.seat_to_act = table.bot_due_at = None
    scores = say_at(sitting.seats, gettext_noop(" to ")).join(f"{total:,}" for total in result.totals)
    words = gettext_noop("Deal %(deal)s ended. Match score: %(scores)s.")
    tell(sitting, Happening.Kind.DEAL_OVER, words, deal=state.deal, scores=scores)
    if result.winners is not None:
        end_match(sitting, list(result.totals), list(result.winners), "played")
        return
    table.is_between_deals = True
    new_deal_row(table, state.deal + 1)
    for seat in sitting.seats:
        seat.standing = orders.after_deal(seat.standing)
        seat.is_ready = seat.user_id is None
        if seat.user is not None and not table.is_practice:
            words, key = gettext_noop("deal %(deal)s is over"), f"deal:{table.pk}:{state.deal}"
            send_notice(sitting, seat.user, "deal", key, words, deal=state.deal)
    clocks.wait(table, now)


def end_match(sitting: Sitting, totals: list[int], winners: list[int], reason: str) -> None:
    """Close the match; the caller saves."""
    table = sitting.table
    table.status = Table.Status.ABANDONED if reason == "abandoned" else Table.Status.OVER
    table.ended_at = sitting.now
    table.result = {"totals": totals, "winners": winners, "reason": reason}
    table.is_between_deals = False
    table.seat_to_act = table.deadline_at = table.remind_at = table.bot_due_at = table.clock_started_at = None
    table.wait_left = table.paused_at = table.proposal = None
    for seat in sitting.seats:
        seat.is_ready = False
        if seat.user is not None and not table.is_practice:
            send_notice(sitting, seat.user, "over", f"over:{table.pk}", gettext_noop("the match is over"))
    if reason == "played":
        words = gettext_noop("The match is over: %(winners)s won.")
        tell(sitting, Happening.Kind.OVER, words, winners=team_names(sitting, winners))
    transaction.on_commit(partial(_say_over, table.pk))


def _say_over(table_id: int) -> None:
    table_over.send_robust(sender=Table, table_id=table_id)


def team_names(sitting: Sitting, teams: Sequence[int]) -> str:
    """The players of these teams, in words."""
    count = sitting.table.teams
    joint = say_at(sitting.seats, gettext_noop(" and "))
    names = [joint.join(str(s) for s in sitting.seats if s.number % count == team) for team in teams]
    return "; ".join(names)
