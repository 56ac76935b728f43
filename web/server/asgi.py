"""Adapter between the web server and Django: whole requests for the pages, and streams that outlast Django's answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, MutableMapping
from contextlib import aclosing, suppress
from dataclasses import dataclass
from io import BytesIO
from string import punctuation
from tempfile import TemporaryFile
from typing import IO, Any
from urllib.parse import quote

from django.core.handlers.asgi import ASGIRequest
from django.utils import translation

from web import bodies, error_pages

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Any, Any, Any], Awaitable[None]]

LINGER_SECONDS = 2.0
"""Seconds for which the rest of a body is thrown away once it is refused: a connection that is shut with bytes unread
loses the answer as well.
"""
_PART = 64 * 1024


def whole_body(app: App) -> App:
    """Wrap an application so that it only ever sees whole requests.

    A slow sender holds no thread and not for long, a broken upload reaches no view, and a header with an underscore,
    which would pass for the one with a hyphen that a proxy sets, is dropped. Before a large body is read the
    application is asked about it, by the same request without one.
    """

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        question, body = bodies.Question(_length_of(scope)), _Body()
        try:
            most = await _ask(app, scope, question, receive, send) if question.length > bodies.SMALL else bodies.SMALL
            await body.read(receive, most)
            if body.size > most and not question.length:
                # In chunks, so that nobody knew before.
                most = await _ask(app, scope, question, receive, send)
                await body.read(receive, most)
            if body.size > most:
                raise bodies.too_large(most)
            await app(_tidied(scope, body.size), _Whole(body, receive), send)
        except bodies.BodyRefused as refused:
            await _answer_and_close(_refusal(scope, refused), receive, send)
        except _Over:
            pass
        finally:
            body.close()
            if question.release is not None:
                await asyncio.to_thread(question.release)

    return wrapped


class _Over(Exception):
    """A request that needs no answer any more: it has one, or the sender went away."""


async def _ask(app: App, scope: Scope, question: bodies.Question, receive: Receive, send: Send) -> int:
    """The bytes that may follow. Raises `_Over` after passing on the answer if none may."""
    answer: list[Message] = []

    async def keep(message: Message) -> None:
        answer.append(message)

    nothing = _Body()
    nothing.is_whole = True
    question_scope = {**_tidied(scope, question.length or bodies.SMALL + 1), bodies.QUESTION: question}
    await app(question_scope, _Whole(nothing, receive), keep)
    if question.most is None:
        await _answer_and_close(answer, receive, send)
        raise _Over
    return question.most


def _refusal(scope: Scope, refused: bodies.BodyRefused) -> list[Message]:
    """The answer to a request whose body is not read to its end, in the language of the browser."""
    request = ASGIRequest(_tidied(scope, 0), BytesIO())
    with translation.override(translation.get_language_from_request(request)):
        response = error_pages.body_refused(request, refused)
    headers = [(name.lower().encode(), value.encode()) for name, value in response.headers.items()]
    headers.append((b"content-length", str(len(response.content)).encode()))
    return [
        {"type": "http.response.start", "status": response.status_code, "headers": headers},
        {"type": "http.response.body", "body": response.content},
    ]


async def _answer_and_close(answer: list[Message], receive: Receive, send: Send) -> None:
    """Send an answer, throw away what still comes for a moment, and close the connection."""
    start, *parts = answer
    headers = [(name, value) for name, value in start["headers"] if name.lower() != b"connection"]
    await send({**start, "headers": [*headers, (b"connection", b"close")]})
    for part in parts:
        await send({**part, "more_body": True})
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            while (await receive()).get("more_body"):
                pass
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def _length_of(scope: Scope) -> int:
    """The declared length of a body; 0 without one."""
    length = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    return int(length) if length.isdigit() else 0


def _tidied(scope: Scope, length: int) -> Scope:
    """The scope as WSGI needs it: ASCII in the query, one true length, no two spellings of a header."""
    headers = [(name, value) for name, value in scope["headers"] if b"_" not in name and name not in _LENGTHS]
    if length or any(name in _LENGTHS for name, _ in scope["headers"]):
        headers.append((b"content-length", str(length).encode()))
    return {**scope, "headers": headers, "query_string": quote(scope["query_string"], safe=punctuation).encode()}


_LENGTHS = {b"content-length", b"transfer-encoding"}


# Bodies

_in_flight = 0


def in_flight() -> int:
    """The bytes of bodies that this process holds."""
    return _in_flight


class _Body:
    """A body as far as it has arrived, the beginning in memory, a long one on disk."""

    def __init__(self) -> None:
        self.size = 0
        self.is_whole = False
        self._memory = bytearray()
        self._file: IO[bytes] | None = None
        self._seconds = 0.0

    async def read(self, receive: Receive, most: int) -> None:
        """Read to the end, or until it is larger than `most`.

        Raises `bodies.BodyRefused` for a body that is too slow, or has no room, and `_Over` if the sender went away.
        """
        loop = asyncio.get_running_loop()
        begun = loop.time() - self._seconds
        while not self.is_whole and self.size <= most:
            until = min(begun + bodies.seconds_for(self.size), loop.time() + bodies.SILENT_SECONDS)
            try:
                async with asyncio.timeout_at(until):
                    message = await receive()
            except TimeoutError:
                raise bodies.too_slow() from None
            if message["type"] == "http.disconnect":
                raise _Over
            self._add(message.get("body", b""))
            self.is_whole = not message.get("more_body", False)
        self._seconds = loop.time() - begun

    def _add(self, part: bytes) -> None:
        global _in_flight
        if _in_flight + len(part) > bodies.IN_FLIGHT:
            raise bodies.no_room()
        _in_flight += len(part)
        self.size += len(part)
        if self._file is None and self.size <= bodies.SMALL:
            self._memory += part
            return
        try:
            if self._file is None:
                self._file = TemporaryFile()  # noqa: SIM115  closed with the body
                self._file.write(self._memory)
                self._memory.clear()
            self._file.write(part)
        except OSError:
            # No room on the disk either.
            raise bodies.no_room() from None

    def rewind(self) -> None:
        """Go back to the beginning, for `part`."""
        if self._file is not None:
            self._file.seek(0)

    def part(self) -> tuple[bytes, bool]:
        """The next part, and whether more follow."""
        if self._file is None:
            return bytes(self._memory), False
        return self._file.read(_PART), self._file.tell() < self.size

    def close(self) -> None:
        """Give back what it holds. Twice does no harm."""
        global _in_flight
        _in_flight -= self.size
        self.size = 0
        self._memory.clear()
        if self._file is not None:
            self._file.close()


class _Whole:
    """A `receive` that hands over the whole body, then later messages."""

    def __init__(self, body: _Body, receive: Receive) -> None:
        body.rewind()
        self._body: _Body | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        if self._body is None:
            return await self._receive()
        part, has_more = self._body.part()
        if not has_more:
            # A stream may last for an hour after its request.
            self._body.close()
            self._body = None
        return {"type": "http.request", "body": part, "more_body": has_more}


# Streams

EVENTS = "foothold.events"
"""Key of `Streams` in the scope: a view that answers with a stream adds it there."""


@dataclass(frozen=True)
class Stream:
    """Texts to send, and what gives back whatever the stream holds: called in a thread, also if it never starts."""

    texts: AsyncGenerator[str, None]
    close: Callable[[], None] = lambda: None


class Streams:
    """The streams of one request: at most one, added in any thread."""

    def __init__(self) -> None:
        self.added: list[Stream] = []
        self._is_over = False

    def add(self, stream: Stream) -> None:
        """Send this stream after the answer."""
        self.added.append(stream)
        if self._is_over:
            # The request was broken off while its view worked.
            stream.close()

    def close(self) -> None:
        """Give back what they hold."""
        self._is_over = True
        for stream in self.added:
            stream.close()


def with_events(app: App) -> App:
    """Wrap an application whose views may add a stream after their answer.

    Django keeps a thread for each request until its answer is over, and a stream would keep it for an hour. So its
    answer is over when the stream starts: 500 open streams are 500 coroutines, and no threads.
    """

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        streams = Streams()
        is_followed = False

        async def send_answer(message: Message) -> None:
            nonlocal is_followed
            if message["type"] == "http.response.start" and streams.added and message["status"] == 200:
                is_followed = True
                headers = [(name, value) for name, value in message["headers"] if name.lower() not in _LENGTHS]
                await send({**message, "headers": headers})
            elif not is_followed:
                await send(message)

        try:
            await app({**scope, EVENTS: streams}, receive, send_answer)
            if is_followed:
                await _follow(streams.added[0].texts, receive, send)
        finally:
            if streams.added:
                await asyncio.to_thread(streams.close)
            else:
                streams.close()

    return wrapped


async def _follow(events: AsyncGenerator[str, None], receive: Receive, send: Send) -> None:
    """Send the stream, until it is over or the reader has gone."""
    async with asyncio.TaskGroup() as group:
        tasks = group.create_task(_send_all(events, send)), group.create_task(_until_gone(receive))
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()


async def _send_all(events: AsyncGenerator[str, None], send: Send) -> None:
    async with aclosing(events):
        async for text in events:
            await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
