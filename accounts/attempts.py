"""Counts of attempts: at most so many in a sliding time, by a key that says who is counted together.

An attempt takes one of a limit’s slots, and each slot is free again after its own time. Taking one is a single step in
the shared cache, so that attempts at the same moment cannot pass together. This process counts as well: while the shared
cache is away, limits hold for each process, and no flood of other cached things pushes a count out.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.core.cache.backends.locmem import LocMemCache
from django.utils.crypto import salted_hmac

HERE = LocMemCache("attempts", {"OPTIONS": {"MAX_ENTRIES": 50_000}})
"""Counts of this process."""


@dataclass(frozen=True)
class Limit:
    """At most `most` attempts in `seconds`."""

    name: str
    most: int
    seconds: int


class TooMany(Exception):
    """No attempt is left for so many seconds."""

    def __init__(self, wait: float) -> None:
        super().__init__(wait)
        self.wait = wait


@dataclass(frozen=True)
class Attempt:
    """Slots taken by one attempt."""

    slots: tuple[str, ...]

    def give_back(self) -> None:
        """Count the attempt for nothing, because it succeeded."""
        for slot in self.slots:
            HERE.delete(slot)
            cache.delete(slot)


def take(*counts: tuple[Limit, str]) -> Attempt:
    """Count an attempt for these limits, each with its key. Raises `TooMany`, and counts nothing, if one is used up."""
    slots: list[str] = []
    for limit, key in counts:
        slot = _take_one(limit, key)
        if slot is None:
            Attempt(tuple(slots)).give_back()
            raise TooMany(_wait(limit, key))
        slots.append(slot)
    return Attempt(tuple(slots))


def clear(limit: Limit, key: str) -> None:
    """Forget what was counted for this key."""
    Attempt(tuple(_slots(limit, key))).give_back()


def remember(name: str, key: str, value: Any, seconds: int) -> None:
    """Keep something for so long, next to the counts."""
    for store in (HERE, cache):
        store.set(_name(name, key), value, seconds)


def recall(name: str, key: str) -> Any:
    """What was kept, as the shared cache has it; `None` if nothing was."""
    value = cache.get(_name(name, key))
    return HERE.get(_name(name, key)) if value is None else value


def forget(name: str, key: str) -> None:
    """Keep it no longer."""
    for store in (HERE, cache):
        store.delete(_name(name, key))


def _take_one(limit: Limit, key: str) -> str | None:
    """The slot that was taken, if one was free."""
    free_at = time.time() + limit.seconds
    for slot in _slots(limit, key):
        if HERE.add(slot, free_at, limit.seconds):
            if cache.add(slot, free_at, limit.seconds):
                return slot
            # Another process has taken it, and its time runs there.
            HERE.delete(slot)
    return None


def _wait(limit: Limit, key: str) -> float:
    """Seconds until the first slot is free."""
    times = [at for slot in _slots(limit, key) if (at := cache.get(slot) or HERE.get(slot)) is not None]
    return max(1.0, min(times, default=0.0) - time.time())


def _slots(limit: Limit, key: str) -> list[str]:
    name = _name(limit.name, key)
    return [f"{name}:{number}" for number in range(limit.most)]


def _name(name: str, key: str) -> str:
    """A key of the cache, which names no address and no account."""
    return f"attempt:{name}:{salted_hmac('accounts.attempts', key, algorithm='sha256').hexdigest()}"
