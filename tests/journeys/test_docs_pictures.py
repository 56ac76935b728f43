"""Every picture of the docs can be taken from the demo as it is today. `bin/docs pictures` takes and keeps them."""

import io
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
import time_machine
from django.core.management import call_command
from PIL import Image
from playwright.sync_api import expect

from accounts.models import User
from tests.journeys.docs_pictures import PICTURES
from tests.journeys.hands import DESK

THURSDAY = datetime(2026, 6, 11, 18, 30, tzinfo=UTC)
"""The evening on which all pictures are taken, so that they only change if their pages do."""


@pytest.fixture
def demo(site):
    """The demo on that evening."""
    with time_machine.travel(THURSDAY, tick=True):
        call_command("demo")
        yield


def keep(picture, page):
    """Write it small into the folder DOCS_PICTURES; nowhere without it."""
    if folder := os.environ.get("DOCS_PICTURES"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        image.save(Path(folder) / f"{picture.name}.webp", quality=82, method=6)


def test_every_picture_can_be_taken(demo, visit):
    missing = []
    for picture in PICTURES:
        user = User.objects.get(username=picture.person) if picture.person else None
        page = visit(picture.device or DESK, user=user)
        page.clock.set_fixed_time(THURSDAY)
        page.goto(picture.path if isinstance(picture.path, str) else picture.path())
        if picture.act:
            picture.act(page)
        try:
            expect(page.locator(picture.shows).first).to_be_visible(timeout=20_000)
        except AssertionError:
            missing.append((picture.name, picture.shows))
        keep(picture, page)
        page.context.close()
    assert missing == []
