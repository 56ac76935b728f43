"""The web server on a socket that the supervisor listens on: python -m web.server DESCRIPTOR [GATE].

The socket outlives this process. During a restart, browsers wait a moment instead of being refused. The gate is the
reading end of a pipe: the site is loaded at once, but nothing is answered before the pipe is closed. Without a
socket, as in a container, it opens its own: python -m web.server HOST:PORT.
"""

from __future__ import annotations

import gc
import os
import socket
import sys
from importlib import import_module

import django
import uvicorn
from django.conf import settings

from web import bodies
from web.server.connections import Connection


def main() -> None:
    where, *gates = sys.argv[1:]
    listener = listening(where)
    # Inherited by its connections: those whose reader takes nothing are shut by the system as well.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(bodies.SEND_SECONDS * 1000))
    load()
    for gate in gates:
        os.read(int(gate), 1)
    config = uvicorn.Config(
        "config.asgi:application",
        log_config=None,
        log_level="warning",
        access_log=False,
        http=Connection,
        server_header=False,
        # PROXY_COUNT limits trust in proxies, for this server as for any other.
        proxy_headers=False,
        ws="none",
        lifespan="off",
        # Streams of live events never end alone.
        timeout_graceful_shutdown=1,
    )
    uvicorn.Server(config).run(sockets=[listener])


def listening(where: str) -> socket.socket:
    """The socket with this descriptor, or a new one at this HOST:PORT."""
    if where.isdigit():
        return socket.socket(fileno=int(where))
    host, _, port = where.rpartition(":")
    return socket.create_server((host, int(port)), backlog=512)


def load() -> None:
    """Read the code of every page; neither the database nor the static files are looked at."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # Code is there to stay: looking for garbage in it again and again takes a fifth of the time.
    gc.disable()
    django.setup()
    import_module(settings.ROOT_URLCONF)
    gc.freeze()
    gc.enable()
    # A thread that has much to do lets the others, and the loop that sends their answers, work five times as often.
    sys.setswitchinterval(0.001)
