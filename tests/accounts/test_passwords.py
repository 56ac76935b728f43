"""Allowed passwords: long or rare enough, of any signs, and not what a stranger would try first."""

import re

import pytest
from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core import mail as outbox

from accounts.models import User
from tests.accounts.conftest import PASSWORD

pytestmark = pytest.mark.django_db

REFUSED = {
    "seven signs": "k9vq2xw",
    "among the most common": "sunshine1",
    "common, in capitals": "SUNSHINE1",
    "the name": "Annabel Lee",
    "the name, turned a little": "annabel.lee1",
    "the address": "annabel@example.org",
    "the site": "Foothold2026",
    "the game": "hand and foot!",
}
TAKEN = {
    "eight signs": "k9vq2xwf",
    "small letters": "sevenquietherons",
    "digits": "8301947265",
    "words with spaces": "a quiet   afternoon",
    "other scripts": "ночная прогулка 🦉",
    "the site and more": "foothold in the rocks",
    "128 signs": "q7 " * 42 + "zz",
}


@pytest.fixture
def annabel(ann):
    ann.display_name, ann.email = "Annabel Lee", "annabel@example.org"
    ann.save()
    ann.emailaddress_set.update(email=ann.email)
    return ann


@pytest.fixture(params=["joining", "changing", "choosing anew"])
def give(request, client):
    """Give a password at one of the doors that take a new one; whether it was accepted."""

    def joining(password):
        fields = {"display_name": "Annabel Lee", "email": "annabel@example.org", "password1": password}
        client.post("/accounts/signup/", fields)
        return User.objects.exists() and User.objects.get().check_password(password)

    def changing(password):
        user = request.getfixturevalue("annabel")
        client.force_login(user)
        fields = {"oldpassword": PASSWORD, "password1": password, "password2": password}
        client.post("/accounts/password/change/", fields)
        user.refresh_from_db()
        return user.check_password(password)

    def choosing_anew(password):
        user = request.getfixturevalue("annabel")
        client.post("/accounts/password/reset/", {"email": user.email})
        link = re.search(r"http://\S+", outbox.outbox[0].body)[0].removeprefix("http://testserver")
        form = client.get(link, follow=True).request["PATH_INFO"]
        client.post(form, {"password1": password, "password2": password})
        user.refresh_from_db()
        return user.check_password(password)

    return locals()[request.param.replace(" ", "_")]


@pytest.mark.parametrize("password", REFUSED.values(), ids=REFUSED)
def test_what_others_would_try_first_is_refused(give, password):
    assert not give(password)


@pytest.mark.parametrize("password", TAKEN.values(), ids=TAKEN)
def test_anything_else_is_taken_whatever_its_signs(give, password):
    assert give(password)


def test_the_refusal_says_why(client):
    fields = {"display_name": "Nell", "email": "nell@example.org", "password1": "Foothold2026"}
    page = client.post("/accounts/signup/", fields).content.decode()
    assert "This password is little more than the name of the site or the game" in page


def test_all_of_a_long_password_counts(client, ann):
    password = "q7 " * 42 + "zz"
    ann.set_password(password)
    ann.save()
    client.post("/accounts/login/", {"login": ann.email, "password": password[:-1]})
    assert "_auth_user_id" not in client.session
    client.post("/accounts/login/", {"login": ann.email, "password": password})
    assert "_auth_user_id" in client.session


def test_spaces_and_capitals_count(client, ann):
    for wrong in (PASSWORD + " ", " " + PASSWORD, PASSWORD.upper()):
        client.post("/accounts/login/", {"login": ann.email, "password": wrong})
        assert "_auth_user_id" not in client.session


def test_the_list_of_common_ones_is_long():
    assert len(CommonPasswordValidator().passwords) > 3000


@pytest.mark.parametrize("path", ["/accounts/login/", "/accounts/signup/", "/accounts/password/change/"])
def test_password_managers_and_pasting_are_welcome(client, ann, path):
    if "change" in path:
        client.force_login(ann)
    fields = re.findall(r'<input type="password"[^>]*>', client.get(path).content.decode())
    assert fields
    for field in fields:
        assert re.search(r'autocomplete="(current|new)-password"', field), field
        assert "maxlength" not in field
        assert "onpaste" not in field


def test_a_new_password_renews_the_session(client, ann):
    client.post("/accounts/login/", {"login": ann.email, "password": PASSWORD})
    before = client.cookies["sessionid"].value
    fields = {"oldpassword": PASSWORD, "password1": "another quiet evening", "password2": "another quiet evening"}
    client.post("/accounts/password/change/", fields)
    assert client.cookies["sessionid"].value != before
    assert client.get("/you/").status_code == 200


def test_the_old_password_is_asked_for(client, ann):
    client.force_login(ann)
    fields = {"oldpassword": "wrong", "password1": "another quiet evening", "password2": "another quiet evening"}
    client.post("/accounts/password/change/", fields)
    ann.refresh_from_db()
    assert ann.check_password(PASSWORD)
