"""The queue of bots' turns and standing orders: `Table.bot_due_at` is the queue, and a task only wakes who works it off.

One turn is played, then the next is chosen. Tables with several people come before practice. Among them the turn goes to
the person for whom bots have thought least, and of this person to the table that has waited longest: sixty tables of one
person wait for each other, and not others for them. Practice rests while its person’s budget of thinking is used up.

To take a turn is to move `bot_due_at` a little into the future, if nobody else just has. So two workers never think about
the same turn, and one of a killed worker is due again by itself.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from accounts import budgets
from accounts.budgets import GUEST, PERSON, Subject
from accounts.models import User
from gameplay.clocks import BOT_CLAIM
from gameplay.models import Seat, Table
from gameplay.services import bots
from gameplay.services.sitting import save, sit_down
from web.errors import TooMuch
from web.monitoring import error_reporting
from web.recent_use import RecentUse

log = logging.getLogger(__name__)

CREDIT = 1000.0
"""Milliseconds that a person who has used less can be ahead of others, however long they were away."""
LEAST_REST = timedelta(minutes=1)
"""The shortest rest of practice whose budget is used up, longer than a claim."""
SHORT = 0.02
"""Seconds of thought for a turn while others want bots too, of people whose bots have thought for long of late."""
BUSY, CALM = 3.0, 1.0
"""Seconds of thought of late that are long, and at which a person is like others again."""
SPARE = 0.3
"""Others want bots too if theirs have thought for so many seconds of late."""
MOST_TURNS = 50
"""Turns of one task. Then another takes over, so that none runs for ever."""
_MOST_PEOPLE = 200
_MOST_ATTEMPTS = 20


@dataclass(frozen=True)
class Waiting:
    """A person with turns due at practice tables, or at others. `person` is `None` for tables without people."""

    person: int | None
    is_guest: bool | None
    is_practice: bool
    since: datetime
    tables: int

    @property
    def rank(self) -> int:
        """0 if people wait for each other there, else 1."""
        return int(self.is_practice or self.person is None)

    @property
    def subject(self) -> Subject | None:
        """Whose budget practice uses."""
        if self.person is None or not self.is_practice:
            return None
        return Subject(GUEST if self.is_guest else PERSON, str(self.person))


class Shares:
    """The milliseconds that bots have thought for each person, as far as this process knows.

    Whoever comes, or comes back, has at most `CREDIT` less than the person who was last served: nobody can save up a right
    of way and then hold up the others with it.
    """

    def __init__(self) -> None:
        self._used: dict[int | None, float] = {}
        self._served = 0.0

    def used(self, person: int | None) -> float:
        """What counts as the use of a person now."""
        return max(self._used.get(person, 0.0), self._served - CREDIT)

    def choose(self, waiting: Iterable[Waiting]) -> Waiting | None:
        """The one to be served next; `None` if nobody waits."""
        return min(waiting, key=lambda each: (each.rank, self.used(each.person), each.since), default=None)

    def charge(self, people: Iterable[int | None], milliseconds: float) -> None:
        """Count a turn for the people at its table, a share for each."""
        people = list(people) or [None]
        shares = {person: self.used(person) + milliseconds / len(people) for person in people}
        self._served = max(self._served, min(self.used(person) for person in people))
        floor = self._served - CREDIT
        self._used = {person: used for person, used in {**self._used, **shares}.items() if used > floor}


_shares = Shares()
_recent = RecentUse(busy=BUSY, calm=CALM, spare=SPARE)
_here = threading.local()
_busy = threading.Lock()
_called = threading.Event()
_stopping = threading.Event()


def play_due(call: Callable[[], object]) -> None:
    """Play due turns, one after the other, until there are none: in one thread of a process, the others return at once.

    More threads would only slow down each other's thinking. `call` wakes another process: while more turns are due than
    one can play, and when this one stops before its work is done.
    """
    # Set before the lock is tried, and looked at after it is free: no call is lost between the last look and the end.
    _called.set()
    while _called.is_set() and _busy.acquire(blocking=False):
        try:
            _called.clear()
            is_done = _play_some(call)
        finally:
            _busy.release()
        if not is_done:
            call()
            return


def stop() -> None:
    """Let `play_due` end after the turn that is being played: the process is about to end."""
    _stopping.set()


def is_at_work() -> bool:
    """Whether this thread plays due turns: it finds by itself what becomes due by them."""
    return getattr(_here, "is_at_work", False)


def _play_some(call: Callable[[], object]) -> bool:
    """Play due turns; whether none is left."""
    called_at = time.monotonic()
    with _at_work():
        for _ in range(MOST_TURNS):
            if _stopping.is_set():
                return False
            due = play_next()
            if not due:
                return True
            if due > 1 and time.monotonic() - called_at > 1:
                called_at = time.monotonic()
                call()
    return False


@contextmanager
def _at_work() -> Iterator[None]:
    _here.is_at_work = True
    try:
        yield
    finally:
        _here.is_at_work = False


def play_next() -> int:
    """Play the turn that comes first, if one is due; how many were."""
    for _ in range(_MOST_ATTEMPTS):
        waiting = people_waiting()
        chosen = _shares.choose(waiting)
        if chosen is None:
            return 0
        if wait := _wait_for_budget(chosen):
            _rest(chosen, wait)
        elif (table_id := claim(chosen)) is not None:
            _play(table_id, seconds=seconds_for(chosen))
            return sum(each.tables for each in waiting)
    return 1  # others were quicker each time, so there is work


def people_waiting() -> list[Waiting]:
    """Everyone for whom a bot, or a standing order, should move now; those that have waited longest first."""
    rows = _due().filter(Q(seats__user__isnull=False) | ~_has_people())
    people = rows.values_list("seats__user", "seats__user__is_guest", "is_practice").annotate(
        since=Min("bot_due_at"), tables=Count("pk", distinct=True)
    )
    return [Waiting(*row) for row in people.order_by("since")[:_MOST_PEOPLE]]


def claim(waiting: Waiting) -> int | None:
    """Take the turn at this person's table that has waited longest; `None` if others were quicker."""
    rows = _tables_of(waiting).order_by("bot_due_at", "pk")
    for pk, due_at in rows.values_list("pk", "bot_due_at")[:1]:
        if _due().filter(pk=pk, bot_due_at=due_at).update(bot_due_at=Now() + BOT_CLAIM):
            return pk
    return None


def seconds_for(chosen: Waiting) -> float | None:
    """How long a bot thinks about a turn: a thought that has begun is not interrupted, and others would wait for it.

    `None` is as long as its level does.
    """
    is_short = chosen.rank > 0 and _recent.is_busy(chosen.person) and not _recent.has_spare()
    return SHORT if is_short else None


def _wait_for_budget(waiting: Waiting) -> timedelta | None:
    """How long bots of practice must rest for a person; `None` if they need not."""
    if waiting.subject is None:
        return None
    try:
        budgets.check(budgets.BOT_TIME, waiting.subject)
    except TooMuch as refusal:
        return max(timedelta(seconds=refusal.retry_after), LEAST_REST)
    return None


def _rest(waiting: Waiting, wait: timedelta) -> None:
    """Let this person’s practice tables wait, and say so on their pages."""
    for table_id in list(_tables_of(waiting).values_list("pk", flat=True)):
        with transaction.atomic():
            sitting = sit_down(table_id)
            due_at = sitting.table.bot_due_at
            if due_at is not None and due_at <= sitting.now:
                sitting.table.bot_due_at = sitting.now + wait
                save(sitting)


def _tables_of(waiting: Waiting) -> QuerySet[Table]:
    of_person = ~_has_people() if waiting.person is None else Q(seats__user=waiting.person)
    return _due().filter(of_person, is_practice=waiting.is_practice)


def _due() -> QuerySet[Table]:
    return Table.objects.running().filter(bot_due_at__lte=Now())


def _has_people() -> Exists:
    return Exists(Seat.objects.filter(table=OuterRef("pk"), user__isnull=False))


def _play(table_id: int, seconds: float | None) -> None:
    """Play a turn that was taken. What fails is put off and stops no other."""
    began = time.thread_time()
    try:
        bots.act(table_id, seconds=seconds)
    except (OperationalError, InterfaceError):
        raise  # the database is away, which is no fault of the table
    except Exception as error:
        log.error("The bots of table %s failed: %s", table_id, bots.where(error))
        error_reporting.report(error)
        bots.put_off(table_id)
    spent = (time.thread_time() - began) * 1000
    people = list(User.objects.filter(seats__table=table_id).only("pk", "is_guest"))
    _shares.charge([user.pk for user in people], spent)
    for user in people:
        _recent.add(user.pk, spent / 1000 / len(people))
        budgets.charge(budgets.BOT_TIME, user, round(spent / len(people)))
