"""Taking one's data away, and being forgotten."""

import json
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.test import Client

from accounts import privacy
from accounts.models import Erasure, User
from accounts.services import tokens
from accounts.signals import account_deleted
from tests.accounts.conftest import NOON, PASSWORD

pytestmark = pytest.mark.django_db


@pytest.fixture
def full_account(ann, tell):
    """A person of whom the site knows a lot."""
    tell(ann)
    ann.absences.create(starts_at=NOON, ends_at=NOON.replace(day=9))
    ann.push_subscriptions.create(endpoint="https://push.example.org/1", p256dh="x", auth="y")
    tokens.create(ann, name="My bot", scopes=["play"], days=None)
    return ann


@pytest.fixture
def browser(client, ann):
    client.post("/accounts/login/", {"login": ann.email, "password": PASSWORD})
    return client


def test_the_export_holds_everything_of_ones_own(signed_in, full_account, person, tell):
    tell(person("Ben"), 2)
    response = signed_in.get("/you/privacy/export/")
    data = json.loads(response.content)
    assert response["Content-Disposition"].startswith('attachment; filename="foothold-')
    assert "no-store" in response["Cache-Control"]
    assert data["profile"]["email"] == "ann@example.org"
    assert data["absences"][0]["ends_at"] == "2026-05-09T12:00:00Z"
    assert [notice["title"] for notice in data["notices"]] == ["Table 1: your turn"]
    assert data["api_tokens"][0]["name"] == "My bot"
    for secret in ("digest", "password", "token_key", "p256dh"):
        assert f'"{secret}"' not in response.content.decode()


def test_other_apps_add_their_parts(signed_in, monkeypatch):
    monkeypatch.setattr(privacy, "_exporters", dict(privacy._exporters))
    privacy.register("clubs", lambda user: [f"of {user}"])
    assert json.loads(signed_in.get("/you/privacy/export/").content)["clubs"] == ["of Ann"]


def test_deleting_asks_for_the_password_then_once_more(browser, ann):
    response = browser.get("/you/privacy/delete/")
    assert response.url == "/accounts/reauthenticate/?next=%2Fyou%2Fprivacy%2Fdelete%2F"
    wrong = browser.post("/accounts/reauthenticate/", {"password": "wrong", "next": "/you/privacy/delete/"})
    assert wrong.status_code == 200
    assert User.objects.get(pk=ann.pk).is_active
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": "/you/privacy/delete/"})
    assert "Delete your account?" in browser.get("/you/privacy/delete/").content.decode()
    assert User.objects.get(pk=ann.pk).is_active
    assert "Your account was deleted" in browser.post("/you/privacy/delete/").content.decode()
    assert not User.objects.get(pk=ann.pk).is_active


def test_a_button_pressed_too_late_waits_for_the_password(browser, ann):
    assert browser.post("/you/privacy/delete/").url.startswith("/accounts/reauthenticate/")
    browser.post("/accounts/reauthenticate/", {"password": "wrong", "next": "/you/privacy/delete/"})
    assert User.objects.get(pk=ann.pk).is_active
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": "/you/privacy/delete/"})
    assert not User.objects.get(pk=ann.pk).is_active


def test_without_a_password_a_fresh_mailed_code_is_asked_for(signed_in, ann):
    ann.set_unusable_password()
    ann.save()
    signed_in.force_login(ann)
    assert "Sign in once more" in signed_in.get("/you/privacy/delete/").content.decode()
    assert signed_in.get("/you/").status_code == 200, "looking signs nobody out"
    response = signed_in.post("/you/privacy/delete/")
    assert response.url == "/accounts/login/code/?next=%2Fyou%2Fprivacy%2Fdelete%2F"
    assert User.objects.get(pk=ann.pk).is_active


def test_nothing_is_left_of_the_person(browser, full_account, django_capture_on_commit_callbacks):
    other = Client()
    other.post("/accounts/login/", {"login": full_account.email, "password": PASSWORD})
    deleted = []

    def hear(sender, user, **kwargs):
        deleted.append((user.pk, str(user)))

    account_deleted.connect(hear)
    with django_capture_on_commit_callbacks(execute=True):
        privacy.delete_account(full_account)
    account_deleted.disconnect(hear)
    gone = User.objects.get(pk=full_account.pk)
    assert deleted == [(full_account.pk, "former member")]
    assert (str(gone), gone.email, gone.is_active, gone.has_usable_password()) == ("former member", "", False, False)
    for rows in (gone.notices, gone.absences, gone.push_subscriptions, gone.auth_token_set):
        assert rows.count() == 0
    assert not EmailAddress.objects.exists()
    assert not UserSession.objects.exists()
    assert other.get("/you/").status_code == 302
    assert browser.get("/you/").status_code == 302
    assert "ann" not in json.dumps(privacy.export(gone), default=str).casefold()


def test_what_breaks_off_is_finished_later(ann, django_capture_on_commit_callbacks, caplog):
    attempts = []

    def fail(**kwargs):
        attempts.append((kwargs["name"], kwargs["addresses"]))
        if len(attempts) == 1:
            raise RuntimeError

    account_deleted.connect(fail)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            privacy.delete_account(ann)
        due = Erasure.objects.get()
        privacy.finish_due(due.due_at - timedelta(seconds=1))
        assert len(attempts) == 1, "Not before it is due again."
        privacy.finish_due(due.due_at)
    finally:
        account_deleted.disconnect(fail)
    assert attempts == [("Ann", frozenset({"ann@example.org"}))] * 2
    assert not Erasure.objects.exists()


def test_twice_does_no_harm_and_the_address_is_free_again(ann, client):
    privacy.delete_account(ann)
    privacy.delete_account(ann)
    fields = {"email": "ann@example.org", "display_name": "Ann", "password1": PASSWORD}
    assert client.post("/accounts/signup/", fields).status_code == 302
    assert User.objects.filter(is_active=True, email="ann@example.org").count() == 1


def test_the_former_member_cannot_sign_in(ann, client):
    privacy.delete_account(ann)
    client.post("/accounts/login/", {"login": "ann@example.org", "password": PASSWORD})
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("page", ["export/", "delete/"])
def test_strangers(client, page):
    assert client.get(f"/you/privacy/{page}").url == f"/accounts/login/?next=/you/privacy/{page}"
