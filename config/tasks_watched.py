"""Wrapper of every task: the id of the request that it follows from, log lines, counts, and a report of errors."""

import logging
from contextlib import ExitStack
from time import perf_counter
from typing import Any

from celery import Task, signals

from web.monitoring import counters, error_reporting
from web.monitoring.work_context import Work, current, doing

log = logging.getLogger(__name__)

_HEADER = "request_id"
_OUTCOMES = {"SUCCESS": "done", "FAILURE": "failed"}


def connect() -> None:
    """Listen to Celery."""
    for signal, receiver in (
        (signals.before_task_publish, _hand_on),
        (signals.task_prerun, _begin),
        (signals.task_failure, _fail),
        (signals.task_postrun, _end),
    ):
        signal.connect(receiver, dispatch_uid=f"config.tasks_watched.{receiver.__name__}")


def _hand_on(headers: dict[str, Any], **kwargs: Any) -> None:
    """A task that is queued takes along the id of the request that it follows from."""
    if request_id := current().request_id:
        headers[_HEADER] = request_id


def _begin(task: Task[Any, Any], task_id: str, **kwargs: Any) -> None:
    request: Any = task.request
    request_id = getattr(request, _HEADER, None)
    entered = ExitStack()
    entered.enter_context(doing(Work(request_id or "", task_id=task_id, task=task.name)))
    # On the task's own request, which another thread that runs the same task does not see.
    request.watched = (entered, perf_counter())


def _fail(exception: BaseException, sender: Task[Any, Any], **kwargs: Any) -> None:
    log.error("Task %s failed.", sender.name, exc_info=exception)
    error_reporting.report(exception)


def _end(task: Task[Any, Any], state: str | None = None, **kwargs: Any) -> None:
    request: Any = task.request
    entered, begun = request.watched
    seconds = perf_counter() - begun
    outcome = _OUTCOMES.get(state or "", "other")
    counters.count(counters.TASKS, task.name, outcome)
    counters.took(counters.TASK_SECONDS, seconds, task.name)
    log.info("Task %s: %s", task.name, outcome, extra={"status": outcome, "ms": round(seconds * 1000, 1)})
    entered.close()
