"""Names of entries and events."""

from collections.abc import Iterable

from django.utils.translation import gettext

from accounts.display_names import clean_name, folded
from tournaments.models import Entry, Member, Tournament
from tournaments.services.records import Record
from web.errors import Refused

LONGEST = 80
"""The most characters of the name of an event or an entry."""
LONGEST_OF_PERSON = 50
UNKNOWN = "invited partner"
"""Name of a person invited by email address who has not answered."""


def clean(name: str, longest: int = LONGEST) -> str:
    """The name with single spaces. Raises `Refused` if it is not valid."""
    return clean_name(name, longest)


def current(entry: Entry) -> list[Member]:
    """The current people of an entry in playing order, without those who declined or left."""
    return list(entry.members.filter(left_at=None).exclude(answer=Member.Answer.DECLINED))


def automatic(kind: str, members: Iterable[Member]) -> str:
    """Automatic name of an entry: `Okafor / Bell`, or a team’s by its captain."""
    players = [member for member in members if member.role == Member.Role.PLAYER]
    if not players:
        return "nobody"
    if kind == Tournament.Kind.TEAM:
        captain = next((member for member in players if member.is_captain), players[0])
        return f"Team {captain.name}"[:LONGEST]
    return " / ".join(member.name for member in players)[:LONGEST]


def is_automatic(entry: Entry, kind: str, members: Iterable[Member]) -> bool:
    """Whether the entry still has its automatic name."""
    name = automatic(kind, members)
    return entry.name in (name, numbered(name, entry.number))


def free(record: Record, name: str, number: int, entry_id: int | None = None) -> str:
    """A free automatic name for an entry, with its number added if another has the same."""
    return numbered(name, number) if _is_taken(record, name, entry_id) else name


def check_free(record: Record, name: str, entry_id: int | None = None) -> None:
    """Raise `Refused` if another entry has this name, ignoring case."""
    if _is_taken(record, name, entry_id):
        raise Refused("name_taken", gettext("Another entry is called %(name)s.") % {"name": name})


def _is_taken(record: Record, name: str, entry_id: int | None) -> bool:
    # Compared here, because databases differ in case folding.
    other_entries = Entry.objects.filter(tournament=record.tournament).exclude(pk=entry_id or 0)
    return folded(name) in {folded(other) for other in other_entries.values_list("name", flat=True)}


def numbered(name: str, number: int) -> str:
    """A name with an entry's number behind it."""
    mark = f" ({number})"
    return name[: LONGEST - len(mark)] + mark
