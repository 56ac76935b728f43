"""Overdue work on this site: the oldest of each kind, found with a fixed number of queries."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from django.db.models import Count, Exists, F, Min, Model, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext, ngettext

from accounts.models import Erasure, Notice, OperatorAct, PushSubscription, User
from gameplay.models import Table
from operating.actions import ACTS, Act
from operating.outboxes import OUTBOXES, Outbox
from tournaments.models import Pairing, RatingPool, Result, Stage, Tournament
from web import text

M = TypeVar("M", bound=Model)

SHOWN = 50
"""Rows of a section; of more, the page says how many there are."""
LATE = timedelta(minutes=2)
"""Deadlines and events are processed every few seconds: those that wait longer are stuck."""
BOT_LATE = timedelta(minutes=5)
WORK_LATE = timedelta(minutes=15)
"""Emails, notifications, ratings and erasures are tried again within ten minutes."""
REMEMBERED = timedelta(days=14)
"""Time for which failed notifications are shown."""
MOST_FAILURES = 3
CHECKS = 200


@dataclass(frozen=True)
class Item:
    """An overdue thing: its subject, the problem, its time, and the acts that may repair it."""

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
    """Overdue things of one kind: `trouble` sums them up at the top of the page; `none` replaces an empty list."""

    name: str
    title: str
    none: str
    items: list[Item] = field(default_factory=list)
    count: int = 0
    trouble: str = ""


def sections(now: datetime) -> list[Section]:
    """All sections, in the order of the page."""
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
    is_late = Q(deadline_at__lt=now - LATE) | Q(bot_due_at__lt=now - BOT_LATE)
    rows = Table.objects.running().filter(is_late | between | Q(failed_at__isnull=False))
    rows = rows.filter(paused_at=None).order_by(F("failed_at").asc(nulls_last=True), "deadline_at", "bot_due_at", "pk")
    items, count = _some(rows.defer("snapshot", "rules_json"), lambda table: _stuck(table, now))
    trouble = ngettext("%(count)s table is stuck", "%(count)s tables are stuck", count) % {"count": text.number(count)}
    return Section("tables", gettext("Stuck tables"), gettext("No table is stuck."), items, count, trouble)


def acts_at(table: Table, now: datetime, *, is_wrong: bool = False) -> tuple[str, ...]:
    """The buttons that may help at a table; `is_wrong` if it differs from its log."""
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
    reasons = list(_why_stuck(table, now))
    since = min((at for _, at in reasons if at is not None), default=None)
    sentence = _sentence(words for words, _ in reasons)
    return Item(
        str(table.pk),
        gettext("%(name)s (table %(number)s)") % {"name": table.name, "number": table.pk},
        sentence,
        since,
        acts_at(table, now),
        table.pk,
    )


def _why_stuck(table: Table, now: datetime) -> Iterator[tuple[str, datetime | None]]:
    """The problems of a table, each with its time."""
    if table.failed_at is not None:
        yield gettext("the site could not process it"), table.failed_at
    if table.deadline_at is not None and table.deadline_at < now - LATE:
        yield gettext("its deadline has passed, and nothing was done"), table.deadline_at
    if table.bot_due_at is not None and table.bot_due_at < now - BOT_LATE:
        yield gettext("it is a bot’s turn"), table.bot_due_at
    if table.is_between_deals and table.deadline_at is None and not table.is_practice:
        yield gettext("no clock runs for the next deal"), None


def _unsound() -> Section:
    """Tables that differed from their logs at the last check."""
    newest: dict[str, OperatorAct] = {}
    for act in OperatorAct.objects.filter(kind__in=("check", "rebuild"), subject__startswith="table:")[:CHECKS]:
        newest.setdefault(act.subject.removeprefix("table:"), act)
    wrong = {int(pk): act for pk, act in newest.items() if act.after.get("wrong")}
    names = dict(Table.objects.filter(pk__in=wrong).values_list("pk", "name"))
    items = [
        Item(
            str(pk),
            gettext("%(name)s (table %(number)s)") % {"name": name, "number": pk},
            _sentence(wrong[pk].after["wrong"]),
            wrong[pk].at,
            ("rebuild", "check"),
            pk,
        )
        for pk, name in sorted(names.items())[:SHOWN]
    ]
    count = len(names)
    trouble = ngettext(
        "%(count)s table does not agree with the log", "%(count)s tables do not agree with the log", count
    ) % {"count": text.number(count)}
    none = gettext("No table that was checked differs from its log.")
    return Section("unsound", gettext("Tables that differ from their logs"), none, items, len(names), trouble)


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
    words_of = ngettext("%(count)s event waits", "%(count)s events wait", count) % {"count": text.number(count)}
    return Section(
        "events", gettext("Events and leagues that wait"), gettext("No event is waiting."), items, count, words_of
    )


def _waits(event: Any, now: datetime) -> Item:
    reasons = []
    if event.look_at is not None and event.look_at < now - LATE:
        reasons.append(gettext("its results were not processed"))
    if event.has_ended:
        reasons.append(gettext("a match is over, but its result was not recorded"))
    if event.is_missing:
        reasons.append(gettext("a match was called but has no table"))
    if event.trouble:
        reasons.append(gettext("its organisers were told: “%(words)s”") % {"words": event.trouble})
    return Item(
        str(event.pk),
        gettext("%(name)s (event %(number)s)") % {"name": event.name, "number": event.pk},
        _sentence(reasons),
        event.look_at,
        ("advance",),
    )


def _pools(now: datetime) -> Section:
    def item(pool: RatingPool) -> Item:
        return Item(
            pool.name,
            gettext("Ratings of %(pool)s") % {"pool": pool.name},
            gettext("Its matches changed."),
            pool.marked_at,
            ("rate",),
        )

    waiting = RatingPool.objects.filter(dirty_since__isnull=False, marked_at__lt=now - WORK_LATE)
    items, count = _some(waiting.order_by("marked_at"), item)
    trouble = ngettext("%(count)s pool of ratings waits", "%(count)s pools of ratings wait", count) % {
        "count": text.number(count)
    }
    return Section(
        "ratings", gettext("Ratings that wait"), gettext("All ratings are up to date."), items, count, trouble
    )


# Work and emails


def _work(now: datetime) -> Section:
    """Work that no task has done, by kind."""
    notices = Notice.objects.filter(settled_at=None, due_at__lt=now - WORK_LATE, user__is_active=True)
    notices = notices.exclude(user__notice_digest=True, user__notice_email=True)
    results = Result.objects.filter(status=Result.Status.REPORTED, confirms_at__lt=now - WORK_LATE)
    overdue = notices.aggregate(n=Count("pk"), since=Min("due_at"))
    open_results = results.aggregate(n=Count("pk"), since=Min("confirms_at"))
    not_sent = ngettext("%(count)s notification was not sent", "%(count)s notifications were not sent", overdue["n"])
    not_confirmed = ngettext(
        "%(count)s result without objection is not final yet",
        "%(count)s results without objection are not final yet",
        open_results["n"],
    )
    items = [
        Item("worker", sentence % {"count": text.number(total["n"])}, "", total["since"])
        for sentence, total in ((not_sent, overdue), (not_confirmed, open_results))
        if total["n"]
    ]
    return Section(
        "work",
        gettext("Overdue work"),
        gettext("No work waits."),
        items,
        len(items),
        gettext("work waits for the worker"),
    )


def _letters(now: datetime) -> Section:
    parts = [_some(box.overdue(now - WORK_LATE), partial(_letter, box)) for box in OUTBOXES.values()]
    items = sorted((item for some, _ in parts for item in some), key=lambda item: (item.since or now, item.subject))
    count = sum(number for _, number in parts)
    trouble = ngettext("%(count)s email was not sent", "%(count)s emails were not sent", count) % {
        "count": text.number(count)
    }
    return Section(
        "letters", gettext("Emails that were not sent"), gettext("No email is waiting."), items[:SHOWN], count, trouble
    )


def _letter(box: Outbox, letter: Any) -> Item:
    return Item(
        f"{box.kind}:{letter.pk}",
        f"{gettext(box.title)} {letter.pk}",
        gettext("Not sent yet."),
        letter.created_at,
        ("letter",),
    )


def _notices(now: datetime) -> Section:
    failed = Notice.objects.filter(trouble__gt="", due_at__gte=now - REMEMBERED, user__mail_stopped_at=None)
    # Not those that were dropped since, being wanted no longer.
    failed = failed.exclude(settled_at__isnull=False, was_sent=False)
    failed = failed.filter(user__is_active=True).select_related("user").order_by("-due_at", "-pk")
    items, count = _some(failed, _failed)
    trouble = ngettext("%(count)s notification failed", "%(count)s notifications failed", count) % {
        "count": text.number(count)
    }
    return Section(
        "notices", gettext("Notifications that failed"), gettext("All notifications were sent."), items, count, trouble
    )


def _failed(notice: Notice) -> Item:
    waits = notice.settled_at is None
    retry = () if waits or notice.trouble == Notice.Trouble.BOUNCED else ("again",)
    sentence = f"{Notice.Trouble(notice.trouble).label}."
    if waits:
        retrying = gettext("We try again automatically.")
        sentence = f"{sentence} {retrying}"
    title = gettext("Notification %(number)s to %(person)s") % {"number": notice.pk, "person": _name(notice.user)}
    return Item(str(notice.pk), title, sentence, notice.due_at, (*retry, "stop_mail"))


def _stopped() -> Section:
    def item(user: User) -> Item:
        return Item(str(user.pk), _name(user), f"{user.get_mail_stopped_for_display()}.", user.mail_stopped_at)

    people = User.objects.filter(mail_stopped_at__isnull=False, is_active=True).order_by("-mail_stopped_at", "pk")
    items, count = _some(people, item)
    return Section(
        "stopped",
        gettext("Accounts that get no mail"),
        gettext("Emails go to every account that wants them."),
        items,
        count,
    )


def _push() -> Section:
    def item(device: PushSubscription) -> Item:
        sentence = ngettext(
            "%(count)s message in a row failed. After 10, the device is removed automatically.",
            "%(count)s messages in a row failed. After 10, the device is removed automatically.",
            device.failures,
        ) % {"count": device.failures}
        return Item(str(device.pk), gettext("A device of %(person)s") % {"person": _name(device.user)}, sentence, None)

    rows = PushSubscription.objects.filter(failures__gte=MOST_FAILURES, user__is_active=True)
    items, count = _some(rows.select_related("user").order_by("-failures", "pk"), item)
    return Section("push", gettext("Devices that cannot be reached"), gettext("Every device answers."), items, count)


def _erasures(now: datetime) -> Section:
    def item(erasure: Erasure) -> Item:
        title = gettext("Former account %(number)s") % {"number": erasure.user_id}
        return Item(str(erasure.pk), title, gettext("Some data is not erased yet."), erasure.asked_at, ("erase",))

    rows = Erasure.objects.filter(asked_at__lt=now - WORK_LATE).order_by("asked_at")
    items, count = _some(rows, item)
    trouble = ngettext("%(count)s erasure is not finished", "%(count)s erasures are not finished", count) % {
        "count": text.number(count)
    }
    return Section(
        "erasures", gettext("Accounts still to be erased"), gettext("All erasures are finished."), items, count, trouble
    )


def _name(user: User) -> str:
    return gettext("%(name)s (account %(number)s)") % {"name": user, "number": user.pk}


Entry = TypeVar("Entry")


def _some(rows: QuerySet[M], make: Callable[[M], Entry]) -> tuple[list[Entry], int]:
    """The first rows, converted, and the number of all."""
    items = [make(row) for row in rows[:SHOWN]]
    return items, len(items) if len(items) < SHOWN else rows.count()


def _sentence(parts: Iterable[str]) -> str:
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."
