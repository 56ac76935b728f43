"""The end of one request and the start of the next, as the two web servers behind a proxy read it."""

import io
import socket
import threading

import pytest
import uvicorn
from gunicorn.config import Config
from gunicorn.http.errors import ParseException
from gunicorn.http.parser import RequestParser

from web.server.asgi import whole_body

AFTER = b"0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
DOUBTFUL = {
    "length before chunks": (b"Content-Length: 4\r\nTransfer-Encoding: chunked", AFTER),
    "chunks before length": (b"Transfer-Encoding: chunked\r\nContent-Length: 4", AFTER),
    "two lengths": (b"Content-Length: 5\r\nContent-Length: 0", AFTER),
    "a length below nothing": (b"Content-Length: -5", AFTER),
    "an unknown encoding": (b"Transfer-Encoding: xchunked", AFTER),
    "a space before the colon": (b"Transfer-Encoding : chunked", AFTER),
    "a chunk of no length": (b"Transfer-Encoding: chunked", b"zz\r\n\r\n" + AFTER),
}


def request(headers, body):
    return b"POST /one HTTP/1.1\r\nHost: a\r\n" + headers + b"\r\n\r\n" + body


@pytest.fixture
def exchange():
    """A site behind uvicorn: send bytes, read the answers until it hangs up, and see the paths that reached it."""
    paths = []

    async def app(scope, receive, send):
        paths.append(scope["path"])
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body"})

    def ask(sent):
        with socket.create_connection(listener.getsockname(), timeout=30) as connection:
            connection.sendall(sent)
            return b"".join(iter(lambda: connection.recv(4096), b"")), paths

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(whole_body(app), log_config=None, lifespan="off", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield ask
        server.should_exit = True
        thread.join()


def test_a_request_of_one_length_is_answered(exchange):
    answer, paths = exchange(request(b"Content-Length: 2\r\nConnection: close", b"ok"))
    assert (answer[:15], paths) == (b"HTTP/1.1 200 OK", ["/one"])


@pytest.mark.parametrize(("headers", "body"), DOUBTFUL.values(), ids=DOUBTFUL)
def test_a_request_of_doubtful_length_is_refused_and_nothing_is_read_after_it(exchange, headers, body):
    answer, paths = exchange(request(headers, body))
    assert (answer[:12], answer.count(b"HTTP/1.1"), paths) == (b"HTTP/1.1 400", 1, [])


def read_by_gunicorn(sent):
    """The paths and bodies that gunicorn reads in these bytes."""
    return [(each.path, each.body.read()) for each in RequestParser(Config(), io.BytesIO(sent), ("127.0.0.1", 1))]


def test_gunicorn_reads_a_request_of_one_length():
    sent = request(b"Content-Length: 2", b"ok") + request(b"Transfer-Encoding: chunked", b"2\r\nok\r\n0\r\n\r\n")
    assert read_by_gunicorn(sent) == [("/one", b"ok")] * 2


@pytest.mark.parametrize(("headers", "body"), DOUBTFUL.values(), ids=DOUBTFUL)
def test_gunicorn_refuses_one_of_doubtful_length(headers, body):
    with pytest.raises(ParseException):
        read_by_gunicorn(request(headers, body))
