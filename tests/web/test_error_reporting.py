"""The operator’s own function that is called with errors: its reports, and that it breaks nothing."""

import json
from dataclasses import asdict

import pytest
from django.db import OperationalError
from django.test import Client
from django.urls import path

import config.urls
from gameplay.tasks import play_bots
from web.errors import Refused
from web.monitoring import error_reporting
from web.monitoring.error_reporting import Report

HOOK = f"{__name__}.heard"
reports = []


def heard(report):
    reports.append(report)


def breaks(report):
    raise RuntimeError(f"{report} of olga@example.org")


def _fails(request, name):
    cards = "Ks Qh"
    try:
        raise KeyError(f"{name} holds {cards}")
    except KeyError as error:
        raise RuntimeError(f"{name} holds {cards}") from error


def _away(request):
    raise OperationalError("host db")


def _refuses(request):
    raise Refused("no", "That cannot be done.")


handler500 = "web.error_pages.server_error"
urlpatterns = [
    path("fails/<str:name>/", _fails),
    path("away/", _away),
    path("refuses/", _refuses),
    *config.urls.urlpatterns,
]


@pytest.fixture(autouse=True)
def _heard_here(settings):
    settings.ERROR_HOOK = HOOK
    settings.ROOT_URLCONF = __name__
    reports.clear()


@pytest.fixture
def client():
    return Client(raise_request_exception=False)


def test_an_error_of_a_page_is_told_without_words_and_values(client):
    answer = client.post("/fails/ida@example.org/?q=secret")
    (report,) = reports
    assert isinstance(report, Report)
    assert report.stack[-1] == f"tests/web/test_error_reporting.py:{_fails.__code__.co_firstlineno + 5} in _fails"
    assert asdict(report) | {"stack": ()} == {
        "kind": "RuntimeError",
        "stack": (),
        "causes": ("KeyError",),
        "request_id": answer.headers["X-Request-ID"],
        "route": "fails/<str:name>/",
        "method": "POST",
        "task": "",
        "task_id": "",
    }
    text = json.dumps(asdict(report))
    assert not [secret for secret in ("ida", "Ks", "secret") if secret in text]


def test_that_the_database_is_away_is_told_and_a_refusal_is_not(client):
    assert client.get("/away/").status_code == 503
    assert [report.kind for report in reports] == ["django.db.utils.OperationalError"]
    reports.clear()
    client.get("/refuses/")
    client.get("/nowhere/")
    assert reports == []


@pytest.mark.parametrize("hook", [f"{__name__}.breaks", "no.such.module", f"{__name__}.nothing", "nonsense"])
def test_a_hook_that_fails_changes_nothing_of_the_answer(client, settings, caplog, hook):
    settings.ERROR_HOOK = hook
    answer = client.get("/fails/ida/")
    assert answer.status_code == 500
    assert "Something went wrong on our side" in answer.content.decode()
    (line,) = [record for record in caplog.records if record.name == "web.monitoring.error_reporting"]
    assert "olga" not in line.getMessage()


def test_without_a_hook_nobody_is_told(client, settings):
    settings.ERROR_HOOK = ""
    assert client.get("/fails/ida/").status_code == 500
    assert reports == []


def test_an_error_of_a_task_is_told_with_the_task(monkeypatch, caplog):
    def fail(table_id):
        raise LookupError("Ks Qh")

    monkeypatch.setattr("gameplay.services.bot_queue.play_due", fail)
    result = play_bots.apply((1,), task_id="task-one")
    assert result.failed()
    (report,) = reports
    assert (report.kind, report.task, report.task_id) == ("LookupError", "gameplay.tasks.play_bots", "task-one")
    assert report.stack[-1].endswith(" in fail")
    assert (report.route, report.method) == ("", "")
    assert "Ks" not in json.dumps(asdict(report))


def test_a_hook_that_fails_changes_nothing_of_a_task(monkeypatch, settings, caplog):
    settings.ERROR_HOOK = f"{__name__}.breaks"
    monkeypatch.setattr("gameplay.services.bot_queue.play_due", _raise)
    assert isinstance(play_bots.apply((1,)).result, LookupError)
    assert "The error hook failed: RuntimeError" in caplog.text


def _raise(table_id):
    raise LookupError


def test_an_error_can_be_told_where_nothing_is_done():
    error_reporting.report(ValueError("words"))
    assert [(report.kind, report.stack, report.request_id) for report in reports] == [("ValueError", (), "")]
