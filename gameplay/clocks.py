"""Clocks in days, and those of an evening: allowances, used time, deadlines and reminders.

`Table.deadline_at` is the truth. The time of the running clock at its start is `Seat.time_left` for a turn and
`Table.wait_left` for an answer or the wait between deals; free time of the player (weekends, quiet hours, absences)
does not count. The deadline is when all of it is used.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.utils.translation import gettext

from accounts.languages import as_read_by
from accounts.models import User
from gameplay.models import Seat, Table
from gameplay.presence import is_here
from web.text import date_and_time, zone_name

MINIMUM = timedelta(hours=12)
"""The least time for a turn, however empty the bank."""
ANSWER_TIME = timedelta(hours=24)
"""Time for an answer to `May I go out?`, or the time of a turn if that is shorter."""
WAIT_FOR_DEAL = timedelta(hours=24)
"""Wait for everyone to look at the score sheet, before the next deal."""
LIFT_TIME = timedelta(hours=12)
"""Wait for all lifts before a deal, and for all choices of a stack; or the time of a turn if that is shorter."""
RESUME_NOTICE = timedelta(hours=24)
"""Delay of the clock after a pause, so that nobody is caught out."""
GATHERING = timedelta(minutes=10)
"""An evening’s clocks run when all players are there, or after this."""
EVENING_WAIT, EVENING_NOTICE = timedelta(minutes=2), timedelta(seconds=15)
"""For an evening: the wait between deals, and the delay after a pause."""
LAST_CALL = timedelta(hours=2)
"""The time before the deadline at which the last of the three reminders is due."""
BOT_CLAIM = timedelta(seconds=20)
"""A bot's turn that a worker took and did not play is due again after this; the longest thinking takes a tenth of it."""
MOST_WEEKEND_DAYS = 2
MOST_QUIET = timedelta(hours=12)
"""Most free days a week and free time a day by a player's own settings: others are waiting."""

_NONE = timedelta()
_DAY = timedelta(days=1)
Span = tuple[datetime, datetime]


@dataclass(frozen=True)
class FreeTime:
    """Free time, when a person's clock is paused: weekend days and quiet hours in their zone, absences in UTC."""

    zone: ZoneInfo
    weekend_days: frozenset[int] = frozenset()
    quiet: tuple[time, time] | None = None
    absences: tuple[Span, ...] = ()


NO_FREE_TIME = FreeTime(ZoneInfo("UTC"))


def free_time(table: Table, seat: Seat | None) -> FreeTime:
    """The free time that this table grants the player in the seat; the user's absences are prefetched."""
    user = seat.user if seat is not None else None
    if user is None or table.clock == Table.Clock.LIVE:
        return NO_FREE_TIME
    days = [int(day) for day in sorted(set(user.weekend_days)) if day in "0123456"] if table.free_weekends else []
    quiet = None
    if table.free_nights and user.quiet_from is not None and user.quiet_until is not None:
        quiet = (user.quiet_from, user.quiet_until) if user.quiet_from != user.quiet_until else None
    absences = user.known_absences if table.allows_absences else ()
    return FreeTime(
        user.zone,
        frozenset(days[-MOST_WEEKEND_DAYS:]),
        quiet,
        tuple((absence.starts_at.astimezone(UTC), absence.ends_at.astimezone(UTC)) for absence in absences),
    )


def due_at(start: datetime, allowance: timedelta, free: FreeTime) -> datetime:
    """The moment in UTC at which an allowance is used up that starts to run at `start`.

    The last such moment: time that runs out just when a weekend starts runs out at its end. Inverse of `used`.
    """
    moment, rest = start.astimezone(UTC), max(allowance, _NONE)
    while True:
        until = moment + rest + _DAY
        for begins, ends in _free_spans(moment, until, free):
            if begins - moment > rest:
                return moment + rest
            rest -= begins - moment
            moment = ends
        if until - moment > rest:
            return moment + rest
        rest -= until - moment
        moment = until


def used(start: datetime, end: datetime, free: FreeTime) -> timedelta:
    """The counted time from `start` to `end`; nothing if the end is before the start."""
    start, end = start.astimezone(UTC), end.astimezone(UTC)
    if end <= start:
        return _NONE
    return (end - start) - sum((ends - begins for begins, ends in _free_spans(start, end, free)), _NONE)


def _free_spans(start: datetime, end: datetime, free: FreeTime) -> list[Span]:
    """The free time within `start` to `end` (UTC), in order, no two spans touching."""
    spans: list[Span] = []
    for begins, ends in sorted(_raw_spans(start, end, free)):
        begins, ends = max(begins, start), min(ends, end)
        if begins >= ends:
            continue
        if spans and begins <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(ends, spans[-1][1]))
        else:
            spans.append((begins, ends))
    return spans


def _raw_spans(start: datetime, end: datetime, free: FreeTime) -> Iterator[Span]:
    yield from free.absences
    if not free.weekend_days and free.quiet is None:
        return
    # A day more on either side: a night begins on the day before, and dates differ by zone.
    day, last = start.astimezone(free.zone).date() - _DAY, end.astimezone(free.zone).date()
    while day <= last:
        if day.weekday() in free.weekend_days:
            yield _moment(day, time(), free.zone), _moment(day + _DAY, time(), free.zone)
        if free.quiet is not None:
            yield _quiet_span(day, *free.quiet, free.zone)
        day += _DAY


def _quiet_span(day: date, begins: time, ends: time, zone: ZoneInfo) -> Span:
    """The quiet hours that begin on this local day; hours that occur twice are quiet twice."""
    first = _moment(day, begins, zone)
    last = _moment(day + _DAY if ends < begins else day, ends, zone, is_end=True)
    return first, min(last, first + MOST_QUIET)


def _moment(day: date, at: time, zone: ZoneInfo, *, is_end: bool = False) -> datetime:
    """A local time in UTC. A time that the clocks skip is as much later as is skipped."""
    moment = datetime.combine(day, at.replace(fold=0), zone).astimezone(UTC)
    return max(moment, datetime.combine(day, at.replace(fold=1), zone).astimezone(UTC)) if is_end else moment


# What happens to the clocks of a table; the caller holds the lock and saves


def begin_turn(table: Table, seat: Seat) -> None:
    """Give the seat its time for a new turn."""
    seat.reminded = 0
    if table.clock == Table.Clock.LIVE:
        bank, turn = timedelta(seconds=table.bank_seconds), timedelta(seconds=table.turn_seconds)
        seat.time_left = (bank if seat.time_left is None else min(bank, seat.time_left)) + turn
    elif table.clock == Table.Clock.MOVE:
        seat.time_left = table.allowance
    elif table.clock == Table.Clock.BANK:
        seat.time_left = max(MINIMUM, table.allowance if seat.time_left is None else seat.time_left)


def end_turn(table: Table, seat: Seat) -> None:
    """Add the increment after a turn: a bank grows, up to its cap."""
    if table.clock == Table.Clock.LIVE and seat.time_left is not None:
        seat.time_left = min(seat.time_left, timedelta(seconds=table.bank_seconds))
    if table.clock == Table.Clock.BANK and seat.time_left is not None:
        cap = timedelta(hours=table.cap_hours or table.clock_hours)
        seat.time_left = max(seat.time_left, min(cap, seat.time_left + timedelta(hours=table.increment_hours)))


def start(table: Table, seat: Seat, now: datetime, *, most: timedelta | None = None) -> None:
    """Start the clock of the seat to act. An answer has a clock of its own, and takes nothing from the bank.

    That runs `most` so long.
    """
    table.wait_left = None
    if most is not None:
        seat.reminded = 0
        table.wait_left = min(most, table.allowance)
    run(table, seat, now)


def wait(table: Table, now: datetime) -> None:
    """Start the clock between deals, which ends the wait for players who have not looked at the score sheet."""
    table.wait_left = EVENING_WAIT if table.clock == Table.Clock.LIVE else WAIT_FOR_DEAL
    run(table, None, now)


def wait_for_lifts(table: Table, now: datetime) -> None:
    """Start the clock of all lifts, or choices of a stack, before a deal: one for all, which nobody's free time stops."""
    table.wait_left = min(LIFT_TIME, table.allowance)
    run(table, None, now)


def run(table: Table, seat: Seat | None, now: datetime) -> None:
    """Run the clock from `now` with its remaining time; `seat` is the one to act, none between deals."""
    table.clock_started_at = table.deadline_at = table.remind_at = None
    if table.clock == Table.Clock.NONE or table.paused_at is not None or (seat is not None and seat.user_id is None):
        return
    if table.clock == Table.Clock.LIVE and table.gathered_at is None:
        table.deadline_at = now + GATHERING
        return
    table.clock_started_at = now
    aim(table, seat)


def aim(table: Table, seat: Seat | None) -> None:
    """Work out deadline and next reminder of the running clock again."""
    if table.clock_started_at is None:
        return
    free = free_time(table, seat)
    table.deadline_at = due_at(table.clock_started_at, time_left(table, seat), free)
    if table.clock == Table.Clock.LIVE:
        if seat is not None and table.wait_left is None and not is_here(seat, table.clock_started_at):
            table.deadline_at = min(table.deadline_at, without_bank(table))
        return
    table.remind_at = next((at for at in reminders(table, seat)[seat.reminded :] if at), None) if seat else None


def without_bank(table: Table) -> datetime:
    """For an evening: when the turn of a player who is not at the table ends."""
    started = table.clock_started_at
    assert started is not None  # noqa: S101  the caller has seen it
    return started.astimezone(UTC) + timedelta(seconds=table.turn_seconds)


def resume_notice(table: Table) -> timedelta:
    """The delay of the clock after a pause."""
    return EVENING_NOTICE if table.clock == Table.Clock.LIVE else RESUME_NOTICE


def time_left(table: Table, seat: Seat | None) -> timedelta:
    """The time of the clock when it started to run, or while it is paused."""
    if table.wait_left is not None:
        return table.wait_left
    return (seat.time_left if seat is not None else None) or _NONE


def give(table: Table, seat: Seat | None, more: timedelta) -> None:
    """Add time to the clock."""
    if table.wait_left is not None:
        table.wait_left += more
    elif seat is not None and seat.time_left is not None:
        seat.time_left = max(seat.time_left + more, _NONE)


def stop(table: Table, seats: Sequence[Seat], now: datetime) -> None:
    """Stop the running clock and subtract the used time."""
    if table.clock_started_at is not None:
        seat = None if table.seat_to_act is None else seats[table.seat_to_act]
        spent = used(table.clock_started_at, now, free_time(table, seat))
        give(table, seat, -min(spent, time_left(table, seat)))
    table.clock_started_at = table.deadline_at = table.remind_at = None


def reminders(table: Table, seat: Seat) -> list[datetime | None]:
    """Reminders: after half and four fifths of the time, and two hours before the deadline.

    `None` for those that would come before the clock started or out of order.
    """
    if table.clock_started_at is None or table.deadline_at is None:
        return [None, None, None]
    free, has = free_time(table, seat), time_left(table, seat)
    is_turn = table.wait_left is None and table.clock == Table.Clock.MOVE
    full = max(table.allowance, has) if is_turn else has
    moments: list[datetime | None] = []
    latest = started = table.clock_started_at.astimezone(UTC)
    for moment in (
        due_at(started, has - full * 0.5, free),
        due_at(started, has - full * 0.2, free),
        table.deadline_at - LAST_CALL,
    ):
        moments.append(moment if moment > latest else None)
        latest = max(latest, moment)
    return moments


def bots_rest(table: Table, now: datetime) -> timedelta | None:
    """How long the bots of practice still rest because their thinking time is used up; `None` if they do not."""
    if not table.is_practice or table.bot_due_at is None or table.failed_at is not None:
        return None
    wait = table.bot_due_at - now
    return wait if wait > BOT_CLAIM else None


def until_words(table: Table, user: User) -> str:
    """The deadline by the person's own clock, in words; empty if no clock runs."""
    if table.deadline_at is None:
        return ""
    with as_read_by(user):
        when = {"time": date_and_time(table.deadline_at), "zone": zone_name(table.deadline_at)}
        return gettext("You have until %(time)s, %(zone)s.") % when
