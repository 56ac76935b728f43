"""Entering an event: for oneself, or by an organiser for anybody; names; the waiting list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from django.db.models import Max, Prefetch, QuerySet
from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import Anybody, ByRow, Rows
from gameplay import visibility_groups
from tournaments import access
from tournaments.models import Act, Entry, Member, Tournament
from tournaments.services.action_context import check_alive, check_not_begun, entry_of, event_of, made
from tournaments.services.entries import partners, person_lookup, waiting_list
from tournaments.services.entries.person_lookup import Who
from tournaments.services.events import naming
from tournaments.services.history import declare, perform
from tournaments.services.records import How, Record
from web.errors import NotAllowed, Refused

ENTER = declare(
    "enter", needs=Anybody("Whoever the event is for enters it while entries are open."), undo=Rows("entries")
)
ENTER_FOR = declare("enter", needs="entries", undo=Rows())
RENAME = declare("rename", needs=ByRow(access.check_entry), undo=Rows("entries"))

ENTERING = ("enter", "late")
"""Kinds of acts that add an entry."""


def enter(tournament_id: int, by: User, *, partners: Sequence[Who] = (), name: str = "", **how: Unpack[How]) -> Entry:
    """Enter oneself, with partners who are asked: people, names of accounts, or e-mail addresses.

    An entry waits for its partners' answers; once all have agreed it has a place, or waits for one. Raises `Refused`
    where entries are closed, or somebody is in the event already.
    """

    def do(record: Record) -> str:
        _check_may_enter(record, by)
        person_lookup.check_free(record, by)
        entry = add(record, [person_lookup.Person(str(by), by)], partners, name)
        return _entered(record, entry)

    return made(perform(tournament_id, do, ENTER, by=by, **how), Entry)


def enter_for(
    tournament_id: int,
    by: User,
    *,
    members: Sequence[Who],
    name: str = "",
    has_agreed: bool = False,
    **how: Unpack[How],
) -> Entry:
    """An organiser enters anybody: people with accounts, e-mail addresses, or names alone where tables are real.

    In an online event people are asked first, unless they `has_agreed` elsewhere, as who is in a league's team has.
    Raises `Refused`.
    """

    def do(record: Record) -> str:
        check_not_begun(record)
        entry = add(record, [], members, name, is_organiser=True, has_agreed=has_agreed)
        return _entered(record, entry)

    return made(perform(tournament_id, do, ENTER_FOR, by=by, **how), Entry)


def add(
    record: Record,
    agreed: Sequence[person_lookup.Person],
    asked: Sequence[Who],
    name: str,
    *,
    is_organiser: bool = False,
    has_agreed: bool = False,
) -> Entry:
    """Add an entry within an act: of people who have agreed, and of others who are asked, or put in by an organiser."""
    tournament = record.tournament
    count = len(agreed) + len(asked)
    _check_count(tournament, count)
    if name.strip():
        name = naming.clean(name)
        naming.check_free(record, name)
    entry = Entry(
        tournament=tournament,
        number=next_number(tournament),
        name=name or "-",
        status=Entry.Status.FORMING,
        entered_by=record.by,
    )
    record.create(entry)
    for person in agreed:
        partners.seat(record, entry, person, Member.Answer.ACCEPTED)
    for who in asked:
        partners.ask(record, entry, who, is_organiser=is_organiser, has_agreed=has_agreed)
    if not name:
        members = naming.current(entry)
        record.change(entry, name=naming.free(record, _automatic(tournament, members), entry.number, entry.pk))
    waiting_list.settle(record, entry)
    return entry


def rename(entry_id: int, by: User, *, name: str, **how: Unpack[How]) -> Act:
    """Give an entry a name of its own; an empty one gives it back that of its people."""

    def do(record: Record) -> str:
        entry = entry_of(record, entry_id)
        record.ask(entry)
        check_alive(record)
        new = naming.clean(name) if name.strip() else ""
        if new:
            naming.check_free(record, new, entry.pk)
        else:
            new = naming.free(record, _automatic(record.tournament, naming.current(entry)), entry.number, entry.pk)
        was = entry.name
        if not record.change(entry, name=new):
            raise Refused("same_name", gettext("The name is already %(entry)s.") % {"entry": new})
        return gettext("%(was)s is now called %(entry)s.") % {"was": was, "entry": new}

    return perform(event_of(Entry, entry_id), do, RENAME, by=by, **how)


def listed(tournament: Tournament) -> QuerySet[Entry]:
    """All entries by number, with their people (`members`) who have not left or declined: two queries."""
    here = Member.objects.filter(left_at=None).exclude(answer=Member.Answer.DECLINED).select_related("user")
    return Entry.objects.filter(tournament=tournament).prefetch_related(Prefetch("members", here))


def _check_may_enter(record: Record, by: User) -> None:
    tournament = record.tournament
    check_not_begun(record)
    if by.is_guest:
        raise Refused("guest", gettext("Sign up first. You need an account to enter an event."))
    if tournament.status == Tournament.Status.DRAFT:
        raise Refused("not_announced", gettext("Entries are not open yet."))
    is_late = tournament.entries_close_at is not None and tournament.entries_close_at <= record.now
    if not tournament.takes_entries or is_late:
        raise Refused("entries_closed", gettext("Entries are closed. Ask an organiser whether there is still a place."))
    if tournament.visibility == Tournament.Visibility.CIRCLE and not visibility_groups.belongs(by, tournament.circle):
        raise NotAllowed("not_of_club", gettext("This event is for members of its club."))


def _check_count(tournament: Tournament, count: int) -> None:
    most = waiting_list.MOST_PLAYERS[Tournament.Kind(tournament.entry_kind)]
    if count == 0:
        raise Refused("nobody", gettext("Enter the names of the players."))
    if count > most:
        sentences = {
            Tournament.Kind.PERSON: gettext("In this event everyone enters alone."),
            Tournament.Kind.PARTNERSHIP: gettext("A pair is two people."),
            Tournament.Kind.TEAM: gettext("A team has at most %(most)s players.") % {"most": most},
        }
        raise Refused("too_many", sentences[Tournament.Kind(tournament.entry_kind)])


def next_number(tournament: Tournament) -> int:
    """The next free number, above those of entries that were taken back."""
    highest = Entry.objects.filter(tournament=tournament).aggregate(highest=Max("number"))["highest"] or 0
    undone = Act.objects.filter(tournament=tournament, kind__in=ENTERING, undone_by__isnull=False)
    gone = [
        one["is"]["number"]
        for changes in undone.values_list("changes", flat=True)
        for one in changes
        if one["model"] == "entry" and one["was"] is None
    ]
    return int(max([highest, *gone])) + 1


def _automatic(tournament: Tournament, members: list[Member]) -> str:
    return naming.automatic(tournament.entry_kind, members)


def _entered(record: Record, entry: Entry) -> str:
    """What the history says of a new entry."""
    if record.by is None or access.own_member(record.by, record.tournament):
        words = {
            Entry.Status.FORMING: gettext("%(entry)s was entered and waits for an answer."),
            Entry.Status.WAITING: gettext("%(entry)s was put on the waiting list."),
        }.get(Entry.Status(entry.status), gettext("%(entry)s was entered."))
        return words % {"entry": entry}
    words = {
        Entry.Status.FORMING: gettext("%(entry)s was entered by %(name)s and waits for an answer."),
        Entry.Status.WAITING: gettext("%(entry)s was put on the waiting list by %(name)s."),
    }.get(Entry.Status(entry.status), gettext("%(entry)s was entered by %(name)s."))
    return words % {"entry": entry, "name": record.by}
