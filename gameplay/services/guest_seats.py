"""Seats of people without an account: they sit down under a name, and keep the match by signing up."""

import hashlib
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from accounts.budgets import GUESTS, note_network, spend
from accounts.display_names import clean_name, folded
from accounts.guests import create_guest, find_guest
from accounts.models import User
from gameplay.access import takes_guests
from gameplay.models import Table
from gameplay.services import quick_matches, seating
from gameplay.services.sitting import sit_down
from web.errors import NotAllowed, Refused

LONGEST_NAME = 40
_MARK = "(guest)"
"""Follows the name of a guest, because anyone can type any name."""


def join(
    table_id: int,
    guest: User | None,
    *,
    name: str,
    key: str,
    time_zone: str = "UTC",
    seat: int | None = None,
    now: datetime | None = None,
) -> User:
    """Take a free seat without an account, agreeing to the rule sheet. Returns the guest, new if there was none.

    `key` is a secret of the form: sent twice it seats one guest. Raises `Refused` for a name that is not allowed or
    already at the table, if no seat is free, and `NotAllowed` if the table takes no guests.
    """
    digest = _digest(key)
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        guest = guest or find_guest(digest)
        if guest is not None and any(other.user_id == guest.pk for other in sitting.seats):
            return guest
        _check(sitting.table)
        display_name = f"{clean_name(name, LONGEST_NAME, field='name')} {_MARK}"
        if any(folded(str(other)) == folded(display_name) for other in sitting.seats if other.is_taken):
            raise Refused(
                "name_taken", gettext("Someone at this table already has this name. Choose another."), field="name"
            )
        guest = _enter(guest, digest, display_name, time_zone)
        seating.join(table_id, guest, seat=seat, now=now)
        return guest


def play_now(
    guest: User | None, *, name: str, key: str, time_zone: str = "UTC", now: datetime | None = None, **wishes: Any
) -> tuple[User, Table]:
    """A seat at a quick match without an account, with the `wishes` of `quick_matches.play_now`; the guest and the table.

    `key` is a secret of the form: sent twice it seats one guest. Raises `Refused`.
    """
    digest = _digest(key)
    with transaction.atomic():
        display_name = f"{clean_name(name, LONGEST_NAME, field='name')} {_MARK}"
        guest = _enter(guest or find_guest(digest), digest, display_name, time_zone)
        return guest, quick_matches.play_now(guest, now=now, **wishes)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:32]


def _enter(guest: User | None, digest: str, display_name: str, time_zone: str) -> User:
    """The guest under this name, new if there was none. Spends the budget of guests."""
    spend(GUESTS, guest)
    guest = guest or create_guest(digest, time_zone)
    guest.display_name = display_name
    guest.save(update_fields=["display_name"])
    note_network(guest)
    return guest


def name_of(guest: User) -> str:
    """The name that the guest has given, without the mark; empty before."""
    return guest.display_name.removesuffix(_MARK).strip() if is_named(guest) else ""


def is_named(guest: User) -> bool:
    """Whether the guest has given a name."""
    return guest.display_name.endswith(_MARK)


def _check(table: Table) -> None:
    if table.status != Table.Status.GATHERING:
        raise Refused("has_begun", gettext("The match has already started."))
    if not takes_guests(table):
        raise NotAllowed("no_guests", gettext("You need an account to join this table."))
