"""Around every request: its id, its line in the log, and nothing more to pay for it."""

import asyncio
import json
import logging
import re

import pytest
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpResponse
from django.test import AsyncClient, Client, RequestFactory
from django.urls import path

from web.monitoring import counters
from web.monitoring.logs import Json
from web.monitoring.request_logging import watched
from web.monitoring.work_context import Work, current

ID = re.compile(r"[0-9a-f]{16}")


@pytest.fixture
def lines(monkeypatch):
    """The lines of the log of requests, as JSON."""
    written, formatter = [], Json()
    keep = logging.Handler()
    keep.emit = lambda record: written.append(json.loads(formatter.format(record)))
    log = logging.getLogger("web.monitoring.request_logging")
    monkeypatch.setattr(log, "handlers", [keep])
    monkeypatch.setattr(log, "level", logging.INFO)
    log.manager._clear_cache()
    yield written
    log.manager._clear_cache()


def test_every_answer_has_an_id_of_its_own(client):
    ids = [client.get(each).headers["X-Request-ID"] for each in ("/healthz", "/healthz", "/nowhere", "/static/none")]
    assert all(ID.fullmatch(each) for each in ids)
    assert len(set(ids)) == 4


@pytest.mark.parametrize("request_id", ["proxy-made-this-1", "0123456789abcdef"])
def test_an_id_is_taken_from_a_proxy_that_is_trusted(client, settings, request_id):
    settings.TRUST_REQUEST_ID = True
    assert client.get("/healthz", headers={"X-Request-ID": request_id}).headers["X-Request-ID"] == request_id
    settings.TRUST_REQUEST_ID = False
    assert ID.fullmatch(client.get("/healthz", headers={"X-Request-ID": request_id}).headers["X-Request-ID"])


@pytest.mark.parametrize(
    "request_id", ["", "short", "x" * 65, "with space 1", "olga@example.org", 'quote"quote"', "ünïcödé12"]
)
def test_what_is_no_id_is_not_taken(client, settings, request_id):
    settings.TRUST_REQUEST_ID = True
    assert ID.fullmatch(client.get("/healthz", headers={"X-Request-ID": request_id}).headers["X-Request-ID"])


@pytest.mark.django_db
def test_a_request_is_told_in_one_line_without_its_path_and_query(client, person, lines):
    ann = person("Ann")
    client.force_login(ann)
    answer = client.get("/tables/some-secret-slug/?q=secret")
    (line,) = lines
    assert line.pop("ms") >= 0
    line.pop("time")
    assert line == {
        "level": "INFO",
        "logger": "web.monitoring.request_logging",
        "message": "GET tables/<slug:slug>/: 404",
        "request_id": answer.headers["X-Request-ID"],
        "route": "tables/<slug:slug>/",
        "method": "GET",
        "status": 404,
        "user": ann.pk,
    }


def test_an_unknown_person_has_no_number_and_is_not_looked_up(client, lines):
    client.generic("OLGA@EXAMPLE.ORG", "/healthz")
    (line,) = lines
    assert "user" not in line
    assert (line["method"], line["message"]) == ("OTHER", "OTHER healthz: 405")


@pytest.mark.django_db
def test_it_asks_nothing_of_the_database(client, person, django_assert_num_queries):
    ann = person("Ann")
    client.force_login(ann)
    request = request_with_session(client)
    with django_assert_num_queries(0):
        watched(lambda request: HttpResponse())(request)
    assert request.user == ann  # looked up only now


def request_with_session(client):
    """A request with a user that nothing has looked up yet, as the middleware of sessions and users leaves it."""
    request = RequestFactory().get("/")
    request.COOKIES["sessionid"] = client.cookies["sessionid"].value
    SessionMiddleware(HttpResponse).process_request(request)
    AuthenticationMiddleware(HttpResponse).process_request(request)
    return request


def test_what_is_done_belongs_to_the_request_and_to_nothing_after_it():
    contexts = []

    def page(request):
        contexts.append(current())
        return HttpResponse()

    response = watched(page)(RequestFactory().get("/"))
    assert contexts[0].request_id == response.headers["X-Request-ID"]
    assert current() == Work()


def test_requests_that_are_answered_in_turns_keep_their_ids():
    """Requests in turns, as live events are: each coroutine is a request, all of them in one thread."""
    gate, ids = {}, {}

    async def page(request):
        name = request.path
        before = current().request_id
        if name == "/first":
            await gate["second is there"].wait()
        else:
            gate["second is there"].set()
        ids[name] = (before, current().request_id)
        return HttpResponse()

    async def both():
        gate["second is there"] = asyncio.Event()
        middleware = watched(page)
        return await asyncio.gather(*(middleware(RequestFactory().get(name)) for name in ("/first", "/second")))

    answers = asyncio.run(both())
    for name, answer in zip(("/first", "/second"), answers, strict=True):
        assert ids[name] == (answer.headers["X-Request-ID"],) * 2
    assert ids["/first"] != ids["/second"]


async def _id_in_a_page(request):
    return HttpResponse(current().request_id)


def _id_in_a_plain_page(request):
    return HttpResponse(current().request_id)


urlpatterns = [path("async/", _id_in_a_page), path("plain/", _id_in_a_plain_page)]


@pytest.mark.parametrize("page", ["/async/", "/plain/"])
def test_both_kinds_of_pages_know_the_id_under_both_kinds_of_servers(settings, page):
    settings.ROOT_URLCONF = __name__
    answers = [Client().get(page), asyncio.run(AsyncClient().get(page))]
    for answer in answers:
        assert answer.content.decode() == answer.headers["X-Request-ID"]


def test_a_page_that_fails_names_its_reference_and_only_there(client, settings):
    settings.ROOT_URLCONF = "tests.web.test_error_reporting"
    client.raise_request_exception = False
    answer = client.get("/fails/ida@example.org/")
    assert answer.status_code == 500
    assert f"<code>{answer.headers['X-Request-ID']}</code>" in answer.content.decode()


def test_counting_is_for_this_process_until_it_is_taken():
    counters.take_counts()
    counters.count(counters.TURNS)
    counts = counters.take_counts()
    assert counts == {("turns", (), ""): 1}
    assert counters.take_counts() == {}
    counters.return_counts(counts)
    counters.count(counters.TURNS)
    assert counters.take_counts() == {("turns", (), ""): 2}
