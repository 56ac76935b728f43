"""Which request gets the next thread: while others ask, whoever has used much of late is answered now and then.

Each process has a queue of its own, on the embedded server and on gunicorn alike. Budgets say how much somebody can have
done in an hour; this says who waits for whom meanwhile.
"""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from a2wsgi.wsgi import build_environ
from django.core.handlers.wsgi import WSGIRequest
from django.utils import translation
from django.utils.translation import gettext_noop

from web import bodies, error_pages
from web.recent_use import RecentUse
from web.server import asgi

WIDTH = 8
"""Requests of one process that are worked on at once; half of them of one sender at most."""
WAITING = 200
"""Requests of a busy sender that wait at once, where none of them holds a thread."""
THREADS, WAITING_IN_THREADS = 64, 8
"""Threads of a process of gunicorn, and how many of them the waiting requests of a busy sender hold at most."""
BUSY, CALM = 0.5, 0.1
"""Seconds of work of late that make a sender busy, some 3 % of a processor for a while, and at which one is like others
again.
"""
REST, LONGEST_REST = 14.0, 5.0
"""While others ask for much, busy senders together have one thread, and it rests so many times as long as it worked, but no more
seconds than that.
"""
STREAM_SECONDS = 0.01
"""Seconds of work that opening a stream takes."""
SPARE = 1.0
"""Others ask for little if all of it took fewer seconds of late, 7 % of a processor; then nobody waits for them."""
PATIENCE = 15.0
"""Seconds that a request waits at most."""
RETRY_AFTER = 10

Environ = dict[str, Any]
WsgiApp = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]


class Full(bodies.BodyRefused):
    """A request for which there is no room beside the others of its sender."""

    def __init__(self) -> None:
        super().__init__(
            429,
            "too_many_at_once",
            gettext_noop(
                "You have sent many requests, and others want to play too. Please try again in a few seconds."
            ),
            retry_after=RETRY_AFTER,
        )


@dataclass
class Waiter:
    """A request in the queue."""

    sender: str
    number: int
    admit: Callable[[], object]
    """Called, under a lock and from any thread, once it is its turn."""
    is_in: bool = False
    is_busy: bool = False
    """Whether it was let in as one of a busy sender."""
    rest: float = 0.0
    """Seconds that it still waits once it was let in, in the place of all busy senders."""


class PageQueue:
    """The requests of one process that wait or are worked on. For any thread."""

    def __init__(self, width: int = WIDTH, waiting: int = WAITING, clock: Callable[[], float] = time.monotonic) -> None:
        self._width, self._waiting_limit, self._clock = width, waiting, clock
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._waiting: list[Waiter] = []
        self._working: Counter[str] = Counter()
        self._busy_working = 0
        self._rests_until = float("-inf")
        self.use = RecentUse(busy=BUSY, calm=CALM, spare=SPARE, clock=clock)

    def enter(self, sender: str, admit: Callable[[], object]) -> Waiter:
        """Queue a request; `admit` is called once it is its turn. Raises `Full` if too many of a busy sender wait."""
        with self._lock:
            if (
                self.use.is_busy(sender)
                and not self.use.has_spare()
                and self._waiting_of(sender) >= self._waiting_limit
            ):
                raise Full
            waiter = Waiter(sender, next(self._numbers), admit)
            self._waiting.append(waiter)
            self._admit()
        return waiter

    def give_up(self, waiter: Waiter) -> None:
        """Take a request out of the queue that has waited too long, or whose sender went away."""
        with self._lock:
            if waiter.is_in:
                self._end(waiter)
            else:
                self._waiting.remove(waiter)

    def leave(self, waiter: Waiter, sender: str, seconds: float) -> None:
        """End a request that took so many seconds of work. Its sender may be known better than when it came."""
        with self._lock:
            if waiter.is_busy:
                self._rests_until = self._clock() + min(REST * seconds, LONGEST_REST)
            self.use.add(sender, seconds)
            self._end(waiter)

    def _end(self, waiter: Waiter) -> None:
        self._working -= Counter([waiter.sender])
        self._busy_working -= waiter.is_busy
        self._admit()

    def _waiting_of(self, sender: str) -> int:
        return sum(waiter.sender == sender for waiter in self._waiting)

    def _admit(self) -> None:
        while self._working.total() < self._width and (waiter := self._next()) is not None:
            self._waiting.remove(waiter)
            self._working[waiter.sender] += 1
            waiter.is_in = True
            if self.use.is_busy(waiter.sender):
                waiter.is_busy = True
                waiter.rest = 0.0 if self.use.has_spare() else max(0.0, self._rests_until - self._clock())
                self._busy_working += 1
            waiter.admit()

    def _next(self) -> Waiter | None:
        """Whose turn it is: of those who may, the one whose sender has used least."""
        lets_busy_in = not self._busy_working or self.use.has_spare()
        able = [
            waiter
            for waiter in self._waiting
            if self._working[waiter.sender] < max(1, self._width // 2)
            and (lets_busy_in or not self.use.is_busy(waiter.sender))
        ]
        return min(able, key=lambda waiter: (self.use.seconds(waiter.sender), waiter.number), default=None)


# Around the site

SECONDS = "foothold.seconds"
"""Key in the scope of an ASGI application: the seconds of work that the request took."""


def in_turn(app: asgi.App, queue: PageQueue, sender_of: Callable[[Environ], str]) -> asgi.App:
    """Wrap an ASGI application so that each request waits for its turn, without a thread. Raises `Full`."""

    async def wrapped(scope: asgi.Scope, receive: asgi.Receive, send: asgi.Send) -> None:
        environ = cast(Environ, build_environ(cast(Any, scope), cast(Any, None)))
        loop, admitted = asyncio.get_running_loop(), asyncio.Event()
        waiter = queue.enter(sender_of(environ), partial(loop.call_soon_threadsafe, admitted.set))
        try:
            async with asyncio.timeout(PATIENCE):
                await admitted.wait()
            await asyncio.sleep(waiter.rest)
        except TimeoutError:
            queue.give_up(waiter)
            raise Full from None
        except asyncio.CancelledError:
            queue.give_up(waiter)
            raise
        try:
            await app(scope, receive, send)
        finally:
            # Opening a stream is spread over threads and the loop, and nobody measures it.
            queue.leave(waiter, sender_of(environ), scope.get(SECONDS, STREAM_SECONDS))

    return wrapped


def measured(app: WsgiApp) -> WsgiApp:
    """Wrap a WSGI application so that its work is noted in the scope of the ASGI application around it."""

    def wrapped(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        begun = time.thread_time()
        try:
            return app(environ, start_response)
        finally:
            environ["asgi.scope"][SECONDS] = time.thread_time() - begun

    return wrapped


def in_turn_in_threads(app: WsgiApp, queue: PageQueue, sender_of: Callable[[Environ], str]) -> WsgiApp:
    """Wrap a WSGI application so that each request waits for its turn in its thread, or is refused."""

    def wrapped(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        try:
            waiter = _wait_in_thread(queue, sender_of(environ))
        except Full as refused:
            return _refuse(environ, start_response, refused)
        begun = time.thread_time()
        try:
            return app(environ, start_response)
        finally:
            queue.leave(waiter, sender_of(environ), time.thread_time() - begun)

    return wrapped


def _wait_in_thread(queue: PageQueue, sender: str) -> Waiter:
    admitted = threading.Event()
    waiter = queue.enter(sender, admitted.set)
    if not admitted.wait(PATIENCE):
        queue.give_up(waiter)
        raise Full
    time.sleep(waiter.rest)
    return waiter


def _refuse(environ: Environ, start_response: Callable[..., Any], refused: Full) -> list[bytes]:
    request = WSGIRequest(environ)
    with translation.override(translation.get_language_from_request(request)):
        response = error_pages.body_refused(request, refused)
    start_response(f"{response.status_code} {response.reason_phrase}", list(response.items()))
    return [response.content]
