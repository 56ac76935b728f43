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

    def __init__(self, label: str, total: int) -> None:
        self.label, self.total = label, max(total, 1)
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

    def update(self, count: int) -> None:
        """Say how much is done now."""
        now = time.monotonic()
        if not self.shows or (now < self._next and count < self.total):
            return
        self._next = now + _EVERY
        sys.stderr.write(f"\r{bar(self.label, count, self.total, now - self.began)}\x1b[K")
        sys.stderr.flush()


def bar(label: str, count: int, total: int, seconds: float) -> str:
    """A line: the label, a bar, the count of the total, and the time left."""
    count = min(count, total)
    filled = _WIDTH * count // total
    remaining = _clock(seconds * (total - count) / count) + " left" if count else "…"
    return f"{label} [{'#' * filled}{'.' * (_WIDTH - filled)}] {count}/{total} {remaining}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"
