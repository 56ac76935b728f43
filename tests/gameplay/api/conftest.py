"""Programs to test the API with."""

import pytest
from django.core.cache import cache
from rest_framework.test import APIClient

from accounts.scopes import SCOPES
from accounts.services import tokens

BASE = "/api/v1"


@pytest.fixture(autouse=True)
def _fresh_counts():
    cache.clear()


@pytest.fixture
def program():
    """Make clients with a token of this person; with every scope by default."""

    def make(user=None, *scopes):
        client = APIClient()
        if user is not None:
            _, text = tokens.create(user, name="bot", scopes=list(scopes or SCOPES), days=None)
            client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
        return client

    return make


@pytest.fixture
def leader():
    """The person to act at a table."""

    def find(table):
        table.refresh_from_db()
        return table.seats.get(number=table.seat_to_act).user

    return find
