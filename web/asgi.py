"""Between the web server and the pages: the whole body is read before a thread begins with the request."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, MutableMapping
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
"""What `gameplay.sheets.photos` takes, and the form around it."""
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
    """A `receive` that hands over the whole body, then what comes after it."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> MutableMapping[str, Any]:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}
