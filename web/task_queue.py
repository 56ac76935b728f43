"""Handing work to the worker, where a broker that is down must not turn into an error what is saved already."""

from __future__ import annotations

from logging import Logger
from typing import Any


def queue(log: Logger, what: str, row_id: int, *tasks: Any) -> None:
    """Queue tasks for a row; if the broker is down, the sweeper finds it. `what` names it in the log: `letter %s`."""
    try:
        for task in tasks:
            task.delay(row_id)
    except Exception:
        log.warning(f"The broker did not take {what}; the sweeper will.", row_id)
