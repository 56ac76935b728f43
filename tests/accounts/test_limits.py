"""Limits of attempts: signing in, codes, emails, proofs. Past a limit you are asked to wait, with 429."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.core import mail as outbox
from django.test import Client

from tests.accounts.conftest import NOON, PASSWORD

pytestmark = pytest.mark.django_db

LOGIN = "/accounts/login/"
CODE = "/accounts/login/code/"
RESET = "/accounts/password/reset/"
OTHER = {"password1": "another quiet evening", "password2": "another quiet evening"}


@pytest.fixture(autouse=True)
def noon():
    """A clock that is moved by hand."""
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


def asks_to_wait(answer):
    words = re.search(r"Wait (\d+ min|a few minutes)(, then| and) try again\.", answer.content.decode())
    return answer.status_code == 429 and words is not None


def tries(client, path, count, **fields):
    """Whether each of so many tries was asked to wait; `{}` in a field is replaced by the number of the try."""
    return [
        asks_to_wait(client.post(path, {name: value.replace("{}", str(number)) for name, value in fields.items()}))
        for number in range(count)
    ]


def code_in(message):
    return re.search(r"^\w[\w-]{4,}$", message.body, re.MULTILINE)[0]


def after(count):
    """So many tries that are answered, and one that is asked to wait."""
    return [False] * count + [True]


def test_passwords_of_one_account(client, ann, noon):
    assert tries(client, LOGIN, 6, login=ann.email, password="wrong") == after(5)
    elsewhere = Client(REMOTE_ADDR="198.51.100.7")
    assert asks_to_wait(elsewhere.post(LOGIN, {"login": ann.email, "password": PASSWORD}))
    assert "_auth_user_id" not in elsewhere.session
    noon.shift(timedelta(minutes=5, seconds=1))
    client.post(LOGIN, {"login": ann.email, "password": PASSWORD})
    assert "_auth_user_id" in client.session


def test_who_has_no_account_is_asked_to_wait_as_well(client):
    assert tries(client, LOGIN, 6, login="nobody@example.org", password="wrong") == after(5)


def test_passwords_of_many_accounts_from_one_place(client):
    assert tries(client, LOGIN, 11, login="x{}@example.org", password="wrong") == after(10)


def test_a_password_that_fits_counts_for_nothing(ann):
    """Members of a club sign in one after the other behind one address."""
    for _ in range(12):
        client = Client()
        client.post(LOGIN, {"login": ann.email, "password": PASSWORD})
        assert "_auth_user_id" in client.session


@pytest.mark.parametrize("email", ["ann@example.org", "nobody@example.org"])
def test_mailed_codes_for_one_address(ann, email):
    """Three are sent in five minutes; after that the page continues as before, since they all have the same code."""
    answers = [Client(REMOTE_ADDR=f"198.51.100.{n}").post(CODE, {"email": email}) for n in range(20)]
    assert {(answer.status_code, answer.url) for answer in answers} == {(302, f"{CODE}confirm/")}
    assert len(outbox.outbox) == 3


def test_mailed_codes_for_one_address_from_one_place(ann):
    answers = [asks_to_wait(Client().post(CODE, {"email": ann.email})) for _ in range(6)]
    assert answers == after(5)


def test_mailed_codes_from_one_place():
    answers = [asks_to_wait(Client().post(CODE, {"email": f"x{number}@example.org"})) for number in range(21)]
    assert answers == after(20)


def test_guesses_of_a_mailed_code(client, ann):
    confirm = client.post(CODE, {"email": ann.email}).url
    code = code_in(outbox.outbox[0])
    assert [client.post(confirm, {"code": "000000"}).status_code for _ in range(3)] == [200, 200, 302]
    client.post(confirm, {"code": code})
    assert "_auth_user_id" not in client.session


def test_a_mailed_code_is_good_for_five_minutes(client, ann, noon):
    confirm = client.post(CODE, {"email": ann.email}).url
    code = code_in(outbox.outbox[0])
    noon.shift(timedelta(minutes=5, seconds=1))
    client.post(confirm, {"code": code})
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("email", ["ann@example.org", "nobody@example.org"])
def test_emails_for_a_new_password(ann, email):
    """Three are sent in half an hour; after that the page continues as before, since their links still work."""
    answers = [Client(REMOTE_ADDR=f"198.51.100.{n}").post(RESET, {"email": email}) for n in range(20)]
    assert {(answer.status_code, answer.url) for answer in answers} == {(302, f"{RESET}done/")}
    assert len(outbox.outbox) == 3


def test_emails_for_a_new_password_from_one_place(client):
    assert tries(client, RESET, 21, email="x{}@example.org") == after(20)


def test_links_for_a_new_password(client):
    answers = [asks_to_wait(client.post(f"{RESET}key/1-x{number}/")) for number in range(21)]
    assert answers == after(20)


def test_the_old_password_at_changing_it(signed_in):
    assert tries(signed_in, "/accounts/password/change/", 6, oldpassword="wrong", **OTHER) == after(5)


def test_changes_of_the_address(signed_in):
    answers = tries(signed_in, "/accounts/email/", 11, action_add="1", email="ann{}@new.example.org")
    assert answers == after(10)


def test_emails_to_confirm_an_address(signed_in, ann):
    ann.emailaddress_set.update(verified=False)
    for _ in range(3):
        signed_in.post("/accounts/email/", {"action_send": "1", "email": ann.email})
    assert len(outbox.outbox) == 1


def test_joining(ann, settings):
    settings.ACCOUNT_RATE_LIMITS = {"signup": "2/m/ip"}
    fields = {"email": ann.email, "display_name": "Nell", "password1": PASSWORD}
    assert [asks_to_wait(Client().post("/accounts/signup/", fields)) for _ in range(3)] == after(2)
