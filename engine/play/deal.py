"""Fair deals: a secret key, its commitment, and the order of cards that follows from the key.

The key is 256 bits from the operating system. Its SHA-256 is the commitment, shown before the deal; the key itself
is shown when the deal is over. The order is a Fisher-Yates shuffle whose numbers come from HMAC-SHA-256 of the key,
with rejection sampling, so that every order is equally likely. `docs/fair-deals.md` says it for players and holds a
checker that shares no code with this module.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import struct
from collections.abc import Iterator

from engine.errors import BadInput
from engine.play.cards import Cards
from engine.words import say

KEY_BYTES = 32
MAX_PHRASE = 200
"""Characters that a player's phrase may have."""


def new_key() -> bytes:
    """A fresh key from the operating system."""
    return secrets.token_bytes(KEY_BYTES)


def commitment(key: bytes) -> str:
    """Commitment to a key, shown before the deal: its SHA-256 in hexadecimal."""
    return hashlib.sha256(key).hexdigest()


def read_key(text: object) -> bytes:
    """A key from its 64 hexadecimal digits."""
    if not isinstance(text, str) or len(text) != 2 * KEY_BYTES or set(text.lower()) - set("0123456789abcdef"):
        raise BadInput(say("A key is written as 64 hexadecimal digits."))
    return bytes.fromhex(text)


def check_phrases(phrases: tuple[str, ...], seats: int) -> tuple[str, ...]:
    """The players' phrases, one a seat; an empty one where a player gave none."""
    padded = phrases or ("",) * seats
    if len(padded) != seats or any(not isinstance(phrase, str) for phrase in padded):
        raise BadInput(say("There must be one phrase for each of the %(seats)s seats.", seats=seats))
    for phrase in padded:
        if len(phrase) > MAX_PHRASE or not phrase.isprintable():
            raise BadInput(
                say("A phrase is at most %(max_phrase)s printable characters on one line.", max_phrase=MAX_PHRASE)
            )
        try:
            phrase.encode()
        except UnicodeEncodeError:
            raise BadInput(say("A phrase must be text that can be written as UTF-8.")) from None
    return padded


def deal_seed(key: bytes, phrases: tuple[str, ...]) -> bytes:
    """Seed of a deal: the key with the players' phrases, by seat, one a line, mixed in."""
    if len(key) != KEY_BYTES:
        raise BadInput(say("A key has %(key_bytes)s bytes, not %(count)s.", key_bytes=KEY_BYTES, count=len(key)))
    return hmac.digest(key, "\n".join(phrases).encode(), "sha256")


def numbers(seed: bytes, label: str) -> Iterator[int]:
    """Endless uniform 32-bit numbers: HMAC-SHA-256 of the seed over `label/0`, `label/1`, …, eight numbers a block."""
    keyed = hmac.new(seed, digestmod="sha256")
    block = 0
    while True:
        code = keyed.copy()
        code.update(f"{label}/{block}".encode())
        yield from _EIGHT_NUMBERS.unpack(code.digest())
        block += 1


def shuffle(cards: Cards, seed: bytes, label: str = "deal") -> Cards:
    """The cards in the order that the seed gives: Fisher-Yates from the last place down to the second."""
    order = bytearray(cards)
    stream = numbers(seed, label)
    surely_fair = 2**32 - len(order)  # below it no number has to be thrown away, however many places there are
    for last, number in zip(range(len(order) - 1, 0, -1), stream, strict=False):
        places = last + 1
        while number >= surely_fair and number >= 2**32 - 2**32 % places:
            number = next(stream)
        place = number % places
        order[last], order[place] = order[place], order[last]
    return bytes(order)


def reshuffled(seed: bytes | None, count: int, cards: Cards) -> Cards:
    """The cards of the pile as the `count`-th reshuffle of the deal orders them.

    A position given by hand has no seed; its reshuffles use one of zeros.
    """
    return shuffle(bytes(sorted(cards)), seed or bytes(KEY_BYTES), f"reshuffle {count}")


_EIGHT_NUMBERS = struct.Struct(">8I")
