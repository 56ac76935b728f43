"""Pages for a database that is away, or another failure on our side."""

import errno

import pytest
from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.db import DatabaseError, InterfaceError, OperationalError
from django.test import Client

from accounts import guests
from tests.makers import make_club
from tests.pages import squeezed


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


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
@pytest.mark.parametrize("path", ["/api/v1/nothing/", "/api/v1/tables/x/nothing/", "/api/v2/"])
def test_an_unknown_address_of_the_api_answers_in_json(client, method, path):
    answer = getattr(client, method)(path, headers={"Accept-Language": "de", "Accept": "text/html"})
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/json")
    assert answer.json() == {
        "code": "not_found",
        "sentence": "Adresse nicht gefunden. /api/v1/docs/ nennt alle Adressen.",
    }


@pytest.mark.django_db
def test_a_method_that_an_address_of_the_api_does_not_take_answers_in_json(client, person):
    client.force_login(person("Ann"))
    answer = client.put("/api/v1/me/")
    assert (answer.status_code, set(answer["Allow"].split(", "))) == (405, {"GET", "OPTIONS"})
    assert (answer.json()["code"], answer.json()["sentence"]) == ("method_not_allowed", 'Method "PUT" not allowed.')


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [(BadRequest("KH"), 400, "bad_request"), (SuspiciousOperation("KH"), 400, "bad_request"),
     (PermissionDenied("KH"), 403, "permission_denied")],
)  # fmt: skip
def test_a_refusal_before_any_view_is_json_under_the_api(failing, error, status, code):
    answer = failing(error).get("/api/v1/me/")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["sentence"].endswith(".")
    assert "KH" not in answer.text


@pytest.mark.django_db
def test_visitors_who_are_refused_are_shown_the_way_in_and_back(client, person):
    make_club("Lakeside", owner=person("Ann"), slug="lakeside")
    people, came_from = "/clubs/lakeside/people/", {"headers": {"Referer": "http://testserver/clubs/lakeside/people/"}}
    way_in = "Sign in</a>and come back to this page."
    for answer in (client.get(people), client.post(f"{people}add/", {"names": "Ben"}, **came_from)):
        assert answer.status_code == 403
        assert f'<a href="/accounts/login/?next={people}">{way_in}' in squeezed(answer)
    elsewhere = client.post(f"{people}add/", headers={"Referer": "https://elsewhere.example/trap/"})
    assert f'<a href="/accounts/login/?next=/">{way_in}' in squeezed(elsewhere)
    client.force_login(person("Ben"))
    assert way_in not in squeezed(client.get(people))


@pytest.mark.django_db
def test_an_address_that_only_takes_forms_says_so_to_who_opens_it(client):
    answer = client.get(f"/clubs/{make_club().slug}/people/add/")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert "This address only takes a form." in answer.content.decode()
