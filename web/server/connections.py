"""Connections of the embedded server that end where nobody waits for more: uvicorn alone has no limit for heads of
requests, nor for answers that are never read.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from web import bodies


class Connection(HttpToolsProtocol):
    """A connection whose heads arrive in time and in bounds, and whose answers are read."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._stray = 0
        """Bytes since the last that were of use: parts of a head, of the sizes of chunks, of what follows a body."""
        self._head_timer: asyncio.TimerHandle | None = None
        self._reading_timer: asyncio.TimerHandle | None = None
        self._running: Any = None
        """The request that is being answered; others may wait behind it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_timers()
        if self._running is not None and self._running is not self.cycle:
            # uvicorn tells the last request only.
            self._running.disconnected = True
            self._running.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._stray += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._stray > bodies.HEAD:
            self._refuse(bodies.head_too_large())
        elif self._head_timer is None and self.timeout_keep_alive_task is None and not self._is_answering():
            self._await_head()

    # Called by the parser

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._await_head()

    def on_headers_complete(self) -> None:
        self._stray = 0
        _cancel(self._head_timer)
        self._head_timer = None
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._stray = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._stray = 0
        super().on_message_complete()

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    # Called by the transport

    def pause_writing(self) -> None:
        super().pause_writing()
        self._await_reader()

    def resume_writing(self) -> None:
        super().resume_writing()
        _cancel(self._reading_timer)

    # Waiting

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _await_head(self) -> None:
        _cancel(self._head_timer)
        self._head_timer = self._later(bodies.HEAD_SECONDS, self._end_late_head)

    def _end_late_head(self) -> None:
        self._head_timer = None
        if self._is_answering():
            # The next request is not read before this one is answered.
            self._await_head()
        elif not self.transport.is_closing():
            self._refuse(bodies.too_slow() if self._stray else None)

    def _await_reader(self) -> None:
        """Cut off a reader who takes less than `SMALL` bytes in the time for it."""
        left = self.transport.get_write_buffer_size()

        def end() -> None:
            if self.transport.get_write_buffer_size() > left - bodies.SMALL:
                self.transport.abort()
            else:
                self._await_reader()

        _cancel(self._reading_timer)
        self._reading_timer = self._later(bodies.SEND_SECONDS, end)

    def _later(self, seconds: float, end: Callable[[], None]) -> asyncio.TimerHandle:
        return self.loop.call_later(seconds, end)

    def _cancel_timers(self) -> None:
        _cancel(self._head_timer)
        _cancel(self._reading_timer)

    def _refuse(self, refused: bodies.BodyRefused | None) -> None:
        """Close the connection, with an answer unless one is under way."""
        if refused is not None and not self._is_answering():
            self.transport.write(bodies.bare_refusal(refused, getattr(self, "url", b"")))
        self.transport.close()


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
