"""Clients that send the head of a request a byte at a time, or nothing at all, keep nobody else from being answered."""

import socket
from contextlib import ExitStack
from http.client import HTTPConnection

import pytest

from config import gunicorn
from tests.config.deployed import ROOT, Browser
from tests.config.test_deployed import Machine
from tests.sites import PATIENCE

SLOW = 60
HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: "


def hold(stack, port, number):
    """So many connections that say nothing yet, shut when the stack is left."""
    return [stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)) for _ in range(number)]


def answered(port, path):
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", path, headers={"Host": "localhost"})
    status = connection.getresponse().status
    connection.close()
    return status


def test_heads_that_come_a_byte_at_a_time_hold_up_nobody(make_site):
    """By the web server of `bin/serve`, with no proxy before it: pages, the API and live events."""
    site = make_site("memory://")
    port = int(site.web().rpartition(":")[2])
    with ExitStack() as stack:
        slow = hold(stack, port, SLOW)
        for at, byte in enumerate(HEAD):
            for each in slow:
                each.sendall(bytes([byte]))
            if at % 16 == 0:
                assert answered(port, "/score/") == 200
                assert answered(port, "/api/v1/rulesets/") in (200, 401)
        # They are none the worse for it: what ends at last is answered.
        slow[0].sendall(b"a\r\nConnection: close\r\n\r\n")
        assert slow[0].recv(100).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("name", ["web", "live"])
def test_who_connects_and_says_nothing_holds_no_thread(site, broker, tmp_path, collected, name):
    """By the services as the units have them, more than there are threads: the proxy's idle connections are no harm."""
    machine = Machine(site, broker, tmp_path / "machine", collected)
    machine.start(name)
    with ExitStack() as stack:
        hold(stack, machine.port(name), gunicorn.threads + 16)
        assert Browser().ask(machine.port(name), "/healthz") == (200, "ok")


def test_the_proxies_read_a_request_before_they_pass_it_on():
    """A slow head holds a thread of gunicorn: the proxy, which buffers requests, must keep it away."""
    nginx = (ROOT / "deploy/nginx.conf").read_text()
    assert "proxy_request_buffering" not in nginx  # on, unless switched off; heads are always read first
    assert "request_buffers" in (ROOT / "deploy/Caddyfile").read_text()
