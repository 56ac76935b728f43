"""Adapter between the web server and Django: whole requests for the pages, and streams that outlast Django's answer."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, MutableMapping
from contextlib import aclosing
from string import punctuation
from typing import Any
from urllib.parse import quote

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Any, Any, Any], Awaitable[None]]

MOST_BYTES = 5_000_000
"""A larger body is refused; pages take less, but for those that photos are sent to."""
MOST_BYTES_OF_A_PHOTO = 16_000_000
"""The limit of `gameplay.score_sheets.photo_files`, and the form around it."""
PHOTOS = re.compile(r"/photos?/$")


def whole_body(app: App) -> App:
    """Wrap an application so that it only ever sees whole requests.

    A slow sender holds no thread, a broken upload reaches no view, and a header with an underscore, which would pass
    for the one with a hyphen that a proxy sets, is dropped.
    """

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        most = MOST_BYTES_OF_A_PHOTO if PHOTOS.search(scope["path"]) else MOST_BYTES
        body = await _read(receive, most)
        if body is None:
            return
        if len(body) > most:
            await _refuse(send)
            return
        await app(_tidied(scope, len(body)), _Whole(body, receive), send)

    return wrapped


async def _read(receive: Receive, most: int) -> bytes | None:
    """The body, or the beginning of one that is too large; None when the sender went away."""
    body = bytearray()
    while len(body) <= most:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if not message.get("more_body", False):
            break
    return bytes(body)


async def _refuse(send: Send) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": b"That is too large to be sent."})


def _tidied(scope: Scope, length: int) -> Scope:
    """The scope as WSGI needs it: ASCII in the query, one true length, no two spellings of a header."""
    headers = [(name, value) for name, value in scope["headers"] if b"_" not in name and name not in _LENGTHS]
    if length or any(name in _LENGTHS for name, _ in scope["headers"]):
        headers.append((b"content-length", str(length).encode()))
    return {**scope, "headers": headers, "query_string": quote(scope["query_string"], safe=punctuation).encode()}


_LENGTHS = {b"content-length", b"transfer-encoding"}


class _Whole:
    """A `receive` that hands over the whole body, then later messages."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> MutableMapping[str, Any]:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}


# Streams

EVENTS = "foothold.events"
"""Key of a list in the scope: a view that answers with a stream adds its texts to it."""


def with_events(app: App) -> App:
    """Wrap an application whose views may add a stream after their answer.

    Django keeps a thread for each request until its answer is over, and a stream would keep it for an hour. So its
    answer is over when the stream starts: 500 open streams are 500 coroutines, and no threads.
    """

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        events: list[AsyncGenerator[str, None]] = []
        is_followed = False

        async def send_answer(message: MutableMapping[str, Any]) -> None:
            nonlocal is_followed
            if message["type"] == "http.response.start" and events and message["status"] == 200:
                is_followed = True
                headers = [(name, value) for name, value in message["headers"] if name.lower() not in _LENGTHS]
                await send({**message, "headers": headers})
            elif not is_followed:
                await send(message)

        await app({**scope, EVENTS: events}, receive, send_answer)
        if is_followed:
            await _follow(events[0], receive, send)

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
