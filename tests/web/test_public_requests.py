"""Requests to addresses that people named reach public hosts only, and end in time."""

import socket
import ssl
from ipaddress import ip_address

import pytest
import urllib3.util.connection
from django.conf import settings

from tests.receivers import receiver
from web import public_requests
from web.public_addresses import is_public, parts_of
from web.public_requests import NoAnswer, NotReached, send


@pytest.fixture
def names(monkeypatch):
    """Addresses that names resolve to: `names("1.2.3.4")`. Returns where connections went."""
    reached = []

    def resolve(*addresses):
        monkeypatch.setattr(
            socket, "getaddrinfo", lambda host, port, **_: [(0, 0, 0, "", (each, port)) for each in addresses]
        )
        return reached

    def connect(to, *args):
        reached.append(to)
        raise OSError("unreachable")

    monkeypatch.setattr(public_requests, "create_connection", connect)
    return resolve


def post(url):
    return send("POST", url, headers={"Content-Type": "text/plain"}, body=b"hello")


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.0.0.8", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
        "224.0.0.1", "255.255.255.255", "192.0.2.1", "::1", "::", "fe80::1", "fc00::1", "fec0::1", "ff02::1",
        "::ffff:10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::a00:1", "2002:7f00:1::", "2001:db8::1",
    ],
)  # fmt: skip
def test_a_name_that_resolves_to_an_inner_address_is_not_connected_to(names, address):
    assert not is_public(ip_address(address))
    reached = names(address)
    with pytest.raises(NotReached):
        post("https://chat.example.org/hook")
    assert reached == []


def test_one_inner_address_among_public_ones_is_enough_to_refuse(names):
    reached = names("93.184.216.34", "127.0.0.1")
    with pytest.raises(NotReached):
        post("https://chat.example.org/hook")
    assert reached == []


def test_the_connection_goes_to_the_address_that_was_checked(names):
    reached = names("93.184.216.34", "2606:4700::1111")
    with pytest.raises(NotReached):
        post("https://chat.example.org/hook")
    assert reached == [("93.184.216.34", 443), ("2606:4700::1111", 443)]


def test_after_a_while_no_further_address_is_tried(names, monkeypatch):
    monkeypatch.setattr(public_requests, "LONGEST_CONNECTING", -1)
    reached = names("93.184.216.34", "93.184.216.35")
    with pytest.raises(NotReached):
        post("https://chat.example.org/hook")
    assert reached == [("93.184.216.34", 443)]


def test_a_handshake_that_drips_is_cut_and_has_sent_nothing(names, monkeypatch):
    monkeypatch.setattr(public_requests, "LONGEST_ANSWER", 0.1)
    names("93.184.216.34")
    ours, theirs = socket.socketpair()
    monkeypatch.setattr(public_requests, "create_connection", lambda *_: ours)
    with pytest.raises(NotReached):
        post("https://chat.example.org/hook")
    theirs.close()


def test_the_name_is_that_of_the_certificate_and_of_the_host(names, monkeypatch):
    host_names = []

    class Context(ssl.SSLContext):
        def wrap_socket(self, sock, *args, server_hostname=None, **options):
            host_names.append(server_hostname)
            raise OSError("stop")

    names("93.184.216.34")
    ours, theirs = socket.socketpair()
    monkeypatch.setattr(public_requests, "create_connection", lambda *_: ours)
    monkeypatch.setattr("urllib3.util.ssl_.SSLContext", Context)
    with pytest.raises(NotReached):
        post("https://chat.example.org/hook")
    theirs.close()
    assert host_names == ["chat.example.org"]


@pytest.mark.parametrize(
    "url",
    [
        "http://chat.example.org/x", "https://localhost/x", "https://127.0.0.1/x", "https://[::1]/x",
        "https://2130706433/x", "https://0x7f.0.0.1/x", "https://127.1/x", "https://[::ffff:10.0.0.1]/x",
        "https://someone@chat.example.org/x", "https://chat.example.org:22/x", "https://database/x",
        "https://chat.example.org/a b", "https://chat.example.org/\r\nHost: x", "https://chat.example.org:99999/x",
        "https://metadata.google.internal/x", "gopher://chat.example.org/x", "", "https://chat.example.org/" + "x" * 500,
    ],
)  # fmt: skip
def test_addresses_that_cannot_be_public_are_refused_before_anything_is_resolved(names, url):
    reached = names("93.184.216.34")
    assert parts_of(url) is None
    with pytest.raises(NotReached):
        post(url)
    assert reached == []


def test_only_tests_may_name_receivers_on_this_machine():
    assert settings.TEST_RECEIVERS == ()
    with receiver() as local:
        assert post(f"{local.url}/hook").status == 200
        assert parts_of("http://127.0.0.1:1/hook") is None
    with pytest.raises(NotReached):
        post(f"{local.url}/hook")


def test_no_redirect_is_followed():
    with receiver() as local:
        local.answer((302, {"Location": f"{local.url}/inner"}, b""))
        assert post(f"{local.url}/hook").status == 302
        assert [path for _, path, _, _ in local.requests] == ["/hook"]


def test_no_more_of_an_answer_is_read_than_needed():
    with receiver() as local:
        local.answer((200, {}, b"x" * (3 * public_requests.LARGEST_ANSWER)))
        assert len(post(f"{local.url}/hook").body) == public_requests.LARGEST_ANSWER


def test_silence_ends_in_time(monkeypatch):
    monkeypatch.setattr(public_requests, "TIMEOUT", 0.05)
    with receiver() as local:
        local.answer(lambda connection: connection.recv(1))
        with pytest.raises(NoAnswer):
            post(f"{local.url}/hook")


def test_an_answer_that_drips_is_cut(monkeypatch):
    monkeypatch.setattr(public_requests, "LONGEST_ANSWER", 0.1)

    def drip(connection):
        try:
            while True:
                connection.sendall(b"H")
                connection.settimeout(0.02)
                try:
                    connection.recv(1)
                    return
                except TimeoutError:
                    pass
        except OSError:
            pass

    with receiver() as local:
        local.answer(drip)
        with pytest.raises(NoAnswer):
            post(f"{local.url}/hook")


def test_a_connection_that_is_refused_has_sent_nothing():
    with receiver() as local:
        url = local.url
        local.server.shutdown()
        local.server.server_close()
        with pytest.raises(NotReached):
            post(f"{url}/hook")


def test_proxies_of_the_environment_are_not_host_names(monkeypatch, names):
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    reached = names("93.184.216.34")
    with pytest.raises(NotReached):
        post("https://chat.example.org/hook")
    assert reached == [("93.184.216.34", 443)]
    assert urllib3.util.connection.create_connection is not public_requests.create_connection
