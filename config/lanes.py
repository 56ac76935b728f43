"""The lanes of background work that this process serves (docs/queues.md)."""

from __future__ import annotations

import os
from typing import Any

from celery import current_app, signals
from django.conf import settings

NICENESS = 5
"""Bots think at a third of the weight of a page, when both want the processor."""


def connect() -> None:
    """Listen to the start of a worker."""
    signals.worker_init.connect(give_way, dispatch_uid="config.lanes")


def served_here() -> list[str]:
    """The lanes that this worker takes tasks from."""
    queues = current_app.amqp.queues.consume_from
    return [lane for lane in settings.LANES if lane in queues]


def give_way(**kwargs: Any) -> None:
    """Let a worker of bots alone leave the processor to pages, the database and clocks."""
    if served_here() == ["bots"]:
        os.nice(NICENESS)
