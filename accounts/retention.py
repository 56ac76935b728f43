"""What is kept, and how long: the one table of it.

Each app declares for every model either rules by which rows are deleted, or why its rows stay. Apps above `accounts`
do so in their own `retention.py`. `accounts.services.clearing` deletes by the rules; pages and `doctor` show them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db.models import Exists, Model, OuterRef, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import (
    Absence,
    ApiToken,
    Block,
    BudgetLimit,
    Clearing,
    Erasure,
    Friendship,
    KnownClient,
    Notice,
    NoticeDelivery,
    NoticePlace,
    OperatorAct,
    PushSubscription,
    User,
)

Words = str | Promise

KNOWN_FOR = {KnownClient.Kind.DEVICE: timedelta(days=180), KnownClient.Kind.NETWORK: timedelta(days=60)}
"""Time after the last sign-in in which an account knows a device or a network."""
BATCH = 500
"""Rows deleted in one transaction."""


@dataclass(frozen=True)
class Rule:
    """Rows that are deleted at an age."""

    name: str
    """What the record of the daily clearing calls it."""
    title: Words
    """The rows in words, as a heading of a line."""
    duration: Words
    """How long they are kept; `%(days)s` is the age in days."""
    why: Words
    """A clause, such as `because …`."""
    rows: Callable[[], QuerySet[Any]]
    """All rows that it is about, old or not."""
    since: str
    """The field, also across relations or annotated, from which the age counts."""
    age: timedelta
    batch: int = BATCH
    """Rows deleted in one transaction: fewer if each takes others along."""
    remove: Callable[[Sequence[Any], datetime], None] | None = None
    """Removes the rows with these keys within a transaction, if deleting them is not enough."""

    @property
    def model(self) -> type[Model]:
        """The model of its rows."""
        return self.rows().model

    @property
    def duration_words(self) -> str:
        """How long they are kept, in words."""
        return str(self.duration) % {"days": self.age.days}

    def past(self, now: datetime) -> QuerySet[Any]:
        """The rows past their age, oldest first."""
        return self.rows().filter(**{f"{self.since}__lt": now - self.age}).order_by(self.since, "pk")


@dataclass(frozen=True)
class Reason:
    """Why rows are kept without an end."""

    title: Words
    why: Words
    """A clause, such as `until …`."""


ACCOUNTS = Reason(
    _("Accounts, with settings, addresses and ways of signing in"), _("until the person deletes the account")
)
FRIENDS = Reason(_("Friends, and requests to be"), _("until one of the two ends it or deletes the account"))
BLOCKS = Reason(_("Blocked people"), _("until they are unblocked or one of the two deletes the account"))
HISTORIES = Reason(
    _("Histories of clubs, events and operators"), _("so that every decision can be explained and undone")
)
LIMITS = Reason(_("Changed limits of budgets"), _("until an operator restores them"))
SITE = Reason(_("Counters and settings of the site"), _("because they name nobody and do not grow"))

_rules: dict[str, Rule] = {}
_reasons: dict[type[Model], Reason] = {}


def register(*rules: Rule) -> None:
    """Add rules; they are applied in this order."""
    _rules.update({rule.name: rule for rule in rules})


def keep(reason: Reason, *models: type[Model]) -> None:
    """Say why rows of these models stay that no rule deletes."""
    _reasons.update(dict.fromkeys(models, reason))


def rules() -> list[Rule]:
    """All rules, in the order of applying them."""
    return list(_rules.values())


def reasons() -> dict[type[Model], Reason]:
    """The reasons why rows stay, by model."""
    return dict(_reasons)


def _orphaned_sessions() -> QuerySet[UserSession]:
    """Entries of the list of sessions whose session is gone."""
    session = Session.objects.filter(session_key=OuterRef("session_key"))
    orphans: QuerySet[UserSession] = UserSession.objects.filter(~Exists(session))
    return orphans


register(
    Rule(
        "sessions",
        _("Sessions in browsers"),
        _("until they expire"),
        _("because they have no use then"),
        Session.objects.all,
        "expire_date",
        timedelta(0),
    ),
    Rule(
        "session_addresses",
        _("Addresses and browsers of sessions"),
        _("until the session ends"),
        _("because your account lists open sessions"),
        _orphaned_sessions,
        "last_seen_at",
        timedelta(days=1),
    ),
    Rule(
        "tokens",
        _("Expired API tokens"),
        _("%(days)s days after they expired"),
        _("so that you see why a program stopped"),
        lambda: ApiToken.objects.filter(expiry__isnull=False),
        "expiry",
        timedelta(days=30),
    ),
    Rule(
        "known_devices",
        _("Devices that you signed in from"),
        _("%(days)s days after you last signed in there"),
        _("so that nobody can lock you out by guessing your password"),
        lambda: KnownClient.objects.filter(kind=KnownClient.Kind.DEVICE),
        "last_at",
        KNOWN_FOR[KnownClient.Kind.DEVICE],
    ),
    Rule(
        "known_networks",
        _("Networks that you signed in from"),
        _("%(days)s days after you last signed in there"),
        _("so that nobody can lock you out by guessing your password"),
        lambda: KnownClient.objects.filter(kind=KnownClient.Kind.NETWORK),
        "last_at",
        KNOWN_FOR[KnownClient.Kind.NETWORK],
    ),
    Rule(
        "read_notices",
        _("Notifications that you read"),
        _("%(days)s days after you read them"),
        _("so that you find them again"),
        lambda: Notice.objects.filter(read_at__isnull=False),
        "read_at",
        timedelta(days=90),
    ),
    Rule(
        "unread_notices",
        _("Notifications that you did not read"),
        _("%(days)s days"),
        _("so that you find them after a long absence"),
        lambda: Notice.objects.filter(read_at=None),
        "created_at",
        timedelta(days=180),
    ),
    Rule(
        "own_place_messages",
        _("Log of messages to your own channels"),
        _("%(days)s days"),
        _("so that you see if they came"),
        NoticeDelivery.objects.all,
        "created_at",
        timedelta(days=60),
    ),
    Rule(
        "absences",
        _("Past absences"),
        _("%(days)s days after their end"),
        _("because they count towards your days of a year"),
        Absence.objects.all,
        "ends_at",
        timedelta(days=730),
    ),
    Rule(
        "clearings",
        _("Record of the daily clearing"),
        _("%(days)s days"),
        _("so that operators see that it works"),
        Clearing.objects.all,
        "started_at",
        timedelta(days=400),
    ),
)
keep(
    ACCOUNTS,
    *(User, User.groups.through, User.user_permissions.through),
    *(
        EmailAddress,
        EmailConfirmation,
        Authenticator,
        SocialAccount,
        SocialToken,
        PushSubscription,
        NoticePlace,
        Erasure,
    ),
)
keep(FRIENDS, Friendship)
keep(BLOCKS, Block)
keep(HISTORIES, OperatorAct)
keep(LIMITS, BudgetLimit)
keep(SITE, Group, Group.permissions.through, Permission, ContentType, SocialApp)
