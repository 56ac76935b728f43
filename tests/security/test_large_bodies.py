"""Large bodies: only at addresses that take them, from those who can send them, decided before any of it is read."""

import io

import pytest
from django.test import Client
from django.urls import resolve

from accounts.services import tokens
from tests.security.site_map import paths
from web import bodies

pytestmark = pytest.mark.django_db
JSON, FORM = "application/json", "multipart/form-data; boundary=zz"


class Unsent(io.RawIOBase):
    """A body that nobody has sent yet."""

    def readable(self):
        return True

    def readinto(self, buffer):
        raise AssertionError("It was read.")


def send(client, path, length, body=None, **headers):
    """The answer to a form, or JSON for the API, of this length; without a body reading it fails."""
    extra = {f"HTTP_{name}".upper(): value for name, value in headers.items()}
    kind = JSON if path.startswith("/api/") else FORM
    environ = {"REQUEST_METHOD": "POST", "PATH_INFO": path, "CONTENT_TYPE": kind, **extra}
    stream = Unsent() if body is None else io.BytesIO(body)
    return client.request(**environ, CONTENT_LENGTH=str(length), **{"wsgi.input": stream})


def large(site):
    """Addresses that take large bodies, with how large."""
    sizes = {path: bodies.body_limit_of(resolve(path).func, is_api=False).most for _, path in paths(site, site.playing)}
    return {path: most for path, most in sizes.items() if most > bodies.FORM}


def test_these_addresses_take_more_than_a_form(site):
    assert {resolve(path).view_name: most for path, most in large(site()).items()} == {
        **dict.fromkeys(["gameplay:sheet_photo", "tournaments:match_photos", "tournaments:card_photos"], 16_000_000),
        **dict.fromkeys(["api:score_sheet_add_photo", "events_api:match_photos", "events_api:card_photos"], 16_000_000),
        **dict.fromkeys(["clubs:bring_club", "clubs_api:bring_club"], 5_000_000),
        **dict.fromkeys(["clubs_api:club_look_at_people", "clubs_api:club_bring_in"], 4_000_000),
        **{f"clubs:bring_in_{what}": 8_000_000 for what in ("people", "results", "table", "fixtures")},
        **dict.fromkeys(["clubs:bring_seasons", "clubs_api:club_look_at_seasons"], 4_000_000),
        "clubs_api:club_bring_seasons": 4_000_000,
        "gameplay:records": 3_000_000,
    }


def is_refused(answer):
    """Whether somebody is not known, not allowed, or asks for what is not there."""
    return answer.status_code in (401, 403, 404) or "/accounts/login/" in answer.headers.get("Location", "")


def test_who_cannot_send_a_body_is_told_as_by_the_page_itself_and_before_it_is_read(site):
    site, refusals = site(), []
    eve = tokens.create(site.users["Eve"], name="t", scopes=["read"], days=None)[1]
    for path in large(site):
        callers = [{"client": Client()}, {"client": site.clients["Eve"]}]
        if path.startswith("/api/"):
            callers += [
                {"client": Client(), "authorization": f"Bearer {token}"} for token in (eve, site.bearer, "0" * 64)
            ]
        for number, caller in enumerate(callers):
            small = send(path=path, length=2, body=b"{}", **caller)
            if not is_refused(small):
                continue
            answer = send(path=path, length=100_000, **caller)
            assert answer.status_code == small.status_code, (path, number)
            assert answer.headers.get("Location") == small.headers.get("Location"), (path, number)
            if path.startswith("/api/"):
                assert answer.json() == small.json(), (path, number)
            refusals.append((path, number))
    assert len(refusals) > 20


def test_an_unknown_address_reads_no_body():
    assert send(Client(), "/no/such/page/", 15_900_000).status_code == 404
    assert send(Client(), "/api/v1/no/such/", 15_900_000).json()["code"] == "not_found"


@pytest.mark.parametrize("path", ["/score/", "/records/", "/accounts/login/"])
def test_a_page_says_what_is_too_large(path):
    answer = send(Client(), path, bodies.LARGEST)
    size = {"/records/": "3 MB"}.get(path, "256 KB")
    assert (answer.status_code, answer["Cache-Control"]) == (413, "no-store")
    assert f"This request is too large. The limit here is {size}." in answer.content.decode()


def test_a_program_is_told_in_json_what_is_too_large():
    answer = send(Client(), "/api/v1/tables/", bodies.SMALL + 1, accept_language="de")
    assert answer.status_code == 413
    assert answer.json() == {
        "code": "too_large",
        "sentence": "Diese Anfrage ist zu groß. Hier sind höchstens 64 KB möglich.",
    }


def test_a_body_in_chunks_needs_a_length_where_it_would_not_be_read():
    environ = {"REQUEST_METHOD": "POST", "PATH_INFO": "/api/v1/tables/", "HTTP_TRANSFER_ENCODING": "chunked"}
    answer = Client().request(**environ, CONTENT_LENGTH="", **{"wsgi.input": Unsent()})
    assert (answer.status_code, answer.json()["code"]) == (411, "no_length")
