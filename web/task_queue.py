"""Queueing of work after it is saved: a broker that is down is no error."""

from logging import Logger
from typing import Any


def queue(log: Logger, label: str, row_id: int, *tasks: Any) -> None:
    """Queue tasks for a row; if the broker is down, the sweeper finds it. `label` is for the log: `email %s`."""
    try:
        for task in tasks:
            task.delay(row_id)
    except Exception:
        log.warning(f"The broker did not take {label}; the sweeper will.", row_id)
