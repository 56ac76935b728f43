"""Readiness of the installation: the answer for each part that is missing."""

from datetime import timedelta

import pytest
from django.db import DatabaseError
from django.utils import timezone

from config import ready
from config.celery import app
from gameplay.models import Heartbeat, Process
from gameplay.services.clocks import HEARTBEAT

pytestmark = pytest.mark.django_db


ALL = ("deadlines", "worker", "clock")


@pytest.fixture
def beat(settings):
    """Heartbeats of the worker, the clock and the deadline sweep, so long ago; or of some of them."""

    def at(*of, **ago):
        moment = timezone.now() - timedelta(**ago)
        for each in of or ALL:
            if each == "deadlines":
                Heartbeat.objects.update_or_create(name=HEARTBEAT, defaults={"at": moment})
            else:
                lanes = " ".join(settings.LANES) if each == "worker" else ""
                Process.objects.update_or_create(key=each, defaults={"role": each, "at": moment, "lanes": lanes})

    return at


def test_all_is_well(client, beat):
    beat(seconds=15)
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == dict.fromkeys(("database", "broker", "worker", "clock", "deadlines"), "ok")
    assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.parametrize("silent", ALL)
def test_what_fell_silent_is_told(client, beat, silent):
    beat(seconds=15)
    beat(silent, minutes=2)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert [name for name, status in answer.json().items() if status != "ok"] == [silent]


def test_one_worker_of_two_is_enough(client, beat):
    beat(seconds=15)
    Process.objects.create(key="another", role="worker", at=timezone.now() - timedelta(hours=1))
    assert client.get("/readyz").status_code == 200


@pytest.mark.parametrize(("lanes", "status"), [("clocks letters", 503), ("clocks letters bots", 200)])
def test_every_lane_needs_a_worker(client, beat, caplog, lanes, status):
    beat(seconds=15)
    Process.objects.filter(role="worker").update(lanes=lanes)
    answer = client.get("/readyz")
    assert answer.status_code == status
    assert [name for name, part in answer.json().items() if part != "ok"] == ["worker"] * (status == 503)
    assert ("no worker for bots." in caplog.text) == (status == 503)


def test_a_site_without_a_worker_is_not_ready(client):
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert [name for name, status in answer.json().items() if status == "ok"] == ["database", "broker"]


def test_a_broker_that_refuses_is_told(client, beat, settings, monkeypatch):
    beat(seconds=1)

    def refuse(**kwargs):
        raise ConnectionRefusedError("redis://secret@host")

    monkeypatch.setattr(app, "connection_for_write", refuse)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert [name for name, status in answer.json().items() if status != "ok"] == ["broker"]


def test_a_database_that_is_away_is_told_without_a_word_of_where_it_is(client, monkeypatch, caplog):
    def fail():
        raise DatabaseError("password of postgres://secret")

    for name in ("database", *ALL):
        monkeypatch.setitem(ready.CHECKS, name, fail)
    answer = client.get("/readyz")
    assert [name for name, status in answer.json().items() if status == "ok"] == ["broker"]
    assert "secret" not in answer.content.decode() + caplog.text


def test_it_is_asked_and_not_told(client):
    assert client.post("/readyz").status_code == 405


def test_it_is_not_redirected_to_https(client, settings, beat):
    settings.SECURE_SSL_REDIRECT = True
    beat(seconds=1)
    assert client.get("/readyz").status_code == 200
