"""Requests to addresses that people named: only to public hosts, without redirects, bounded in time and size.

A name is resolved once, every address it has must be public, and the connection goes to one of these addresses, with the
name in `Host` and in TLS. `requests` takes long to load: import this only to send something.
"""

import ipaddress
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import HTTPError, NewConnectionError
from urllib3.util.connection import create_connection

from web.public_addresses import is_public, is_test_receiver, parts_of

TIMEOUT = 5.0
"""Seconds to connect, and between two parts of an answer."""
LONGEST_ANSWER = 15.0
"""Seconds after which a connection is cut, however much still comes, from its first packet on."""
LONGEST_CONNECTING = 15.0
"""Seconds after which no further address of a host is tried: its name server says how many there are."""
LARGEST_ANSWER = 64 * 1024


class NotReached(Exception):
    """Nothing was sent: the host is not public, does not exist, or does not answer."""


class NoAnswer(Exception):
    """It was sent, and no answer came in time: nobody knows if it was taken."""


@dataclass(frozen=True)
class Answer:
    """An answer: status, headers by lower-case name, and the first bytes of its body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def send(method: str, url: str, *, headers: Mapping[str, str], body: bytes) -> Answer:
    """Send a request and return its answer, redirects too. Raises `NotReached` or `NoAnswer`, without the address."""
    if parts_of(url) is None:
        raise NotReached("not a public address")
    try:
        with public_session() as session:
            response = session.request(method, url, headers=dict(headers), data=body, timeout=TIMEOUT)
    except requests.exceptions.ConnectionError as error:
        if _is_unsent(error):
            raise NotReached("no connection") from None
        raise NoAnswer("connection lost") from None
    except (requests.exceptions.RequestException, HTTPError, OSError) as error:
        raise NoAnswer(type(error).__name__) from None
    lower = {name.lower(): value for name, value in response.headers.items()}
    return Answer(response.status_code, lower, response.content)


def public_session() -> requests.Session:
    """A session that only connects to public hosts, by https, and follows no redirect."""
    session = _PublicSession()
    session.trust_env = False
    session.mount("https://", _PublicAdapter())
    session.mount("http://", _PublicAdapter())
    return session


def public_addresses(host: str, port: int) -> list[str]:
    """The addresses of a host, all of them public. Raises `OSError` if one is not, or if there is none."""
    infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(info[4][0]) for info in infos]
    if not addresses or not all(is_public(ipaddress.ip_address(each.partition("%")[0])) for each in addresses):
        raise OSError("not a public address")
    return list(dict.fromkeys(addresses))


def _is_unsent(error: requests.exceptions.ConnectionError) -> bool:
    """Whether no connection was made at all."""
    cause = error.args[0] if error.args else None
    return isinstance(getattr(cause, "reason", cause), NewConnectionError)


def _read(response: requests.Response) -> bytes:
    """The first bytes of a body. One that breaks off does not matter: the status was there."""
    body, until = b"", time.monotonic() + LONGEST_ANSWER
    with suppress(HTTPError, OSError):
        while len(body) < LARGEST_ANSWER and time.monotonic() < until:
            part = response.raw.read1(LARGEST_ANSWER - len(body), decode_content=False)
            if not part:
                break
            body += part
    return body


class _PublicSession(requests.Session):
    def request(self, *args: Any, **kwargs: Any) -> requests.Response:
        """Send a request, and read no more of its answer than is needed."""
        response = super().request(*args, **{**kwargs, "allow_redirects": False, "stream": True})
        response._content = _read(response)
        response.close()
        return response


class _Pinned(HTTPConnection):
    """A connection to one of the public addresses of its host, cut when the head of an answer takes too long."""

    _cut: threading.Timer | None = None
    _line: socket.socket | None = None

    def _addresses(self) -> list[str]:
        return public_addresses(self.host, self.port)

    def _new_conn(self) -> socket.socket:
        try:
            addresses = self._addresses()
        except (OSError, ValueError):
            raise NewConnectionError(self, "not a public address") from None
        until = time.monotonic() + LONGEST_CONNECTING
        for address in addresses:
            with suppress(OSError):
                to = (address, self.port)
                connected = create_connection(to, self.timeout, self.source_address, self.socket_options)
                self._cut_later(connected)
                return connected
            if time.monotonic() > until:
                break
        raise NewConnectionError(self, "no connection")

    def _cut_later(self, connected: socket.socket) -> None:
        # TLS takes the socket itself over, before it has shaken hands.
        self._line = connected.dup()
        self._cut = threading.Timer(LONGEST_ANSWER, _hang_up, [self._line])
        self._cut.daemon = True
        self._cut.start()

    def connect(self) -> None:
        try:
            super().connect()
        except (OSError, ValueError, HTTPError):
            self.close()
            raise NewConnectionError(self, "no connection") from None

    def close(self) -> None:
        if self._cut is not None:
            self._cut.cancel()
        if self._line is not None:
            self._line.close()
        super().close()


class _PinnedByTLS(_Pinned, HTTPSConnection):
    """The same by https: the certificate must be that of the name."""


class _TestReceiver(_Pinned):
    """The same to a receiver that a test started on this machine."""

    def _addresses(self) -> list[str]:
        if not is_test_receiver(urlsplit(f"http://{self.host}:{self.port}")):
            raise OSError("not a test receiver")
        return [self.host]


class _PinnedPool(HTTPSConnectionPool):
    ConnectionCls = _PinnedByTLS


class _TestPool(HTTPConnectionPool):
    ConnectionCls = _TestReceiver


class _PublicAdapter(HTTPAdapter):
    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"https": _PinnedPool, "http": _TestPool}


def _hang_up(connected: socket.socket) -> None:
    with suppress(OSError):
        connected.shutdown(socket.SHUT_RDWR)
