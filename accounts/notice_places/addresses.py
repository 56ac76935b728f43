"""The secret addresses of places, as they are stored."""

from collections.abc import Mapping

from accounts.models import NoticePlace
from web.channels.interface import Where
from web.channels.sealing import seal as seal_for
from web.channels.sealing import unseal

_PURPOSE = b"notice place"


def seal(where: Mapping[str, str]) -> str:
    """An address, encrypted."""
    return seal_for(_PURPOSE, where)


def read(place: NoticePlace) -> Where | None:
    """The address of a place; `None` if SECRET_KEY has changed since."""
    return unseal(_PURPOSE, place.sealed)
