"""Find a person by account, email address or name only; and notify them."""

from collections.abc import Callable
from email.utils import parseaddr
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import Q
from django.utils.translation import gettext

from accounts.languages import language_of
from accounts.models import User
from accounts.services import notices
from gameplay.services.invitations import find_person
from tournaments.access import accepted
from tournaments.models import Entry
from tournaments.services.events import naming
from tournaments.services.records import Record
from web.errors import Refused

PersonRef = User | str
"""An account, or typed text: a name, `ann@example.org`, or `Ann Lee <ann@example.org>`."""


class Person(NamedTuple):
    """Person to add to an entry."""

    name: str
    user: User | None = None
    email: str = ""


def read(record: Record, person: PersonRef, *, names_alone: bool) -> Person:
    """Find a person. With `names_alone` a name means a person without an account, otherwise an account.

    Raises `Refused` with the problem. The result does not show whether an address belongs to an account.
    """
    if isinstance(person, User):
        return Person(str(person), _usable(person))
    text = person.strip()
    if "@" in text:
        return _by_address(text)
    if not text:
        raise Refused("nobody", gettext("Enter a name or an email address."))
    if names_alone:
        return Person(naming.clean(text, naming.LONGEST_OF_PERSON))
    by = record.by
    if by is None:
        raise Refused("nobody", gettext("Choose a person."))
    is_oneself = text.casefold() in (str(by).casefold(), by.username.casefold())
    user = by if is_oneself else find_person(by, text)
    return Person(str(user), _usable(user))


def _by_address(text: str) -> Person:
    name, address = parseaddr(text)
    address = address.lower()
    try:
        validate_email(address)
    except ValidationError:
        raise Refused("bad_email", gettext("%(address)s is not an email address.") % {"address": text[:80]}) from None
    if len(address) > 254:
        raise Refused("bad_email", gettext("That email address is too long."))
    return Person(naming.clean(name, naming.LONGEST_OF_PERSON) if name else naming.UNKNOWN, None, address)


def _usable(user: User) -> User:
    if user.is_guest:
        raise Refused("guest", gettext("Sign up first. You need an account to enter an event."))
    if not user.is_active:
        raise Refused("nobody", gettext("That account is closed."))
    return user


def check_free(record: Record, user: User) -> None:
    """Raise `Refused` if the person is already in the event. An invitation does not count."""
    member = accepted(record.tournament).filter(user=user).select_related("entry").first()
    if member is not None:
        raise Refused(
            "entered_already",
            gettext("%(user)s is already in this event: %(entry)s.") % {"user": user, "entry": member.entry},
        )


def tell(record: Record, user: User, words: Callable[[], str], *, key: str) -> None:
    """Queue a notification about the event, unique by `key` within this version, in the reader’s language."""
    tournament = record.tournament
    with language_of(user):
        title = f"{tournament.name}: {words()}"
    notices.add(
        user,
        kind="event_news",
        key=f"event_news:{tournament.pk}:{tournament.version}:{key}",
        subject=f"event:{tournament.pk}",
        title=title,
        url=tournament.get_absolute_url(),
        due_at=record.now,
    )


def tell_entry(record: Record, entry: Entry, words: Callable[[], str], *, key: str) -> None:
    """Notify everyone of an entry with an account, except the person who acts."""
    members = accepted(record.tournament).filter(entry=entry, user__is_active=True)
    for member in members.exclude(Q(user=None) | Q(user=record.by)).select_related("user"):
        assert member.user is not None  # noqa: S101  filtered above
        tell(record, member.user, words, key=key)
