"""Bulk entry: a list of names of people without accounts, for events at real tables."""

from collections.abc import Sequence
from typing import NamedTuple, Unpack

from django.utils.translation import gettext

from accounts.display_names import folded
from accounts.models import User
from tournaments.duplicate.services import check_has_not_seen
from tournaments.models import Act, Entry, Member, Tournament
from tournaments.services.action_context import check_not_begun
from tournaments.services.entries import enrolment, late_entries, waiting_list
from tournaments.services.entries.person_lookup import PersonRef
from tournaments.services.events import naming
from tournaments.services.events.event_settings import MOST_ENTRIES
from tournaments.services.history import perform
from tournaments.services.records import ActionRequest, Record
from web.errors import Refused

ENTER_FOR = enrolment.ENTER_FOR
MOST_NAMED = 3
"""Entries of a list that its history line names."""


class Names(NamedTuple):
    """An entry of a list: its people, and its own name or an empty string."""

    people: Sequence[str]
    name: str = ""


class People(NamedTuple):
    """The same of people who are known: accounts, or typed texts."""

    people: Sequence[PersonRef]
    name: str = ""


def enter_names(
    tournament_id: int, by: User, *, lines: Sequence[Names], is_here: bool = False, **how: Unpack[ActionRequest]
) -> Act:
    """Enter a list of people by name only, all or nothing, in a fixed number of queries.

    Entries beyond the entry limit join the waiting list. With `is_here` all are checked in. Raises `Refused` with
    the wrong `line` (from 0).
    """

    def do(record: Record) -> str:
        check_not_begun(record)
        _check_event(record.tournament, len(lines))
        check_has_not_seen(record.tournament, names=[person for line in lines for person in line.people])
        rows = _entries(record, lines)
        for entry in rows:
            entry.is_here = True if is_here else None
        record.create_all(rows)
        record.create_all([member for entry, line in zip(rows, lines, strict=True) for member in _members(entry, line)])
        waiting_now = sum(entry.status == Entry.Status.WAITING for entry in rows)
        if not waiting_now:
            return gettext("%(count)s entries were entered from a list.") % {"count": len(rows)}
        words = gettext("%(count)s entries were entered from a list, %(waiting)s of them on the waiting list.")
        return words % {"count": len(rows), "waiting": waiting_now}

    return perform(tournament_id, do, ENTER_FOR, by=by, **how)


def enter_list(
    tournament_id: int,
    by: User,
    *,
    lines: Sequence[Names | People],
    missed: str = "zero_bye",
    **how: Unpack[ActionRequest],
) -> Act:
    """Enter a pasted list as one action, all or nothing; its people are names, accounts or email addresses.

    After the start they enter late: the rounds before count as `missed` (see `late_entries.enter_late`). Raises
    `Refused` with the wrong `line` (from 0).
    """
    is_late = Tournament.objects.get(pk=tournament_id).has_begun

    def do(record: Record) -> str:
        stage = late_entries.stage_for_late(record) if is_late else None
        if not is_late:
            check_not_begun(record)
        names = []
        for at, line in enumerate(lines):
            try:
                entry = enrolment.add(record, [], line.people, line.name, is_organiser=True)
                if stage is not None:
                    late_entries.let_in(record, stage, entry, missed)
            except Refused as refused:
                raise Refused(refused.code, refused.sentence, line=at) from None
            names.append(str(entry))
        if len(names) > MOST_NAMED:
            return gettext("%(count)s entries were added.") % {"count": len(names)}
        return gettext("Added: %(names)s.") % {"names": ", ".join(names)}

    kind = late_entries.ENTER_LATE if is_late else ENTER_FOR
    return perform(tournament_id, do, kind, by=by, **how)


def entered_numbers(act: Act) -> list[int]:
    """Numbers of the entries that an action of `enter_names` created, in the order of its list."""
    return [change["is"]["number"] for change in act.changes if change["model"] == "entry"]


def _check_event(tournament: Tournament, count: int) -> None:
    if tournament.setting == Tournament.Setting.ONLINE:
        raise Refused("names_alone", gettext("Online, people need accounts. Invite them one by one."))
    if not count:
        raise Refused("nobody", gettext("Enter the names of the players."))
    if Entry.objects.filter(tournament=tournament).count() + count > MOST_ENTRIES:
        raise Refused("too_many", gettext("An event has at most %(limit)s entries.") % {"limit": MOST_ENTRIES})


def _entries(record: Record, lines: Sequence[Names]) -> list[Entry]:
    """The entries of a list with their numbers, names and statuses."""
    tournament = record.tournament
    used_names = {folded(name) for name in Entry.objects.filter(tournament=tournament).values_list("name", flat=True)}
    first, size = enrolment.next_number(tournament), tournament.side_size
    has_limit = tournament.entry_limit is not None
    places = (
        tournament.entry_limit - waiting_list.count_entered(tournament) if tournament.entry_limit is not None else 0
    )
    entries = []
    for at, line in enumerate(lines):
        number = first + at
        name = _name(tournament, line, number, used_names, at)
        used_names.add(folded(name))
        status = Entry.Status.ENTERED
        if len(line.people) < size:
            status = Entry.Status.FORMING
        elif has_limit and places <= 0:
            status = Entry.Status.WAITING
        places -= status == Entry.Status.ENTERED
        entries.append(Entry(tournament=tournament, number=number, name=name, status=status, entered_by=record.by))
    return entries


def _name(tournament: Tournament, line: Names, number: int, used_names: set[str], at: int) -> str:
    """Name of an entry. Raises `Refused` for invalid names."""
    most = waiting_list.MOST_PLAYERS[Tournament.Kind(tournament.entry_kind)]
    if not 0 < len(line.people) <= most:
        raise Refused(
            "too_many",
            gettext("Entry %(number)s of the list has %(count)s people. The limit is %(most)s.")
            % {"number": at + 1, "count": len(line.people), "most": most},
            line=at,
        )
    try:
        typed = naming.clean(line.name) if line.name.strip() else ""
        people = [naming.clean(person, naming.LONGEST_OF_PERSON) for person in line.people]
    except Refused as refusal:
        raise Refused(
            refusal.code,
            gettext("Entry %(number)s of the list: %(sentence)s") % {"number": at + 1, "sentence": refusal.sentence},
            line=at,
        ) from None
    if any("@" in person for person in people):
        raise Refused(
            "bad_name",
            gettext("Entry %(number)s of the list: invite people with an email address one by one.")
            % {"number": at + 1},
            line=at,
        )
    if typed:
        if folded(typed) in used_names:
            raise Refused("name_taken", gettext("Another entry is called %(entry)s.") % {"entry": typed}, line=at)
        return typed
    members = [Member(name=person, is_captain=position == 0) for position, person in enumerate(people)]
    name = naming.automatic(tournament.entry_kind, members)
    return naming.numbered(name, number) if folded(name) in used_names else name


def _members(entry: Entry, line: Names) -> list[Member]:
    return [
        Member(
            entry=entry,
            tournament_id=entry.tournament_id,
            name=naming.clean(person, naming.LONGEST_OF_PERSON),
            is_captain=position == 0,
            position=position,
        )
        for position, person in enumerate(line.people)
    ]
