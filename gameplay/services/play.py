"""Playing: moves, the deals they end, the match those end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from accounts.services import notices
from engine.play.deal import commitment, new_key
from engine.play.events import Event
from engine.play.game import apply, new_game, next_deal
from engine.play.legal import why_not
from engine.play.moves import Move as EngineMove
from engine.play.moves import write_move
from engine.play.refusals import IllegalMove, Refusal
from engine.play.scoring import outcome
from engine.play.state import ANSWERING, LIFT, State
from engine.play.view import outcome_to_json
from gameplay import clocks, lifts, live, queries, story, wake
from gameplay.languages import say_at, say_to
from gameplay.models import Deal, Happening, Move, Seat, Table
from gameplay.position import keep, state_of
from gameplay.signals import table_over
from web import measures
from web.errors import NotAllowed, Refused, Stale
from web.writing import insert, update

SHOWING = frozenset({"kept", "peeked", "drew", "red_three_laid", "foot_picked_up"})
"""Events by which a player comes to see cards. They end an act: what followed might be refused, which would undo them and
yet tell of those cards, again and again, before anything is drawn."""


@dataclass
class Sitting:
    """A locked table with its seats in order, and the time by the database."""

    table: Table
    seats: list[Seat]
    now: datetime
    happened: list[Event] = field(default_factory=list, repr=False)
    """What the moves brought about, hidden cards and all: `seen_by` says what each seat may know of it."""
    table_before: dict[str, Any] = field(default_factory=dict, repr=False)
    seats_before: list[dict[str, Any]] = field(default_factory=list, repr=False)
    """What the database holds of the table and of each seat, so that only what changes is written."""
    state: State | None = None
    """The position after the last moves, where there were any."""

    def __post_init__(self) -> None:
        self.table_before = kept_of(self.table)
        self.seats_before = [kept_of(seat) for seat in self.seats]

    def seat_of(self, user: User) -> Seat:
        """The seat of this person. Raises `NotAllowed`."""
        for seat in self.seats:
            if seat.user_id is not None and seat.user_id == user.pk:
                return seat
        raise NotAllowed("no_seat", gettext("You have no seat at this table."))


class MoveRefused(Refused):
    """The engine refuses one of the moves sent; nothing of what was sent is done."""

    def __init__(self, refusal: Refusal, index: int) -> None:
        super().__init__(refusal.code.value, refusal.sentence, move=index)
        self.refusal, self.index = refusal, index


class StalePage(Stale):
    """Somebody moved since the page was made."""

    def __init__(self, table: Table) -> None:
        super().__init__(
            "stale", gettext("The table has moved on since you last saw it: look again."), move_count=table.move_count
        )


def sit_down(table_id: int, now: datetime | None = None) -> Sitting:
    """Lock a table and fetch its seats with the players and their absences. Call inside a transaction."""
    table, db_now = Table.objects.locked(table_id)
    return Sitting(table, queries.seats_of(table), now or db_now)


def play(
    table_id: int,
    user: User,
    moves: Sequence[EngineMove] | Callable[[State], Sequence[EngineMove]],
    *,
    seen: int,
    request_key: str | None = None,
    now: datetime | None = None,
) -> Sitting:
    """Make the moves of one act of a page or program, all or none.

    `moves` may be worked out from the locked position, as a lift is. `seen` is the number of moves in the log that the
    sender had seen. What shows the player new cards, such as a draw, ends an act. An act whose `request_key` is known is
    not done again. Raises `NotAllowed`, `StalePage`, `Refused` or `MoveRefused`.
    """
    if not callable(moves) and any(move.kind == "grab" for move in moves):
        raise Refused(
            "not_in_rules", gettext("Mark a place on the stock; how many cards that is shows when they are lifted.")
        )
    try:
        return _play(table_id, user, moves, seen=seen, request_key=request_key, now=now)
    except IntegrityError:
        # The lock is held and the page is fresh, so only its key can be one of an earlier act.
        raise Refused("key_used", gettext("This was sent before, when the table stood otherwise.")) from None


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
            raise Refused("no_move", gettext("Nothing was sent that could be played."))
        too_late = late(sitting) and seat.number == table.seat_to_act and not _forgiven(sitting)
        if not too_late:
            play_moves(sitting, seat, acts, by=Move.By.PLAYER, request_key=request_key)
    if too_late:  # raised out here: what the missed deadline brought about must stay
        raise Refused("too_late", gettext("Your time for this turn has run out."))
    return sitting


def _was_done(sitting: Sitting, seat: Seat, request_key: str, seen: int) -> bool:
    """Whether the act of this key is in the log; if so, what it brought about is told as it was the first time."""
    log = Move.objects.filter(table=sitting.table)
    last = log.filter(seat=seat.number, request_key=request_key).first()
    if last is None:
        return False
    for kept in log.filter(number__gt=seen, number__lte=last.number).values_list("events", flat=True):
        sitting.happened += story.read_events(kept, seat.number)
    return True


def play_lift(
    table_id: int, user: User, mark: int, *, seen: int, request_key: str | None = None, now: datetime | None = None
) -> Sitting:
    """Lift from the stock at a mark from 0 to 100; how many cards that is, the deal's secret seed decides."""
    if not 0 <= mark <= 100:
        raise Refused("out_of_range", gettext("Mark a place from 0 to 100."))
    return play(table_id, user, lambda state: _lift(state, mark), seen=seen, request_key=request_key, now=now)


def _lift(state: State, mark: int) -> list[EngineMove]:
    if state.phase != LIFT:
        raise Refused("wrong_phase", gettext("Cards are lifted before the deal."))
    return [lifts.lift(state, mark)]


def check_running(table: Table) -> None:
    """Raise `Refused` unless a deal is being played and the clock is not stopped by a pause."""
    if table.status == Table.Status.GATHERING:
        raise Refused("not_started", gettext("The match has not begun yet."))
    if table.status != Table.Status.PLAYING:
        raise Refused("match_over", gettext("The match is over."))
    if table.is_between_deals:
        raise Refused("between_deals", gettext("The deal is over; the next one has not begun yet."))
    if table.paused_at is not None:
        raise Refused("paused", gettext("The match is paused."))


def late(sitting: Sitting) -> bool:
    """Whether the deadline of the seat to act has passed."""
    return sitting.table.deadline_at is not None and sitting.now > sitting.table.deadline_at


def _forgiven(sitting: Sitting) -> bool:
    """Whether a late move counts after all, the sweeper having been down; if not, the missed deadline is acted on."""
    from gameplay.services import clocks as deadlines  # which acts by the functions of this module

    return not deadlines.act(sitting)


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
            raise Refused("look_first", gettext("That shows you new cards: look at them, and then go on."), move=index)
        if state.actor != seat.number:
            refusal = why_not(state, move, seat.number)
            if refusal is None:
                raise AssertionError("only the seat to act can move")
            raise MoveRefused(refusal, index)
        try:
            state, events = apply(state, move)
        except IllegalMove as error:
            raise MoveRefused(error.refusal, index) from None
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
    insert(rows)
    transaction.on_commit(partial(measures.count, measures.MOVES, str(by), times=len(rows)))
    sitting.happened += happened
    sitting.state = state
    keep(table, state)
    _hand_on(sitting, before, state, happened)
    if by == Move.By.PLAYER:
        seat.missed_in_a_row = 0
        if table.seat_to_act != seat.number:  # within a turn there is nothing of others' to have seen
            seat.seen_number, seat.looked_at = table.move_count, now
    save(sitting)
    return state


_KEPT_BY_SEAT = (*("time_left", "missed_in_a_row", "turns_missed", "reminded", "looked_at", "seen_number", "is_ready"),)
_FIXED = {"id", "slug", "created_at", "rules_json", "rules_ref", "seat_count", "team_size"}
_KEPT_BY_TABLE = tuple(field.attname for field in Table._meta.concrete_fields if field.name not in _FIXED)


def save(sitting: Sitting) -> None:
    """Write what changed of the table and its seats back, and tell the live pages."""
    table = sitting.table
    table.failed_at = None
    table.bump()
    for seat, before in zip(sitting.seats, sitting.seats_before, strict=True):
        if changed := _changed(seat, before):
            update(seat, changed)
    update(table, _changed(table, sitting.table_before), returning=live.call())


def _changed(row: Table | Seat, before: dict[str, Any]) -> list[str]:
    """What is not as it was before; from here on it was."""
    changed = {name: value for name, value in kept_of(row).items() if value != before[name]}
    before.update(changed)
    return list(changed)


def kept_of(row: Table | Seat) -> dict[str, Any]:
    """What a match changes of a table or a seat."""
    held = row.__dict__
    return {name: held[name] for name in (_KEPT_BY_TABLE if isinstance(row, Table) else _KEPT_BY_SEAT)}


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
    _start_turn(sitting, state)
    save(sitting)


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


def tell(sitting: Sitting, kind: Happening.Kind, sentence: str, seat: int | None = None, /, **values: object) -> None:
    """Write a line of the log that is no move; `sentence` is marked for translators and names its values."""
    Happening.objects.create(
        table=sitting.table,
        at=sitting.now,
        after_move=sitting.table.move_count,
        kind=kind,
        seat=seat,
        sentence=say_at(sitting, sentence, **values)[:300],
    )


def _hand_on(sitting: Sitting, before: State, state: State, happened: Sequence[Event]) -> None:
    """After moves: the clock, the next seat, or the end of the deal."""
    table, seats, now = sitting.table, sitting.seats, sitting.now
    result = outcome(state)
    is_new_turn = any(event.kind == "turn_began" for event in happened) or state.turn != before.turn
    if result is None and state.actor == before.actor and not is_new_turn:
        return  # the same player goes on, on the same clock
    clocks.stop(table, seats, now)
    if is_new_turn or result is not None:
        clocks.end_turn(table, seats[before.turn])
        transaction.on_commit(partial(measures.count, measures.TURNS))
    if result is not None:
        _end_deal(sitting, state)
    elif is_new_turn:
        _start_turn(sitting, state)
    else:  # a partner is asked, or has answered
        set_actor(sitting, state)


def _start_turn(sitting: Sitting, state: State) -> None:
    clocks.begin_turn(sitting.table, sitting.seats[state.turn])
    set_actor(sitting, state)


def set_actor(sitting: Sitting, state: State) -> None:
    """Hand the move to a seat: its clock runs, its bot wakes, its player is told."""
    table, seat, is_answer = sitting.table, sitting.seats[state.actor], state.phase == ANSWERING
    table.seat_to_act = seat.number
    clocks.start(table, seat, sitting.now, is_answer=is_answer)
    if (seat.bot or seat.standing) and table.paused_at is None:
        table.bot_due_at = sitting.now
        wake.after_commit(table.pk)
    else:
        table.bot_due_at = None
    if seat.user is not None and not table.is_practice:
        words = gettext_noop("your partner asks to go out") if is_answer else gettext_noop("your turn")
        key = f"turn:{table.pk}:{table.move_count}"
        send_notice(sitting, seat.user, "turn", key, words, clocks.until_words(table, seat.user))


def send_notice(
    sitting: Sitting,
    user: User,
    kind: str,
    key: str,
    words: str,
    body: str = "",
    /,
    *,
    wait: timedelta = notices.GRACE,
    **values: object,
) -> None:
    """Put news of a table into a person's outbox, due after `wait`; `words` are marked and name their values."""
    table = sitting.table
    notices.add(
        user,
        kind=kind,
        key=key,
        subject=f"table:{table.pk}",
        title=f"{table.name}: {say_to(user, words, **values)}",
        url=table.get_absolute_url(),
        due_at=sitting.now + wait,
        body=body,
    )


def _end_deal(sitting: Sitting, state: State) -> None:
    """Keep the result; then the next deal is awaited, or the match is over."""
    table, now = sitting.table, sitting.now
    result = outcome(state)
    assert result is not None  # noqa: S101  the caller has seen it
    Deal.objects.filter(table=table, number=state.deal).update(ended_at=now, result=outcome_to_json(result))
    transaction.on_commit(partial(measures.count, measures.DEALS))
    table.seat_to_act = table.bot_due_at = None
    scores = say_at(sitting, gettext_noop(" to ")).join(f"{total:,}" for total in result.totals)
    words = gettext_noop("Deal %(deal)s is over; the match stands at %(scores)s.")
    tell(sitting, Happening.Kind.DEAL_OVER, words, deal=state.deal, scores=scores)
    if result.winners is not None:
        end_match(sitting, list(result.totals), list(result.winners), "played")
        return
    table.is_between_deals = True
    new_deal_row(table, state.deal + 1)
    for seat in sitting.seats:
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
    joint = say_at(sitting, gettext_noop(" and "))
    names = [joint.join(str(s) for s in sitting.seats if s.number % count == team) for team in teams]
    return "; ".join(names)


def ready_for_next_deal(table_id: int, user: User, *, deal: int, now: datetime | None = None) -> Sitting:
    """A player has looked at the score sheet of `deal`; when all have, the next deal begins. Twice does no harm."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        seat = sitting.seat_of(user)
        if sitting.table.deal_number != deal or not sitting.table.is_between_deals:
            return sitting
        seat.is_ready = True
        if not begin_deal_if_ready(sitting):
            save(sitting)
        return sitting


def begin_deal_if_ready(sitting: Sitting) -> bool:
    """Begin the next deal if one is awaited and everybody is ready; whether it began."""
    table = sitting.table
    if not table.is_between_deals or table.paused_at is not None or not all(s.is_ready for s in sitting.seats):
        return False
    begin_deal(sitting, state_of(table))
    return True
