"""Who has used much of something scarce of late, and whether others want it too. Nothing here locks: its users do."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass

HALF_LIFE = 10.0
"""Seconds after which half of what somebody used is forgotten."""
MOST_KNOWN = 4096


@dataclass
class _Use:
    seconds: float
    at: float
    is_busy: bool = False


class RecentUse:
    """Seconds that each user has used of late.

    `busy` seconds make a user busy, and one with less than `calm` is like others again. There is time to spare while all
    who are not busy have used less than `spare` seconds together.
    """

    def __init__(self, *, busy: float, calm: float, spare: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._busy, self._calm, self._spare, self._clock = busy, calm, spare, clock
        self._uses: dict[Hashable, _Use] = {}
        self._others = _Use(0.0, clock())

    def seconds(self, user: Hashable) -> float:
        """What counts of a user's use now."""
        return self._use(user).seconds

    def is_busy(self, user: Hashable) -> bool:
        """Whether a user has used much."""
        return self._use(user).is_busy

    def has_spare(self) -> bool:
        """Whether those who are not busy have used so little that the rest may have what it wants."""
        self._decay(self._others)
        return self._others.seconds < self._spare

    def add(self, user: Hashable, seconds: float) -> None:
        """Count what a user has used."""
        use = self._use(user)
        use.seconds += seconds
        self._count_with_others(0.0 if use.is_busy else seconds)
        self._judge(use)

    def _use(self, user: Hashable) -> _Use:
        use = self._uses.get(user)
        if use is None:
            if len(self._uses) >= MOST_KNOWN:
                self._forget()
            use = self._uses[user] = _Use(0.0, self._clock())
        self._decay(use)
        self._judge(use)
        return use

    def _decay(self, use: _Use) -> None:
        now = self._clock()
        use.seconds *= 0.5 ** ((now - use.at) / HALF_LIFE)
        use.at = now

    def _judge(self, use: _Use) -> None:
        was_busy, use.is_busy = use.is_busy, use.seconds > (self._calm if use.is_busy else self._busy)
        if use.is_busy != was_busy:
            self._count_with_others(-use.seconds if use.is_busy else use.seconds)

    def _count_with_others(self, seconds: float) -> None:
        self._decay(self._others)
        self._others.seconds += seconds

    def _forget(self) -> None:
        """Drop half of the users, those who used least."""
        by_use = sorted(self._uses, key=self.seconds)
        for user in by_use[: MOST_KNOWN // 2]:
            del self._uses[user]
        self._others = _Use(sum(use.seconds for use in self._uses.values() if not use.is_busy), self._clock())
