"""Programs to test the API of events with: clients with tokens, and the doors by their paths."""

import pytest
from rest_framework.test import APIClient

from accounts.scopes import SCOPES
from accounts.services import tokens

BASE = "/api/v1"


class Program:
    """A client of the API; its answers are asked for as JSON."""

    def __init__(self, user=None, scopes=None):
        self.client = APIClient()
        if user is not None:
            _, text = tokens.create(user, name="bot", scopes=list(scopes or SCOPES), days=None)
            self.client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")

    def get(self, path, expected=200, **query):
        return self._json(self.client.get(f"{BASE}/{path}", query), expected)

    def post(self, path, expected=200, **data):
        return self._json(self.client.post(f"{BASE}/{path}", data, format="json"), expected)

    def _json(self, response, expected):
        assert response.status_code == expected, (response.status_code, response.content[:600])
        return response.json() if response.content else None


@pytest.fixture
def program(db):
    """Makes programs with a token of this person; with every scope unless told which."""
    return lambda user=None, *scopes: Program(user, scopes)
