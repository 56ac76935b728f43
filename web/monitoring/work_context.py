"""The current work of this thread or coroutine, a request or a task: named in log lines, counts and reports."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.functional import LazyObject


@dataclass(frozen=True)
class Work:
    """A request, a task, or neither; a task knows the id of the request that it follows from."""

    request_id: str = ""
    request: HttpRequest | None = None
    task_id: str = ""
    task: str = ""

    @property
    def route(self) -> str:
        """The pattern of the address asked for, such as `tables/<slug:slug>/`: paths themselves may hold tokens."""
        return "" if self.request is None else route_of(self.request)


_current: ContextVar[Work] = ContextVar("work", default=Work())  # noqa: B039  it is frozen


def current() -> Work:
    """The current work."""
    return _current.get()


@contextmanager
def doing(work: Work) -> Iterator[None]:
    """Set the current work until the context is left."""
    token = _current.set(work)
    try:
        yield
    finally:
        _current.reset(token)


def route_of(request: HttpRequest) -> str:
    """The pattern that an address was found by; empty if it was not found, or not yet."""
    match = request.resolver_match
    return "" if match is None else match.route


def user_id_of(request: HttpRequest) -> int | None:
    """The id of the user if already known: no query is made for it."""
    for name in ("player", "user"):
        user = request.__dict__.get(name)
        if isinstance(user, LazyObject):
            user = user.__dict__["_wrapped"]
        pk = getattr(user, "pk", None)
        if isinstance(pk, int):
            return pk
    return None
