"""The address of the web server."""

import socket
from contextlib import closing

from web.server import uvicorn_server


def test_it_listens_where_it_is_told():
    with closing(uvicorn_server.listening("127.0.0.1:0")) as listener:
        host, port = listener.getsockname()
        assert host == "127.0.0.1"
        socket.create_connection((host, port), timeout=5).close()


def test_it_takes_a_socket_that_is_held():
    with (
        socket.create_server(("127.0.0.1", 0)) as held,
        closing(uvicorn_server.listening(str(held.fileno()))) as listener,
    ):
        assert listener.getsockname() == held.getsockname()
        listener.detach()
