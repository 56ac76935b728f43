"""Who is meant: a person by account, by e-mail address or by name alone; and telling them."""

from __future__ import annotations

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
from gameplay.services.invitations import named
from tournaments.access import accepted
from tournaments.models import Entry
from tournaments.services.events import naming
from tournaments.services.records import Record
from web.errors import Refused

Who = User | str
"""A person with an account, or what somebody typed: a name, `ann@example.org`, or `Ann Lee <ann@example.org>`."""


class Person(NamedTuple):
    """Somebody who is to be a member of an entry."""

    name: str
    user: User | None = None
    email: str = ""


def read(record: Record, who: Who, *, names_alone: bool) -> Person:
    """Who is meant. With `names_alone`, a name stands for a person without an account; else for one with an account.

    Raises `Refused` with what is wrong. Whether an address belongs to an account shows in nothing.
    """
    if isinstance(who, User):
        return Person(str(who), _usable(who))
    text = who.strip()
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
    user = by if is_oneself else named(by, text)
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
    """Raise `Refused` where the person is in the event already. Being invited does not bind anybody."""
    taken = accepted(record.tournament).filter(user=user).select_related("entry").first()
    if taken is not None:
        raise Refused(
            "entered_already",
            gettext("%(user)s is already in this event: %(entry)s.") % {"user": user, "entry": taken.entry},
        )


def tell(record: Record, user: User, words: Callable[[], str], *, what: str) -> None:
    """Put news of the event into a person's outbox; `what` tells it from others of the same moment. `words` are made in
    the reader's language."""
    tournament = record.tournament
    with language_of(user):
        title = f"{tournament.name}: {words()}"
    notices.add(
        user,
        kind="event_news",
        key=f"event_news:{tournament.pk}:{tournament.version}:{what}",
        subject=f"event:{tournament.pk}",
        title=title,
        url=tournament.get_absolute_url(),
        due_at=record.now,
    )


def tell_entry(record: Record, entry: Entry, words: Callable[[], str], *, what: str) -> None:
    """Tell everybody of an entry who has an account, but not who did it."""
    own = accepted(record.tournament).filter(entry=entry, user__is_active=True)
    for member in own.exclude(Q(user=None) | Q(user=record.by)).select_related("user"):
        assert member.user is not None  # noqa: S101  filtered above
        tell(record, member.user, words, what=what)
