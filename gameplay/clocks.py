"""Clocks in days: how long a player has, how much of it is used, and when a reminder is due.

`Table.deadline_at` is the truth. What the running clock had when it began to run is `Seat.time_left` for a turn and
`Table.wait_left` for an answer or the wait between deals; time that is free for the player (weekends, quiet hours,
absences) does not count. The deadline is when all of it is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.utils.translation import gettext

from accounts.languages import as_read_by
from accounts.models import User
from gameplay.models import Seat, Table
from web.text import date_and_time, zone_name

MINIMUM = timedelta(hours=12)
"""Nobody has less than this for a turn, however empty the bank."""
ANSWER_TIME = timedelta(hours=24)
"""How long a partner may think about `May I go out?`, or the time of a turn where that is shorter."""
WAIT_FOR_DEAL = timedelta(hours=24)
"""How long the next deal waits for everybody to have looked at the score sheet."""
RESUME_NOTICE = timedelta(hours=24)
"""After a pause the clock stands still for so long, so that nobody is caught out."""
LAST_CALL = timedelta(hours=2)
"""How long before the deadline the last of the three reminders is due."""
MOST_WEEKEND_DAYS = 2
MOST_QUIET = timedelta(hours=12)
"""Own settings stop a clock on so many days a week, and for so long a day, at most: others are waiting."""

_NONE = timedelta()
_DAY = timedelta(days=1)
Span = tuple[datetime, datetime]


@dataclass(frozen=True)
class FreeTime:
    """When a person's clock stands still: weekend days and quiet hours by the own zone, and absences in UTC."""

    zone: ZoneInfo
    weekend_days: frozenset[int] = frozenset()
    quiet: tuple[time, time] | None = None
    absences: tuple[Span, ...] = ()


NO_FREE_TIME = FreeTime(ZoneInfo("UTC"))


def free_time(table: Table, seat: Seat | None) -> FreeTime:
    """The free time that this table grants the player in the seat; the user's absences are prefetched."""
    user = seat.user if seat is not None else None
    if user is None:
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
    """When an allowance that begins to run at `start` is used up, in UTC.

    The last such moment: time that runs out just when a weekend begins runs out when it ends. Inverse of `used`.
    """
    moment, left = start.astimezone(UTC), max(allowance, _NONE)
    while True:
        until = moment + left + _DAY
        for begins, ends in _free_spans(moment, until, free):
            if begins - moment > left:
                return moment + left
            left -= begins - moment
            moment = ends
        if until - moment > left:
            return moment + left
        left -= until - moment
        moment = until


def used(start: datetime, end: datetime, free: FreeTime) -> timedelta:
    """How much of `start` to `end` counts; nothing where the end is before the start."""
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
    """Give the seat what it has for a new turn."""
    seat.reminded = 0
    if table.clock == Table.Clock.MOVE:
        seat.time_left = table.allowance
    elif table.clock == Table.Clock.BANK:
        seat.time_left = max(MINIMUM, table.allowance if seat.time_left is None else seat.time_left)


def end_turn(table: Table, seat: Seat) -> None:
    """A turn was played: a bank grows, up to its cap."""
    if table.clock == Table.Clock.BANK and seat.time_left is not None:
        cap = timedelta(hours=table.cap_hours or table.clock_hours)
        seat.time_left = max(seat.time_left, min(cap, seat.time_left + timedelta(hours=table.increment_hours)))


def start(table: Table, seat: Seat, now: datetime, *, is_answer: bool = False) -> None:
    """Let the clock of the seat to act run. An answer has a clock of its own, and takes nothing from the bank."""
    table.wait_left = None
    if is_answer:
        seat.reminded = 0
        table.wait_left = min(ANSWER_TIME, table.allowance)
    run(table, seat, now)


def wait(table: Table, now: datetime) -> None:
    """Between deals: let the clock run that ends the wait for those who have not looked at the score sheet."""
    table.wait_left = WAIT_FOR_DEAL
    run(table, None, now)


def run(table: Table, seat: Seat | None, now: datetime) -> None:
    """Let the clock run from `now` with what is left of it; `seat` is the one to act, none between deals."""
    table.clock_started_at = table.deadline_at = table.remind_at = None
    if table.clock == Table.Clock.NONE or table.paused_at is not None or (seat is not None and seat.user_id is None):
        return
    table.clock_started_at = now
    aim(table, seat)


def aim(table: Table, seat: Seat | None) -> None:
    """Work out deadline and next reminder of the running clock anew."""
    if table.clock_started_at is None:
        return
    free = free_time(table, seat)
    table.deadline_at = due_at(table.clock_started_at, left(table, seat), free)
    table.remind_at = next((at for at in reminders(table, seat)[seat.reminded :] if at), None) if seat else None


def left(table: Table, seat: Seat | None) -> timedelta:
    """What the clock had when it began to run, or has while it stands still."""
    if table.wait_left is not None:
        return table.wait_left
    return (seat.time_left if seat is not None else None) or _NONE


def give(table: Table, seat: Seat | None, more: timedelta) -> None:
    """Add to what the clock has."""
    if table.wait_left is not None:
        table.wait_left += more
    elif seat is not None and seat.time_left is not None:
        seat.time_left = max(seat.time_left + more, _NONE)


def stop(table: Table, seats: Sequence[Seat], now: datetime) -> None:
    """Stop the running clock and charge what was used of it."""
    if table.clock_started_at is not None:
        seat = None if table.seat_to_act is None else seats[table.seat_to_act]
        spent = used(table.clock_started_at, now, free_time(table, seat))
        give(table, seat, -min(spent, left(table, seat)))
    table.clock_started_at = table.deadline_at = table.remind_at = None


def reminders(table: Table, seat: Seat) -> list[datetime | None]:
    """When half and four fifths of the time are gone, and two hours before the deadline.

    `None` for those that would come before the clock ran or out of order.
    """
    if table.clock_started_at is None or table.deadline_at is None:
        return [None, None, None]
    free, has = free_time(table, seat), left(table, seat)
    is_turn = table.wait_left is None and table.clock == Table.Clock.MOVE
    whole = max(table.allowance, has) if is_turn else has
    moments: list[datetime | None] = []
    latest = started = table.clock_started_at.astimezone(UTC)
    for moment in (
        due_at(started, has - whole * 0.5, free),
        due_at(started, has - whole * 0.2, free),
        table.deadline_at - LAST_CALL,
    ):
        moments.append(moment if moment > latest else None)
        latest = max(latest, moment)
    return moments


def until_words(table: Table, user: User) -> str:
    """The deadline by the person's own clock, for a letter; empty where no clock runs."""
    if table.deadline_at is None:
        return ""
    with as_read_by(user):
        when = {"time": date_and_time(table.deadline_at), "zone": zone_name(table.deadline_at)}
        return gettext("You have until %(time)s, %(zone)s.") % when
