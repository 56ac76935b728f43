"""The content of a log line, and what is masked in it."""

import io
import json
import logging
import sys

import pytest
from django.test import RequestFactory
from django.urls import resolve

from web.monitoring.logs import Json, Text, masked
from web.monitoring.work_context import Work, doing


@pytest.fixture
def log():
    """A logger whose lines are written by each formatter; `log.json()` and `log.text()` are the last ones."""
    log = logging.getLogger("tests.logs")
    log.setLevel(logging.DEBUG)
    handlers = {}
    for name, formatter in (("json", Json()), ("text", Text("{levelname} {message}", style="{"))):
        handlers[name] = logging.StreamHandler(io.StringIO())
        handlers[name].setFormatter(formatter)
        log.addHandler(handlers[name])
    log.json = lambda: json.loads(handlers["json"].stream.getvalue().splitlines()[-1])
    log.text = lambda: handlers["text"].stream.getvalue()
    yield log
    for handler in handlers.values():
        log.removeHandler(handler)


def fail():
    """An error with a cause, and words that nobody may read."""
    try:
        raise KeyError("Ks Qh")
    except KeyError as error:
        raise RuntimeError("olga@example.org holds Ks") from error


# Content


def test_a_line_is_one_json_object(log):
    log.warning("Table %s has\nmoved", 12)
    line = log.json()
    time = line.pop("time")
    assert time.endswith("+00:00")
    assert line == {"level": "WARNING", "logger": "tests.logs", "message": "Table 12 has\nmoved"}


def test_a_line_says_what_it_belongs_to(log):
    request = RequestFactory().get("/tables/hidden-slug/?secret=1")
    request.resolver_match = resolve(request.path)
    with doing(Work("abc123", request)):
        log.info("Done", extra={"status": 200, "ms": 1.5, "user": 7})
    line = log.json()
    assert {name: line[name] for name in ("request_id", "route", "method", "status", "ms", "user")} == {
        "request_id": "abc123",
        "route": "tables/<slug:slug>/",
        "method": "GET",
        "status": 200,
        "ms": 1.5,
        "user": 7,
    }
    with doing(Work("abc123", task_id="t-1", task="gameplay.tasks.rate")):
        log.info("Done")
    line = log.json()
    assert log.text() == "INFO Done (request abc123)\n" * 2
    assert (line["request_id"], line["task_id"], line["task"]) == ("abc123", "t-1", "gameplay.tasks.rate")
    assert "route" not in line


def test_an_error_is_told_by_kind_and_place_and_without_its_words(log):
    try:
        fail()
    except RuntimeError:
        log.exception("It failed")
    cause, last = log.json()["error"]
    assert (cause["kind"], last["kind"]) == ("KeyError", "RuntimeError")
    place = f"tests/web/test_logs.py:{fail.__code__.co_firstlineno + 3} in fail"
    assert cause["stack"] == [place]
    assert last["stack"][-1].endswith(" in fail")
    assert place in log.text()
    assert log.text().endswith("RuntimeError\n")
    for text in (json.dumps(log.json()), log.text()):
        assert "olga" not in text
        assert "Ks" not in text


def test_a_developer_sees_the_words(log, settings):
    settings.DEBUG = True
    try:
        fail()
    except RuntimeError:
        log.exception("It failed")
    assert "RuntimeError: olga@example.org holds Ks" in log.text()
    assert "olga" not in json.dumps(log.json())


def test_an_error_from_elsewhere_has_its_module(log):
    log.error("It failed", exc_info=json.JSONDecodeError("words", "doc", 0))
    assert log.json()["error"] == [{"kind": "json.decoder.JSONDecodeError", "stack": []}]


@pytest.mark.parametrize("path", ["/club-invitations/tök en/", "/tables/abc/invitation/SECRET/", "/nowhere/SECRET"])
def test_the_path_of_a_request_is_told_by_its_pattern(log, path):
    request = RequestFactory().get("/")
    request.path = path
    request.resolver_match = None
    escaped = path.encode("unicode_escape").decode()
    for each in (path, escaped):
        log.warning("%s: %s", "Not Found", each, extra={"request": request, "status_code": 404})
        assert (log.json()["message"], log.json()["status"]) == ("Not Found: (no page)", 404)
    request.resolver_match = resolve("/tables/abc/")
    log.warning("Forbidden (%s): %s", "CSRF cookie not set.", path, extra={"request": request})
    assert log.json()["message"] == "Forbidden (CSRF cookie not set.): tables/<slug:slug>/"
    assert "SECRET" not in log.text()


# Masks


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("To olga.o'neill+x@mail.example.org, now", "To (address), now"),
        ("{'ida@example.net': (550, b'no')}", "{'(address)': (550, b'no')}"),
        ("from 192.0.2.17:443", "from (address):443"),
        ("from 2001:db8:0:1:1:1:1:1 and ::1", "from (address) and (address)"),
        ("at postgres://foothold:secret@db:5432/x failed", "at (address) failed"),
        ("Referer https://foothold.example/you/stop/WzEsIm/ refused", "Referer (address) refused"),
        ("/events/x/card/kJ8-fd_2lkjDFksdfj3k/", "/events/x/card/(token)/"),
        ("key 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "key (token)"),
        ("token abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuv", "token (token)"),
        ("discard Ks", "discard (card)"),
        ("hand [2c 2d Xr Xb Th]", "hand [(card) (card) (card) (card) (card)]"),
    ],
)
def test_what_nobody_may_read_is_masked(text, expected):
    assert masked(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Table 1234567 at 2026-11-22 09:15:00",
        "A clock of table 12 could not be seen to: ConnectionRefusedError at gameplay/services/play.py:120",
        "Task tournaments.tasks.rate_tournament: done",
        "The broker did not take the wake-up call for table 5; the sweeper will.",
        "GET tables/<slug:slug>/invitation/<str:token>/: 200",
        "Live events stand still for 0.5 s: OperationalError",
    ],
)
def test_what_an_operator_needs_is_left(text):
    assert masked(text) == text


def test_a_message_made_of_nothing_is_none(log):
    log.info("100%")
    assert (log.json()["message"], log.text()) == ("100%", "INFO 100%\n")


def test_what_is_masked_in_one_line_is_not_in_the_record_for_others(log):
    records = []
    keep = logging.Handler()
    keep.emit = records.append
    log.addHandler(keep)
    try:
        log.warning("To %s", "olga@example.org", exc_info=sys.exc_info())
    finally:
        log.removeHandler(keep)
    assert log.json()["message"] == "To (address)"
    assert records[0].args == ("olga@example.org",)
