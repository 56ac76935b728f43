"""Entering many at once: a list of names of people without accounts, for events at real tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Unpack

from django.utils.translation import gettext

from accounts.display_names import folded
from accounts.models import User
from tournaments.models import Act, Entry, Member, Tournament
from tournaments.services.action_context import check_not_begun
from tournaments.services.entries import enrolment, waiting_list
from tournaments.services.events import naming
from tournaments.services.events.event_settings import MOST_ENTRIES
from tournaments.services.history import perform
from tournaments.services.records import How, Record
from web.errors import Refused

ENTER_FOR = enrolment.ENTER_FOR


class Names(NamedTuple):
    """An entry of a list: its people, and a name of its own, or nothing."""

    people: Sequence[str]
    name: str = ""


def enter_names(
    tournament_id: int, by: User, *, lines: Sequence[Names], is_here: bool = False, **how: Unpack[How]
) -> Act:
    """An organiser enters a list of people by their names alone, all of it or nothing: a fixed number of queries.

    Those after the entry limit wait for a place. With `is_here` all of them are checked in. Raises `Refused` with the
    `line` (from 0) that is wrong.
    """

    def do(record: Record) -> str:
        check_not_begun(record)
        _check_event(record.tournament, len(lines))
        rows = _entries(record, lines)
        for row in rows:
            row.is_here = True if is_here else None
        record.create_all(rows)
        record.create_all([one for row, line in zip(rows, lines, strict=True) for one in _members(row, line)])
        waiting_now = sum(row.status == Entry.Status.WAITING for row in rows)
        if not waiting_now:
            return gettext("%(count)s entries were entered from a list.") % {"count": len(rows)}
        words = gettext("%(count)s entries were entered from a list, %(waiting)s of them on the waiting list.")
        return words % {"count": len(rows), "waiting": waiting_now}

    return perform(tournament_id, do, ENTER_FOR, by=by, **how)


def entered(act: Act) -> list[int]:
    """Numbers of the entries that an act of `enter_names` made, in the order of its list."""
    return [one["is"]["number"] for one in act.changes if one["model"] == "entry"]


def _check_event(tournament: Tournament, count: int) -> None:
    if tournament.setting == Tournament.Setting.ONLINE:
        raise Refused("names_alone", gettext("Online, people need accounts. Invite them one by one."))
    if not count:
        raise Refused("nobody", gettext("Enter the names of the players."))
    if Entry.objects.filter(tournament=tournament).count() + count > MOST_ENTRIES:
        raise Refused("too_many", gettext("An event has at most %(limit)s entries.") % {"limit": MOST_ENTRIES})


def _entries(record: Record, lines: Sequence[Names]) -> list[Entry]:
    """The entries of a list with their numbers, names and whether there is a place for each."""
    tournament = record.tournament
    taken = {folded(name) for name in Entry.objects.filter(tournament=tournament).values_list("name", flat=True)}
    first, size = enrolment.next_number(tournament), tournament.side_size
    has_limit = tournament.entry_limit is not None
    places = tournament.entry_limit - waiting_list.entered(tournament) if tournament.entry_limit is not None else 0
    found = []
    for at, line in enumerate(lines):
        number = first + at
        name = _name(tournament, line, number, taken, at)
        taken.add(folded(name))
        status = Entry.Status.ENTERED
        if len(line.people) < size:
            status = Entry.Status.FORMING
        elif has_limit and places <= 0:
            status = Entry.Status.WAITING
        places -= status == Entry.Status.ENTERED
        found.append(Entry(tournament=tournament, number=number, name=name, status=status, entered_by=record.by))
    return found


def _name(tournament: Tournament, line: Names, number: int, taken: set[str], at: int) -> str:
    """What an entry is called. Raises `Refused` for names that cannot be."""
    most = waiting_list.MOST_PLAYERS[Tournament.Kind(tournament.entry_kind)]
    if not 0 < len(line.people) <= most:
        raise Refused(
            "too_many",
            gettext("Entry %(number)s of the list has %(count)s people. The limit is %(most)s.")
            % {"number": at + 1, "count": len(line.people), "most": most},
            line=at,
        )
    try:
        own = naming.clean(line.name) if line.name.strip() else ""
        people = [naming.clean(one, naming.LONGEST_OF_PERSON) for one in line.people]
    except Refused as refusal:
        raise Refused(
            refusal.code,
            gettext("Entry %(number)s of the list: %(sentence)s") % {"number": at + 1, "sentence": refusal.sentence},
            line=at,
        ) from None
    if any("@" in one for one in people):
        raise Refused(
            "bad_name",
            gettext("Entry %(number)s of the list: invite people with an email address one by one.")
            % {"number": at + 1},
            line=at,
        )
    if own:
        if folded(own) in taken:
            raise Refused("name_taken", gettext("Another entry is called %(entry)s.") % {"entry": own}, line=at)
        return own
    members = [Member(name=one, is_captain=position == 0) for position, one in enumerate(people)]
    name = naming.automatic(tournament.entry_kind, members)
    return naming.numbered(name, number) if folded(name) in taken else name


def _members(row: Entry, line: Names) -> list[Member]:
    return [
        Member(
            entry=row,
            tournament_id=row.tournament_id,
            name=naming.clean(one, naming.LONGEST_OF_PERSON),
            is_captain=position == 0,
            position=position,
        )
        for position, one in enumerate(line.people)
    ]
