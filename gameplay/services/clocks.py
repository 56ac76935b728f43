"""Deadlines: their consequences, and extensions.

`Table.deadline_at` is the truth, by the database's time. The sweeper or a late move acts on a passed one under the
table's lock, where it is checked again, so that finding it twice does no harm.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from accounts.services import absences, notices
from engine.bots.bot import last_resort
from engine.play.choices import legal_moves
from engine.play.game import apply
from engine.play.moves import Move as EngineMove
from engine.play.state import CHOOSE, DRAWING, LIFT, OVER, State
from gameplay import clocks, presence
from gameplay.lifts import BEFORE_PLAY
from gameplay.log.log_language import say_to
from gameplay.log.story import public_log
from gameplay.models import Happening, Heartbeat, Move, Seat, Table
from gameplay.presence import is_here
from gameplay.services import bots, leaving
from gameplay.services.match_play import begin_deal, play_moves
from gameplay.services.sitting import Sitting, save, sit_down, tell
from gameplay.snapshot import state_of
from gameplay.standing_orders.services import lift_for
from web.errors import Refused

log = logging.getLogger(__name__)

OUTAGE = timedelta(minutes=3)
"""After a longer pause of the sweeper, deadlines that passed since are extended and not enforced."""
AUTOMATIC_DAYS = 3
"""Length of an automatic absence when time runs out."""
MISSES_TO_LOSE_SEAT = 3
RETRY = timedelta(hours=1)
"""A table whose deadline could not be acted on is looked at again after this."""
LOOKING = timedelta(minutes=2)
"""After looking at the page within this time, a player needs no reminder."""
HEARTBEAT = "deadlines"


# Sweeping


def sweep(now: datetime | None = None) -> None:
    """Act where a deadline has passed, remind where one comes near. Safe to run twice, late, and at once.

    After an outage the deadlines that passed in it are moved first, and only then does the sweeper say that it runs.
    """
    moment = now or Now()
    if not Heartbeat.objects.filter(name=HEARTBEAT, at__gte=moment - OUTAGE).exists():
        for table_id in _ids(deadline_at__lt=moment):
            _attempt(table_id, _extend_if_due, now)
    Heartbeat.objects.update_or_create(name=HEARTBEAT, defaults={"at": moment})
    for table_id in _ids(deadline_at__lt=moment):
        _attempt(table_id, _act_if_due, now)
    for table_id in _ids(clock=Table.Clock.LIVE, gathered_at=None):
        _attempt(table_id, _begin_if_all_here, now)
    away = moment - presence.HERE
    for table_id in _ids(clock=Table.Clock.LIVE, seats__number=F("seat_to_act"), seats__looked_at__lt=away):
        _attempt(table_id, _miss_if_away, now)
    for table_id in _ids(remind_at__lte=moment):
        _attempt(table_id, remind, now)
    for table_id in _ids(seats__user=None, seats__bot="") + _ids(
        seats__user__is_active=False, seats__user__is_guest=False
    ):
        _attempt(table_id, leaving.hand_over_empty, now)


def _ids(**conditions: object) -> list[int]:
    """The tables at which a match is played and that meet the conditions, the longest overdue first."""
    rows = Table.objects.running().filter(**conditions).order_by("deadline_at")
    return list(dict.fromkeys(rows.values_list("pk", flat=True)))


def _attempt(table_id: int, act: Callable[[Sitting], object], now: datetime | None) -> None:
    """Do one thing at one table; what fails there is put off and stops no other."""
    try:
        with transaction.atomic():
            sitting = sit_down(table_id, now)
            if sitting.table.status == Table.Status.PLAYING:
                act(sitting)
    except Exception as error:
        log.error("A clock of table %s could not be seen to: %s", table_id, bots.where(error))
        bots.note_failure(table_id)
        later = (now or Now()) + RETRY
        due = Table.objects.filter(pk=table_id)
        due.filter(deadline_at__lt=later).update(deadline_at=later)
        due.filter(remind_at__lt=later).update(remind_at=later)


def _act_if_due(sitting: Sitting) -> None:
    if _is_due(sitting):
        act(sitting)


def _was_put_off(sitting: Sitting) -> bool:
    """Whether the time of the seat to act is over, and the deadline later only because acting on it has failed."""
    table = sitting.table
    if table.failed_at is None or table.clock_started_at is None:
        return False
    seat = None if table.seat_to_act is None else sitting.seats[table.seat_to_act]
    free = clocks.free_time(table, seat)
    return clocks.due_at(table.clock_started_at, clocks.time_left(table, seat), free) <= sitting.now


def _extend_if_due(sitting: Sitting) -> None:
    if _is_due(sitting) and _is_extended(sitting):
        save(sitting)


def _is_due(sitting: Sitting) -> bool:
    return sitting.table.deadline_at is not None and sitting.now > sitting.table.deadline_at


# A deadline that has passed


def act_now(table_id: int, now: datetime | None = None) -> None:
    """Act on a deadline that has passed, or whose handling failed, in place of the sweeper.

    Raises `Refused` if there is none.
    """
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        table = sitting.table
        runs = table.status == Table.Status.PLAYING and table.deadline_at is not None and table.paused_at is None
        if not runs or not (_is_due(sitting) or _was_put_off(sitting)):
            raise Refused("not_due", gettext("No deadline has passed at this table."))
        act(sitting)


def act(sitting: Sitting) -> bool:
    """Apply the table's rules about a passed deadline, and save.

    `False` if it had not really passed: time turned out to be free, or the sweeper was down.
    """
    if _is_extended(sitting):
        save(sitting)
        return False
    table = sitting.table
    if table.clock == Table.Clock.LIVE and table.gathered_at is None:
        begin_evening(sitting)
        return False
    if table.seat_to_act is None:
        begin_deal(sitting, state_of(table))
        return True
    seat = sitting.seats[table.seat_to_act]
    if state_of(table).phase in BEFORE_PLAY:
        _act_for_all(sitting)
    elif table.wait_left is not None:
        _answer_for(sitting, seat)
    elif seat.user is None:
        leaving.hand_over(sitting, seat)
    elif _begin_absence(sitting, seat, seat.user):
        save(sitting)
        return table.deadline_at is None or sitting.now > table.deadline_at
    else:
        _miss(sitting, seat)
    return True


def begin_evening(sitting: Sitting) -> None:
    """Start the clocks of an evening. Saves."""
    table = sitting.table
    table.gathered_at = sitting.now
    tell(sitting, Happening.Kind.RESUMED, gettext_noop("The clocks are running."))
    clocks.run(table, None if table.seat_to_act is None else sitting.seats[table.seat_to_act], sitting.now)
    save(sitting)


def _begin_if_all_here(sitting: Sitting) -> None:
    if sitting.table.paused_at is None and all(s.user_id is None or is_here(s, sitting.now) for s in sitting.seats):
        begin_evening(sitting)


def come_to_table(table_id: int, now: datetime | None = None) -> None:
    """Note that a player came to the table of an evening: its clocks start with the last one, and the bank is theirs again."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        table = sitting.table
        if table.clock != Table.Clock.LIVE or table.status != Table.Status.PLAYING or table.paused_at is not None:
            return
        if table.gathered_at is None:
            _begin_if_all_here(sitting)
            return
        seat = None if table.seat_to_act is None else sitting.seats[table.seat_to_act]
        if seat is None or table.clock_started_at is None or table.wait_left is not None or _is_due(sitting):
            return
        full = table.clock_started_at + clocks.time_left(table, seat)
        if is_here(seat, sitting.now) and table.deadline_at != full:
            table.deadline_at = full
            save(sitting)


def _miss_if_away(sitting: Sitting) -> None:
    """Take the bank from a player who left the table of an evening in their turn."""
    table = sitting.table
    if table.seat_to_act is None or table.clock_started_at is None or table.wait_left is not None:
        return
    if not is_here(sitting.seats[table.seat_to_act], sitting.now) and table.deadline_at is not None:
        table.deadline_at = min(table.deadline_at, clocks.without_bank(table))
        if _is_due(sitting):
            act(sitting)


def _is_extended(sitting: Sitting) -> bool:
    """Whether the deadline moves after all: the clock should have stood still, or the sweeper was down."""
    table, now = sitting.table, sitting.now
    seat = (
        None if table.seat_to_act is None or state_of(table).phase in BEFORE_PLAY else sitting.seats[table.seat_to_act]
    )
    started, deadline = table.clock_started_at, table.deadline_at
    if started is None or deadline is None:
        return False
    free = clocks.free_time(table, seat)
    is_early = clocks.due_at(started, clocks.time_left(table, seat), free) > now
    if is_early and table.clock != Table.Clock.LIVE:
        clocks.aim(table, seat)
        words = gettext_noop("%(seat)s’s clock was paused, so the deadline moved.")
        tell(sitting, Happening.Kind.EXTENDED, words, table.seat_to_act, seat=seat)
        return True
    down_since = _down_since(now)
    if down_since is None or deadline <= down_since:
        return False
    clocks.give(table, seat, clocks.used(max(started, down_since), now, free))
    clocks.aim(table, seat)
    tell(
        sitting,
        Happening.Kind.EXTENDED,
        gettext_noop("The site was down, so the deadline was extended by the same time."),
        table.seat_to_act,
    )
    return True


def _down_since(now: datetime) -> datetime | None:
    """Since when the sweeper has not run, if for so long that it counts as an outage."""
    beat = Heartbeat.objects.filter(name=HEARTBEAT).first()
    if beat is None:
        return datetime.min.replace(tzinfo=now.tzinfo)
    return beat.at if now - beat.at > OUTAGE else None


_NO_ANSWER = gettext_noop("%(seat)s did not answer in time, so a bot answered.")
_NOT_IN_TIME = {
    LIFT: gettext_noop("The site lifted for players who did not lift in time."),
    CHOOSE: gettext_noop("The first stack went to players who did not choose in time."),
}


def _act_for_all(sitting: Sitting) -> None:
    """Make the lifts, or choices, that are missing, so that no deal waits for them."""
    phase = state_of(sitting.table).phase
    tell(sitting, Happening.Kind.MISSED, _NOT_IN_TIME[phase])
    while (state := state_of(sitting.table)).phase == phase:
        lift_for(sitting, sitting.seats[state.actor], by=Move.By.STAND_IN)


def _answer_for(sitting: Sitting, seat: Seat) -> None:
    """Answer for a silent player: a bot looks at their cards, so that the turn can continue."""
    tell(sitting, Happening.Kind.MISSED, _NO_ANSWER, seat.number, seat=seat)
    play_moves(
        sitting,
        seat,
        bots.think(state_of(sitting.table), leaving.STAND_IN, public_log(sitting.table)),
        by=Move.By.STAND_IN,
    )


def _begin_absence(sitting: Sitting, seat: Seat, user: User) -> bool:
    """Take an absence out of the player's allowance, if the table knows absences and any is left."""
    table, started = sitting.table, sitting.table.clock_started_at
    if (
        not table.allows_absences
        or table.clock == Table.Clock.LIVE
        or table.deadline_at is None
        or started is None
        or user.is_guest
    ):
        return False
    if any(absence.is_automatic and absence.ends_at > started for absence in user.known_absences):
        return False  # one a turn; the others have waited
    if absences.start_automatic(User.objects.get(pk=user.pk), table.deadline_at, AUTOMATIC_DAYS) is None:
        return False
    seat.user = User.objects.prefetch_related("absences").get(pk=user.pk)
    clocks.aim(table, seat)
    tell(
        sitting,
        Happening.Kind.AWAY,
        gettext_noop("%(seat)s ran out of time. An absence started automatically."),
        seat.number,
        seat=seat,
    )
    return True


def _miss(sitting: Sitting, seat: Seat) -> None:
    """A player ran out of time for a turn."""
    table = sitting.table
    if not _is_played_on(sitting, seat):
        seat.missed_in_a_row += 1
        seat.turns_missed += 1
        tell(sitting, Happening.Kind.MISSED, gettext_noop("%(seat)s ran out of time."), seat.number, seat=seat)
    if table.missed == Table.Missed.FORFEIT:
        leaving.forfeit(sitting, seat)
    elif seat.missed_in_a_row >= MISSES_TO_LOSE_SEAT or _has_reserve(sitting):
        leaving.hand_over(sitting, seat)
    else:
        _stand_in(sitting, seat)


def _is_played_on(sitting: Sitting, seat: Seat) -> bool:
    """Whether a bot has begun this very turn for the player already, and asked a question in it."""
    if state_of(sitting.table).phase == DRAWING:
        return False
    last = sitting.table.moves.filter(seat=seat.number).last()
    return last is not None and last.by == Move.By.STAND_IN


def _has_reserve(sitting: Sitting) -> bool:
    return sitting.table.missed == Table.Missed.SUBSTITUTE and leaving.first_reserve(sitting) is not None


def _stand_in(sitting: Sitting, seat: Seat) -> None:
    """Play this one turn by a bot; if the rules want a substitute, ask everyone to find one."""
    table = sitting.table
    _tell_player(sitting, seat, "missed", gettext_noop("your time ran out, and a bot played your turn"))
    if table.missed == Table.Missed.SUBSTITUTE:
        for other in sitting.seats:
            if other is not seat:
                _tell_player(
                    sitting,
                    other,
                    "reserve",
                    gettext_noop("%(seat)s has dropped out and a reserve is needed"),
                    seat=seat,
                )
    play_moves(sitting, seat, _moves_for(table), by=Move.By.STAND_IN)


def _draw_and_discard(state: State) -> list[EngineMove]:
    """The rest of a turn without melds: a draw, and the discard of the cheapest card."""
    seat, turn, moves = state.actor, state.turn, list[EngineMove]()
    values = state.rules.card_values
    while state.phase != OVER and state.actor == seat and state.turn == turn:
        choices = legal_moves(state)
        discards = sorted((move for move in choices if move.kind == "discard"), key=lambda move: values[move.card])
        drawing = [move for move in choices if move.kind == "draw"]
        move = next(iter([*drawing, *discards]), None) or last_resort(state)
        state, _ = apply(state, move)
        moves.append(move)
    return moves


def _moves_for(table: Table) -> list[EngineMove]:
    """The turn of a player who missed it: a bot’s, or only a draw and the cheapest discard."""
    state = state_of(table)
    if table.missed == Table.Missed.SKIP:
        return _draw_and_discard(state)
    return bots.think(state, leaving.STAND_IN, public_log(table))


# Reminders


_REMINDERS = (
    gettext_noop("half of your time is gone"),
    gettext_noop("most of your time is gone"),
    gettext_noop("two hours are left"),
)


def remind(sitting: Sitting) -> None:
    """Send the reminder that is due to the player to act, and no earlier one; note when the next is due."""
    table, now = sitting.table, sitting.now
    if table.seat_to_act is None or table.remind_at is None or now < table.remind_at:
        return
    seat = sitting.seats[table.seat_to_act]
    moments = clocks.reminders(table, seat)
    due = [index for index, at in enumerate(moments) if at is not None and at <= now and index >= seat.reminded]
    if due and not is_looking(seat, now):
        words = _REMINDERS[due[-1]]
        key = f"reminder:{table.pk}:{table.move_count}:{due[-1] + 1}"
        _tell_player(sitting, seat, "reminder", words, key, clocks.until_words(table, seat.user) if seat.user else "")
    seat.reminded = max([seat.reminded, *(index + 1 for index in due)])
    seat.save(update_fields=["reminded"])
    table.remind_at = next((at for at in moments[seat.reminded :] if at is not None), None)
    table.save(update_fields=["remind_at"])


def is_looking(seat: Seat, now: datetime) -> bool:
    """Whether the player has the table before them."""
    return seat.looked_at is not None and now - seat.looked_at < LOOKING


def _tell_player(
    sitting: Sitting, player: Seat, kind: str, words: str, key: str = "", body: str = "", /, **values: object
) -> None:
    table = sitting.table
    if player.user is None or table.is_practice or table.clock == Table.Clock.LIVE:
        return
    notices.add(
        player.user,
        kind=kind,
        key=key or f"{kind}:{table.pk}:{table.move_count}",
        subject=f"table:{table.pk}",
        title=f"{table.name}: {say_to(player.user, words, **values)}",
        url=table.get_absolute_url(),
        due_at=sitting.now,
        body=body,
    )


# Absences and settings that change


def recompute(user_id: int, now: datetime | None = None) -> None:
    """Set the running clocks of a person again, after absences, zone, weekend or quiet hours changed."""
    running = Table.objects.running().filter(
        seats__user=user_id, seats__number=F("seat_to_act"), deadline_at__isnull=False
    )
    for table_id in list(running.values_list("pk", flat=True)):
        with transaction.atomic():
            _recompute_at(sit_down(table_id, now), user_id)


def _recompute_at(sitting: Sitting, user_id: int) -> None:
    table = sitting.table
    seat = None if table.seat_to_act is None else sitting.seats[table.seat_to_act]
    before = table.deadline_at
    if seat is None or before is None or seat.user_id != user_id or sitting.now > before:
        return
    if state_of(table).phase in BEFORE_PLAY:
        return  # one clock for all
    clocks.aim(table, seat)
    if table.deadline_at is None or table.deadline_at == before:
        return
    # Who comes back early, or moves house, is not out of time at once.
    table.deadline_at = max(table.deadline_at, min(before, sitting.now + clocks.MINIMUM))
    words = gettext_noop("%(seat)s changed their free time. The deadline is now earlier.")
    if table.deadline_at > before:
        words = gettext_noop("%(seat)s changed their free time. The deadline is now later.")
    tell(sitting, Happening.Kind.EXTENDED, words, seat.number, seat=seat)
    save(sitting)
