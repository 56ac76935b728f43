"""Budgets: how much of the shared machine one person, one guest or one address can use, whichever door they come by.

An act that costs something says so in its service, before it does anything; `by` is the person or guest who acts. The
address of the current request is counted too, which `accounts.middleware.address` sets:

    spend(TABLES, by)                  use one; raises `TooMuch`, and uses nothing, if anyone’s limit has no room
    charge(BOT_TIME, user, 350)        count what was used already, even beyond the limit
    check(BOT_TIME, by)                raise `TooMuch` unless there is room for one more; uses nothing
    check(PRACTICE_TABLES, by, already=5)   the same where the database knows how many there are
    used(BOT_TIME, subject_of(user))   how much somebody has used, for a fair order

What is held for a while is given back by whoever holds it, in any thread; a process that dies holds nothing after a
minute. They all ask Redis or a file, so a coroutine calls them in a thread:

    with hold(STREAMS, user):          raises `TooMuch` if there is no room
        …
    lease = hold(BYTES, user, 65_536)  … release(lease)

`who` is a person, a guest, nobody (then the address alone is counted), or a `Subject`, which alone is counted. Outside of
pages, `with asked_from("192.0.2.1"):` says the address; IPv6 counts by its first half. Limits are those declared here
unless an operator has changed them (`budget_limits`).

What is spent is counted in windows of a budget’s length. The window before counts as well, less the more of this one is
over, so that a limit holds over any span of that length, not twice over at a change of windows. What is held is counted
in every short window again; the last whole one says how much that is.
"""

from __future__ import annotations

import logging
import math
import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import timedelta
from types import TracebackType

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.utils.translation import gettext, gettext_noop

from accounts import budget_limits
from accounts.addresses import network_of
from accounts.models import User
from web.errors import TooMuch
from web.shared_counts import Addition, Counts, Full, counts_of
from web.text import duration

log = logging.getLogger(__name__)

KINDS = PERSON, GUEST, ADDRESS = "person", "guest", "address"
LEASE = 30
"""Seconds of a window of what is held."""
RENEWAL = 10
"""Seconds between renewals: often enough for one to fail."""
HELD, ELSEWHERE = 0, -1
"""In place of a budget’s seconds: what is held until it is given back, and what the database counts."""


@dataclass(frozen=True)
class Budget:
    """A limit of each kind of subject: `None` for a kind that is not counted.

    `seconds` is the length of the window, or `HELD` or `ELSEWHERE`. `sentence` says what was too much, for a person;
    the time to try again follows it.
    """

    name: str
    title: str
    sentence: str
    seconds: int
    person: int | None
    guest: int | None
    address: int | None

    def limit(self, subject: Subject) -> int | None:
        """The most that a subject can use in a window, or hold, unless an operator has changed it."""
        limits: dict[str, int | None] = {PERSON: self.person, GUEST: self.guest, ADDRESS: self.address}
        return limits[subject.kind]


@dataclass(frozen=True)
class Subject:
    """Somebody whose use is counted: a person or a guest by the number of the account, or a network address."""

    kind: str
    key: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.key}"


Who = User | AnonymousUser | Subject | None

MINUTE, HOUR, DAY = 60, 3600, 86_400
# A whole club may sit behind one address: an evening of sixty people never meets these limits.
REQUESTS = Budget(
    "requests",
    gettext_noop("Requests a minute"),
    gettext_noop("There were too many requests."),
    MINUTE,
    person=600,
    guest=600,
    address=6000,
)
BOT_TIME = Budget(
    "bot_time",
    gettext_noop("Thinking time of bots in an hour"),
    gettext_noop("Your bots have used up their thinking time."),
    HOUR,
    person=900_000,
    guest=300_000,
    address=3_600_000,
)
TABLES = Budget(
    "tables",
    gettext_noop("Tables created in an hour"),
    gettext_noop("There were too many new tables."),
    HOUR,
    person=30,
    guest=30,
    address=240,
)
PRACTICE_TABLES = Budget(
    "practice_tables",
    gettext_noop("Practice matches under way"),
    gettext_noop("You have too many practice matches under way. Finish one of them first."),
    ELSEWHERE,
    person=5,
    guest=5,
    address=None,
)
BYTES = Budget(
    "bytes",
    gettext_noop("Bytes being sent to the site at the same time"),
    gettext_noop("Too much is being uploaded at the same time."),
    HELD,
    person=64 * 1024**2,
    guest=16 * 1024**2,
    address=256 * 1024**2,
)
STREAMS = Budget(
    "streams",
    gettext_noop("Open pages with live updates"),
    gettext_noop("Too many pages with live updates are open. Close some of them."),
    HELD,
    person=40,
    guest=20,
    address=1000,
)
ACTIONS = Budget(
    "actions",
    gettext_noop("Changes in clubs and events in an hour"),
    gettext_noop("There were too many changes."),
    HOUR,
    person=3000,
    guest=300,
    address=30_000,
)
CLUBS = Budget(
    "clubs",
    gettext_noop("Clubs created in a day"),
    gettext_noop("There were too many new clubs."),
    DAY,
    person=5,
    guest=None,
    address=50,
)
EVENTS = Budget(
    "events",
    gettext_noop("Events created in a day"),
    gettext_noop("There were too many new events."),
    DAY,
    person=50,
    guest=None,
    address=300,
)
MESSAGES = Budget(
    "messages",
    gettext_noop("Messages at tables in a minute"),
    gettext_noop("There were too many messages."),
    MINUTE,
    person=10,
    guest=10,
    address=300,
)
REPORTS = Budget(
    "reports",
    gettext_noop("Reports of behaviour in a day"),
    gettext_noop("You have sent many reports today. We will look at those first."),
    DAY,
    person=20,
    guest=20,
    address=100,
)
GUESTS = Budget(
    "guests",
    gettext_noop("Seats taken without an account in an hour"),
    gettext_noop("There were too many guests. Sign up to take a seat."),
    HOUR,
    person=None,
    guest=20,
    address=120,
)
MEETING_GUESTS = Budget(
    "meeting_guests",
    gettext_noop("Guests of meetings, without an account, in a day"),
    gettext_noop("There were too many guests."),
    DAY,
    person=2,
    guest=2,
    address=8,  # fewer than a meeting takes: nobody fills one alone
)
SCORE_SHEETS = Budget(
    "score_sheets",
    gettext_noop("Score sheets started in an hour"),
    gettext_noop("There were too many new score sheets."),
    HOUR,
    person=60,
    guest=60,
    address=300,
)
PHOTOS = Budget(
    "photos",
    gettext_noop("Photos sent in an hour"),
    gettext_noop("There were too many photos."),
    HOUR,
    person=60,
    guest=60,
    address=300,
)
GUESSES = Budget(
    "guesses",
    gettext_noop("Unknown table cards tried in an hour"),
    gettext_noop("There were too many attempts with unknown table cards."),
    HOUR,
    person=60,
    guest=60,
    address=240,
)
INVITATIONS = Budget(
    "invitations",
    gettext_noop("Invitations in a day"),
    gettext_noop("There were too many invitations. You can also give people the link."),
    DAY,
    person=200,
    guest=20,
    address=1000,
)
EMAILS = Budget(
    "emails",
    gettext_noop("Other emails caused in a day"),
    gettext_noop("There were too many emails."),
    DAY,
    person=5000,
    guest=20,
    address=20_000,
)
HEAVY = Budget(
    "heavy",
    gettext_noop("Searches, exports and previews in ten minutes"),
    gettext_noop("There were too many searches, exports and previews."),
    10 * MINUTE,
    person=200,
    guest=100,
    address=2000,
)
BUDGETS = (
    *(REQUESTS, HEAVY, BOT_TIME, TABLES, PRACTICE_TABLES, BYTES, STREAMS, ACTIONS, CLUBS, EVENTS),
    *(INVITATIONS, EMAILS, MESSAGES, REPORTS, GUESTS, MEETING_GUESTS, SCORE_SHEETS, PHOTOS, GUESSES),
)
"""All of them. Adding one: spend it in a service, and name it in the table of `docs/running.md`."""
_counts = counts_of(caches["default"], settings.COUNTS_FILE)


# Refusals

_refusals: ContextVar[list[TooMuch] | None] = ContextVar("refusals", default=None)


@contextmanager
def collect_refusals() -> Iterator[list[TooMuch]]:
    """Collects the refusals of the context, also those that a page shows with its form."""
    refusals: list[TooMuch] = []
    token = _refusals.set(refusals)
    try:
        yield refusals
    finally:
        _refusals.reset(token)


# Subjects

_address: ContextVar[str] = ContextVar("address", default="")


@contextmanager
def asked_from(address: str) -> Iterator[None]:
    """Count what is done in the context for this network address as well."""
    token = _address.set(address)
    try:
        yield
    finally:
        _address.reset(token)


def subject_of(user: User) -> Subject:
    """A person or guest as a subject."""
    return Subject(GUEST if user.is_guest else PERSON, str(user.pk))


def subjects(who: Who) -> list[Subject]:
    """Everyone whose budget an act uses: the person, and the address of the current request.

    In tasks the address of a guest is the one noted last, since anyone can be a new guest at any time.
    """
    if isinstance(who, Subject):
        return [who]
    people = [subject_of(who)] if isinstance(who, User) else []
    network = network_of(_address.get()) or _noted_network(who)
    return people + ([Subject(ADDRESS, network)] if network else [])


def note_network(who: User) -> None:
    """Note the address of the current request for what is done for a guest later, without a request."""
    network = network_of(_address.get())
    if who.is_guest and network:
        noted = [Addition(network, 1)]
        _counts.ask(lambda counts: counts.add(noted, looked_at={}, into=[f"guest:{who.pk}"], keep=2 * DAY))


def _noted_network(who: Who) -> str:
    if not isinstance(who, User) or not who.is_guest:
        return ""
    return next(iter(_counts.ask(lambda counts: counts.top(f"guest:{who.pk}", 1))), "")


# What is spent


def spend(budget: Budget, who: Who, amount: int = 1) -> None:
    """Use so much of a budget. Raises `TooMuch`, and uses nothing, if that exceeds the limit of any subject."""
    now = time.time()
    windows = _looked_at(budget, now)
    _add(budget, who, amount, windows, into=[_window(budget, now)])


def charge(budget: Budget, who: Who, amount: int = 1) -> None:
    """Count what was already used, even beyond the limit."""
    additions = [Addition(str(subject), amount) for subject in _limits(budget, who)]
    into, keep = [_window(budget, time.time())], 2 * budget.seconds
    if additions:
        _counts.ask(lambda counts: counts.add(additions, looked_at={}, into=into, keep=keep))


def check(budget: Budget, who: Who, amount: int = 1, *, already: int | None = None) -> None:
    """Raise `TooMuch` if so much more exceeds the limit of any subject. Uses nothing.

    What is counted elsewhere is `already` used.
    """
    if already is None:
        _add(budget, who, amount, _looked_at(budget, time.time()), into=[])
        return
    for subject, limit in _limits(budget, who).items():
        if limit is not None and already + amount > limit:
            raise _too_much(budget, subject, MINUTE)


def used(budget: Budget, subject: Subject) -> int:
    """How much a subject has used in the last window’s length, or holds."""
    windows = _looked_at(budget, time.time())
    counts = _counts.ask(lambda counts: counts.read(list(windows), str(subject)))
    return math.floor(sum(count * weight for count, weight in zip(counts, windows.values(), strict=True)))


def top_users(budget: Budget, most: int) -> dict[str, int]:
    """The subjects, as text, that use most of a budget now, and how much."""
    totals: dict[str, float] = {}
    for window, weight in _looked_at(budget, time.time()).items():
        for member, count in _counts.ask(lambda counts, window=window: counts.top(window, most)).items():  # type: ignore[misc]
            totals[member] = totals.get(member, 0) + count * weight
    largest = sorted(totals.items(), key=lambda pair: (-pair[1], pair[0]))[:most]
    return {member: math.floor(total) for member, total in largest if total >= 1}


# What is held


@dataclass(eq=False)
class Lease:
    """Something held of a budget until it is released. The process renews it, so a dead process holds nothing."""

    budget: Budget
    amounts: list[Addition]
    _windows: set[tuple[Counts, str]] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __enter__(self) -> Lease:
        return self

    def __exit__(self, *error: type[BaseException] | BaseException | TracebackType | None) -> None:
        release(self)

    def renew(self) -> None:
        """Count it in the windows of now where it is not yet."""
        with self._lock:
            if self not in _leases:
                return

            def count(counts: Counts) -> None:
                now = {(counts, window) for window in _held_windows(self.budget, time.time())}
                missing = [window for _, window in now - self._windows]
                if missing:
                    counts.add(self.amounts, looked_at={}, into=missing, keep=3 * LEASE)
                # Where it was counted elsewhere in the meantime still counts, until that window is over.
                names = {window for _, window in now}
                self._windows = now | {place for place in self._windows if place[1] in names}

            _counts.ask(count)


_leases: set[Lease] = set()
_renewing = threading.Lock()
_renewer: threading.Thread | None = None
# What the parent holds is not the child’s.
os.register_at_fork(after_in_child=_leases.clear)


def hold(budget: Budget, who: Who, amount: int = 1) -> Lease:
    """Hold so much of a budget until it is released. Raises `TooMuch` if that exceeds the limit of any subject."""
    windows = _held_windows(budget, time.time())
    placed: set[tuple[Counts, str]] = set()
    additions = _add(budget, who, amount, {windows[0]: 1.0}, into=windows, placed=placed)
    lease = Lease(budget, [Addition(each.member, each.amount) for each in additions], placed)
    if additions:
        _leases.add(lease)
        _start_renewing()
    return lease


def release(lease: Lease) -> None:
    """Give back what is held. A second time does nothing."""
    with lease._lock:
        if lease not in _leases:
            return
        _leases.discard(lease)
        windows = _held_windows(lease.budget, time.time())
        back = [Addition(each.member, -each.amount) for each in lease.amounts]

        def give_back(counts: Counts) -> None:
            into = [window for place, window in lease._windows if place is counts and window in windows]
            if into:
                counts.add(back, looked_at={}, into=into, keep=3 * LEASE)

        _counts.ask(give_back)


def renew_leases() -> None:
    """Count again everything that this process holds."""
    for lease in list(_leases):
        lease.renew()


def _start_renewing() -> None:
    global _renewer
    if _renewer is not None and _renewer.is_alive():
        return
    with _renewing:
        if _renewer is None or not _renewer.is_alive():
            _renewer = threading.Thread(target=_renew_for_ever, name="budgets", daemon=True)
            _renewer.start()


def _renew_for_ever() -> None:
    while True:
        time.sleep(RENEWAL)
        try:
            renew_leases()
        except Exception:
            log.exception("What this process holds could not be counted again.")


# Counting


def _add(
    budget: Budget,
    who: Who,
    amount: int,
    looked_at: Mapping[str, float],
    *,
    into: list[str],
    placed: set[tuple[Counts, str]] | None = None,
) -> list[Addition]:
    """Add to windows what there is room for; the additions made. Notes in `placed` where. Raises `TooMuch`."""
    limits = _limits(budget, who)
    additions = [Addition(str(subject), amount, limit) for subject, limit in limits.items()]
    if not additions:
        return []

    def add(counts: Counts) -> Full | None:
        full = counts.add(additions, looked_at=looked_at, into=into, keep=2 * budget.seconds or 3 * LEASE)
        if placed is not None:
            placed.update((counts, window) for window in into)
        return full

    full = _counts.ask(add)
    if full is not None:
        subject, limit = next(pair for pair in limits.items() if str(pair[0]) == full.member)
        raise _too_much(budget, subject, _wait(budget, full.counts, limit or 0, amount, time.time()))
    return additions


def _limits(budget: Budget, who: Who) -> dict[Subject, int | None]:
    """The limit of each subject that is counted; `None` where an operator has lifted it."""
    affected = [subject for subject in subjects(who) if budget.limit(subject) is not None]
    changed = budget_limits.changed() if affected else {}
    return {
        subject: changed.get(
            (budget.name, str(subject)), changed.get((budget.name, subject.kind), budget.limit(subject))
        )
        for subject in affected
    }


def limit_of(budget: Budget, subject: Subject) -> int | None:
    """The limit of a subject now; `None` if there is none."""
    return _limits(budget, subject).get(subject)


def _window(budget: Budget, now: float) -> str:
    return f"{budget.name}:{int(now // (budget.seconds or LEASE))}"


def _looked_at(budget: Budget, now: float) -> dict[str, float]:
    """The windows that say how much is used, with the weight of each."""
    if budget.seconds == HELD:
        return {_held_windows(budget, now)[0]: 1.0}
    share = 1 - now % budget.seconds / budget.seconds
    return {_window(budget, now - budget.seconds): share, _window(budget, now): 1.0}


def _held_windows(budget: Budget, now: float) -> list[str]:
    """The last whole window, in which all that is held was counted, and this one."""
    return [_window(budget, now - LEASE), _window(budget, now)]


def _wait(budget: Budget, counts: tuple[int, ...], limit: int, amount: int, now: float) -> float:
    """Seconds until the limit has room for so much."""
    if budget.seconds == HELD:
        return LEASE
    last, this = counts
    left = budget.seconds - now % budget.seconds
    room = max(limit - amount, 0)
    if this <= room:
        return max(0.0, left - budget.seconds * (room - this) / last) if last else 0.0
    return left + budget.seconds * (1 - room / this)


def _too_much(budget: Budget, subject: Subject, wait: float) -> TooMuch:
    """The refusal of a budget that has no room, with the seconds until it has again."""
    seconds = max(1, math.ceil(wait))
    # Rounded up: whoever comes back by this time must not be too early.
    again = gettext("Try again in %(time)s.") % {"time": duration(timedelta(minutes=math.ceil(seconds / 60)))}
    sentences = [gettext(budget.sentence)]
    if subject.kind == ADDRESS:
        sentences.append(gettext("Everyone on your internet connection counts together."))
    if budget.seconds != ELSEWHERE:  # else the sentence says what to do first
        sentences.append(again)
    refusal = TooMuch("too_much", " ".join(sentences), retry_after=seconds, budget=budget.name)
    if (refusals := _refusals.get()) is not None:
        refusals.append(refusal)
    return refusal
