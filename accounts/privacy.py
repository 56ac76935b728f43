"""Personal data: its export as JSON, and its erasure."""

import logging
import secrets
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.display_names import FORMER
from accounts.models import Block, Erasure, Friendship, Notice, OperatorAct, User
from accounts.signals import account_deleted
from web.link_pictures import store

log = logging.getLogger(__name__)

RETRY_AFTER = timedelta(minutes=5)
"""Time after which an unfinished erasure is tried again."""
Exporter = Callable[[User], Any]
_exporters: dict[str, Exporter] = {}

PREFERENCES = (
    "time_zone",
    "language",
    "quiet_from",
    "quiet_until",
    "weekend_days",
    "notice_email",
    "notice_push",
    "notice_digest",
    "hand_order",
    "deck",
    "card_back",
    "table_colour",
    "has_sound",
    "has_haptics",
    "shows_presence",
    "record_for",
)
"""Preferences, as fields of the account."""


def register(name: str, exporter: Exporter) -> None:
    """Add a part to the export: what `exporter(user)` returns, ready for JSON, under `name`."""
    _exporters[name] = exporter


def export(user: User) -> dict[str, Any]:
    """Everything that the site stores of this person, ready for JSON; times in UTC."""
    return {name: exporter(user) for name, exporter in _exporters.items()}


def delete_account(user: User) -> None:
    """Forget the person: results stay, under “former member”. Cannot be undone; twice does no harm."""
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user.pk)
        for session in UserSession.objects.filter(user=user):
            session.end()
        addresses = {user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)} - {""}
        called = str(user)
        EmailAddress.objects.filter(user=user).delete()
        Authenticator.objects.filter(user=user).delete()
        SocialAccount.objects.filter(user=user).delete()
        user.auth_token_set.all().delete()
        user.push_subscriptions.all().delete()
        user.notice_places.all().delete()
        user.known_clients.all().delete()
        user.notices.all().delete()
        user.absences.all().delete()
        Friendship.objects.filter(Q(first=user) | Q(second=user)).delete()
        Block.objects.filter(Q(by=user) | Q(person=user)).delete()
        Notice.objects.filter(kind="friend", subject=f"person:{user.pk}").delete()
        _anonymise(user)
        due = Erasure.objects.create(
            user=user, name=called, addresses=sorted(address.lower() for address in addresses), due_at=timezone.now()
        )
        transaction.on_commit(lambda: finish(due.pk), robust=True)


def finish(erasure_id: int, now: datetime | None = None) -> None:
    """Erase a person in every app, unless that is done or running elsewhere. A failed erasure is tried again."""
    now = now or timezone.now()
    due = Erasure.objects.filter(pk=erasure_id, due_at__lte=now)
    if not due.update(due_at=now + RETRY_AFTER):
        return
    erasure = Erasure.objects.select_related("user").get(pk=erasure_id)
    account_deleted.send(sender=User, user=erasure.user, name=erasure.name, addresses=frozenset(erasure.addresses))
    store.delete_all()
    erasure.delete()


def finish_due(now: datetime | None = None) -> None:
    """Finish what broke off. One person's trouble stops no other."""
    now = now or timezone.now()
    for pk in list(Erasure.objects.filter(due_at__lte=now).order_by("due_at").values_list("pk", flat=True)):
        try:
            finish(pk, now)
        except Exception:
            log.exception("What is kept of somebody who left could not be forgotten; it is tried again.")


def replace_in_notices(subjects: Iterable[str], clean: Callable[[str], str]) -> None:
    """Replace names in notifications to others about these (`Notice.subject`), such as `table:412`."""
    for notice in Notice.objects.filter(subject__in=list(subjects)):
        title, body = clean(notice.title)[:200], clean(notice.body)
        if (title, body) != (notice.title, notice.body):
            Notice.objects.filter(pk=notice.pk).update(title=title, body=body)


def _anonymise(user: User) -> None:
    blank = User()
    user.username, user.display_name = f"former-{secrets.token_hex(8)}", FORMER
    user.email = user.first_name = user.last_name = ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = user.mail_stopped_at = None
    user.mail_stopped_for = ""
    for name in PREFERENCES:
        setattr(user, name, getattr(blank, name))
    user.notice_email = user.notice_push = user.notice_digest = False
    # An unusable password also ends every session that is not in the list.
    user.set_unusable_password()
    user.save()
    user.groups.clear()
    user.user_permissions.clear()


def _profile(user: User) -> dict[str, Any]:
    return {
        "username": user.username,
        "first_name": user.first_name,
        "last_name": user.last_name,
        "email": user.email,
        "display_name": user.display_name,
        "joined": user.date_joined,
        "last_sign_in": user.last_login,
        "mail_stopped_at": user.mail_stopped_at,
        "mail_stopped_for": user.mail_stopped_for,
        **{name: getattr(user, name) for name in PREFERENCES},
    }


def _rows(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [dict(row) for row in rows]


def _emails(user: User) -> list[dict[str, Any]]:
    return _rows(EmailAddress.objects.filter(user=user).values("email", "verified", "primary"))


def _absences(user: User) -> list[dict[str, Any]]:
    return _rows(user.absences.values("starts_at", "ends_at", "is_automatic", "announced_at"))


def _friends(user: User) -> list[dict[str, Any]]:
    """Friends and requests; requests to others are told as `asked`, those of others as `received`."""
    rows = Friendship.objects.filter(Q(first=user) | Q(second=user)).select_related("first", "second").order_by("pk")
    return [
        {
            "name": str(row.other(user)),
            "was": "asked" if row.first_id == user.pk else "received",
            "asked_at": row.asked_at,
            "accepted_at": row.accepted_at,
        }
        for row in rows
    ]


def _blocks(user: User) -> list[dict[str, Any]]:
    """The people whom this one has blocked; not those who blocked them, which would tell them."""
    rows = Block.objects.filter(by=user).select_related("person").order_by("pk")
    return [{"name": str(row.person), "blocked_at": row.made_at} for row in rows]


def _notices(user: User) -> list[dict[str, Any]]:
    fields = ("kind", "title", "body", "url", "created_at", "was_sent", "read_at")
    return _rows(user.notices.order_by("pk").values(*fields))


def _tokens(user: User) -> list[dict[str, Any]]:
    return _rows(user.auth_token_set.values("name", "scopes", "created", "expiry", "last_used_at", "last_used_from"))


def _second_steps(user: User) -> list[dict[str, Any]]:
    """The second steps without their secrets, which would allow signing in."""
    steps = Authenticator.objects.filter(user=user).order_by("pk")
    return [
        {
            "kind": step.type,
            "name": step.data.get("name", ""),
            "created_at": step.created_at,
            "last_used_at": step.last_used_at,
        }
        for step in steps
    ]


def _accounts_elsewhere(user: User) -> list[dict[str, Any]]:
    rows = SocialAccount.objects.filter(user=user).order_by("pk")
    return [
        {
            "provider": row.provider,
            "number": row.uid,
            "email": row.extra_data.get("email", ""),
            "connected_at": row.date_joined,
            "last_used_at": row.last_login,
        }
        for row in rows
    ]


def _push(user: User) -> list[dict[str, Any]]:
    return _rows(user.push_subscriptions.values("endpoint", "created_at"))


def _notice_places(user: User) -> list[dict[str, Any]]:
    """Places without their addresses, which allow writing there."""
    return _rows(user.notice_places.values("name", "channel", "ending", "topics", "rest", "created_at"))


def _sessions(user: User) -> list[dict[str, Any]]:
    return _rows(UserSession.objects.filter(user=user).values("created_at", "ip", "user_agent"))


def _known_clients(user: User) -> list[dict[str, Any]]:
    """Devices and networks without their digests, which say nothing to anybody else."""
    return _rows(user.known_clients.order_by("pk").values("kind", "first_at", "last_at"))


def _operator_acts(user: User) -> list[dict[str, Any]]:
    return _rows(OperatorAct.objects.filter(by=user).values("at", "kind", "sentence"))


register("profile", _profile)
register("email_addresses", _emails)
register("absences", _absences)
register("friends", _friends)
register("blocked", _blocks)
register("notices", _notices)
register("api_tokens", _tokens)
register("second_steps", _second_steps)
register("accounts_elsewhere", _accounts_elsewhere)
register("push_subscriptions", _push)
register("notice_places", _notice_places)
register("sessions", _sessions)
register("known_clients", _known_clients)
register("operator_acts", _operator_acts)
