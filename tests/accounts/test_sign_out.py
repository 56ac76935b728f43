"""`manage.py sign_out`: the operator ends sessions."""

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from accounts.services import tokens
from tests.accounts.conftest import PASSWORD

pytestmark = pytest.mark.django_db


@pytest.fixture
def signed_in_as():
    """Make a browser in which a user has signed in."""

    def sign_in(user):
        browser = Client()
        browser.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
        assert is_in(browser)
        return browser

    return sign_in


def is_in(browser):
    return browser.get("/you/").status_code == 200


def test_a_person_is_signed_out_on_every_device_and_nobody_else(person, signed_in_as, capsys):
    ann, ben = person("Ann"), person("Ben")
    phone, desk, other = signed_in_as(ann), signed_in_as(ann), signed_in_as(ben)
    tokens.create(ann, name="bot", scopes=["read"], days=None)
    call_command("sign_out", "ANN@example.org")
    assert [is_in(each) for each in (phone, desk, other)] == [False, False, True]
    assert capsys.readouterr().out == "Sessions ended: 2. Tokens revoked: 0.\n"
    call_command("sign_out", "ann@example.org", "--tokens")
    assert capsys.readouterr().out == "Sessions ended: 0. Tokens revoked: 1.\n"


def test_everyone_is_signed_out_and_guests_play_on(person, signed_in_as):
    browsers = [signed_in_as(person(name)) for name in ("Ann", "Ben")]
    guest = Client()
    guest.post("/practice/")
    call_command("sign_out", "--everybody")
    assert [is_in(each) for each in browsers] == [False, False]
    table = guest.get(User.objects.get(is_guest=True).seats.get().table.get_absolute_url())
    assert table.status_code == 200


def test_nobody_is_said_to_be_nobody():
    with pytest.raises(CommandError, match="No account has this address"):
        call_command("sign_out", "nobody@example.org")
