"""The secret addresses of places, as they are stored."""

import json
from collections.abc import Mapping

from cryptography.fernet import InvalidToken

from clubs.models import NewsAddress, NewsPlace
from web.channels.interface import Where
from web.ciphers import cipher

_PURPOSE = b"news place"


def store(place: NewsPlace, where: Mapping[str, str]) -> None:
    """Store the address of a place, encrypted, instead of the one before."""
    sealed = cipher(_PURPOSE).encrypt(json.dumps(dict(where)).encode()).decode()
    NewsAddress.objects.update_or_create(place=place, defaults={"sealed": sealed})


def read(place: NewsPlace) -> Where | None:
    """The address of a place; `None` if it was deleted, or SECRET_KEY has changed since."""
    row = NewsAddress.objects.filter(place=place).first()
    if row is None:
        return None
    try:
        where: dict[str, str] = json.loads(cipher(_PURPOSE).decrypt(row.sealed.encode()))
    except InvalidToken:
        return None
    return where
