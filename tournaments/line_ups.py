"""Line-ups: who was named to play a match, and from when on everyone sees it.

Line-ups are shown once every side has named one, or once the match has begun. From then on only organisers change them,
so that nobody names theirs after a look at the other side's.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

from django.db.models import prefetch_related_objects
from django.utils.translation import gettext

from tournaments import seating
from tournaments.models import Pairing, Place
from tournaments.stage_state import has_begun
from web.errors import Refused

StartOf = Callable[[Pairing], datetime | None]
_sources: list[StartOf] = []


def register(start_of: StartOf) -> None:
    """Add a source of starts of matches without their own, such as a season whose matchdays have a time of day."""
    _sources.append(start_of)


def start_of(pairing: Pairing) -> datetime | None:
    """When a match starts: as agreed, or as what it is played for says. Only matches of a circle ask for that."""
    if pairing.starts_at is not None or pairing.round.starts_at is None or not pairing.round.stage.tournament.circle:
        return pairing.starts_at
    return next((at for source in _sources if (at := source(pairing)) is not None), None)


def is_closed(pairing: Pairing, starts_at: datetime | None, now: datetime) -> bool:
    """Whether a match has begun, by its start or by what was played, or is over."""
    return not pairing.is_open or has_begun(pairing) or (starts_at is not None and starts_at <= now)


def are_public(pairing: Pairing, places: Sequence[Place], starts_at: datetime | None, now: datetime) -> bool:
    """Whether everyone sees the line-ups of a match."""
    return all(place.players for place in places) or is_closed(pairing, starts_at, now)


def check_captain(
    pairing: Pairing, places: Sequence[Place], starts_at: datetime | None, now: datetime, *, name: str
) -> None:
    """Raise `Refused` (field `members`) if only organisers change the line-ups of a match: everyone sees them."""
    if is_closed(pairing, starts_at, now):
        raise Refused(
            "has_begun",
            gettext("%(match)s has already started. Ask an organiser to change the line-up.") % {"match": name},
            field="members",
        )
    if are_public(pairing, places, starts_at, now):
        raise Refused(
            "both_named", gettext("Both sides have chosen. Ask an organiser to change the line-up."), field="members"
        )


def names_of(pairing: Pairing, place: Place) -> list[str]:
    """Names of the people who were named to play for a side; empty if nobody was. The members of its entry are loaded.

    While the match is open, those who have left the entry since are replaced, as at the table.
    """
    if not place.players or place.entry is None:
        return []
    if pairing.is_open:
        return [member.name for member in seating.fielded(place, seating.side_size(pairing))]
    by_id = {member.pk: member for member in place.entry.members.all()}
    return [by_id[pk].name for pk in place.players if pk in by_id]


def shown(
    pairing: Pairing, places: Sequence[Place], starts_at: datetime | None, now: datetime
) -> list[tuple[str, list[str]]]:
    """The line-ups of a match that everyone sees, as names of sides and of their players: one query, or none."""
    if not any(place.players for place in places) or not are_public(pairing, places, starts_at, now):
        return []
    prefetch_related_objects(list(places), "entry__members")
    return [(str(place.entry), names) for place in places if (names := names_of(pairing, place))]
