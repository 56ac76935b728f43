"""The secret addresses of places, as they are stored."""

from collections.abc import Mapping

from clubs.models import NewsAddress, NewsPlace
from web.channels.interface import Where
from web.channels.sealing import seal, unseal

_PURPOSE = b"news place"


def store(place: NewsPlace, where: Mapping[str, str]) -> None:
    """Store the address of a place, encrypted, instead of the one before."""
    NewsAddress.objects.update_or_create(place=place, defaults={"sealed": seal(_PURPOSE, where)})


def read(place: NewsPlace) -> Where | None:
    """The address of a place; `None` if it was deleted, or SECRET_KEY has changed since."""
    row = NewsAddress.objects.filter(place=place).first()
    return unseal(_PURPOSE, row.sealed) if row is not None else None
