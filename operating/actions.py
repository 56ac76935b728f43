"""The buttons of the operator's page: each does one thing under a lock, refuses if it no longer applies, and is
written to the history of operators with the state before and after, without cards, addresses or tokens."""

import logging
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from accounts import budget_limits, privacy
from accounts.addresses import network_of
from accounts.budgets import ADDRESS, BUDGETS, GUEST, KINDS, Budget, Subject
from accounts.models import BudgetLimit, Erasure, Notice, OperatorAct, User
from accounts.services import bounces, notices
from gameplay.models import Table
from gameplay.services import clocks, repair
from gameplay.services.bots import where
from operating.outboxes import OUTBOXES
from tournaments.models import Pairing, RatingPool, Tournament
from tournaments.ratings import services as ratings
from tournaments.services.matches import results
from tournaments.services.stages import progress
from web import text
from web.errors import Refused
from web.sent_numbers import read_whole

log = logging.getLogger(__name__)

Facts = dict[str, Any]


class Unknown(Refused):
    """The subject of the form does not exist."""

    status = 404

    def __init__(self) -> None:
        super().__init__("unknown", gettext("That no longer exists."))


@dataclass(frozen=True)
class Outcome:
    """The result of a button, in words for the history, with the state before and after."""

    subject: str
    sentence: str
    before: Facts
    after: Facts


@dataclass(frozen=True)
class Act:
    """A button: its words, the noun of its subject, and a warning if it cannot be undone."""

    button: str
    noun: str
    do: Callable[[str, datetime], Outcome]
    warning: str = ""
    is_apart: bool = False
    """Whether it has transactions of its own, because it can take long or waits for a mail server."""
    prefix: str = ""
    """The start of `OperatorAct.subject` if that is not the noun: it is stored, so it stays as it is."""


def perform(kind: str, subject: str, *, by: User, now: datetime | None = None) -> OperatorAct:
    """Press a button. Raises `Refused` if there is nothing to do, or after a failure, which is recorded too."""
    act, now = ACTS.get(kind), now or timezone.now()
    if act is None:
        raise Unknown
    try:
        with nullcontext() if act.is_apart else transaction.atomic():
            outcome = act.do(subject, now)
            return _write(kind, by, outcome)
    except Refused:
        raise
    except Exception as error:
        # Its words could hold a card or an address.
        log.error("“%s” for %s %r broke off: %s", act.button, act.noun, subject, where(error))
        name = type(error.__cause__ or error).__name__
        _write(
            kind,
            by,
            Outcome(
                f"{act.prefix or act.noun}:{subject}"[:60],
                gettext("“%(act)s” failed: %(error)s.") % {"act": gettext(act.button), "error": name},
                {},
                {"error": name},
            ),
        )
        raise Refused(
            "broke_off", gettext("That failed (%(error)s). The server log says where.") % {"error": name}
        ) from None


def _write(kind: str, by: User, outcome: Outcome) -> OperatorAct:
    return OperatorAct.objects.create(
        by=by, kind=kind, subject=outcome.subject, sentence=outcome.sentence, before=outcome.before, after=outcome.after
    )


def number_of(subject: str) -> int:
    """The number that a form names something by. Raises `Unknown`."""
    number = read_whole(subject, digits=18)
    if number is None:
        raise Unknown
    return number


# Tables


def _at_table(act: Callable[[int, datetime], object], sentence: str) -> Callable[[str, datetime], Outcome]:
    """An act at one table, under its lock."""

    def do(subject: str, now: datetime) -> Outcome:
        pk = number_of(subject)
        try:
            before = _table_facts(Table.objects.locked(pk)[0])
        except Table.DoesNotExist:
            raise Unknown from None
        act(pk, now)
        return Outcome(f"table:{pk}", gettext(sentence) % {"table": pk}, before, _table_facts(Table.objects.get(pk=pk)))

    return do


def _table_facts(table: Table) -> Facts:
    return {
        "status": table.status,
        "moves": table.move_count,
        "deal": table.deal_number,
        "between_deals": table.is_between_deals,
        "seat_to_act": table.seat_to_act,
        "deadline": _iso(table.deadline_at),
        "bot_due": _iso(table.bot_due_at),
        "failed": _iso(table.failed_at),
    }


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat(timespec="seconds")


def _check(subject: str, now: datetime) -> Outcome:
    pk = number_of(subject)
    if not Table.objects.filter(pk=pk).exists():
        raise Unknown
    wrong = repair.check(pk)
    count = text.several(len(wrong), "thing")
    differs = gettext("Table %(table)s does not agree with its log: %(things)s.") % {"table": pk, "things": count}
    sentence = differs if wrong else gettext("Table %(table)s agrees with its log.") % {"table": pk}
    return Outcome(f"table:{pk}", sentence, {}, {"wrong": wrong})


# Events and ratings


def _advance(subject: str, now: datetime) -> Outcome:
    event = Tournament.objects.select_for_update().filter(pk=number_of(subject)).first()
    if event is None:
        raise Unknown
    before = {"version": event.version, "look_at": _iso(event.look_at), "status": event.status}
    over = Pairing.objects.filter(
        round__stage__tournament=event, result=None, table__status__in=(Table.Status.OVER, Table.Status.ABANDONED)
    ).exclude(status=Pairing.Status.DISPUTED)
    new = [results.record_table_result(pk, now) for pk in over.values_list("table_id", flat=True) if pk is not None]
    changed = progress.advance(event.pk, now)
    if not (changed or any(new) or event.look_at is not None):
        raise Refused("nothing", gettext("This event has no next step now. Its organisers see the missing steps."))
    event.refresh_from_db()
    after = {"version": event.version, "look_at": _iso(event.look_at), "status": event.status}
    return Outcome(f"event:{event.pk}", gettext("Event %(event)s was advanced.") % {"event": event.pk}, before, after)


def _rate(subject: str, now: datetime) -> Outcome:
    pool = RatingPool.objects.select_for_update().filter(name=subject).first()
    if pool is None:
        raise Unknown
    if not ratings.recompute(pool.name):
        raise Refused("nothing", gettext("These ratings have just been updated."))
    sentence = gettext("The ratings of %(pool)s were updated.") % {"pool": pool.name}
    return Outcome(f"pool:{pool.name}", sentence, {"since": _iso(pool.dirty_since)}, {})


# Work and mail


def _wake(subject: str, now: datetime) -> Outcome:
    """Queue everything that the clock queues."""
    names = sorted(str(entry["task"]) for entry in settings.CELERY_BEAT_SCHEDULE.values())
    try:
        for name in names:
            current_app.send_task(name, expires=60)
    except Exception as error:
        log.warning("The broker does not take a call (%s).", type(error).__name__)
        raise Refused("broker_away", gettext("The broker does not answer, so the worker could not be woken.")) from None
    sentence = gettext("The worker was woken for %(tasks)s.") % {"tasks": text.several(len(names), "task")}
    return Outcome("worker", sentence, {}, {"tasks": len(names)})


def _send_letter(subject: str, now: datetime) -> Outcome:
    kind, _, number = subject.partition(":")
    box = OUTBOXES.get(kind)
    if box is None:
        raise Unknown
    letter = box.waiting().filter(pk=number_of(number)).first()
    if letter is None:
        raise Unknown
    if not box.send(letter.pk):
        raise Refused(
            "under_way", gettext("It is being sent now, or waits 10 minutes after a failed attempt. Check again then.")
        )
    sentence = gettext("%(kind)s %(number)s was sent.") % {"kind": gettext(box.title), "number": letter.pk}
    return Outcome(f"letter:{subject}", sentence, {"written": _iso(letter.created_at)}, {})


def _send_notice(subject: str, now: datetime) -> Outcome:
    before = Notice.objects.filter(pk=number_of(subject)).values("trouble", "attempts").first()
    if before is None:
        raise Unknown
    notice = notices.send_again(number_of(subject), now)
    sentence = gettext("Notification %(notice)s to account %(account)s will be sent again.")
    sentence %= {"notice": notice.pk, "account": notice.user_id}
    return Outcome(f"notice:{notice.pk}", sentence, dict(before), {"due": _iso(notice.due_at)})


def _stop_mail(subject: str, now: datetime) -> Outcome:
    notice = Notice.objects.filter(pk=number_of(subject)).first()
    if notice is None:
        raise Unknown
    if not bounces.stop(notice.user_id):
        raise Refused("stopped", gettext("Mail to this account is already stopped."))
    sentence = gettext("No mail goes to account %(account)s until its address is confirmed again.")
    sentence %= {"account": notice.user_id}
    return Outcome(f"account:{notice.user_id}", sentence, {"mail": True}, {"mail": False})


def _erase(subject: str, now: datetime) -> Outcome:
    erasure = Erasure.objects.filter(pk=number_of(subject)).first()
    if erasure is None:
        raise Refused("done", gettext("The data of this account is already erased."))
    Erasure.objects.filter(pk=erasure.pk).update(due_at=now)
    privacy.finish(erasure.pk, now)
    sentence = gettext("The remaining data of former account %(account)s was erased.") % {"account": erasure.user_id}
    return Outcome(f"account:{erasure.user_id}", sentence, {"asked": _iso(erasure.asked_at)}, {})


# Budgets


def limit_subject(budget: str, kind: str, who: str, most: str) -> str:
    """The subject of the button that changes a limit, from the fields of its form."""
    return " ".join((budget, f"{kind}:{who.strip()}" if who.strip() else kind, most.strip() or "-"))


def _change_limit(subject: str, now: datetime) -> Outcome:
    name, who, most = [*subject.split(" "), "", "", ""][:3]
    budget = next((each for each in BUDGETS if each.name == name), None)
    if budget is None:
        raise Unknown
    kind, _, key = who.partition(":")
    of_whom = _subject(budget, kind, key)
    limit = read_whole(most, digits=15)
    if most != "-" and limit is None:
        raise Refused("bad_limit", gettext("Enter the limit as a whole number, or nothing for no limit."))
    row = BudgetLimit.objects.select_for_update().filter(budget=name, subject=of_whom).first()
    before = {} if row is None else {"limit": row.limit}
    row, _ = BudgetLimit.objects.update_or_create(budget=name, subject=of_whom, defaults={"limit": limit})
    transaction.on_commit(budget_limits.read_again)
    words = gettext("Limit %(limit)s was changed: %(budget)s.")
    # Of whom is in the list of limits as long as it holds, not in the history for ever.
    sentence = words % {"limit": row.pk, "budget": gettext(budget.title)}
    return Outcome(f"limit:{row.pk}", sentence, before, {"limit": limit})


def _subject(budget: Budget, kind: str, key: str) -> str:
    """A kind, or one subject of it, as limits name it. Raises `Refused`."""
    if kind not in KINDS or budget.limit(Subject(kind, key)) is None:
        raise Refused("not_counted", gettext("This budget is not counted for that."))
    if not key:
        return kind
    if kind == ADDRESS:
        if not (network := network_of(key)):
            raise Refused("bad_address", gettext("Enter an IP address, such as 192.0.2.1 or 2001:db8::1."))
        return f"{kind}:{network}"
    if not User.objects.filter(pk=number_of(key), is_guest=kind == GUEST).exists():
        raise Refused("no_account", gettext("Account not found. Enter its number."))
    return f"{kind}:{number_of(key)}"


def _end_limit(subject: str, now: datetime) -> Outcome:
    row = BudgetLimit.objects.select_for_update().filter(pk=number_of(subject)).first()
    if row is None:
        raise Unknown
    before = {"budget": row.budget, "limit": row.limit}
    row.delete()
    transaction.on_commit(budget_limits.read_again)
    sentence = gettext("Limit %(limit)s is no longer changed.") % {"limit": subject}
    return Outcome(f"limit:{subject}", sentence, before, {})


_DEADLINE = gettext_noop(
    "The table’s rules for a missed turn apply. An absence starts, a bot plays the turn, a "
    "reserve or a bot takes the seat, or the match is lost. This cannot be undone."
)
_BOT = gettext_noop("The bot’s turn is played, or the player’s standing order is carried out. This cannot be undone.")
_DEAL = gettext_noop("The next cards are dealt, and clocks run again. This cannot be undone.")
_REBUILD = gettext_noop(
    "The whole match is played again from its keys and moves, and the table is rebuilt from "
    "that. The log itself is not changed."
)
_STOP = gettext_noop(
    "This person gets no email, newsletters included, until they confirm their address. Their profile says so."
)
_ERASE = gettext_noop("The remaining data of a person who deleted their account is erased. This cannot be undone.")

ACTS = {
    "deadline": Act(
        gettext_noop("Apply the deadline"),
        gettext_noop("table"),
        _at_table(clocks.act_now, gettext_noop("The deadline of table %(table)s was applied.")),
        _DEADLINE,
    ),
    "bot": Act(
        gettext_noop("Play the bot’s turn"),
        gettext_noop("table"),
        _at_table(repair.move_bot, gettext_noop("The bot’s turn at table %(table)s was played.")),
        _BOT,
    ),
    "deal": Act(
        gettext_noop("Start the next deal"),
        gettext_noop("table"),
        _at_table(repair.deal_now, gettext_noop("The next deal at table %(table)s was started.")),
        _DEAL,
    ),
    "check": Act(gettext_noop("Check this table"), gettext_noop("table"), _check, is_apart=True),
    "rebuild": Act(
        gettext_noop("Rebuild from the log"),
        gettext_noop("table"),
        _at_table(repair.rebuild, gettext_noop("The snapshot of table %(table)s was rebuilt from its log.")),
        _REBUILD,
    ),
    "advance": Act(gettext_noop("Advance now"), gettext_noop("event"), _advance),
    "rate": Act(gettext_noop("Update now"), gettext_noop("pool"), _rate),
    "wake": Act(gettext_noop("Wake the worker"), gettext_noop("worker"), _wake),
    "letter": Act(gettext_noop("Send now"), gettext_noop("email"), _send_letter, is_apart=True, prefix="letter"),
    "again": Act(gettext_noop("Try again"), gettext_noop("notification"), _send_notice, prefix="notice"),
    "stop_mail": Act(
        gettext_noop("Stop mail to this account"), gettext_noop("notification"), _stop_mail, _STOP, prefix="notice"
    ),
    "limit": Act(gettext_noop("Change limit"), gettext_noop("limit"), _change_limit),
    "limit_end": Act(gettext_noop("Restore limit"), gettext_noop("limit"), _end_limit),
    "erase": Act(gettext_noop("Finish now"), gettext_noop("erasure"), _erase, _ERASE, is_apart=True),
}
"""The buttons, by what their forms send as `act`."""
