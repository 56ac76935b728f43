"""Who plays a match: the members of an entry that are fielded, and the seats they take at a table."""

from __future__ import annotations

from django.utils.translation import gettext

from accounts.models import User
from tournaments.models import Entry, Member, Pairing, Place
from tournaments.plan import Plan
from web.errors import Refused
from web.text import joined


def side_size(pairing: Pairing) -> int:
    """How many people play for each entry of a match."""
    stage = pairing.round.stage
    return 1 if Plan.read(stage.plan_json).has_partners else stage.tournament.side_size


def places_of(pairing: Pairing) -> list[Place]:
    """The places of a match in order, with entries, members and their accounts: a fixed number of queries."""
    return list(pairing.places.select_related("entry").prefetch_related("entry__members__user"))


def accepted(entry: Entry) -> list[Member]:
    """The people of an entry, players before reserves, each in the order they are fielded."""
    members = [one for one in entry.members.all() if one.left_at is None and one.answer == Member.Answer.ACCEPTED]
    return sorted(members, key=lambda one: (one.role == Member.Role.RESERVE, one.position, one.pk))


def fielded(place: Place, size: int) -> list[Member]:
    """Who plays for an entry: those named for this match, else its first ones; for who has left, who came instead."""
    if place.entry is None:
        return []
    known = {one.pk: one for one in place.entry.members.all()}
    free, named = accepted(place.entry), [known[pk] for pk in place.players if pk in known]
    chosen: list[Member] = []
    for one in named[:size]:
        if one not in free:
            heirs = [other for other in free if other.position == one.position and other not in named]
            one = heirs[0] if heirs else one
        if one in free:
            chosen.append(one)
            free.remove(one)
    return [*chosen, *free][:size]


def sides_of(places: list[Place]) -> list[int]:
    """The sides of a match in order: side n of this list is team n of its table."""
    return sorted({place.side for place in places})


def seats_of(pairing: Pairing, places: list[Place]) -> list[Member]:
    """Who sits where: member i of side s of S sides in seat i*S + s, so that partners alternate with opponents.

    Raises `Refused` where the sides are not of one size.
    """
    size, sides = side_size(pairing), sides_of(places)
    people = [[one for place in places if place.side == side for one in fielded(place, size)] for side in sides]
    wanted = max(size * sum(place.side == side for place in places) for side in sides)
    for side, members in zip(sides, people, strict=True):
        if len(members) < wanted:
            names = joined(str(place.entry) for place in places if place.side == side)
            raise Refused("short_side", gettext("%(names)s has too few players for this match.") % {"names": names})
    return [people[number % len(sides)][number // len(sides)] for number in range(wanted * len(sides))]


def account_of(member: Member) -> User | None:
    """The account that the person can play with here; `None` without one."""
    return member.user if member.user is not None and member.user.is_active else None


def players_of(pairing: Pairing, places: list[Place]) -> dict[int, Place]:
    """Everybody with an account who may play a match, by id, and for which place.

    At an online table, or where an entry has named them, those who are fielded; else the whole entry.
    """
    size = side_size(pairing)
    found: dict[int, Place] = {}
    for place in places:
        if place.entry is None:
            continue
        is_chosen = pairing.is_online or place.players
        for member in fielded(place, size) if is_chosen else accepted(place.entry):
            user = account_of(member)
            if user is not None:
                found[user.pk] = place
    return found
