"""Friends: ask, accept, and end. Each act may be sent twice, and names the other person."""

from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from accounts.budgets import INVITATIONS, spend
from accounts.languages import language_of
from accounts.models import Block, Friendship, User
from accounts.services import notices
from web.errors import Refused

MOST = 200
"""Friends and requests of one person."""


def ask(by: User, username: str) -> Friendship:
    """Ask a person to be friends. If they have asked already, this accepts. Raises `Refused`."""
    name = username.strip()
    with transaction.atomic():
        other = User.objects.filter(username__iexact=name, is_active=True, is_guest=False).first()
        if other is None:
            raise Refused(
                "nobody", gettext("Nobody here has the username %(name)s.") % {"name": name[:60]}, field="who"
            )
        if other.pk == by.pk:
            raise Refused("oneself", gettext("That is your own username."), field="who")
        lock_both(by, other)
        if _has_blocked(by, other):
            words = gettext("You have blocked %(name)s. Unblock them first.")
            raise Refused("blocked", words % {"name": other}, field="who")
        known = between(by, other)
        if known is not None:
            return known if known.first_id == by.pk else _accept(known, by)
        if friendships_of(by).count() >= MOST:
            raise Refused("too_many", gettext("The limit is %(most)s friends and requests.") % {"most": MOST})
        spend(INVITATIONS, by)
        friendship = Friendship.objects.create(first=by, second=other)
        if not _has_blocked(other, by):
            _tell(friendship, other, gettext_noop("%(name)s wants to be your friend"), by, "asked")
        return friendship


def accept(by: User, username: str) -> None:
    """Accept a request of this person. Raises `Refused` if there is none any more."""
    with transaction.atomic():
        other = _other(username)
        lock_both(by, other)
        known = between(by, other)
        is_own = known is not None and known.accepted_at is None and known.first_id == by.pk
        if known is None or is_own or _has_blocked(by, other):
            raise Refused("no_request", gettext("This request no longer exists."))
        _accept(known, by)


def end(by: User, username: str) -> None:
    """Decline a request, cancel one’s own, or be friends no longer. Nobody is told."""
    with transaction.atomic():
        other = _other(username)
        lock_both(by, other)
        known = between(by, other)
        if known is not None:
            known.delete()


def _accept(friendship: Friendship, by: User) -> Friendship:
    if friendship.accepted_at is None:
        friendship.accepted_at = timezone.now()
        friendship.save(update_fields=["accepted_at"])
        _tell(friendship, friendship.first, gettext_noop("%(name)s is your friend now"), by, "accepted")
    return friendship


def _other(username: str) -> User:
    other = User.objects.filter(username=username).first()
    if other is None:
        raise Refused("no_request", gettext("This request no longer exists."))
    return other


def lock_both(*people: User) -> None:
    """Lock both people, always in the same order, so that two requests that cross become one."""
    list(User.objects.select_for_update().filter(pk__in=[person.pk for person in people]).order_by("pk"))


def _has_blocked(by: User, person: User) -> bool:
    return Block.objects.filter(by=by, person=person).exists()


def _tell(friendship: Friendship, reader: User, words: str, by: User, what: str) -> None:
    """At most one notification of each kind between two people, however often they ask."""
    with language_of(reader):
        title = gettext(words) % {"name": by}
    notices.add(
        reader,
        kind="friend",
        key=f"friend:{by.pk}:{what}",
        subject=f"person:{by.pk}",
        title=title,
        url=reverse("gameplay:friends"),
        due_at=timezone.now(),
    )


# Questions


def between(first: User, second: User) -> Friendship | None:
    """The friendship of two people, or the request."""
    return Friendship.objects.filter(Q(first=first, second=second) | Q(first=second, second=first)).first()


def are_friends(first: User, second: User) -> bool:
    """Whether two people are friends."""
    known = between(first, second)
    return known is not None and known.accepted_at is not None


def friendships_of(user: User) -> QuerySet[Friendship]:
    """A person’s friendships and requests, with both people, the oldest first; no requests of people they blocked."""
    rows = Friendship.objects.filter(Q(first=user) | Q(second=user), first__is_active=True, second__is_active=True)
    rows = rows.exclude(second=user, first__in=Block.objects.filter(by=user).values("person"))
    return rows.select_related("first", "second").order_by("pk")
