"""Bodies of requests over real connections, by the embedded server and by gunicorn: one that nobody takes is not read,
a slow one is not waited for, and a reader who does not read is left.
"""

import io
import json
import re
import socket
from contextlib import ExitStack, suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from PIL import Image

from config import gunicorn
from tests.sites import PATIENCE
from web import bodies

RUN = """
import sys
from web import bodies
bodies.__dict__.update({name: float(value) for name, value in (pair.split("=") for pair in sys.argv.pop().split())})
"""
SERVERS = {
    "embedded": f"{RUN}from web.server.uvicorn_server import main; main()",
    "gunicorn": f"""{RUN}
from gunicorn.app.wsgiapp import run
sys.argv = ["gunicorn", "--config", "python:config.gunicorn", "--bind", f"fd://{{sys.argv[1]}}", "config.wsgi"]
run()
""",
}
PREPARE = """
from accounts.services import tokens
from engine.play.options import Shape
from engine.play.rules import Rules
from gameplay.score_sheets import services
from tests.makers import make_person
sheet = services.make(Rules.preset("standard"), Shape(4, 2), ["Ann", "Ben", "Cem", "Dee"])
token = tokens.create(make_person("Ann"), name="t", scopes=["read"])[1]
print(json.dumps({"key": sheet.key, "token": token}))
"""
TOKEN = "a-token-for-reading-metrics"


@pytest.fixture(params=SERVERS)
def start(request, make_site):
    """Start a server with other limits than usual; its port, its process, a score sheet's key and a token for reading."""

    def start(**limits):
        site = make_site("memory://")
        prepared = site.run(PREPARE)
        changed = " ".join(f"{name}={value}" for name, value in limits.items())
        with socket.create_server(("127.0.0.1", 0), backlog=512) as listener:
            number = listener.fileno()
            process = site.start(
                "-c", SERVERS[request.param], str(number), changed, pass_fds=(number,), METRICS_TOKEN=TOKEN
            )
            port = listener.getsockname()[1]
        return SimpleNamespace(
            port=port, process=process, is_embedded=request.param == "embedded", site=site, **prepared
        )

    return start


class Connection:
    """A connection that sends bytes as it should, and reads what comes."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.socket.close()

    def send(self, *parts):
        # A server that has answered already may hang up.
        with suppress(ConnectionError):
            self.socket.sendall(b"".join(part if isinstance(part, bytes) else part.encode() for part in parts))
        return self

    def rest(self):
        """All bytes until the other side hangs up."""
        received = b""
        with suppress(ConnectionError):
            while part := self.socket.recv(65536):
                received += part
        return received


def head(path, *headers, method="POST"):
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *headers, "", ""])


def statuses(answers):
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+) ", answers)]


def ask(port, path, *headers, method="GET"):
    """The status and the content of one answer."""
    with Connection(port) as connection:
        answer = connection.send(head(path, "Connection: close", *headers, method=method)).rest()
    return statuses(answer)[0], answer.partition(b"\r\n\r\n")[2]


def bytes_held(port):
    """The bytes of bodies that the embedded server holds, as it says itself."""
    _, metrics = ask(port, "/metrics", f"Authorization: Bearer {TOKEN}")
    return float(re.search(rb"^foothold_body_bytes (\S+)$", metrics, re.MULTILINE)[1])


def photo():
    """A form with a photo as a phone sends it, larger than what is read without a question."""
    picture = io.BytesIO()
    Image.effect_noise((600, 400), 90).save(picture, "JPEG", quality=95)
    start = b'--zz\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    form = start + picture.getvalue() + b"\r\n--zz--\r\n"
    assert len(form) > 2 * bodies.SMALL
    return form


def test_a_hundred_large_bodies_to_no_address_are_held_by_nobody(start):
    server = start()
    with ExitStack() as stack:
        senders = [stack.enter_context(Connection(server.port)) for _ in range(100)]
        for sender in senders:
            sender.send(head("/no/such/page/", "Content-Length: 16000000"), bytes(bodies.SMALL))
        answers = [statuses(sender.rest()) for sender in senders]
    assert answers == [[404]] * 100
    assert bytes_held(server.port) == 0


def test_whoever_cannot_send_a_large_body_is_told_before_it_is_read(start):
    server, length = start(), "Content-Length: 3900000"
    answered = {}
    for path, *headers in (
        ["/clubs/import/"],
        ["/clubs/no-such/import/members/"],
        ["/score/edit/no-such-key/photo/"],
        ["/api/v1/clubs/no-such/bring-in/"],
        ["/api/v1/clubs/no-such/bring-seasons/", f"Authorization: Bearer {server.token}"],
        ["/api/v1/tables/", f"Authorization: Bearer {server.token}"],
        ["/play/"],
    ):
        with Connection(server.port) as connection:
            # Nothing of the body is sent.
            answer = connection.send(head(path, length, *headers)).rest()
        answered[path] = statuses(answer)
        if path.startswith("/api/"):
            assert {"code", "sentence"} <= json.loads(answer.partition(b"\r\n\r\n")[2]).keys()
    assert answered == {
        "/clubs/import/": [302],
        "/clubs/no-such/import/members/": [404],
        "/score/edit/no-such-key/photo/": [404],
        "/api/v1/clubs/no-such/bring-in/": [401],
        "/api/v1/clubs/no-such/bring-seasons/": [403],
        "/api/v1/tables/": [413],
        "/play/": [413],
    }


def test_a_photo_arrives_from_whoever_may_send_it(start):
    server, form = start(), photo()
    path = f"/api/v1/score-sheets/edit/{server.key}/photos/"
    kind = "Content-Type: multipart/form-data; boundary=zz"
    with Connection(server.port) as connection:
        connection.send(head(path, kind, f"Content-Length: {len(form)}", "Connection: close"), form)
        assert statuses(connection.rest()) == [201]
    # In chunks, and with a request behind it on the same connection.
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (form[:99_999], form[99_999:])) + b"0\r\n\r\n"
    with Connection(server.port) as connection:
        connection.send(head(path, kind, "Transfer-Encoding: chunked"), chunks)
        connection.send(head("/healthz", "Connection: close", method="GET"))
        # gunicorn's worker reads no chunks, and hangs up rather than take them for requests.
        assert statuses(connection.rest()) == ([201, 200] if server.is_embedded else [411])


def test_requests_on_one_connection_are_answered_in_turn(start):
    server = start()
    with Connection(server.port) as connection:
        connection.send(head("/api/v1/tables/", "Content-Length: 2"), "{}", head("/healthz", method="GET"))
        connection.send(
            head("/no/such/", "Content-Length: 5"), "a=b&c", head("/healthz", "Connection: close", method="GET")
        )
        answered = statuses(connection.rest())
    # After a body that nobody read gunicorn's worker hangs up.
    assert answered == ([401, 200, 404, 200] if server.is_embedded else [401, 200, 404][: len(answered)])
    assert answered[0] == 401


def test_what_follows_a_refused_body_is_no_request(start):
    server = start()
    with Connection(server.port) as connection:
        connection.send(head("/no/such/", "Content-Length: 99999"), head("/healthz", method="GET"))
        assert statuses(connection.rest()) == [404]


@pytest.mark.parametrize("limit", ["SILENT_SECONDS", "GRACE_SECONDS"])
def test_a_body_that_stops_coming_is_refused(start, limit):
    server = start(**{limit: 0.5})
    form, kind = photo(), "Content-Type: multipart/form-data; boundary=zz"
    path = f"/api/v1/score-sheets/edit/{server.key}/photos/"
    with Connection(server.port) as connection:
        answer = connection.send(head(path, kind, f"Content-Length: {len(form)}"), form[:1000]).rest()
    assert statuses(answer) == [408]
    assert json.loads(answer.partition(b"\r\n\r\n")[2]) == {
        "code": "too_slow",
        "sentence": "Your data arrived too slowly. Check your connection and try again.",
    }
    # A form of a page, which is looked through for the token of a page, as well.
    kind, cookie = "Content-Type: application/x-www-form-urlencoded", f"Cookie: csrftoken={'a' * 32}"
    with Connection(server.port) as connection:
        answer = connection.send(head("/accounts/login/", kind, cookie, "Content-Length: 9"), "login=").rest()
    assert statuses(answer) == [408]
    assert "Your data arrived too slowly." in answer.decode()
    assert ask(server.port, "/healthz")[0] == 200


def test_a_body_that_comes_byte_by_byte_is_refused(start):
    server = start(GRACE_SECONDS=0.5)
    with Connection(server.port) as connection:
        connection.send(head("/api/v1/tables/", f"Authorization: Bearer {server.token}", "Content-Length: 60000"))
        connection.socket.settimeout(0.01)
        answer = b""
        while not answer:
            connection.send("x")
            with suppress(TimeoutError):
                answer = connection.socket.recv(9)
    assert answer == b"HTTP/1.1 "


@pytest.mark.parametrize("path", ["/api/v1/tables/", "/play/"])
def test_a_head_that_does_not_end_is_not_waited_for(start, path):
    server = start(HEAD_SECONDS=0.5)
    with ExitStack() as stack:
        slow = [stack.enter_context(Connection(server.port)) for _ in range(20)]
        for connection in slow:
            connection.send(head(path, "X-Slow: ", method="GET")[:-4])
        answers = [connection.rest() for connection in slow]
    assert [statuses(answer) for answer in answers] == [[408]] * 20
    assert (b'"code": "too_slow"' in answers[0]) == path.startswith("/api/")
    assert ask(server.port, "/healthz")[0] == 200


def test_a_head_without_end_is_refused(start):
    server = start()
    with Connection(server.port) as connection:
        answer = connection.send("GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ", b"x" * 1_000_000).rest()
    assert statuses(answer) == [431]


def test_whoever_does_not_read_the_answer_is_left(start, wait_for):
    """More of them than gunicorn has threads."""
    server = start(SEND_SECONDS=0.5)
    large = head("/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js", method="GET").encode()
    assert ask(server.port, "/healthz")[0] == 200
    with ExitStack() as stack:
        for _ in range(gunicorn.threads + 4):
            deaf = stack.enter_context(socket.socket())
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.connect(("127.0.0.1", server.port))
            # As long as several buffers of the system.
            deaf.sendall(large * 12)
        wait_for(lambda: connections_at(server.port), "the connections", server.site)
        assert ask(server.port, "/healthz")[0] == 200
        wait_for(lambda: not connections_at(server.port), "the end of the connections", server.site)


def connections_at(port):
    """How many connections to a port are open at its end."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(local.endswith(f":{port:04X}") and state == "01" for _, local, _, state, *_ in rows)
