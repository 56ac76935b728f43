"""gunicorn's worker with threads, whose connections end where nobody waits for more.

gunicorn alone waits for ever, with one of its few threads, for the rest of a head or a body and for readers. A proxy that
buffers keeps them away; this ends them where there is none, or one that does not.
"""

import errno
import socket
import time
from typing import Any, cast

from gunicorn import util
from gunicorn.http.errors import NoMoreData
from gunicorn.workers import gthread

from web import bodies

LINGER_SECONDS = 1.0
"""Seconds for which a thread throws away the rest of a body that is refused, so that the answer arrives."""


class TimedSocket(socket.socket):
    """A connection's socket, which waits no longer than it takes to send a head or a body, or to read an answer."""

    _begun = 0.0
    _received = 0
    _waits_for = ""
    _beginning = b""

    def begin_head(self) -> None:
        """From now on a head is received."""
        self._waits_for, self._begun, self._beginning = "head", time.monotonic(), b""

    def begin_body(self) -> None:
        """From now on a body is received."""
        self._waits_for, self._begun, self._received = "body", time.monotonic(), 0

    def end_request(self) -> None:
        """From now on gunicorn's own limits apply."""
        self._waits_for = ""

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        """Receive in time. Raises `bodies.BodyRefused` for a late body, `NoMoreData` for a late head."""
        if not self._waits_for:
            return super().recv(size, flags)
        try:
            self.settimeout(self._seconds_left())
            data = super().recv(size, flags)
        except TimeoutError:
            raise self._late() from None
        self._received += len(data)
        self._beginning = self._beginning or data[:40]
        return data

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        """Send, to a reader who takes it in time."""
        self.settimeout(bodies.SEND_SECONDS)
        try:
            super().sendall(data, flags)
        except TimeoutError:
            raise _gone() from None

    def sendfile(self, file: Any, offset: int = 0, count: int | None = None) -> int:
        """Send a file, to a reader who takes it in time."""
        self.settimeout(bodies.SEND_SECONDS)
        try:
            return super().sendfile(file, offset, count)
        except TimeoutError:
            raise _gone() from None

    def setblocking(self, flag: bool) -> None:
        """Choose blocking; of no effect once it is closed."""
        if self.fileno() != -1:
            super().setblocking(flag)

    def _seconds_left(self) -> float:
        spent = time.monotonic() - self._begun
        if self._waits_for == "head":
            left = bodies.HEAD_SECONDS - spent
        else:
            left = min(bodies.seconds_for(self._received) - spent, bodies.SILENT_SECONDS)
        if left <= 0:
            raise TimeoutError
        return left

    def _late(self) -> Exception:
        if self._waits_for == "body":
            return bodies.too_slow()
        self.sendall(bodies.bare_refusal(bodies.too_slow(), self._beginning.partition(b" ")[2]))
        return cast(Exception, NoMoreData(b"late"))


def _gone() -> OSError:
    """What gunicorn takes for a reader that went away."""
    return ConnectionResetError(errno.ECONNRESET, "The reader does not read.")


class Worker(gthread.ThreadWorker):  # type: ignore[misc]
    """A worker whose connections have timed sockets."""

    def enqueue_req(self, conn: gthread.TConn) -> None:
        """Submit a connection to the threads."""
        if not isinstance(conn.sock, TimedSocket):
            conn.sock = TimedSocket(fileno=conn.sock.detach())
        super().enqueue_req(conn)

    def handle(self, conn: gthread.TConn) -> Any:
        """Answer the next request of a connection, in a thread; whether more may follow."""
        if not conn.initialized and not conn.wait_for_data(0):
            # Whoever says nothing waits without a thread.
            return gthread._DEFER
        connection: TimedSocket = conn.sock
        connection.begin_head()
        more = super().handle(conn)
        connection.end_request()
        if more is False:
            # Here, since otherwise the one thread that accepts connections would wait for the sender.
            util.close_graceful(connection, timeout=LINGER_SECONDS)
        return more

    def handle_request(self, req: Any, conn: gthread.TConn) -> bool:
        """Answer a request whose head has arrived."""
        conn.sock.begin_body()
        return bool(super().handle_request(req, conn))

    def _keepalive_after(self, conn: gthread.TConn, keepalive: bool) -> bool:
        """Whether more may follow: not after a body that nobody read."""
        reader = conn.parser.mesg.body.reader
        is_read = getattr(reader, "length", 0) == 0 and getattr(reader, "parser", None) is None
        return keepalive and is_read and bool(super()._keepalive_after(conn, keepalive))
