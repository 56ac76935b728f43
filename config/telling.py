"""Heartbeats of each process: workers and the clock always, web processes if there is a /metrics to fill.

A worker and a web process report from a thread of their own; the clock reports when it has queued a task, so that
one that hangs falls silent.
"""

import logging
import os
import secrets
from collections.abc import Iterable
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any

from celery import signals
from django.conf import settings
from django.core.signals import request_started
from django.db import connections

from config import lanes
from web.monitoring import counters

log = logging.getLogger(__name__)

EVERY = 15.0
"""Seconds."""


class Teller:
    """Reports this process. A fork of it is another process."""

    def __init__(self, role: str, served: Iterable[str] = ()) -> None:
        self.role, self.key, self.pid, self.lanes = role, secrets.token_hex(8), os.getpid(), served
        self.told_at = -EVERY
        """By the monotonic clock."""

    def tell(self) -> None:
        """Report now. If the database is away, the counts are kept for the next time."""
        from gameplay.monitoring import heartbeats  # the models are not there yet when this module is read

        counts = counters.take_counts() if settings.METRICS_TOKEN else {}
        try:
            heartbeats.tell(self.key, self.role, counters.streams(), counts, self.lanes)
        except Exception as error:
            counters.return_counts(counts)
            log.warning("This process could not tell that it is there: %s", type(error).__name__)
        finally:
            connections.close_all()

    def tell_if_due(self) -> None:
        """Tell, unless it was told a moment ago."""
        if monotonic() - self.told_at >= EVERY:
            self.told_at = monotonic()
            self.tell()

    def tell_on(self) -> None:
        """Tell again and again, from a thread that ends with the process."""
        Thread(target=self._tell_on, name="telling", daemon=True).start()

    def _tell_on(self) -> None:
        while True:
            self.tell()
            sleep(EVERY)


_begun: list[Teller] = []
_lock = Lock()


def begin(role: str, served: Iterable[str] = ()) -> None:
    """Start reporting from this process; a second call does nothing."""
    with _lock:
        if not any(teller.pid == os.getpid() for teller in _begun):
            _begun.append(Teller(role, served))
            _begun[-1].tell_on()


def connect() -> None:
    """Begin with the worker, each of its child processes, and the clock."""
    signals.worker_ready.connect(_begin_worker, dispatch_uid="config.telling.worker")
    signals.worker_process_init.connect(_begin_worker, dispatch_uid="config.telling.worker_process")
    signals.beat_init.connect(_begin_clock, dispatch_uid="config.telling.clock")


def connect_web() -> None:
    """Begin with the first request: a server may have forked before it."""
    request_started.connect(_begin_web, dispatch_uid="config.telling.web")


def _begin_worker(**kwargs: Any) -> None:
    begin("worker", lanes.served_here())


def _begin_clock(**kwargs: Any) -> None:
    teller = Teller("clock")
    signals.after_task_publish.connect(lambda **kwargs: teller.tell_if_due(), weak=False)


def _begin_web(**kwargs: Any) -> None:
    request_started.disconnect(dispatch_uid="config.telling.web")
    if settings.METRICS_TOKEN:
        begin("web")
