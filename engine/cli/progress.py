"""A progress bar on standard error, where that is a terminal; elsewhere nothing at all."""

from __future__ import annotations

import sys
import time
from types import TracebackType

_WIDTH = 30
_EVERY = 0.1
"""Seconds between two drawings."""


class Progress:
    """`with Progress("Playing", 200) as progress: progress.update(done)`."""

    def __init__(self, what: str, total: int) -> None:
        self.what, self.total = what, max(total, 1)
        self.shows = sys.stderr is not None and sys.stderr.isatty()
        self.began = time.monotonic()
        self._next = 0.0

    def __enter__(self) -> Progress:
        self.update(0)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.shows:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def update(self, done: int) -> None:
        """Say how much is done now."""
        now = time.monotonic()
        if not self.shows or (now < self._next and done < self.total):
            return
        self._next = now + _EVERY
        sys.stderr.write(f"\r{bar(self.what, done, self.total, now - self.began)}\x1b[K")
        sys.stderr.flush()


def bar(what: str, done: int, total: int, seconds: float) -> str:
    """One line: what, a bar, how many of how many, and how long it may still take."""
    done = min(done, total)
    filled = _WIDTH * done // total
    left = _clock(seconds * (total - done) / done) + " left" if done else "…"
    return f"{what} [{'#' * filled}{'.' * (_WIDTH - filled)}] {done}/{total} {left}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"
