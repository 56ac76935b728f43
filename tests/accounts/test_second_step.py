"""Two-step sign-in: an app’s codes, recovery codes, and people who have lost them."""

import logging
import re
from datetime import timedelta
from pathlib import Path

import allauth.mfa
import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.core import mail as outbox
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.http import urlencode

from accounts import privacy
from accounts.adapter import AccountAdapter
from accounts.signals import guest_adopted
from tests.accounts.conftest import NOON, PASSWORD
from tests.accounts.test_signing_in import be_guest

pytestmark = pytest.mark.django_db
after_commit = pytest.mark.django_db(transaction=True)
"""Messages that allauth sends after the commit are sent."""

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
INDEX = "/accounts/2fa/"
STEP = "/accounts/2fa/authenticate/"
AGAIN = "/accounts/2fa/reauthenticate/"
APP = "/accounts/2fa/totp/activate/"
CODES = "/accounts/2fa/recovery-codes/"


@pytest.fixture(autouse=True)
def noon():
    """A clock that is moved by hand: each half minute has its code."""
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


@pytest.fixture
def app(ann):
    """Ann has an app and recovery codes; gives the app's code of this half minute."""
    TOTP.activate(ann, SECRET)
    RecoveryCodes.activate(ann)
    return lambda: code_of(SECRET)


def code_of(secret):
    import time

    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def sign_in(client, user):
    """Give the password: the answer."""
    return client.post("/accounts/login/", {"login": user.email, "password": PASSWORD})


def is_signed_in(client):
    return client.get("/you/").status_code == 200


def recovery_codes(user):
    return Authenticator.objects.get(user=user, type="recovery_codes").wrap().get_unused_codes()


def prove(client, **fields):
    """Give the password, or a code, once more; with the page that asked it."""
    door = AGAIN if "code" in fields else "/accounts/reauthenticate/"
    return client.post(door, {"next": INDEX, **fields})


def asked_first(door, target):
    """The address of the page that asks for proof before this one."""
    return f"{door}?{urlencode({'next': target})}"


def error_in(answer):
    return re.search(r'class="errorlist[^>]*>\s*<li>(.*?)</li>', answer.content.decode())[1]


@after_commit
def test_setting_up_an_app(signed_in, ann, noon):
    assert signed_in.get(APP).url == asked_first("/accounts/reauthenticate/", APP)
    prove(signed_in, password=PASSWORD)
    before = signed_in.cookies["sessionid"].value
    page = signed_in.get(APP).content.decode()
    secret = re.search(r"data-key>(\w+)<", page)[1]
    assert '<svg role="img"' in page
    assert "otpauth://totp/ann%40example.org?" in page.replace("&amp;", "&")
    assert "issuer=Foothold" in page
    wrong = signed_in.post(APP, {"code": "000000"})
    assert error_in(wrong) == "That code is wrong. Try again with a new one."
    assert not Authenticator.objects.exists()

    answer = signed_in.post(APP, {"code": code_of(secret)})
    assert answer.url == CODES
    codes_page = signed_in.get(CODES).content.decode()
    codes = re.findall(r"<code>(\d{4} \d{4})</code>", codes_page)
    assert [code.replace(" ", "") for code in codes] == recovery_codes(ann)
    assert len(codes) == 10
    later_page = signed_in.get(CODES).content.decode()
    assert not any(code in later_page for code in codes)
    assert signed_in.cookies["sessionid"].value != before
    assert [message.subject for message in outbox.outbox] == ["Two-step sign-in is on"]
    assert "✓ on" in signed_in.get(INDEX).content.decode()


@after_commit
def test_the_session_of_before_is_none_any_more(client, ann):
    sign_in(client, ann)
    prove(client, password=PASSWORD)
    secret = re.search(r"data-key>(\w+)<", client.get(APP).content.decode())[1]
    old = Client()
    old.cookies["sessionid"] = client.cookies["sessionid"].value
    client.post(APP, {"code": code_of(secret)})
    assert is_signed_in(client)
    assert not is_signed_in(old)
    page = client.get("/accounts/sessions/").content.decode()
    assert page.count("this one") == page.count("<b>Since") == 1


def test_the_password_alone_signs_nobody_in(client, ann, app):
    answer = sign_in(client, ann)
    assert answer.url == STEP
    assert not is_signed_in(client)
    assert error_in(client.post(STEP, {"code": "123456"})).startswith("That code is wrong.")
    assert not is_signed_in(client)
    before = client.cookies["sessionid"].value
    assert client.post(STEP, {"code": app()}).url == "/play/"
    assert is_signed_in(client)
    assert client.cookies["sessionid"].value != before


def test_nor_does_a_mailed_code(client, ann, app):
    confirm = client.post("/accounts/login/code/", {"email": ann.email}).url
    code = re.search(r"^\w[\w-]{4,}$", outbox.outbox[0].body, re.MULTILINE)[0]
    assert client.post(confirm, {"code": code}).url == STEP
    assert not is_signed_in(client)
    client.post(STEP, {"code": app()})
    assert is_signed_in(client)


def test_nor_does_a_new_password_by_mail(client, ann, app):
    client.post("/accounts/password/reset/", {"email": ann.email})
    link = re.search(r"http://\S+", outbox.outbox[0].body)[0].removeprefix("http://testserver")
    form = client.get(link, follow=True).request["PATH_INFO"]
    client.post(form, {"password1": "another quiet evening", "password2": "another quiet evening"})
    assert not is_signed_in(client)
    answer = client.post("/accounts/login/", {"login": ann.email, "password": "another quiet evening"})
    assert answer.url == STEP


def test_where_one_wanted_to_go_is_kept(client, ann, app):
    client.post("/accounts/login/", {"login": ann.email, "password": PASSWORD, "next": "/you/notices/"})
    assert client.post(STEP, {"code": app()}).url == "/you/notices/"


def test_what_a_guest_played_comes_along(client, rf, ann, app):
    people = []

    def hear(sender, guest, user, **kwargs):
        people.append((guest.pk, str(user)))

    guest_adopted.connect(hear)
    guest = be_guest(client, rf)
    sign_in(client, ann)
    assert people == []
    client.post(STEP, {"code": app()})
    guest_adopted.disconnect(hear)
    assert people == [(guest.pk, "Ann")]


def test_a_code_is_good_once_and_for_half_a_minute(client, ann, app, noon):
    code = app()
    sign_in(client, ann)
    client.post(STEP, {"code": code})
    other = Client()
    sign_in(other, ann)
    other.post(STEP, {"code": code})
    assert not is_signed_in(other)
    noon.shift(timedelta(seconds=30))
    old_code = app()
    noon.shift(timedelta(seconds=30))
    other.post(STEP, {"code": old_code})
    assert not is_signed_in(other)


def test_the_second_step_waits_a_quarter_of_an_hour(client, ann, app, noon):
    sign_in(client, ann)
    noon.shift(timedelta(minutes=16))
    client.post(STEP, {"code": app()})
    assert not is_signed_in(client)


def test_a_recovery_code_is_good_once_and_its_use_is_told(client, ann, app, caplog):
    code = recovery_codes(ann)[3]
    with caplog.at_level(logging.DEBUG):
        sign_in(client, ann)
        client.post(STEP, {"code": f"{code[:4]} {code[4:]}"})
    assert is_signed_in(client)
    (message,) = outbox.outbox
    assert message.subject == "A recovery code was used"
    assert "You have 9 left." in message.body
    assert code not in message.body + caplog.text
    other = Client()
    sign_in(other, ann)
    other.post(STEP, {"code": code})
    assert not is_signed_in(other)


def test_changes_are_proved_by_the_second_step_not_by_the_password(client, ann, app, noon):
    sign_in(client, ann)
    client.post(STEP, {"code": app()})
    off = "/accounts/2fa/totp/deactivate/"
    assert client.post(off).url == asked_first(AGAIN, off)
    assert prove(client, password=PASSWORD).url == asked_first(AGAIN, INDEX)
    assert client.post(off).status_code == 302
    assert Authenticator.objects.count() == 2
    noon.shift(timedelta(seconds=30))
    prove(client, code=app())
    outbox.outbox.clear()
    before = client.cookies["sessionid"].value
    assert client.post(off).url == INDEX
    assert not Authenticator.objects.exists()
    assert [message.subject for message in outbox.outbox] == ["Two-step sign-in was turned off"]
    assert client.cookies["sessionid"].value != before
    client.logout()
    assert sign_in(client, ann).url == "/play/"


@after_commit
def test_new_recovery_codes_take_the_place_of_the_old(client, ann, app, noon):
    sign_in(client, ann)
    client.post(STEP, {"code": app()})
    noon.shift(timedelta(seconds=30))
    prove(client, code=app())
    old = recovery_codes(ann)
    assert "Your unused codes (10) will stop working." in client.get(f"{CODES}generate/").content.decode()
    assert client.post(f"{CODES}generate/").url == CODES
    new = recovery_codes(ann)
    assert not set(old) & set(new)
    assert f"{new[0][:4]} {new[0][4:]}" in client.get(CODES).content.decode()
    assert outbox.outbox[-1].subject == "You have new recovery codes"


def test_recovery_codes_are_for_who_has_a_second_step(signed_in):
    prove(signed_in, password=PASSWORD)
    answer = signed_in.post(f"{CODES}generate/")
    assert error_in(answer) == "Recovery codes are for accounts with an app or a passkey."
    assert signed_in.get(CODES).status_code == 404


def test_an_address_comes_first(signed_in, ann):
    ann.emailaddress_set.update(verified=False)
    answer = signed_in.get(APP, follow=True)
    assert "Confirm your email address first" in answer.content.decode()
    assert answer.request["PATH_INFO"] == INDEX


def test_with_a_second_step_the_address_stays(signed_in, ann, app):
    answer = signed_in.post("/accounts/email/", {"action_add": "1", "email": "new@example.org"})
    assert error_in(answer).startswith("Your account has two-step sign-in, so its address cannot be changed.")
    assert not ann.emailaddress_set.filter(email="new@example.org").exists()


def test_guessing_codes_is_limited(client, ann, app, noon):
    sign_in(client, ann)
    for number in range(5):
        assert client.post(STEP, {"code": f"00000{number}"}).status_code == 200
    limited = client.post(STEP, {"code": app()})
    assert limited.status_code == 429
    assert "Wait 5 min, then try again." in limited.content.decode()
    assert not is_signed_in(client)
    other = Client(REMOTE_ADDR="198.51.100.7")
    sign_in(other, ann)
    assert other.post(STEP, {"code": app()}).status_code == 429
    noon.shift(timedelta(minutes=6))
    client.post(STEP, {"code": app()})
    assert is_signed_in(client)


def test_the_log_tells_by_what_one_signed_in_and_what_was_refused(client, ann, app, caplog):
    caplog.set_level(logging.INFO)
    sign_in(client, ann)
    for code in ("000000", app()):
        client.post(STEP, {"code": code})
    assert [record.getMessage() for record in caplog.records if record.name == "accounts.auth_log"] == [
        f"Person {ann.pk} was refused: code of a second step.",
        f"Person {ann.pk} signed in by password, code of an app.",
    ]


@after_commit
def test_the_log_tells_of_a_second_step_that_is_taken_off(client, ann, app, noon, caplog):
    caplog.set_level(logging.INFO)
    client.force_login(ann)
    prove(client, code=app())
    client.post("/accounts/2fa/totp/deactivate/")
    assert [record.getMessage() for record in caplog.records if record.name == "accounts.auth_log"] == [
        f"Person {ann.pk} signed in.",
        f"Person {ann.pk} proved it once more by code of an app.",
        f"Second step of person {ann.pk} removed: code of an app.",
        f"Second step of person {ann.pk} removed: recovery code.",
    ]


def test_the_database_alone_gives_no_secret_away(ann, app, settings):
    stored = str(list(Authenticator.objects.values_list("data", flat=True)))
    assert SECRET not in stored
    assert not any(code in stored for code in recovery_codes(ann))
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another" * 8, [settings.SECRET_KEY]
    assert Authenticator.objects.get(type="totp").wrap().validate_code(app())


def test_under_another_key_no_code_fits_and_an_operator_helps(client, ann, app, settings):
    codes = recovery_codes(ann)
    settings.SECRET_KEY = "another" * 8
    sign_in(client, ann)
    assert client.post(STEP, {"code": app()}).status_code == 200
    assert client.post(STEP, {"code": codes[0]}).status_code == 200
    assert not is_signed_in(client)
    call_command("forget_second_step", ann.username)
    assert client.get(STEP, follow=True).request["PATH_INFO"] == "/accounts/login/"
    sign_in(client, ann)
    assert is_signed_in(client)


@pytest.mark.parametrize("name", ["ann", "Ann@Example.org"])
def test_an_operator_takes_the_second_step_off(client, ann, app, capsys, caplog, name):
    sign_in(client, ann)
    client.post(STEP, {"code": app()})
    with caplog.at_level(logging.INFO):
        call_command("forget_second_step", name)
    assert "Two-step sign-in is off" in capsys.readouterr().out
    assert not Authenticator.objects.exists()
    assert not is_signed_in(client)
    assert f"An operator turned off two-step sign-in of person {ann.pk}." in caplog.messages
    assert "example.org" not in caplog.text
    assert ann.notices.get().title == "An operator turned off your two-step sign-in"
    call_command("forget_second_step", name)
    assert "Two-step sign-in was already off." in capsys.readouterr().out
    assert ann.notices.count() == 1


def test_an_operator_who_names_nobody_is_told():
    with pytest.raises(CommandError, match="Account not found: zora"):
        call_command("forget_second_step", "zora")


def test_what_one_takes_away_lists_them_without_secrets(ann, app):
    steps = privacy.export(ann)["second_steps"]
    assert [(step["kind"], step["created_at"]) for step in steps] == [("totp", NOON), ("recovery_codes", NOON)]
    assert set(steps[0]) == {"kind", "name", "created_at", "last_used_at"}


def test_they_go_with_the_account(ann, app):
    privacy.delete_account(ann)
    assert not Authenticator.objects.exists()


def test_a_mail_server_that_is_away_stops_no_change(client, ann, app, monkeypatch, caplog):
    def fail(*args, **kwargs):
        raise OSError("no mail server at ann@example.org")

    sign_in(client, ann)
    monkeypatch.setattr("django.core.mail.EmailMessage.send", fail)
    client.post(STEP, {"code": recovery_codes(ann)[0]})
    assert is_signed_in(client)
    assert "could not be sent: OSError" in caplog.text
    assert "example.org" not in caplog.text


def test_proving_it_is_limited(signed_in, ann):
    answers = [prove(signed_in, password="wrong").status_code for _ in range(11)]
    assert answers[-1] == 429
    assert 302 not in answers


def test_pages_for_members_have_our_frame(signed_in, ann, app, noon):
    prove(signed_in, code=app())
    for page in ("", "totp/deactivate/", "recovery-codes/", "recovery-codes/generate/", "webauthn/add/"):
        answer = signed_in.get(INDEX + page)
        assert answer.status_code == 200, page
        assert 'aria-label="Your pages"' in answer.content.decode()
    assert signed_in.get(f"{INDEX}webauthn/").url == INDEX


def test_strangers_are_sent_to_sign_in(client):
    for page in ("", "totp/activate/", "totp/deactivate/", "recovery-codes/", "webauthn/add/", "reauthenticate/"):
        assert client.get(INDEX + page).url.startswith("/accounts/login/"), page
    assert client.get(STEP).url == "/accounts/login/"


NO_PAGE_OF_OURS = {"trust.html", "webauthn/signup_form.html", "webauthn/authenticator_list.html"}
"""Pages of allauth whose addresses are not ours; see `accounts.second_step.urls`."""


def test_all_words_are_our_own():
    originals = Path(allauth.mfa.__file__).parents[1] / "templates/mfa"
    ours = Path(__file__).parents[2] / "templates/mfa"
    for path in originals.rglob("*.*"):
        name = path.relative_to(originals).as_posix()
        is_part = path.stem.startswith("base") or "snippets" in path.parts or name == "recovery_codes/download.txt"
        if not is_part and name not in NO_PAGE_OF_OURS:
            assert (ours / name).exists(), name


def test_every_way_to_prove_it_has_our_words(rf, ann, app, client):
    adapter = AccountAdapter(rf.get("/"))
    assert [method["description"] for method in adapter.get_reauthentication_methods(ann)] == ["Use a code"]
    Authenticator.objects.all().delete()
    assert [method["description"] for method in adapter.get_reauthentication_methods(ann)] == ["Use my password"]


def test_the_key_in_words_is_text(client, person):
    eve = person("Eve")
    eve.email = "eve'\"<b>@example.org"
    eve.save()
    client.force_login(eve)
    prove(client, password=PASSWORD)
    assert "<b>@example" not in client.get(APP).content.decode()
