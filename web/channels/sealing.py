"""The secret addresses of places, as they are stored: encrypted, for one purpose."""

import json
from collections.abc import Mapping

from cryptography.fernet import InvalidToken

from web.channels.interface import Where
from web.ciphers import cipher


def seal(purpose: bytes, where: Mapping[str, str]) -> str:
    """The parts of an address as JSON, encrypted."""
    return cipher(purpose).encrypt(json.dumps(dict(where)).encode()).decode()


def unseal(purpose: bytes, sealed: str) -> Where | None:
    """The parts again; `None` if SECRET_KEY has changed since."""
    try:
        where: dict[str, str] = json.loads(cipher(purpose).decrypt(sealed.encode()))
    except InvalidToken:
        return None
    return where


def ending(where: Where) -> str:
    """The last signs of the part that tells one address from another, which are shown."""
    return (where.get("token") or where.get("topic") or where.get("url", ""))[-4:]


def is_same(where: Where | None, other: Where | None) -> bool:
    """Whether two addresses lead to one place, whatever secret we made for each."""
    return _without_secret(where) == _without_secret(other)


def _without_secret(where: Where | None) -> dict[str, str]:
    return {name: part for name, part in (where or {}).items() if name != "secret"}
