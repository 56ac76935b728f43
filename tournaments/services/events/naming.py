"""What entries and events are called."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from accounts.display_names import clean_display_name, folded
from tournaments.models import Entry, Member, Tournament
from tournaments.services.records import Record
from web.errors import Refused

LONGEST = 80
"""The most characters of the name of an event or an entry."""
LONGEST_OF_PERSON = 50
UNKNOWN = "invited partner"
"""How somebody is shown who was invited by e-mail address and has not answered."""


def clean(name: str, longest: int = LONGEST) -> str:
    """The name with single spaces. Raises `Refused` with a sentence where it cannot be shown as it is."""
    try:
        return clean_display_name(name, longest)
    except ValidationError as error:
        raise Refused("bad_name", " ".join(error.messages)) from None


def current(entry: Entry) -> list[Member]:
    """The people of an entry in the order in which they are fielded, without those who declined or left."""
    return list(entry.members.filter(left_at=None).exclude(answer=Member.Answer.DECLINED))


def automatic(kind: str, members: Iterable[Member]) -> str:
    """The name that an entry has by its people: `Okafor / Bell`, or a team's by its captain."""
    players = [one for one in members if one.role == Member.Role.PLAYER]
    if not players:
        return "nobody"
    if kind == Tournament.Kind.TEAM:
        captain = next((one for one in players if one.is_captain), players[0])
        return f"Team {captain.name}"[:LONGEST]
    return " / ".join(one.name for one in players)[:LONGEST]


def is_automatic(entry: Entry, kind: str, members: Iterable[Member]) -> bool:
    """Whether nobody has given the entry a name of its own."""
    name = automatic(kind, members)
    return entry.name in (name, numbered(name, entry.number))


def free(record: Record, name: str, number: int, entry_id: int | None = None) -> str:
    """An automatic name for an entry, with its number behind it where another is called the same."""
    return numbered(name, number) if _is_taken(record, name, entry_id) else name


def check_free(record: Record, name: str, entry_id: int | None = None) -> None:
    """Raise `Refused` where another entry has this name, whatever its capitals."""
    if _is_taken(record, name, entry_id):
        raise Refused("name_taken", gettext("Another entry is called %(name)s.") % {"name": name})


def _is_taken(record: Record, name: str, entry_id: int | None) -> bool:
    # Compared here, since databases fold letters each in their own way.
    others = Entry.objects.filter(tournament=record.tournament).exclude(pk=entry_id or 0)
    return folded(name) in {folded(other) for other in others.values_list("name", flat=True)}


def numbered(name: str, number: int) -> str:
    """A name with an entry's number behind it."""
    mark = f" ({number})"
    return name[: LONGEST - len(mark)] + mark
