"""Format of log lines: text or JSON, with their request or task, and without secrets.

Cards, addresses and tokens are not logged in the first place. Those in the words of a library or of an error are
masked here: an error is logged by its kind and its place in the code, because its words could hold anything.
"""

import copy
import json
import logging
import re
import traceback
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from web.monitoring.work_context import current, route_of

_MASKS = [
    (re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s\"'<>]+", re.IGNORECASE), "(address)"),
    (re.compile(r"(?:[^\s@<>()\[\]{}'\",;:]|(?<=\w)'(?=\w))+@[^\s@<>()\[\]{}'\",;:]+"), "(address)"),
    (re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b"), "(address)"),
    (
        re.compile(r"(?<![\w:.])(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{0,4}(?![\w:])|(?<![\w:.])::[0-9a-f:]+", re.I),
        "(address)",
    ),
    # Long words, except those of letters and underscores alone, such as the names of code.
    (re.compile(r"(?<![\w-])(?=[\w-]*\d)[\w-]{16,}(?![\w-])|(?<![\w-])[\w-]{40,}(?![\w-])"), "(token)"),
    (re.compile(r"\b(?:[2-9TJQKA][cdhs]|X[rb])\b"), "(card)"),
]


def masked(text: str) -> str:
    """A text without what looks like an address, a token or a card."""
    for pattern, instead in _MASKS:
        text = pattern.sub(instead, text)
    return text


def message_of(record: logging.LogRecord) -> str:
    """The words of a record, masked; a path, which may hold a token, is the pattern that it was found by."""
    request, arguments = getattr(record, "request", None), record.args
    if isinstance(request, HttpRequest) and isinstance(arguments, tuple):
        record = copy.copy(record)
        # Django writes what is no ASCII of a path as escapes.
        written = (request.path, request.path.encode("unicode_escape").decode())
        record.args = tuple((route_of(request) or "(no page)") if each in written else each for each in arguments)
    return masked(record.getMessage())


def stack_of(error: BaseException) -> list[str]:
    """The place of an error, the outermost first: file, line and function, without any value."""
    frames = traceback.extract_tb(error.__traceback__)
    root = f"{settings.BASE_DIR}/"
    return [f"{frame.filename.removeprefix(root)}:{frame.lineno} in {frame.name}" for frame in frames]


def kind_of(error: BaseException) -> str:
    """The class of an error with its module."""
    kind = type(error)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def chain_of(error: BaseException | None) -> list[BaseException]:
    """An error and its causes, the first cause first."""
    chain: list[BaseException] = []
    while error is not None and error not in chain:
        chain.insert(0, error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return chain


class Text(logging.Formatter):
    """Lines for people, with the id of the request, and the place of an error below."""

    def format(self, record: logging.LogRecord) -> str:
        request_id, words = current().request_id, message_of(record)
        record = copy.copy(record)
        record.msg = f"{words} (request {request_id})" if request_id else words
        record.args = record.exc_text = None
        return super().format(record)

    def formatException(self, ei: Any) -> str:
        if settings.DEBUG:
            return super().formatException(ei)
        lines = [[*(f"  {place}" for place in stack_of(each)), kind_of(each)] for each in chain_of(ei[1])]
        return "\n".join(line for each in lines for line in each)


class Json(logging.Formatter):
    """Lines of JSON, an object each."""

    def format(self, record: logging.LogRecord) -> str:
        work = current()
        request = work.request
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": message_of(record),
            "request_id": work.request_id,
            "task_id": work.task_id,
            "task": work.task,
            "route": work.route,
            "method": "" if request is None else method_of(request.method),
            "status": getattr(record, "status", None) or getattr(record, "status_code", None),
            "ms": getattr(record, "ms", None),
            "user": getattr(record, "user", None),
        }
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        if error is not None:
            line["error"] = [{"kind": kind_of(each), "stack": stack_of(each)} for each in chain_of(error)]
        return json.dumps({name: value for name, value in line.items() if value not in (None, "")})


METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def method_of(method: str | None) -> str:
    """The method of a request, if the site knows it: clients can send any."""
    return method if method in METHODS else "OTHER"
