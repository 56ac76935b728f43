"""Enrolment: enter yourself or, as an organiser, anyone; names; lists of entries."""

from collections.abc import Sequence
from typing import Unpack

from django.db.models import Max, Prefetch, QuerySet
from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import Anybody, ByRow, Rows
from gameplay import visibility_groups
from tournaments import access
from tournaments.models import Act, Entry, Member, Tournament
from tournaments.services.action_context import added_row, check_alive, check_not_begun, entry_of, event_of
from tournaments.services.entries import partners, person_lookup, waiting_list
from tournaments.services.entries.person_lookup import PersonRef
from tournaments.services.events import naming
from tournaments.services.history import declare, perform
from tournaments.services.records import ActionRequest, Record
from web.errors import NotAllowed, Refused

ENTER = declare(
    "enter", needs=Anybody("Whoever the event is for enters it while entries are open."), undo=Rows("entries")
)
ENTER_FOR = declare("enter", needs="entries", undo=Rows())
RENAME = declare("rename", needs=ByRow(access.check_entry), undo=Rows("entries"))

ENTERING = ("enter", "late")
"""Kinds of actions that add an entry."""


def enter(
    tournament_id: int, by: User, *, partners: Sequence[PersonRef] = (), name: str = "", **how: Unpack[ActionRequest]
) -> Entry:
    """Enter the caller with invited partners: people, names of accounts or email addresses.

    An entry waits for its partners’ answers. Once all have agreed it gets a place or joins the waiting list. Raises
    `Refused` if entries are closed or someone is already in the event.
    """

    def do(record: Record) -> str:
        _check_may_enter(record, by)
        person_lookup.check_free(record, by)
        entry = add(record, [person_lookup.Person(str(by), by)], partners, name)
        return _entered_text(record, entry)

    return added_row(perform(tournament_id, do, ENTER, by=by, **how), Entry)


def enter_for(
    tournament_id: int,
    by: User | None,
    *,
    members: Sequence[PersonRef],
    name: str = "",
    has_agreed: bool = False,
    **how: Unpack[ActionRequest],
) -> Entry:
    """Enter anyone as an organiser: accounts, email addresses, or names only at real tables.

    In an online event people are invited first, unless they `has_agreed` elsewhere, as in a league team. Raises
    `Refused`.
    """

    def do(record: Record) -> str:
        check_not_begun(record)
        entry = add(record, [], members, name, is_organiser=True, has_agreed=has_agreed)
        return _entered_text(record, entry)

    return added_row(perform(tournament_id, do, ENTER_FOR, by=by, **how), Entry)


def add(
    record: Record,
    agreed: Sequence[person_lookup.Person],
    invited: Sequence[PersonRef],
    name: str,
    *,
    is_organiser: bool = False,
    has_agreed: bool = False,
) -> Entry:
    """Add an entry within an action, of people who have agreed and people who are invited."""
    tournament = record.tournament
    count = len(agreed) + len(invited)
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
    for invitee in invited:
        partners.ask(record, entry, invitee, is_organiser=is_organiser, has_agreed=has_agreed)
    if not name:
        members = naming.current(entry)
        record.change(entry, name=naming.free(record, _automatic(tournament, members), entry.number, entry.pk))
    waiting_list.assign_place(record, entry)
    return entry


def rename(entry_id: int, by: User, *, name: str, **how: Unpack[ActionRequest]) -> Act:
    """Give an entry its own name. An empty name restores the automatic one."""

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


def list_entries(tournament: Tournament) -> QuerySet[Entry]:
    """All entries by number, with their current people prefetched as `members`: two queries."""
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
    """The next free number, above those of undone entries."""
    highest = Entry.objects.filter(tournament=tournament).aggregate(highest=Max("number"))["highest"] or 0
    undone = Act.objects.filter(tournament=tournament, kind__in=ENTERING, undone_by__isnull=False)
    gone = [
        change["is"]["number"]
        for changes in undone.values_list("changes", flat=True)
        for change in changes
        if change["model"] == "entry" and change["was"] is None
    ]
    return int(max([highest, *gone])) + 1


def _automatic(tournament: Tournament, members: list[Member]) -> str:
    return naming.automatic(tournament.entry_kind, members)


def _entered_text(record: Record, entry: Entry) -> str:
    """History text of a new entry."""
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
