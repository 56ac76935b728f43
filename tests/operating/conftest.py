"""An operator at the desk, and a site on which everything answers."""

from types import SimpleNamespace

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from gameplay.models import Heartbeat
from gameplay.monitoring import heartbeats
from gameplay.services import clocks
from operating import health


@pytest.fixture
def olga(person):
    """An operator."""
    return person("Olga", is_staff=True)


@pytest.fixture
def desk(olga):
    """Olga's browser."""
    client = Client()
    client.force_login(olga)
    return client


@pytest.fixture
def press(desk):
    """Press a button, and confirm if asked."""

    def send(act, subject, **more):
        return desk.post("/operator/do/", {"act": act, "subject": subject, "sure": "yes", **more})

    return send


@pytest.fixture
def heard(db):
    """The workers were heard of just now."""
    Heartbeat.objects.update_or_create(name=clocks.HEARTBEAT, defaults={"at": timezone.now()})
    heartbeats.tell("worker", "worker", 0, {}, settings.LANES)


@pytest.fixture(autouse=True)
def _room(monkeypatch):
    """The disk of the machine that runs the tests does not matter."""
    monkeypatch.setattr(health.shutil, "disk_usage", lambda path: SimpleNamespace(free=5 << 30, total=10 << 30))
