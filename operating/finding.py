"""What waits on this site that should not: the oldest of each kind, found with the same number of queries however many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from django.db.models import Count, Exists, F, Min, Model, OuterRef, Q, QuerySet, Subquery

from accounts.models import Erasure, Notice, OperatorAct, PushSubscription, User
from gameplay.models import Table
from operating.acting import ACTS, Act
from operating.outboxes import OUTBOXES, Outbox
from tournaments.models import Pairing, RatingPool, Result, Stage, Tournament
from web import words

M = TypeVar("M", bound=Model)

SHOWN = 50
"""Rows of a section; of more, the page says how many there are."""
LATE = timedelta(minutes=2)
"""Deadlines and events are seen to every few seconds: what waits for longer stands still."""
BOT_LATE = timedelta(minutes=5)
WORK_LATE = timedelta(minutes=15)
"""Letters, notices, ratings and erasures are tried again within ten minutes."""
REMEMBERED = timedelta(days=14)
"""How long notices that failed are shown."""
MOST_FAILURES = 3
CHECKS = 200


@dataclass(frozen=True)
class Item:
    """One thing that waits: which, what is the matter, since when, and the acts that may mend it."""

    subject: str
    title: str
    words: str
    since: datetime | None
    acts: tuple[str, ...] = ()
    table: int | None = None
    """The table whose page tells more."""

    @property
    def buttons(self) -> list[tuple[str, Act]]:
        """The acts by what their forms send."""
        return [(kind, ACTS[kind]) for kind in self.acts]


@dataclass(frozen=True)
class Section:
    """What waits of one kind: `trouble` says it first on the page, `none` where there is nothing."""

    name: str
    title: str
    none: str
    items: list[Item] = field(default_factory=list)
    count: int = 0
    trouble: str = ""


def sections(now: datetime) -> list[Section]:
    """All that waits, in the order of the page."""
    return [
        _tables(now),
        _unsound(),
        _events(now),
        _pools(now),
        _work(now),
        _letters(now),
        _notices(now),
        _stopped(),
        _push(),
        _erasures(now),
    ]


# Tables


def _tables(now: datetime) -> Section:
    # But for practice, a clock runs between deals: where none does, nobody will ever begin the next one.
    between = Q(is_between_deals=True, is_practice=False, deadline_at=None)
    late = Q(deadline_at__lt=now - LATE) | Q(bot_due_at__lt=now - BOT_LATE)
    rows = Table.objects.running().filter(late | between | Q(failed_at__isnull=False))
    rows = rows.filter(paused_at=None).order_by(F("failed_at").asc(nulls_last=True), "deadline_at", "bot_due_at", "pk")
    items, count = _some(rows.defer("snapshot", "rules_json"), lambda table: _stuck(table, now))
    trouble = f"{words.several(count, 'table stands', 'tables stand')} still"
    return Section("tables", "Tables that stand still", "Every table goes on.", items, count, trouble)


def acts_at(table: Table, now: datetime, *, is_wrong: bool = False) -> tuple[str, ...]:
    """The buttons that may be of use at a table; `is_wrong` where it does not agree with its log."""
    runs = table.status == Table.Status.PLAYING and table.paused_at is None
    is_late = table.deadline_at is not None and (table.failed_at is not None or table.deadline_at < now)
    useful = {
        "deadline": runs and is_late,
        "bot": runs and table.bot_due_at is not None,
        "deal": runs and table.is_between_deals and table.deadline_at is None,
        "check": table.deal_number > 0,
        "rebuild": is_wrong,
    }
    return tuple(kind for kind, is_useful in useful.items() if is_useful)


def _stuck(table: Table, now: datetime) -> Item:
    found = list(_why_stuck(table, now))
    since = min((at for _, at in found if at is not None), default=None)
    said = _sentence(words for words, _ in found)
    return Item(str(table.pk), f"{table.name} (table {table.pk})", said, since, acts_at(table, now), table.pk)


def _why_stuck(table: Table, now: datetime) -> Iterator[tuple[str, datetime | None]]:
    """What is the matter at a table, and since when."""
    if table.failed_at is not None:
        yield "the site has failed to see to it", table.failed_at
    if table.deadline_at is not None and table.deadline_at < now - LATE:
        yield "its deadline has passed, and nothing was done", table.deadline_at
    if table.bot_due_at is not None and table.bot_due_at < now - BOT_LATE:
        yield "a bot is to move", table.bot_due_at
    if table.is_between_deals and table.deadline_at is None and not table.is_practice:
        yield "no clock runs for the next deal", None


def _unsound() -> Section:
    """Tables that did not agree with their logs when they were last looked at."""
    newest: dict[str, OperatorAct] = {}
    for act in OperatorAct.objects.filter(kind__in=("check", "rebuild"), subject__startswith="table:")[:CHECKS]:
        newest.setdefault(act.subject.removeprefix("table:"), act)
    wrong = {int(pk): act for pk, act in newest.items() if act.after.get("wrong")}
    names = dict(Table.objects.filter(pk__in=wrong).values_list("pk", "name"))
    items = [
        Item(
            str(pk), f"{name} (table {pk})", _sentence(wrong[pk].after["wrong"]), wrong[pk].at, ("rebuild", "check"), pk
        )
        for pk, name in sorted(names.items())[:SHOWN]
    ]
    trouble = f"{words.several(len(names), 'table does', 'tables do')} not agree with the log"
    none = "No table that was checked differs from its log."
    return Section("unsound", "Tables that differ from their logs", none, items, len(names), trouble)


# Events and ratings


def _events(now: datetime) -> Section:
    of_event = Pairing.objects.filter(round__stage__tournament=OuterRef("pk"), result=None)
    missing = of_event.filter(is_online=True, table=None, status=Pairing.Status.READY, opened_at__lt=now - LATE)
    ended = of_event.filter(
        table__status__in=(Table.Status.OVER, Table.Status.ABANDONED), table__ended_at__lt=now - LATE
    ).exclude(status=Pairing.Status.DISPUTED)
    trouble = Stage.objects.filter(tournament=OuterRef("pk"), trouble__gt="").values("trouble")[:1]
    rows = Tournament.objects.annotate(
        trouble=Subquery(trouble), is_missing=Exists(missing), has_ended=Exists(ended)
    ).filter(
        Q(look_at__lt=now - LATE)
        | Q(status=Tournament.Status.RUNNING) & (Q(trouble__isnull=False) | Q(is_missing=True) | Q(has_ended=True))
    )
    items, count = _some(rows.order_by(F("look_at").asc(nulls_last=True), "pk"), lambda event: _waits(event, now))
    words_of = f"{words.several(count, 'event waits', 'events wait')}"
    return Section("events", "Events and leagues that wait", "Every event goes on.", items, count, words_of)


def _waits(event: Any, now: datetime) -> Item:
    said = []
    if event.look_at is not None and event.look_at < now - LATE:
        said.append("what follows from its results was not worked out")
    if event.has_ended:
        said.append("a match is over, and its result was not taken")
    if event.is_missing:
        said.append("a match was called, and has no table")
    if event.trouble:
        said.append(f"its organisers were told: “{event.trouble}”")
    return Item(str(event.pk), f"{event.name} (event {event.pk})", _sentence(said), event.look_at, ("advance",))


def _pools(now: datetime) -> Section:
    def item(pool: RatingPool) -> Item:
        return Item(pool.name, f"Ratings of {pool.name}", "Its games changed.", pool.marked_at, ("rate",))

    waiting = RatingPool.objects.filter(dirty_since__isnull=False, marked_at__lt=now - WORK_LATE)
    items, count = _some(waiting.order_by("marked_at"), item)
    trouble = f"{words.several(count, 'pool of ratings waits', 'pools of ratings wait')}"
    return Section("ratings", "Ratings that wait", "All ratings are worked out.", items, count, trouble)


# Work and letters


def _work(now: datetime) -> Section:
    """What no task has taken, by kind."""
    notices = Notice.objects.filter(settled_at=None, due_at__lt=now - WORK_LATE, user__is_active=True)
    notices = notices.exclude(user__notice_digest=True, user__notice_email=True)
    results = Result.objects.filter(status=Result.Status.REPORTED, confirms_at__lt=now - WORK_LATE)
    found = [
        ("notices", "notice was", "notices were", "not sent", notices.aggregate(n=Count("pk"), since=Min("due_at"))),
        ("results", "result was", "results were", "not confirmed by silence",
         results.aggregate(n=Count("pk"), since=Min("confirms_at"))),
    ]  # fmt: skip
    items = [
        Item("worker", f"{words.several(row['n'], one, more)} {what}", "", row["since"])
        for _, one, more, what, row in found
        if row["n"]
    ]
    return Section("work", "Work that nobody took", "No work waits.", items, len(items), "work waits for the worker")


def _letters(now: datetime) -> Section:
    found = [_some(box.overdue(now - WORK_LATE), partial(_letter, box)) for box in OUTBOXES.values()]
    items = sorted((item for some, _ in found for item in some), key=lambda item: (item.since or now, item.subject))
    count = sum(number for _, number in found)
    trouble = f"{words.several(count, 'letter was', 'letters were')} not sent"
    return Section("letters", "Letters that were not sent", "No letter waits.", items[:SHOWN], count, trouble)


def _letter(box: Outbox, row: Any) -> Item:
    return Item(f"{box.kind}:{row.pk}", f"{box.title} {row.pk}", "It has not gone out.", row.created_at, ("letter",))


def _notices(now: datetime) -> Section:
    failed = Notice.objects.filter(trouble__gt="", due_at__gte=now - REMEMBERED, user__mail_stopped_at=None)
    # Not those that were dropped since, being wanted no longer.
    failed = failed.exclude(settled_at__isnull=False, was_sent=False)
    failed = failed.filter(user__is_active=True).select_related("user").order_by("-due_at", "-pk")
    items, count = _some(failed, _failed)
    trouble = f"{words.several(count, 'notice', 'notices')} failed"
    return Section("notices", "Notices that failed", "Every notice went out.", items, count, trouble)


def _failed(notice: Notice) -> Item:
    waits = notice.settled_at is None
    again = () if waits or notice.trouble == Notice.Trouble.BOUNCED else ("again",)
    told = f"{Notice.Trouble(notice.trouble).label}.{' It is tried again by itself.' if waits else ''}"
    title = f"Notice {notice.pk} to {_who(notice.user)}"
    return Item(str(notice.pk), title, told, notice.due_at, (*again, "stop_mail"))


def _stopped() -> Section:
    def item(user: User) -> Item:
        return Item(str(user.pk), _who(user), f"{user.get_mail_stopped_for_display()}.", user.mail_stopped_at)

    people = User.objects.filter(mail_stopped_at__isnull=False, is_active=True).order_by("-mail_stopped_at", "pk")
    items, count = _some(people, item)
    return Section("stopped", "Accounts that get no mail", "Mail goes to every account that wants it.", items, count)


def _push() -> Section:
    def item(one: PushSubscription) -> Item:
        said = f"{words.several(one.failures, 'message')} in a row failed. It is forgotten by itself after ten."
        return Item(str(one.pk), f"A device of {_who(one.user)}", said, None)

    rows = PushSubscription.objects.filter(failures__gte=MOST_FAILURES, user__is_active=True)
    items, count = _some(rows.select_related("user").order_by("-failures", "pk"), item)
    return Section("push", "Devices that cannot be reached", "Every device answers.", items, count)


def _erasures(now: datetime) -> Section:
    def item(row: Erasure) -> Item:
        said = "Not everything is forgotten yet."
        return Item(str(row.pk), f"Former account {row.user_id}", said, row.asked_at, ("erase",))

    rows = Erasure.objects.filter(asked_at__lt=now - WORK_LATE).order_by("asked_at")
    items, count = _some(rows, item)
    trouble = f"{words.several(count, 'erasure is', 'erasures are')} not finished"
    return Section("erasures", "Accounts still to be forgotten", "Who has left is forgotten.", items, count, trouble)


def _who(user: User) -> str:
    return f"{user} (account {user.pk})"


Made = TypeVar("Made")


def _some(rows: QuerySet[M], make: Callable[[M], Made]) -> tuple[list[Made], int]:
    """The first rows, made into something, and how many there are in all."""
    found = [make(row) for row in rows[:SHOWN]]
    return found, len(found) if len(found) < SHOWN else rows.count()


def _sentence(parts: Iterable[str]) -> str:
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."
