"""The entry limit, the waiting list, and moving up."""

from django.db.models import Q
from django.utils.translation import gettext

from tournaments.models import Entry, Member, Tournament
from tournaments.services import notifications
from tournaments.services.events import naming
from tournaments.services.records import Record
from web.text import joined

MOST_PLAYERS = {Tournament.Kind.PERSON: 1, Tournament.Kind.PARTNERSHIP: 2, Tournament.Kind.TEAM: 12}
"""Most players of one entry, not counting reserves."""
MOST_RESERVES = 6


def assign_place(record: Record, entry: Entry) -> None:
    """Give an entry a place, or put it on the waiting list, once all its players have agreed."""
    if entry.status not in (Entry.Status.FORMING, Entry.Status.WAITING, Entry.Status.ENTERED):
        return
    if not is_complete(record.tournament, naming.current(entry)):
        record.change(entry, status=Entry.Status.FORMING)
    elif entry.status == Entry.Status.FORMING:
        record.change(entry, status=Entry.Status.ENTERED if has_place(record) else Entry.Status.WAITING)


def is_complete(tournament: Tournament, members: list[Member]) -> bool:
    """Whether enough players have agreed: both of a pair, as many of a team as sit at a table."""
    agreed = [each for each in members if each.role == Member.Role.PLAYER and each.answer == Member.Answer.ACCEPTED]
    return len(agreed) >= max(1, tournament.side_size)


def has_place(record: Record) -> bool:
    """Whether one more entry can have a place. Once play has started, organisers add late entries."""
    return not record.tournament.has_begun and not is_full(record.tournament)


def is_full(tournament: Tournament) -> bool:
    """Whether as many entries have a place as the event takes."""
    return tournament.entry_limit is not None and count_entered(tournament) >= tournament.entry_limit


def count_entered(tournament: Tournament) -> int:
    """Number of entries that have a place."""
    return Entry.objects.filter(tournament=tournament, status=Entry.Status.ENTERED).count()


def move_up(record: Record) -> list[Entry]:
    """Move waiting entries up into free places, in order, and tell them. Returns these entries."""
    moved = []
    if record.tournament.has_begun:
        return []
    waiting = Entry.objects.filter(tournament=record.tournament, status=Entry.Status.WAITING).order_by("number")
    for entry in waiting:
        if not has_place(record):
            break
        _move_in(record, entry)
        moved.append(entry)
    return moved


def fill_at_start(record: Record) -> list[Entry]:
    """Give the places of absent entries to waiting entries that are present. Returns these entries."""
    taking_part = [entry for entry in Entry.objects.filter(tournament=record.tournament) if entry.is_in]
    moved = next_in_line(record.tournament, len(taking_part))
    for entry in moved:
        _move_in(record, entry)
    return moved


def next_in_line(tournament: Tournament, taking_part: int) -> list[Entry]:
    """The waiting entries that get the free places of an event at its start, if so many take part."""
    if tournament.entry_limit is None:
        return []
    waiting = Entry.objects.filter(tournament=tournament, status=Entry.Status.WAITING).order_by("number")
    here = Q(is_here=True) if tournament.has_check_in else Q(is_here=True) | Q(is_here=None)
    return list(waiting.filter(here)[: max(0, tournament.entry_limit - taking_part)])


def _move_in(record: Record, entry: Entry) -> None:
    record.change(entry, status=Entry.Status.ENTERED)
    notifications.moved_up(entry)


def moved_up(moved: list[Entry]) -> str:
    """Text about the entries that moved up, for the end of a history line; empty for none."""
    if not moved:
        return ""
    names = joined([str(entry) for entry in moved[:3]])
    return " " + gettext("%(entries)s moved up from the waiting list.") % {"entries": names}
