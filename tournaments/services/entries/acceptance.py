"""Accept entries from the waiting list by hand, regardless of the limit and their place in the list."""

from typing import Unpack

from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import Rows
from tournaments.models import Act, Entry
from tournaments.services.action_context import check_not_begun, entry_of, event_of
from tournaments.services.entries import person_lookup
from tournaments.services.history import declare, perform
from tournaments.services.records import ActionRequest, Record
from web.errors import Refused

ACCEPT = declare("accept", needs="entries", undo=Rows())


def accept(entry_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Give a waiting entry a place and tell its members. Before the start only. Raises `Refused`."""

    def do(record: Record) -> str:
        check_not_begun(record)
        entry = entry_of(record, entry_id)
        if entry.status == Entry.Status.ENTERED:
            raise Refused("in_already", gettext("%(entry)s already has a place.") % {"entry": entry})
        if entry.status != Entry.Status.WAITING:
            raise Refused("not_waiting", gettext("%(entry)s is not on the waiting list.") % {"entry": entry})
        record.change(entry, status=Entry.Status.ENTERED)
        person_lookup.tell_entry(record, entry, lambda: gettext("you have a place"), key=f"accepted:{entry.pk}")
        return gettext("%(entry)s was given a place from the waiting list.") % {"entry": entry}

    return perform(event_of(Entry, entry_id), do, ACCEPT, by=by, **how)


def put_on_list(entry_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Put an entry that has a place on the waiting list, in order of its number. Raises `Refused`."""

    def do(record: Record) -> str:
        check_not_begun(record)
        entry = entry_of(record, entry_id)
        if entry.status != Entry.Status.ENTERED:
            raise Refused("not_in", gettext("%(entry)s has no place.") % {"entry": entry})
        record.change(entry, status=Entry.Status.WAITING)
        person_lookup.tell_entry(record, entry, lambda: gettext("you are on the waiting list"), key=f"waits:{entry.pk}")
        return gettext("%(entry)s was put on the waiting list.") % {"entry": entry}

    return perform(event_of(Entry, entry_id), do, ACCEPT, by=by, **how)
