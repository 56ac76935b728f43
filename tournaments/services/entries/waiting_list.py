"""The entry limit and the waiting list: who has a place, and who moves up when one is free."""

from __future__ import annotations

from django.db.models import Q
from django.utils.translation import gettext

from tournaments.models import Entry, Member, Tournament
from tournaments.services import notifications
from tournaments.services.events import naming
from tournaments.services.records import Record
from web.text import joined

MOST_PLAYERS = {Tournament.Kind.PERSON: 1, Tournament.Kind.PARTNERSHIP: 2, Tournament.Kind.TEAM: 12}
"""Players of one entry, reserves aside."""
MOST_RESERVES = 6


def settle(record: Record, entry: Entry) -> None:
    """Give an entry a place once all its players have agreed; where none is free, it waits."""
    if entry.status not in (Entry.Status.FORMING, Entry.Status.WAITING, Entry.Status.ENTERED):
        return
    if not is_complete(record.tournament, naming.current(entry)):
        record.change(entry, status=Entry.Status.FORMING)
    elif entry.status == Entry.Status.FORMING:
        record.change(entry, status=Entry.Status.ENTERED if has_place(record) else Entry.Status.WAITING)


def is_complete(tournament: Tournament, members: list[Member]) -> bool:
    """Whether enough players have agreed; a partnership waits for both, a team for as many as sit at a table."""
    agreed = [one for one in members if one.role == Member.Role.PLAYER and one.answer == Member.Answer.ACCEPTED]
    return len(agreed) >= max(1, tournament.side_size)


def has_place(record: Record) -> bool:
    """Whether one more entry may come in. Once play has begun, an organiser lets late ones in."""
    tournament = record.tournament
    if tournament.has_begun:
        return False
    return tournament.entry_limit is None or entered(tournament) < tournament.entry_limit


def entered(tournament: Tournament) -> int:
    """How many entries have a place."""
    return Entry.objects.filter(tournament=tournament, status=Entry.Status.ENTERED).count()


def move_up(record: Record) -> list[Entry]:
    """Let entries from the waiting list have what is free, the first of them first, and tell them; which did."""
    moved = []
    if record.tournament.has_begun:
        return []
    waiting = Entry.objects.filter(tournament=record.tournament, status=Entry.Status.WAITING).order_by("number")
    for entry in waiting:
        if not has_place(record):
            break
        _let_in(record, entry)
        moved.append(entry)
    return moved


def fill_at_start(record: Record) -> list[Entry]:
    """Let entries from the waiting list have the places of who is not here, as far as they are here themselves."""
    tournament = record.tournament
    if tournament.entry_limit is None:
        return []
    taking_part = [one for one in Entry.objects.filter(tournament=tournament) if one.is_in]
    waiting = Entry.objects.filter(tournament=tournament, status=Entry.Status.WAITING).order_by("number")
    here = Q(is_here=True) if tournament.has_check_in else Q(is_here=True) | Q(is_here=None)
    moved = list(waiting.filter(here)[: max(0, tournament.entry_limit - len(taking_part))])
    for entry in moved:
        _let_in(record, entry)
    return moved


def _let_in(record: Record, entry: Entry) -> None:
    record.change(entry, status=Entry.Status.ENTERED)
    notifications.moved_up(entry)


def in_words(moved: list[Entry]) -> str:
    """Who moved up, as the end of a sentence of the history; empty for nobody."""
    if not moved:
        return ""
    names = joined([str(entry) for entry in moved[:3]])
    return " " + gettext("%(entries)s moved up from the waiting list.") % {"entries": names}
