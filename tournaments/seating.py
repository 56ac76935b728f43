"""Players of a match: the members fielded by an entry, and their seats."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from django.utils.translation import gettext

from accounts.models import User
from tournaments.models import Entry, Member, Pairing, Place
from tournaments.plan import Plan
from web.errors import Refused
from web.text import joined

ResultRow = TypeVar("ResultRow", bound=Mapping[str, Any])


def side_size(pairing: Pairing) -> int:
    """Number of people who play for each entry of a match."""
    stage = pairing.round.stage
    return 1 if Plan.read(stage.plan_json).has_partners else stage.tournament.side_size


def places_of(pairing: Pairing) -> list[Place]:
    """The places of a match in order, with entries, members and their accounts: a fixed number of queries."""
    return list(pairing.places.select_related("entry").prefetch_related("entry__members__user"))


def accepted(entry: Entry) -> list[Member]:
    """The people of an entry, players before reserves, each in the order they are fielded."""
    members = [each for each in entry.members.all() if each.left_at is None and each.answer == Member.Answer.ACCEPTED]
    return sorted(members, key=lambda each: (each.role == Member.Role.RESERVE, each.position, each.pk))


def fielded(place: Place, size: int) -> list[Member]:
    """Members who play for an entry: chosen for this match, else its first ones; replacements for those who left."""
    if place.entry is None:
        return []
    by_id = {member.pk: member for member in place.entry.members.all()}
    free, chosen_first = accepted(place.entry), [by_id[pk] for pk in place.players if pk in by_id]
    chosen: list[Member] = []
    for member in chosen_first[:size]:
        if member not in free:
            heirs = [other for other in free if other.position == member.position and other not in chosen_first]
            member = heirs[0] if heirs else member
        if member in free:
            chosen.append(member)
            free.remove(member)
    return [*chosen, *free][:size]


def sides_of(places: Iterable[Place]) -> list[int]:
    """The sides of a match in order: side n of this list is team n of its table."""
    return sorted({place.side for place in places})


def by_side(places: Iterable[Place]) -> list[list[Place]]:
    """The places of each side, in order."""
    rows = list(places)
    return [[place for place in rows if place.side == side] for side in sides_of(rows)]


def names_by_side(places: Iterable[Place]) -> tuple[str, ...]:
    """The name of each side, partners of one match together: `Ann / Ben`."""
    return tuple(" / ".join(str(place.entry or "?") for place in side) for side in by_side(places))


def side_names(places: Iterable[Place]) -> str:
    """The names of all sides: `Ann / Ben – Cleo / Dan`."""
    return " – ".join(names_by_side(places))


def one_of_each_side(lines: Sequence[ResultRow], places: Iterable[Place]) -> list[ResultRow]:
    """One line of a result for each side: partners of one match have the same score."""
    sides = {place.entry_id: place.side for place in places}
    by_side: dict[object, ResultRow] = {}
    for at, line in enumerate(lines):
        by_side.setdefault(sides.get(line.get("entry"), f"line {at}"), line)
    return list(by_side.values())


def seats_of(pairing: Pairing, places: list[Place]) -> list[Member]:
    """Members by seat: member i of side s of S sides in seat i*S + s, so that partners alternate with opponents.

    Raises `Refused` if the sides differ in size.
    """
    size, sides = side_size(pairing), sides_of(places)
    people = [[member for place in places if place.side == side for member in fielded(place, size)] for side in sides]
    needed = max(size * sum(place.side == side for place in places) for side in sides)
    for side, members in zip(sides, people, strict=True):
        if len(members) < needed:
            names = joined(str(place.entry) for place in places if place.side == side)
            raise Refused("short_side", gettext("%(names)s has too few players for this match.") % {"names": names})
    return [people[number % len(sides)][number // len(sides)] for number in range(needed * len(sides))]


def account_of(member: Member) -> User | None:
    """The account that the person can play with here; `None` without one."""
    return member.user if member.user is not None and member.user.is_active else None


def players_of(pairing: Pairing, places: list[Place]) -> dict[int, Place]:
    """Places of everyone with an account who may play a match, by id.

    At an online table, or if an entry has chosen members, only those fielded; else the whole entry.
    """
    size = side_size(pairing)
    places_by_user: dict[int, Place] = {}
    for place in places:
        if place.entry is None:
            continue
        is_chosen = pairing.is_online or place.players
        for member in fielded(place, size) if is_chosen else accepted(place.entry):
            user = account_of(member)
            if user is not None:
                places_by_user[user.pk] = place
    return places_by_user
