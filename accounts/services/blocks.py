"""Blocks: a person wants nothing of another, who is not told and whose own pages look as before.

Doors ask here before something reaches the person who blocked: invitations, requests, seats, messages.
"""

from collections.abc import Iterable
from typing import Any, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext

from accounts.models import Block, Friendship, Notice, User
from accounts.services.friends import between, lock_both
from web.errors import Refused

MOST = 500
"""People whom one person can block."""

Row = TypeVar("Row", bound=Model)


def block(by: User, username: str) -> Block:
    """Block a person with an account, who stops being a friend. Twice does no harm. Raises `Refused`."""
    name = username.strip()
    with transaction.atomic():
        other = User.objects.filter(username__iexact=name, is_active=True, is_guest=False).first()
        if other is None:
            words = gettext("Nobody here has the username %(name)s.")
            raise Refused("nobody", words % {"name": name[:60]}, field="who")
        if other.pk == by.pk:
            raise Refused("oneself", gettext("That is your own username."), field="who")
        lock_both(by, other)
        if (known := Block.objects.filter(by=by, person=other).first()) is not None:
            return known
        if Block.objects.filter(by=by).count() >= MOST:
            words = gettext("The limit is %(most)s blocked people.")
            raise Refused("too_many", words % {"most": MOST}, field="who")
        _end_friendship(by, other)
        return Block.objects.create(by=by, person=other)


def unblock(by: User, username: str) -> None:
    """Block a person no longer. Twice does no harm."""
    Block.objects.filter(by=by, person__username=username).delete()


def _end_friendship(by: User, other: User) -> None:
    """End it, but leave a request of the other person, who would notice; it is not shown to the one who blocked."""
    known = between(by, other)
    if known is not None and (known.accepted_at is not None or known.first_id == by.pk):
        Friendship.objects.filter(pk=known.pk).delete()
    Notice.objects.filter(user=by, kind="friend", subject=f"person:{other.pk}").delete()


# Questions


def blocks_of(user: User) -> list[Block]:
    """The people whom this one has blocked, by name."""
    rows = Block.objects.filter(by=user, person__is_active=True).select_related("person")
    return sorted(rows, key=lambda row: str(row.person).casefold())


def has_blocked(by: User | None, person: User | AnonymousUser | None) -> bool:
    """Whether `by` has blocked this person; nobody blocks and is blocked by nobody."""
    if by is None or person is None or by.pk is None or person.pk is None or by.pk == person.pk:
        return False
    return Block.objects.filter(by__pk=by.pk, person__pk=person.pk).exists()


def blocked_by(user: User | AnonymousUser) -> set[int]:
    """The ids of the people whom this one has blocked; none for nobody."""
    return set() if user.pk is None else set(Block.objects.filter(by__pk=user.pk).values_list("person", flat=True))


def blocked_by_any(people: Iterable[int | None]) -> set[int | None]:
    """The ids of those whom any of these people has blocked."""
    return set(Block.objects.filter(by__in=[pk for pk in people if pk]).values_list("person", flat=True))


def strangers_of(user: User | AnonymousUser) -> set[int]:
    """The ids of the people whom this one has blocked, or who have blocked them."""
    if user.pk is None:
        return set()
    rows = Block.objects.filter(Q(by__pk=user.pk) | Q(person__pk=user.pk)).values_list("by", "person")
    return {pk for row in rows for pk in row} - {user.pk}


def without_blocked(rows: QuerySet[Row], user: User | AnonymousUser, person: str) -> QuerySet[Row]:
    """The rows without those that come from people whom the user has blocked; `person` is the path to whom they come from."""
    condition: dict[str, Any] = {f"{person}__in": Block.objects.filter(by__pk=user.pk or 0).values("person")}
    return rows.exclude(Q(**condition) & Q(**{f"{person}__isnull": False}))
