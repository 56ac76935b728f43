"""Large bodies count for whoever sends them, at pages and in the API."""

from dataclasses import replace

import pytest

from accounts import body_bytes, budgets
from accounts.services import tokens
from tests.security.test_large_bodies import send
from web import bodies

pytestmark = pytest.mark.django_db


@pytest.fixture
def held(monkeypatch):
    """What is held while a body is read; for a person at most 100,000 bytes."""
    amounts, hold_of = [], body_bytes.hold_of

    def hold(budget, who, size):
        lease = hold_of(budget, who, size)
        amounts.extend((each.member, each.amount) for each in lease.amounts)
        return lease

    monkeypatch.setattr(body_bytes, "BYTES", replace(budgets.BYTES, person=100_000))
    monkeypatch.setattr(body_bytes, "hold_of", hold)
    return amounts


def leases():
    return [lease for lease in list(budgets._leases) if lease.budget.name == "bytes"]


def test_a_body_is_held_by_its_sender_and_address_and_given_back(client, person, held):
    ann = person("Ann")
    client.force_login(ann)
    body = b"record=" + b"x" * 70_000
    send(client, "/records/", len(body), body)
    assert held == [(f"person:{ann.pk}", len(body)), ("address:127.0.0.1", len(body))]
    assert leases() == []


def test_a_small_body_is_not_counted(client, held):
    send(client, "/records/", 8, b"record=x")
    assert held == []


def test_too_many_bytes_at_once_are_refused_at_a_page(client, person, held):
    client.force_login(person("Ann"))
    answer = send(client, "/records/", 100_001)
    assert (answer.status_code, answer["Retry-After"]) == (429, "30")
    assert "Too much is being uploaded at the same time." in answer.content.decode()
    assert leases() == []


def test_and_by_a_token_for_its_person(client, person, held):
    _, text = tokens.create(person("Ann"), name="t", scopes=["clubs_run"])
    answer = send(client, "/api/v1/club-files/bring-in/", 100_001, authorization=f"Bearer {text}")
    assert (answer.status_code, answer["Retry-After"], answer.json()["code"]) == (429, "30", "too_much")


def test_a_guest_can_send_a_photo_of_the_largest_size():
    assert budgets.BYTES.guest >= bodies.LARGEST
