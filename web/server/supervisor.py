"""A few processes run as one: started together, restarted when one dies, and all ended when this one does."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

log = logging.getLogger(__name__)

STOP_SECONDS = 3.5
"""Time for the processes to end their work; the rest is killed."""
STEADY_SECONDS = 20
"""Processes that lived that long are restarted at once; others later each time."""
LONGEST_WAIT = 30
LOOK_SECONDS = 0.1
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass
class Child:
    """A process to keep alive: `python -m` with these arguments, in a process group of its own."""

    name: str
    arguments: Sequence[str]
    descriptors: tuple[int, ...] = ()
    """Open files it inherits."""
    process: subprocess.Popen[bytes] | None = None
    begun_at: float = 0
    """By the monotonic clock, as `due_at`, the time of its next start."""
    due_at: float = 0
    deaths: int = 0
    """In a row, each soon after its start."""

    def start(self, lifeline: int) -> None:
        command = [sys.executable, "-m", "web.server.parent_watchdog", str(lifeline), *self.arguments]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            pass_fds=(lifeline, *self.descriptors),
            process_group=0,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self.begun_at = time.monotonic()

    def bury(self) -> None:
        """Note a death and the time of the restart; kill the rest of the process group."""
        if self.process is None:
            return
        self.send(signal.SIGKILL)
        now = time.monotonic()
        self.deaths = 0 if now - self.begun_at > STEADY_SECONDS else self.deaths + 1
        wait = min(LONGEST_WAIT, 2 ** (self.deaths - 2)) if self.deaths else 0
        log.error("%s ended (%s); starting it again in %s s.", self.name, self.process.returncode, wait)
        self.due_at = now + wait
        self.process = None

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the whole group."""
        if self.process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, number)

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None


class Supervisor:
    """Keeps its children alive. Use it as a context: within it a signal to end is a KeyboardInterrupt, and leaving it
    ends the children in any case."""

    def __init__(self) -> None:
        self.children: list[Child] = []
        self._lifeline, self._held = os.pipe()

    def add(self, child: Child) -> None:
        """Start a child and keep it alive from now on."""
        self.children.append(child)
        child.start(self._lifeline)

    def run(self) -> None:
        """Watch over the children until a signal ends it."""
        while True:
            for child in self.children:
                self._look_after(child)
            time.sleep(LOOK_SECONDS)

    def _look_after(self, child: Child) -> None:
        if child.is_running:
            return
        child.bury()
        if time.monotonic() >= child.due_at:
            child.start(self._lifeline)

    def __enter__(self) -> Supervisor:
        for number in ENDINGS:
            signal.signal(number, signal.default_int_handler)
        return self

    def __exit__(self, *exception: object) -> None:
        """End all children, kindly first. Another Ctrl-C does not shorten it: it is short."""
        for number in ENDINGS:
            signal.signal(number, signal.SIG_IGN)
        for child in self.children:
            child.send(signal.SIGTERM)
        patience = time.monotonic() + STOP_SECONDS
        while any(child.is_running for child in self.children) and time.monotonic() < patience:
            time.sleep(LOOK_SECONDS / 2)
        for child in self.children:
            child.send(signal.SIGKILL)
            if child.process is not None:
                child.process.wait()
        os.close(self._held)
        os.close(self._lifeline)
