"""Use of budgets now: those who use most of each, and limits that operators have changed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.utils.formats import number_format
from django.utils.translation import gettext, gettext_noop

from accounts.budgets import BOT_TIME, BUDGETS, BYTES, KINDS, PRACTICE_TABLES, Budget, Subject, limit_of, top_users
from accounts.models import BudgetLimit, User
from gameplay.queries import most_alone
from web import text

SHOWN = 5
"""Subjects of each budget on the page."""
MUCH = 0.5
"""The share of a limit from which on the operator’s page names somebody."""
EVERYONE = {
    "person": gettext_noop("each person"),
    "guest": gettext_noop("each guest"),
    "address": gettext_noop("each address"),
}


@dataclass(frozen=True)
class Use:
    """How much somebody uses of a budget, and the limit; `None` if it was lifted."""

    budget: Budget
    subject: Subject
    name: str
    amount: int
    limit: int | None

    @property
    def words(self) -> str:
        """The use in words."""
        if self.limit is None:
            return gettext("%(amount)s, no limit") % {"amount": amount_text(self.budget, self.amount)}
        values = {"amount": amount_text(self.budget, self.amount), "limit": amount_text(self.budget, self.limit)}
        return gettext("%(amount)s of %(limit)s") % values

    @property
    def is_much(self) -> bool:
        """Whether it is a large share of the limit."""
        return self.limit is not None and self.amount >= MUCH * self.limit


@dataclass(frozen=True)
class BudgetUse:
    """A budget with its limits for everyone, and those who use most of it."""

    budget: Budget
    limits: list[tuple[str, str]]
    """Kinds in words, and the limit of each."""
    users: list[Use]

    @property
    def title(self) -> str:
        """The name of the budget."""
        return gettext(self.budget.title)


def all_use() -> list[BudgetUse]:
    """Every budget, with those who use most of it."""
    top = {budget: _top(budget) for budget in BUDGETS}
    names = _names(subject for uses in top.values() for subject in uses)
    return [
        BudgetUse(
            budget,
            _limits(budget),
            [
                Use(budget, subject, names[subject], amount, limit_of(budget, subject))
                for subject, amount in top[budget].items()
            ],
        )
        for budget in BUDGETS
    ]


def much_used() -> list[Use]:
    """Everyone who uses a large share of a budget."""
    return [use for each in all_use() for use in each.users if use.is_much]


@dataclass(frozen=True)
class ChangedLimit:
    """A limit that an operator has changed, in words."""

    number: int
    title: str
    name: str
    limit: str


def changed_limits() -> list[ChangedLimit]:
    """All limits that operators have changed."""
    by_name = {budget.name: budget for budget in BUDGETS}
    rows = [row for row in BudgetLimit.objects.order_by("budget", "subject") if row.budget in by_name]
    subjects = {row.pk: Subject(*row.subject.split(":", 1)) for row in rows if ":" in row.subject}
    names = _names(subjects.values())
    return [
        ChangedLimit(
            row.pk,
            gettext(by_name[row.budget].title),
            names[subjects[row.pk]] if row.pk in subjects else gettext(EVERYONE[row.subject]),
            limit_text(by_name[row.budget], row.limit),
        )
        for row in rows
    ]


def amount_text(budget: Budget, amount: int) -> str:
    """An amount of a budget in its unit."""
    if budget is BOT_TIME:
        return text.duration(timedelta(milliseconds=amount))
    if budget is BYTES:
        return gettext("%(size)s MB") % {"size": number_format(round(amount / 1024**2, 1), decimal_pos=1)}
    return text.number(amount)


def limit_text(budget: Budget, limit: int | None) -> str:
    """A limit in words."""
    return gettext("no limit") if limit is None else amount_text(budget, limit)


def _top(budget: Budget) -> dict[Subject, int]:
    if budget is PRACTICE_TABLES:
        return {Subject("guest" if is_guest else "person", str(pk)): count for pk, is_guest, count in most_alone(SHOWN)}
    return {Subject(*member.split(":", 1)): amount for member, amount in top_users(budget, SHOWN).items()}


def _limits(budget: Budget) -> list[tuple[str, str]]:
    of_kind = {kind: Subject(kind, "") for kind in KINDS}
    return [
        (gettext(EVERYONE[kind]), limit_text(budget, limit_of(budget, subject)))
        for kind, subject in of_kind.items()
        if budget.limit(subject) is not None
    ]


def _names(subjects: Iterable[Subject]) -> dict[Subject, str]:
    """Names of subjects: people by name and number, guests by number, addresses as they are."""
    everyone = set(subjects)
    pks = [int(subject.key) for subject in everyone if subject.kind == "person"]
    people = dict(User.objects.filter(pk__in=pks).values_list("pk", "display_name")) if pks else {}
    return {subject: _name(subject, people) for subject in everyone}


def _name(subject: Subject, people: dict[int, str]) -> str:
    if subject.kind == "address":
        return subject.key
    if subject.kind == "guest":
        return gettext("Guest %(number)s") % {"number": subject.key}
    name = people.get(int(subject.key), gettext("deleted account"))
    return gettext("%(name)s (account %(number)s)") % {"name": name, "number": subject.key}
