"""Bodies of requests: how many bytes an address takes, from whom, and in what time.

Most addresses take a form or some JSON. A view that takes more says so with `takes`, and who can send it: that is asked
by `web.middleware.Bodies` before any of the body is read, on the embedded server (`web.server.asgi`) and on gunicorn
(`web.server.gunicorn_worker`) alike.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypeVar

from django.core.exceptions import BadRequest
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext, gettext_noop

SMALL = 64 * 1024
"""Bytes that are read without a question; also the most that an address of the API takes, unless it says otherwise."""
FORM = 256 * 1024
"""The most that a page takes, unless it says otherwise: the longest newsletter, with every letter written as %C3%A4."""
LARGEST = 16_000_000
"""No address takes more; a photo of a score sheet is the largest."""

HEAD = 64 * 1024
"""Bytes of a head, or between two parts of a body, that the embedded server reads."""
HEAD_SECONDS = 10.0
"""Seconds from the first byte of a request, or from connecting, until all of its head has arrived."""
GRACE_SECONDS = 20.0
"""Seconds after which a body must have kept the pace."""
PACE = 64_000
"""Bytes a second that a body arrives with at least, on average: a photo of 4 MB within 83 seconds."""
SILENT_SECONDS = 15.0
"""Seconds without a byte after which nobody waits for the rest of a body."""
SEND_SECONDS = 60.0
"""Seconds that a reader can leave the next part of an answer, or the next event of a stream, unread."""
IN_FLIGHT = 256_000_000
"""Bytes of bodies that one process holds at once, all but the first `SMALL` of each on disk."""
RETRY_AFTER = 5
"""Seconds after which a body may be sent again that found no room."""


class BodyRefused(BadRequest):
    """A body that is not read, or not to its end. Django turns it into an answer wherever it is raised: see
    `web.error_pages.bad_request`.
    """

    def __init__(self, status: int, code: str, sentence: str, *, retry_after: int = 0, **values: Any) -> None:
        super().__init__(code)
        self.status, self.code, self.retry_after = status, code, retry_after
        self._sentence, self._values = sentence, values

    @property
    def sentence(self) -> str:
        """What was wrong and what to do, in the language of the answer."""
        return gettext(self._sentence) % self._values

    @property
    def headers(self) -> dict[str, str]:
        """Headers of the answer."""
        return {"Retry-After": str(self.retry_after)} if self.retry_after else {}


def too_large(most: int) -> BodyRefused:
    """The refusal of a body of more than `most` bytes."""
    size = f"{most // 1_000_000} MB" if most >= 1_000_000 else f"{most // 1024} KB"
    return BodyRefused(
        413, "too_large", gettext_noop("This request is too large. The limit here is %(size)s."), size=size
    )


def head_too_large() -> BodyRefused:
    """The refusal of a head that is longer than any browser sends."""
    return BodyRefused(431, "head_too_large", gettext_noop("The head of this request is too large."))


def too_slow() -> BodyRefused:
    """The refusal of a body that falls behind the pace."""
    return BodyRefused(
        408, "too_slow", gettext_noop("Your data arrived too slowly. Check your connection and try again.")
    )


def no_room() -> BodyRefused:
    """The refusal of a body while the process holds as many bytes as it can."""
    return BodyRefused(
        503,
        "busy",
        gettext_noop("Too much data is being sent to us right now. Please try again in a moment."),
        retry_after=RETRY_AFTER,
    )


def no_length() -> BodyRefused:
    """The refusal of a body in chunks by a server that reads none."""
    return BodyRefused(411, "no_length", gettext_noop("Send the length of your data in Content-Length."))


def seconds_for(size: int) -> float:
    """Seconds by which a body must have more than this many bytes."""
    return GRACE_SECONDS + size / PACE


def bare_refusal(refused: BodyRefused, path: bytes) -> bytes:
    """The whole answer to a request that is not even a request, which ends its connection."""
    kind, text = "text/plain; charset=utf-8", refused.sentence
    if path.startswith(b"/api/"):
        kind, text = "application/json", json.dumps({"code": refused.code, "sentence": text}, ensure_ascii=False)
    content = text.encode()
    head = (
        f"HTTP/1.1 {refused.status} {HTTPStatus(refused.status).phrase}\r\nContent-Type: {kind}\r\n"
        f"Content-Length: {len(content)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + content


# Declaring

Check = Callable[..., HttpResponseBase | None]
"""Called with the request and the arguments of its address. Returns an answer instead of taking the body, or raises
`Http404` or `web.errors.Refused`."""
View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True)
class BodyLimit:
    """What a view takes: so many bytes, from senders that pass the check."""

    most: int
    check: Check


def takes(most: int, check: Check) -> Callable[[View], View]:
    """Declare that a view takes a body of up to `most` bytes. `check` decides before the body is read, and changes
    nothing; the view decides again.
    """

    def wrap(view: View) -> View:
        view.takes_body = BodyLimit(most, check)  # type: ignore[attr-defined]
        return view

    return wrap


def anyone(request: HttpRequest, **where: Any) -> None:
    """The check of a view that takes a large body from everyone."""


def body_limit_of(view: object, *, is_api: bool) -> BodyLimit:
    """What a view takes."""
    declared = getattr(view, "takes_body", None)
    return declared if isinstance(declared, BodyLimit) else BodyLimit(SMALL if is_api else FORM, anyone)


# Counting

Hold = Callable[[HttpRequest, int], Callable[[], None]]
"""Called with a request and the bytes of its body. Returns what gives them back, or raises `web.errors.Refused`."""
_holds: list[Hold] = []


def count_with(hold: Hold) -> None:
    """Count large bodies for their senders with this from now on."""
    _holds.append(hold)


def hold(request: HttpRequest, size: int) -> Callable[[], None]:
    """Count a body for its sender until what is returned is called. Raises `web.errors.Refused` if that is too much."""
    releases = [each(request, size) for each in _holds]

    def release() -> None:
        for each in releases:
            each()

    return release


# Asking

QUESTION = "foothold.body"
"""Key of a `Question` in the scope of a request that only asks whether its body may follow."""


class Question:
    """A body whose head has arrived: its length, 0 if unknown. `most` is set once it may follow."""

    def __init__(self, length: int) -> None:
        self.length = length
        self.most: int | None = None
        self.release: Callable[[], None] | None = None
        """To be called when the body is no longer held."""


def question_of(request: HttpRequest) -> Question | None:
    """The question that a request asks, if it has no body yet."""
    return _scope_of(request).get(QUESTION)


def is_received(request: HttpRequest) -> bool:
    """Whether the server has all of the body, after asking about it."""
    scope = _scope_of(request)
    return bool(scope) and QUESTION not in scope


def _scope_of(request: HttpRequest) -> Mapping[str, Any]:
    """The scope of a request that came by the embedded server."""
    return getattr(request, "scope", None) or request.META.get("asgi.scope") or {}
