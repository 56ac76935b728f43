"""Photographs of paper score sheets: access, and those of redrawn matches."""

from typing import IO

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.utils.translation import gettext

from accounts.models import User
from gameplay.models import SheetPhoto
from gameplay.score_sheets import photo_services
from tournaments.models import Pairing
from tournaments.score_sheets import services as score_sheets
from web.errors import NotAllowed, Refused

PREFIX = "match:"


def of(pairing: Pairing) -> QuerySet[SheetPhoto]:
    """The photographs of a match, without their pictures."""
    return photo_services.of(_ref(pairing))


def image(pairing: Pairing, slug: str) -> bytes | None:
    """A photograph as JPEG, or `None` if the match has no such one."""
    return photo_services.image(_ref(pairing), slug)


def add(pairing: Pairing, file: IO[bytes] | None, *, by: User | None) -> SheetPhoto:
    """Attach a photograph of the paper sheet. Raises `Refused`. Sent twice it is kept once."""
    if pairing.is_online or any(place.entry_id is None for place in pairing.places.all()):
        raise Refused("no_paper", gettext("This match is not played at a real table."), field="photo")
    return photo_services.add(_ref(pairing), file, by=by)


def remove(pairing: Pairing, slug: str) -> None:
    """Take a photograph away. Twice is harmless."""
    photo_services.remove(_ref(pairing), slug)


def _plays(pairing: Pairing, player: User) -> bool:
    """Whether someone plays this match."""
    try:
        return score_sheets.entry_for(score_sheets.read(pairing), player) is not None
    except Refused:
        return False


def may(pairing: Pairing, player: User | AnonymousUser, *, is_organiser: bool) -> bool:
    """Whether someone may attach and remove photographs: players of the match and organisers."""
    if pairing.is_online or not isinstance(player, User) or player.is_guest:
        return False
    return is_organiser or _plays(pairing, player)


def check(pairing: Pairing, player: User, *, is_organiser: bool) -> None:
    """Raise `NotAllowed` unless this person may attach photographs."""
    if not may(pairing, player, is_organiser=is_organiser):
        raise NotAllowed("not_yours", gettext("Only players in this match or an organiser can do that."))


def _ref(pairing: Pairing) -> str:
    return f"{PREFIX}{pairing.pk}"
