"""Letting entries in from the waiting list by hand, whatever the limit and their place in the list."""

from __future__ import annotations

from typing import Unpack

from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import Rows
from tournaments.models import Act, Entry
from tournaments.services.action_context import check_not_begun, entry_of, event_of
from tournaments.services.entries import person_lookup
from tournaments.services.history import declare, perform
from tournaments.services.records import How, Record
from web.errors import Refused

ACCEPT = declare("accept", needs="entries", undo=Rows())


def accept(entry_id: int, by: User, **how: Unpack[How]) -> Act:
    """Give a waiting entry a place, and tell it. Once play has begun it is let in late instead. Raises `Refused`."""

    def do(record: Record) -> str:
        check_not_begun(record)
        entry = entry_of(record, entry_id)
        if entry.status == Entry.Status.ENTERED:
            raise Refused("in_already", gettext("%(entry)s already has a place.") % {"entry": entry})
        if entry.status != Entry.Status.WAITING:
            raise Refused("not_waiting", gettext("%(entry)s is not on the waiting list.") % {"entry": entry})
        record.change(entry, status=Entry.Status.ENTERED)
        person_lookup.tell_entry(record, entry, lambda: gettext("you have a place"), what=f"accepted:{entry.pk}")
        return gettext("%(entry)s was given a place from the waiting list.") % {"entry": entry}

    return perform(event_of(Entry, entry_id), do, ACCEPT, by=by, **how)


def put_on_list(entry_id: int, by: User, **how: Unpack[How]) -> Act:
    """Let an entry that has a place wait for one, behind those who wait already only by its number. Raises `Refused`."""

    def do(record: Record) -> str:
        check_not_begun(record)
        entry = entry_of(record, entry_id)
        if entry.status != Entry.Status.ENTERED:
            raise Refused("not_in", gettext("%(entry)s has no place.") % {"entry": entry})
        record.change(entry, status=Entry.Status.WAITING)
        person_lookup.tell_entry(
            record, entry, lambda: gettext("you are on the waiting list"), what=f"waits:{entry.pk}"
        )
        return gettext("%(entry)s was put on the waiting list.") % {"entry": entry}

    return perform(event_of(Entry, entry_id), do, ACCEPT, by=by, **how)
