"""Pages for a database that is away, or another failure on our side."""

import errno

import pytest
from django.db import DatabaseError, InterfaceError, OperationalError
from django.test import Client

from accounts import guests


@pytest.fixture
def failing(monkeypatch):
    """Make a client whose every query of the database ends in this error, in the middleware already."""

    def make(error):
        def fail(request):
            raise error

        monkeypatch.setattr(guests, "player_of", fail)
        client = Client(raise_request_exception=False)
        client.cookies["sessionid"] = "x"
        return client

    return make


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("host db, password KH"),
        InterfaceError("connection already closed"),
        OSError(errno.ENOSPC, "No space left on device: KH"),
        OSError(errno.EDQUOT, "Disk quota exceeded: KH"),
    ],
)
@pytest.mark.parametrize(("method", "path"), [("get", "/"), ("get", "/play/"), ("post", "/tables/abc/move/")])
def test_a_database_that_is_away_is_said_calmly(failing, error, method, path):
    answer = getattr(failing(error), method)(path)
    assert (answer.status_code, answer["Retry-After"], answer["Cache-Control"]) == (503, "5", "no-store")
    page = answer.content.decode()
    assert "The site cannot reach its database right now." in page
    assert "KH" not in page


def test_a_program_is_told_so_in_json(failing):
    answer = failing(OperationalError("KH")).get("/api/v1/me/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer.json() == {
        "code": "away",
        "sentence": "The site cannot reach its database right now. Please try again in a moment.",
    }


@pytest.mark.parametrize("error", [DatabaseError("KH"), RuntimeError("KH"), OSError(errno.EACCES, "KH")])
def test_any_other_error_is_an_error(failing, error):
    client = failing(error)
    page, data = client.get("/"), client.get("/api/v1/me/")
    assert page.status_code == data.status_code == 500
    assert "Something went wrong on our side" in page.content.decode()
    assert data.json()["code"] == "failed"
    assert "Retry-After" not in page.headers
