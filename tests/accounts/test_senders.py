"""Who sent a request is known before it is answered, once a session or token has named a person in this process."""

import pytest

from accounts import senders
from accounts.guests import make_guest
from accounts.senders import remember, sender_of
from tests.accounts.test_tokens import make

pytestmark = pytest.mark.django_db

ADDRESS = "192.0.2.7"


@pytest.fixture(autouse=True)
def nobody_known(monkeypatch):
    monkeypatch.setattr(senders, "_people", senders.OrderedDict())


@pytest.fixture
def ask(rf):
    """A request from an address, with the cookie of a session or a token."""

    def ask(session="", token="", address=ADDRESS):
        headers = {"Cookie": f"a=b; sessionid={session}"} if session else {}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        return rf.get("/", headers=headers, REMOTE_ADDR=address)

    return ask


def test_a_stranger_is_an_address(ask):
    assert sender_of(ask().META) == f"address {ADDRESS}"
    assert sender_of(ask(session="made up").META) == f"address {ADDRESS}"


def test_strangers_of_one_household_are_one_address(ask):
    first, second = (ask(address=f"2001:db8:1:2::{number}").META for number in (1, 2))
    assert sender_of(first) == sender_of(second)


def test_a_session_that_named_a_person_is_that_person_anywhere(ask, ann):
    remember(ask(session="s1"), ann)
    assert sender_of(ask(session="s1", address="192.0.2.9").META) == f"person {ann.pk}"
    assert sender_of(ask(session="s2").META) == f"address {ADDRESS}"


def test_all_tokens_and_sessions_of_a_person_are_one_sender(ask, ann):
    for request in (ask(session="s1"), ask(token="t1"), ask(token="t2")):
        remember(request, ann)
        assert sender_of(request.META) == f"person {ann.pk}"


def test_a_guest_stays_an_address_since_anyone_can_be_a_new_one(ask, client):
    request = client.get("/").wsgi_request
    guest = make_guest(request)
    remember(ask(session="s1"), guest)
    assert sender_of(ask(session="s1").META) == f"address {ADDRESS}"


def test_pages_remember_who_was_signed_in(client, ann):
    client.force_login(ann)
    request = client.get("/").wsgi_request
    assert sender_of(request.META) == f"person {ann.pk}"


def test_the_api_remembers_whose_token_it_was(client, ann):
    _, text = make(ann, "read")
    answer = client.get("/api/v1/tables/", headers={"Authorization": f"Bearer {text}"})
    assert answer.status_code == 200
    assert sender_of(answer.wsgi_request.META) == f"person {ann.pk}"


def test_a_wrong_token_names_nobody(client):
    answer = client.get("/api/v1/tables/", headers={"Authorization": "Bearer wrong"})
    assert sender_of(answer.wsgi_request.META) == "address 127.0.0.1"


def test_only_so_many_sign_ins_are_remembered(ask, ann, monkeypatch):
    monkeypatch.setattr(senders, "REMEMBERED", 2)
    for session in ("s1", "s2", "s3"):
        remember(ask(session=session), ann)
    assert sender_of(ask(session="s1").META) == f"address {ADDRESS}"
    assert sender_of(ask(session="s3").META) == f"person {ann.pk}"
