"""Passkeys: added, named, removed; in the place of a password, and as the second step."""

import json
import logging
import re

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail as outbox
from django.test import Client

from accounts.second_step.forms import MOST, STRANGE
from tests.accounts.conftest import PASSWORD
from tests.accounts.passkeys import Passkey
from tests.accounts.test_second_step import INDEX, STEP, is_signed_in, prove, recovery_codes, sign_in

pytestmark = pytest.mark.django_db

ADD = "/accounts/2fa/webauthn/add/"
ALONE = "/accounts/2fa/webauthn/login/"
AGAIN = "/accounts/2fa/webauthn/reauthenticate/"


def options_in(page):
    """The options for the browser that a page holds."""
    return json.loads(re.search(r'type="application/json">(.*?)</script>', page.content.decode())[1])


def options_to_sign_in(client):
    return client.get(ALONE, headers={"accept": "application/json"}).json()["request_options"]


def add(client, passkey, name="Phone", **fields):
    """Add a passkey, the password given before: the answer."""
    prove(client, password=PASSWORD)
    credential = passkey.make(options_in(client.get(ADD)))
    return client.post(ADD, {"name": name, "credential": credential, **fields})


@pytest.fixture
def passkey(client, ann):
    """Ann's passkey; she is signed out again."""
    passkey = Passkey()
    client.force_login(ann)
    add(client, passkey)
    client.logout()
    outbox.outbox.clear()
    return passkey


def test_a_passkey_is_added_and_told(signed_in, ann):
    before = signed_in.cookies["sessionid"].value
    assert add(signed_in, Passkey(), "My “phone”").url == "/accounts/2fa/recovery-codes/"
    assert signed_in.cookies["sessionid"].value != before
    assert "My “phone”" in signed_in.get(INDEX).content.decode()
    assert [message.subject for message in outbox.outbox] == ["A passkey was added to your account"]
    assert len(recovery_codes(ann)) == 10


def test_the_browser_is_asked_for_a_finger_a_face_or_a_pin(signed_in):
    prove(signed_in, password=PASSWORD)
    options = options_in(signed_in.get(ADD))["publicKey"]
    assert options["authenticatorSelection"]["userVerification"] == "required"
    assert options["rp"] == {"id": "testserver", "name": "Foothold"}
    assert options["user"]["displayName"] == "Ann"


def test_without_one_it_is_not_taken(signed_in):
    answer = add(signed_in, Passkey(is_verified=False))
    assert STRANGE in answer.content.decode()
    assert not Authenticator.objects.exists()


def test_one_made_for_another_site_is_not_taken(signed_in):
    answer = add(signed_in, Passkey(origin="https://evil.example"))
    assert STRANGE in answer.content.decode()
    assert not Authenticator.objects.exists()


def test_a_passkey_signs_in_by_itself(client, ann, passkey):
    credential = passkey.use(options_to_sign_in(client))
    before = client.cookies["sessionid"].value
    answer = client.post(ALONE, {"credential": credential, "next": "/you/notices/"})
    assert answer.url == "/you/notices/"
    assert is_signed_in(client)
    assert client.session["_auth_user_id"] == str(ann.pk)
    assert client.cookies["sessionid"].value != before


def test_the_same_answer_signs_nobody_in_twice(client, ann, passkey):
    credential = passkey.use(options_to_sign_in(client))
    client.post(ALONE, {"credential": credential})
    client.logout()
    client.post(ALONE, {"credential": credential})
    assert not is_signed_in(client)
    options_to_sign_in(client)
    answer = client.post(ALONE, {"credential": credential}, follow=True)
    assert not is_signed_in(client)
    assert STRANGE in answer.content.decode()


@pytest.mark.parametrize("changed", [{"origin": "https://evil.example"}, {"is_verified": False}, {"handle": "Mg"}])
def test_one_that_is_not_right_signs_nobody_in(client, person, passkey, changed):
    person("Ben")
    for name, value in changed.items():
        setattr(passkey, name, value)
    client.post(ALONE, {"credential": passkey.use(options_to_sign_in(client))})
    assert not is_signed_in(client)


def test_the_log_tells_who_signed_in_by_one_and_that_one_was_refused(client, ann, passkey, caplog):
    caplog.set_level(logging.INFO)
    client.post(ALONE, {"credential": "no passkey"})
    client.post(ALONE, {"credential": "{}"})
    client.post(ALONE, {"credential": passkey.use(options_to_sign_in(client))})
    assert [record.getMessage() for record in caplog.records if record.name == "accounts.auth_log"] == [
        "Somebody unknown was refused: passkey.",
        "Somebody unknown was refused: passkey.",
        f"Person {ann.pk} signed in by passkey.",
    ]


def test_nobody_signs_in_to_a_closed_account(client, ann, passkey):
    type(ann).objects.update(is_active=False)
    client.post(ALONE, {"credential": passkey.use(options_to_sign_in(client))})
    assert not is_signed_in(client)


def test_a_passkey_is_the_second_step(client, ann, passkey):
    assert sign_in(client, ann).url == STEP
    assert not is_signed_in(client)
    assert client.post(STEP, {"credential": passkey.use(options_in(client.get(STEP)))}).url == "/play/"
    assert is_signed_in(client)


def test_anothers_passkey_is_not(client, ann, person, passkey):
    ben, other = person("Ben"), Passkey()
    client.force_login(ben)
    add(client, other)
    client.logout()
    sign_in(client, ann)
    answer = client.post(STEP, {"credential": other.use(options_in(client.get(STEP)))})
    assert STRANGE in answer.content.decode()
    assert not is_signed_in(client)


def test_a_recovery_code_stands_in_for_it(client, ann, passkey):
    sign_in(client, ann)
    client.post(STEP, {"code": recovery_codes(ann)[0]})
    assert is_signed_in(client)


def signed_in_by(client, passkey):
    client.post(ALONE, {"credential": passkey.use(options_to_sign_in(client))})
    prove_by(client, passkey)


def prove_by(client, passkey):
    return client.post(AGAIN, {"credential": passkey.use(options_in(client.get(AGAIN))), "next": INDEX})


def test_changes_are_proved_by_it(client, ann, passkey):
    client.post(ALONE, {"credential": passkey.use(options_to_sign_in(client))})
    key = Authenticator.objects.get(type="webauthn").pk
    remove = f"/accounts/2fa/webauthn/keys/{key}/remove/"
    assert client.post(remove).url.startswith(f"{AGAIN}?next=")
    wrong = Passkey()
    wrong.site, wrong.handle = passkey.site, passkey.handle
    refused = client.post(AGAIN, {"credential": wrong.use(options_in(client.get(AGAIN))), "next": INDEX})
    assert refused.url.startswith(f"{AGAIN}?next=")
    assert STRANGE in client.get(refused.url).content.decode()
    assert prove_by(client, passkey).url == INDEX
    before = client.cookies["sessionid"].value
    assert client.post(remove).url == "/accounts/2fa/webauthn/"
    assert not Authenticator.objects.exists()
    assert [message.subject for message in outbox.outbox] == ["A passkey was removed from your account"]
    assert client.cookies["sessionid"].value != before


def test_a_passkey_has_a_name(client, ann, passkey):
    signed_in_by(client, passkey)
    key = Authenticator.objects.get(type="webauthn").pk
    edit = f"/accounts/2fa/webauthn/keys/{key}/edit/"
    assert 'value="Phone"' in client.get(edit).content.decode()
    client.post(edit, {"name": "  Old   <b>phone</b> "})
    assert "Old &lt;b&gt;phone&lt;/b&gt;" in client.get(INDEX).content.decode()
    assert "line breaks" in client.post(edit, {"name": "\u202eenohp"}).content.decode()
    client.post(edit, {"name": ""})
    assert str(Authenticator.objects.get(pk=key)) == "Old <b>phone</b>"


def test_one_without_a_name_gets_one(signed_in):
    add(signed_in, Passkey(), "")
    assert str(Authenticator.objects.get(type="webauthn")) == "Passkey 1"


@pytest.mark.parametrize("act", ["edit", "remove"])
def test_anothers_passkey_is_not_there(client, person, passkey, act):
    key = Authenticator.objects.get(type="webauthn").pk
    client.force_login(person("Ben"))
    prove(client, password=PASSWORD)
    for method in (client.get, client.post):
        assert method(f"/accounts/2fa/webauthn/keys/{key}/{act}/").status_code == 404
    assert Authenticator.objects.filter(pk=key).exists()


def test_there_is_an_end_to_passkeys(client, ann, passkey):
    key = Authenticator.objects.get(type="webauthn")
    Authenticator.objects.bulk_create(Authenticator(user=ann, type="webauthn", data=key.data) for _ in range(MOST - 1))
    signed_in_by(client, passkey)
    answer = client.post(ADD, {"name": "x", "credential": Passkey().make(options_in(client.get(ADD)))})
    assert f"You already have {MOST} passkeys" in answer.content.decode()
    assert Authenticator.objects.filter(type="webauthn").count() == MOST


STRANGE_THINGS = [
    "", "null", "[]", "0", '"x"', "{}", "{", "NaN", '{"id": 1}', '{"response": []}', '{"response": {"userHandle": 5}}',
    '{"response": {"userHandle": "/w=="}}', '{"response": {"userHandle": "OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5"}}',
    '{"response": {"userHandle": null}}', "{" * 3000, json.dumps({"id": "x" * 30_000}),
    "9" * 5000, f'{{"id": {"9" * 5000}}}', "[" * 9000,
]  # fmt: skip


def variants(credential):
    """Nearly right credentials: with each part left out, of another type, or of other bytes."""
    fields = json.loads(credential)
    for place in (fields, fields["response"]):
        for name, right in list(place.items()):
            for wrong in (None, 7, {}, "é", "oWFh"):
                place[name] = wrong
                yield json.dumps(fields)
            del place[name]
            yield json.dumps(fields)
            place[name] = right


def test_nonsense_is_refused_wherever_a_passkey_is_given(client, ann, passkey, settings):
    settings.MFA_RATE_LIMITS = {"webauthn_login": None}
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": None, "reauthenticate": None}
    sign_in(client, ann)
    member = Client()
    signed_in_by(member, passkey)
    count = Authenticator.objects.count()
    for browser, door, credential in (
        (Client(), ALONE, passkey.use(options_to_sign_in(Client()))),
        (client, STEP, passkey.use(options_in(client.get(STEP)))),
        (member, AGAIN, passkey.use(options_in(member.get(AGAIN)))),
        (member, ADD, Passkey().make(options_in(member.get(ADD)))),
    ):
        if door == ALONE:
            options_to_sign_in(browser)
        for nonsense in (*STRANGE_THINGS, *variants(credential)):
            answer = browser.post(door, {"name": "x", "credential": nonsense})
            assert answer.status_code in (200, 302), (door, nonsense)
    assert Authenticator.objects.count() == count
    assert not is_signed_in(client)


def test_asking_for_passkeys_is_limited(client, settings):
    assert settings.MFA_RATE_LIMITS == {"webauthn_login": "60/m/ip"}
    settings.MFA_RATE_LIMITS = {"webauthn_login": "2/m/ip"}
    answers = [client.post(ALONE, {"credential": "{}"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert "Too many requests" in answers[-1].content.decode()
