"""Reports of uncaught errors: a function of the operator is called with anonymous details.

`ERROR_HOOK` names the function. It is given a `Report`, in the thread in which the error was raised, so it should be
quick; errors that it raises are logged and do no harm.
"""

import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.signals import got_request_exception
from django.utils.module_loading import import_string

from web.monitoring.logs import chain_of, kind_of, method_of, stack_of
from web.monitoring.work_context import current

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Report:
    """An error without its words and without any value: those could be cards, addresses or tokens."""

    kind: str
    """The class of the error, with its module."""
    stack: tuple[str, ...]
    """Its place, the outermost first, such as `gameplay/views/table.py:33 in build`."""
    causes: tuple[str, ...]
    """The classes of the errors that it came of, the first one first."""
    request_id: str
    """Of the request, or of that which queued the task; the page of an error names it as its reference."""
    route: str
    method: str
    task: str
    task_id: str


def report(error: BaseException) -> None:
    """Report an error, if the settings name a hook."""
    if not settings.ERROR_HOOK:
        return
    try:
        hook: Callable[[Report], object] = import_string(settings.ERROR_HOOK)
        hook(report_of(error))
    except Exception as trouble:
        log.error("The error hook failed: %s", kind_of(trouble))


def report_of(error: BaseException) -> Report:
    """The report of an error raised in the current work."""
    work = current()
    *causes, last = chain_of(error)
    return Report(
        kind=kind_of(last),
        stack=tuple(stack_of(last)),
        causes=tuple(kind_of(each) for each in causes),
        request_id=work.request_id,
        route=work.route,
        method="" if work.request is None else method_of(work.request.method),
        task=work.task,
        task_id=work.task_id,
    )


def connect() -> None:
    """Report errors raised while pages are made."""
    got_request_exception.connect(_of_request, dispatch_uid="web.monitoring.error_reporting")


def _of_request(**kwargs: Any) -> None:
    error = sys.exception()
    if error is not None:
        report(error)
