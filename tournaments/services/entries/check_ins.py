"""Check-in: entries present take part, absent ones are left out and can be put back."""

from collections.abc import Collection
from datetime import datetime
from typing import Unpack

from django.utils import timezone
from django.utils.translation import gettext, ngettext

from accounts.models import User
from acts.kinds import ByRow, Rows
from tournaments import access
from tournaments.models import Act, Entry, Tournament
from tournaments.services.action_context import check_alive, entry_of, event_of
from tournaments.services.history import declare, perform
from tournaments.services.records import ActionRequest, Record
from tournaments.services.stages import stage_departures
from web.errors import Refused
from web.text import date_and_time


def _check_entry(by: User, entry: Entry) -> None:
    access.check_entry(by, entry, "check_in")


CHECK_IN = declare("check_in", needs=ByRow(_check_entry), undo=Rows("check_in"))
MARK_HERE = declare("check_in", needs="check_in", undo=Rows())


def check_in(entry_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Check an entry in: its players while the window is open, an organiser any time before the start.

    Raises `Refused` outside the window. Running it twice is harmless.
    """

    def do(record: Record) -> str:
        entry = entry_of(record, entry_id)
        record.ask(entry)
        if record.tournament.has_begun:
            raise Refused("has_begun", gettext("The event has started. An organiser can put you back in."))
        _check_lists(record, entry)
        if not access.may(by, record.tournament, "check_in"):
            _check_window(record)
        record.change(entry, is_here=True)
        return gettext("%(entry)s is here.") % {"entry": entry}

    return perform(event_of(Entry, entry_id), do, CHECK_IN, by=by, **how)


def mark_absent(entry_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Mark an entry absent: it is left out of the draw, or during play from the next round on."""

    def do(record: Record) -> str:
        entry = entry_of(record, entry_id)
        _check_lists(record, entry)
        if record.tournament.has_begun:
            stage_departures.leave_stages(record, entry, at_once=False)
        record.change(entry, is_here=False)
        return gettext("%(entry)s is absent.") % {"entry": entry}

    return perform(event_of(Entry, entry_id), do, MARK_HERE, by=by, **how)


def put_back(entry_id: int, by: User, *, missed: str = "zero_bye", **how: Unpack[ActionRequest]) -> Act:
    """Put an absent entry back from the next round to be drawn; missed rounds count as `zero_bye`, `half_bye` or
    `bye`.
    """

    def do(record: Record) -> str:
        entry = entry_of(record, entry_id)
        _check_lists(record, entry)
        if record.tournament.has_begun:
            stage_departures.return_to_stages(record, entry, missed)
        record.change(entry, is_here=True)
        return gettext("%(entry)s was put back.") % {"entry": entry}

    return perform(event_of(Entry, entry_id), do, MARK_HERE, by=by, **how)


def mark_all(tournament_id: int, by: User, *, absent: Collection[int] = (), **how: Unpack[ActionRequest]) -> Act:
    """Mark all entries as here but for some absent ones (ids), as one action. Running it twice is harmless.

    During play, entries that turn absent are left out from the next round on, and those that turn up play from the
    next round to be drawn. Raises `Refused` if nothing changes.
    """

    def do(record: Record) -> str:
        check_alive(record)
        if not call_roll(record, absent):
            raise Refused("same", gettext("That is already set."))
        return roll_words(record)

    return perform(tournament_id, do, MARK_HERE, by=by, **how)


def call_roll(record: Record, absent: Collection[int]) -> bool:
    """Mark all entries of an event as here but for some absent ones (ids). Returns whether that changed any."""
    entries = list(Entry.objects.filter(tournament=record.tournament, status=Entry.Status.ENTERED))
    if unknown := set(absent) - {entry.pk for entry in entries}:
        raise Refused("no_such_entry", gettext("That entry is not in this event."), entries=sorted(unknown))
    has_changed = False
    for entry in entries:
        is_here = entry.pk not in absent
        if record.tournament.has_begun and is_here and entry.is_here is False:
            stage_departures.return_to_stages(record, entry)
        elif record.tournament.has_begun and not is_here and entry.is_here is not False:
            stage_departures.leave_stages(record, entry, at_once=False)
        has_changed |= record.change(entry, is_here=is_here)
    return has_changed


def roll_words(record: Record) -> str:
    """The history text of a roll call: `12 entries are here. Absent: Ann.`"""
    entries = Entry.objects.filter(tournament=record.tournament, status=Entry.Status.ENTERED)
    gone = [entry.name for entry in entries if entry.is_here is False]
    count = len(entries) - len(gone)
    words = ngettext("%(count)s entry is here.", "%(count)s entries are here.", count) % {"count": count}
    return f"{words} {gettext('Absent: %(names)s.') % {'names': ', '.join(gone)}}" if gone else words


def _check_lists(record: Record, entry: Entry) -> None:
    check_alive(record)
    if entry.status not in (Entry.Status.ENTERED, Entry.Status.WAITING):
        raise Refused("not_entered", gettext("%(entry)s is not in the list of entries.") % {"entry": entry})


def _check_window(record: Record) -> None:
    tournament = record.tournament
    if not tournament.has_check_in:
        raise Refused("no_check_in", gettext("This event has no check-in."))
    opens, closes = tournament.check_in_from, tournament.check_in_until
    if opens is not None and record.now < opens:
        raise Refused("too_early", gettext("Check-in opens at %(moment)s.") % {"moment": moment(tournament, opens)})
    if closes is not None and record.now > closes:
        raise Refused(
            "too_late",
            gettext("Check-in closed at %(moment)s. Ask an organiser.") % {"moment": moment(tournament, closes)},
        )


def moment(tournament: Tournament, at: datetime) -> str:
    """A moment as text, in the event’s time zone."""
    with timezone.override(tournament.zone):
        return date_and_time(at)
