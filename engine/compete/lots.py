"""Lots drawn in public: a secret with a commitment that everyone can see before, and a key for each draw.

The commitment is the secret hashed `LENGTH` times with SHA-256. The key of draw number n is the secret hashed
`LENGTH` − n times: whoever hashes it n times gets the commitment, and nobody can work out the key of a later draw
from it. The entries of a draw are in the order of SHA-256 of the key and their number.
"""

from __future__ import annotations

import hashlib
import secrets
from functools import lru_cache
from typing import Final

LENGTH: Final = 1000
"""The most draws of one secret."""


def new_secret() -> str:
    """A fresh secret from the operating system, 64 hexadecimal digits."""
    return secrets.token_hex(32)


@lru_cache(maxsize=1024)
def _hashed(digits: str, times: int) -> str:
    value = bytes.fromhex(digits)
    for _ in range(times):
        value = hashlib.sha256(value).digest()
    return value.hex()


def commitment(secret: str) -> str:
    """The commitment to a secret, to be shown before the first draw."""
    return _hashed(secret, LENGTH)


def key(secret: str, number: int) -> str:
    """The key of a draw, from 1 to `LENGTH`, to be shown once it is drawn."""
    if not 1 <= number <= LENGTH:
        raise ValueError(f"There is no draw {number}.")
    return _hashed(secret, LENGTH - number)


def fits(key: str, number: int, committed: str) -> bool:
    """Whether the key of a draw is the one that was committed to."""
    return _hashed(key, number) == committed


def place(key: str, entry: int) -> str:
    """The value by which an entry takes its place in a draw, the lowest first."""
    return hashlib.sha256(f"{key}:{entry}".encode()).hexdigest()
