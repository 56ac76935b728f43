"""People to test with."""

from datetime import UTC, datetime

import pytest
from allauth.account.models import EmailAddress

from accounts.services import notices
from tests.makers import make_person

PASSWORD = "a quiet afternoon"
NOON = datetime(2026, 5, 6, 12, tzinfo=UTC)
"""A Wednesday without a change of clocks near it."""


@pytest.fixture
def person(db):
    """Make people by name, with confirmed addresses."""

    def make(name="Ann", **fields):
        user = make_person(name, password=PASSWORD, **fields)
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        return user

    return make


@pytest.fixture
def ann(person):
    return person()


@pytest.fixture
def signed_in(client, ann):
    client.force_login(ann)
    return client


@pytest.fixture
def kinds(monkeypatch):
    """The registered questions, for this test alone."""
    monkeypatch.setattr(notices, "_questions", {})


@pytest.fixture
def tell():
    """Put a notice into the outbox."""

    def add(user, number=1, *, due_at=NOON, kind="turn", **fields):
        defaults = {"title": f"Table {number}: your turn", "subject": f"table:{number}", "url": f"/tables/t{number}/"}
        key = fields.pop("key", f"{kind}:{number}")
        notices.add(user, kind=kind, key=key, due_at=due_at, **{**defaults, **fields})
        return user.notices.get(key=key)

    return add
