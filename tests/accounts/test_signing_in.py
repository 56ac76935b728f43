"""Signing up and in by allauth, as this site has it."""

import logging
import re
from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail as outbox
from django.test import Client
from django.utils import timezone

from accounts import guests
from accounts.models import User
from accounts.signals import guest_adopted
from tests.accounts.conftest import PASSWORD

pytestmark = pytest.mark.django_db

NEW = {"email": "New@example.org", "display_name": " Nell  Gwynn ", "password1": PASSWORD, "time_zone": "Asia/Kolkata"}


@pytest.fixture
def adoptions():
    """Users that took over from a guest."""
    people = []

    def hear(sender, guest, user, **kwargs):
        people.append((guest.pk, str(user)))

    guest_adopted.connect(hear)
    yield people
    guest_adopted.disconnect(hear)


def be_guest(client, rf):
    """Make the client's visitor a guest, as the first practice deal does."""
    session = client.session
    request = rf.get("/")
    request.session, request.user = session, type("Nobody", (), {"is_authenticated": False})()
    guest = guests.make_guest(request)
    session.save()
    client.cookies["sessionid"] = session.session_key
    return guest


def link_in(message):
    return re.search(r"http://\S+", message.body)[0].removeprefix("http://testserver")


@pytest.mark.parametrize("page", ["signup", "login", "login/code", "password/reset"])
def test_a_field_has_a_label_and_no_placeholder_that_repeats_it(client, page):
    markup = client.get(f"/accounts/{page}/").content.decode()
    assert re.search("Email( address)?</label>", markup)
    assert "placeholder" not in markup


def test_joining_takes_three_things_and_signs_in(client):
    response = client.post("/accounts/signup/", NEW)
    assert (response.status_code, response.url) == (302, "/play/")
    user = User.objects.get(email="new@example.org")
    assert (user.display_name, user.time_zone, user.time_zone_is_guess) == ("Nell Gwynn", "Asia/Kolkata", True)
    assert re.fullmatch(r"p-[0-9a-f]{16}", user.username)
    assert client.get("/you/").status_code == 200


def test_colours_chosen_without_an_account_are_kept(client):
    client.cookies["colours"] = "two.red.green"
    client.post("/accounts/signup/", NEW)
    user = User.objects.get(email="new@example.org")
    assert (user.deck, user.card_back, user.table_colour) == ("two", "red", "green")


def test_the_form_asks_for_a_password_once(client):
    page = client.get("/accounts/signup/").content.decode()
    assert page.count('type="password"') == 1
    assert 'name="time_zone" data-zone=""' in page


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../../etc"])
def test_a_wrong_zone_stops_nobody(client, zone):
    client.cookies["zone"] = "Europe%2FBerlin"
    client.post("/accounts/signup/", {**NEW, "time_zone": zone})
    assert User.objects.get(email="new@example.org").time_zone == "Europe/Berlin"


@pytest.mark.parametrize(
    "changed",
    [
        {"display_name": "Ann\r\nBcc: x@example.org"},
        {"display_name": "\u202eAnn"},
        {"email": "none"},
        {"password1": "123"},
    ],
)
def test_what_cannot_be_is_refused_and_the_rest_is_kept(client, changed):
    response = client.post("/accounts/signup/", {**NEW, **changed})
    assert response.status_code == 200
    assert 'class="errorlist"' in response.content.decode()
    assert not User.objects.exists()


def test_a_name_full_of_markup_is_shown_as_text(client):
    client.post("/accounts/signup/", {**NEW, "display_name": "<script>alert(1)</script>"})
    page = client.get("/you/").content.decode()
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_a_name_cannot_add_a_header_to_the_welcome(client):
    client.post("/accounts/signup/", {**NEW, "display_name": "Nell: Bcc, x@example.org"})
    (message,) = outbox.outbox
    assert message.subject == "Welcome to Foothold: confirm your email address"
    assert message.recipients() == ["new@example.org"]


def test_the_address_is_confirmed_by_a_button_not_by_looking(client):
    client.post("/accounts/signup/", NEW)
    link = link_in(outbox.outbox[0])
    assert client.get(link).status_code == 200
    assert not EmailAddress.objects.get().verified
    client.post(link)
    assert EmailAddress.objects.get().verified


def test_what_a_guest_played_goes_to_the_account_that_signs_up(client, rf, adoptions):
    guest = be_guest(client, rf)
    client.post("/accounts/signup/", NEW)
    assert adoptions == [(guest.pk, "Nell Gwynn")]
    assert not User.objects.filter(is_guest=True).exists()


def test_what_a_guest_played_goes_to_the_account_that_signs_in(client, rf, ann, adoptions):
    guest = be_guest(client, rf)
    client.post("/accounts/login/", {"login": ann.email, "password": PASSWORD})
    assert adoptions == [(guest.pk, "Ann")]


def test_a_failed_sign_in_takes_nothing_over(client, rf, ann, adoptions):
    be_guest(client, rf)
    client.post("/accounts/login/", {"login": ann.email, "password": "wrong"})
    assert adoptions == []


def test_the_session_gets_another_key_on_signing_in(client, rf, ann):
    be_guest(client, rf)
    before = client.cookies["sessionid"].value
    client.post("/accounts/login/", {"login": ann.email, "password": PASSWORD})
    assert client.cookies["sessionid"].value != before


def test_a_guest_cannot_sign_in(client, rf):
    guest = be_guest(client, rf)
    User.objects.filter(pk=guest.pk).update(email="guest@example.org")
    client.cookies.clear()
    client.post("/accounts/login/", {"login": "guest@example.org", "password": ""})
    assert "_auth_user_id" not in client.session


def test_a_guessed_zone_follows_the_browser_and_a_chosen_one_stays(client, person):
    client.cookies["zone"] = "Asia/Kolkata"
    ann, ben = person("Ann"), person("Ben", time_zone="Europe/Paris", time_zone_is_guess=False)
    for user in (ann, ben):
        client.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
        client.post("/accounts/logout/")
        user.refresh_from_db()
    assert (ann.time_zone, ben.time_zone) == ("Asia/Kolkata", "Europe/Paris")


@pytest.mark.parametrize(
    ("target", "where"),
    [
        ("/you/notices/", "/you/notices/"),
        ("https://evil.example/", "/play/"),
        ("//evil.example/", "/play/"),
        ("/\\evil.example", "/play/"),
        ("https:evil.example", "/play/"),
        ("javascript:alert(1)", "/play/"),
        ("http://testserver@evil.example/", "/play/"),
    ],
)
@pytest.mark.parametrize("door", ["/accounts/login/", "/accounts/signup/"])
def test_after_signing_in_one_stays_on_this_site(client, ann, door, target, where):
    fields = {"login": ann.email, "password": PASSWORD, **NEW, "next": target}
    assert client.post(door, fields).url == where


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example/"])
def test_after_signing_out_too(signed_in, target):
    assert signed_in.post("/accounts/logout/", {"next": target}).url == "/"


def test_signing_out_takes_a_button(signed_in):
    assert signed_in.get("/accounts/logout/").status_code == 200
    assert "_auth_user_id" in signed_in.session
    signed_in.post("/accounts/logout/")
    assert "_auth_user_id" not in signed_in.session


def test_sign_in_by_a_mailed_code(client, ann):
    response = client.post("/accounts/login/code/", {"email": ann.email})
    assert response.url == "/accounts/login/code/confirm/"
    (message,) = outbox.outbox
    code = re.search(r"^\w[\w-]{4,}$", message.body, re.MULTILINE)[0]
    assert "ann@example.org" in client.get(response.url).content.decode()
    assert client.post(response.url, {"code": code}).url == "/play/"
    assert client.session["_auth_user_id"] == str(ann.pk)


def test_a_wrong_code_signs_nobody_in(client, ann):
    client.post("/accounts/login/code/", {"email": ann.email})
    response = client.post("/accounts/login/code/confirm/", {"code": "000000"})
    assert response.status_code == 200
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("door", ["/accounts/login/code/", "/accounts/password/reset/"])
def test_nobody_learns_who_has_an_account(client, ann, door):
    pages = []
    for email in (ann.email, "nobody@example.org"):
        browser = Client()
        answer = browser.post(door, {"email": email})
        page = browser.get(answer.url).content.decode()
        pages.append((answer.status_code, answer.url, page.count("<p>"), page.count("<form")))
    assert pages[0] == pages[1]
    assert pages[0][0] == 302


def test_an_address_belongs_to_one_account(client, ann):
    response = client.post("/accounts/signup/", {**NEW, "email": "ANN@example.org"})
    assert "already registered" in response.content.decode()
    assert User.objects.count() == 1


def test_few_addresses_can_be_tried_at_sign_up(client, ann, settings):
    assert settings.ACCOUNT_RATE_LIMITS["signup"] == "20/m/ip,100/h/ip"
    settings.ACCOUNT_RATE_LIMITS = {"signup": "20/m/ip,3/h/ip"}
    answers = [
        Client().post("/accounts/signup/", {**NEW, "email": ann.email}, headers={"x-forwarded-for": f"198.51.100.{n}"})
        for n in range(4)
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert "Too many requests" in answers[-1].content.decode()


def test_a_wrong_password_and_a_wrong_address_read_the_same(client, ann):
    def refusal(address):
        page = client.post("/accounts/login/", {"login": address, "password": "wrong"}).content.decode()
        return re.search(r'class="errorlist[^>]*>.*?</ul>', page, re.DOTALL)[0]

    assert refusal("ann@example.org") == refusal("nobody@example.org")


def test_an_unknown_address_takes_the_work_of_a_known_one(client, ann, monkeypatch):
    """One password is hashed, or one email sent, whether or not there is such an account."""
    hashed, encode = [], MD5PasswordHasher.encode

    def count(self, password, salt):
        hashed.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", count)
    for address in (ann.email, "nobody@example.org"):
        client.post("/accounts/login/", {"login": address, "password": "wrong"})
        assert hashed == ["wrong"]
        hashed.clear()
        for door in ("/accounts/login/code/", "/accounts/password/reset/"):
            Client().post(door, {"email": address})
            assert [message.to for message in outbox.outbox] == [[address]]
            outbox.outbox.clear()


def test_guessing_passwords_is_limited(client, ann):
    for _ in range(6):
        client.post("/accounts/login/", {"login": ann.email, "password": "wrong"})
    client.post("/accounts/login/", {"login": ann.email, "password": PASSWORD})
    assert "_auth_user_id" not in client.session


def test_whose_password_is_guessed_at_still_gets_in(client, ann):
    for _ in range(6):
        Client().post("/accounts/login/", {"login": ann.email, "password": "wrong"})
    client.post("/accounts/login/code/", {"email": ann.email})
    code = re.search(r"^\w[\w-]{4,}$", outbox.outbox[-1].body, re.MULTILINE)[0]
    assert client.post("/accounts/login/code/confirm/", {"code": code}).url == "/play/"


def test_a_forwarded_address_does_not_escape_the_limit(client, ann):
    for number in range(31):
        client.post(
            "/accounts/login/",
            {"login": f"x{number}@example.org", "password": "wrong"},
            headers={"x-forwarded-for": f"198.51.100.{number}"},
        )
    response = client.post("/accounts/login/", {"login": ann.email, "password": PASSWORD})
    assert response.status_code == 429


def test_a_forgotten_password(client, ann):
    client.post("/accounts/password/reset/", {"email": ann.email})
    form = client.get(link_in(outbox.outbox[0]), follow=True)
    address = form.request["PATH_INFO"]
    response = client.post(address, {"password1": "another quiet evening", "password2": "another quiet evening"})
    assert response.status_code == 302
    ann.refresh_from_db()
    assert ann.check_password("another quiet evening")
    assert "This link has expired" in client.get(link_in(outbox.outbox[0]), follow=True).content.decode()


def test_the_link_for_a_new_password_is_good_for_an_hour(client, ann):
    client.post("/accounts/password/reset/", {"email": ann.email})
    address = link_in(outbox.outbox[0])
    with time_machine.travel(timezone.now() + timedelta(minutes=59), tick=False):
        assert "Choose a new password" in client.get(address, follow=True).content.decode()
    with time_machine.travel(timezone.now() + timedelta(minutes=61), tick=False):
        assert "This link has expired" in client.get(address, follow=True).content.decode()


def test_a_poisoned_host_reaches_no_mail(client, ann):
    response = client.post("/accounts/password/reset/", {"email": ann.email}, headers={"host": "evil.example"})
    assert response.status_code == 400
    assert outbox.outbox == []


def test_changing_the_password_ends_other_sessions(client, ann):
    other = Client()
    for browser in (client, other):
        browser.post("/accounts/login/", {"login": ann.email, "password": PASSWORD})
    fields = {"oldpassword": PASSWORD, "password1": "another quiet evening", "password2": "another quiet evening"}
    client.post("/accounts/password/change/", fields)
    assert client.get("/you/").status_code == 200
    assert other.get("/you/").status_code == 302


def test_sign_out_everywhere_else(client, ann):
    other = Client()
    for browser in (other, client):
        browser.post("/accounts/login/", {"login": ann.email, "password": PASSWORD})
    assert "Sign out everywhere else" in client.get("/accounts/sessions/").content.decode()
    client.post("/accounts/sessions/")
    assert other.get("/you/").status_code == 302
    assert client.get("/you/").status_code == 200


def test_another_address_takes_the_password_once_more(signed_in, ann):
    answer = signed_in.post("/accounts/email/", {"action_add": "1", "email": "eve@new.example.org"})
    assert answer.url == "/accounts/reauthenticate/?next=%2Faccounts%2Femail%2F"
    signed_in.post(answer.url, {"password": "wrong"})
    assert not EmailAddress.objects.filter(email="eve@new.example.org").exists()
    assert outbox.outbox == []


def test_a_new_address_counts_once_it_is_confirmed(signed_in, ann):
    signed_in.post("/accounts/reauthenticate/", {"password": PASSWORD})
    signed_in.post("/accounts/email/", {"action_add": "1", "email": "ann@new.example.org"})
    ann.refresh_from_db()
    assert ann.email == "ann@example.org"
    page = signed_in.get("/accounts/email/").content.decode()
    assert "ann@new.example.org" in page
    assert "◔ not confirmed yet" in page
    (message,) = [message for message in outbox.outbox if message.to == ["ann@new.example.org"]]
    signed_in.post(link_in(message))
    ann.refresh_from_db()
    assert ann.email == "ann@new.example.org"


@pytest.fixture
def log_lines(caplog):
    """The lines that the log has of signing in, with a number at most of each person."""
    caplog.set_level(logging.DEBUG)

    def lines():
        assert not [each for each in ("example.org", "Ann", "127.0.0.1", PASSWORD) if each in caplog.text]
        return [record.getMessage() for record in caplog.records if record.name == "accounts.auth_log"]

    return lines


def test_who_signs_in_and_who_is_refused_is_in_the_log(client, ann, log_lines, caplog):
    for login, password in ((ann.email, "wrong"), ("nobody@example.org", "wrong"), (ann.email, PASSWORD)):
        client.post("/accounts/login/", {"login": login, "password": password})
    assert log_lines() == [
        f"Person {ann.pk} was refused: password.",
        "Somebody unknown was refused: password.",
        f"Person {ann.pk} signed in by password.",
    ]
    assert [record.user for record in caplog.records if record.name == "accounts.auth_log"] == [ann.pk, None, ann.pk]


def test_so_are_mailed_codes(client, ann, log_lines):
    client.post("/accounts/login/code/", {"email": ann.email})
    code = re.search(r"^\w[\w-]{4,}$", outbox.outbox[-1].body, re.MULTILINE)[0]
    for typed in ("000000", code):
        client.post("/accounts/login/code/confirm/", {"code": typed})
    assert log_lines() == [f"Person {ann.pk} was refused: mailed code.", f"Person {ann.pk} signed in by mailed code."]


def test_so_is_who_has_to_wait(client, ann, log_lines, caplog):
    for _ in range(6):
        client.post("/accounts/login/", {"login": ann.email, "password": "wrong"})
    assert len(log_lines()) == 5
    (line,) = [record for record in caplog.records if record.name == "django.request"]
    assert line.status_code == 429


def test_so_is_a_closed_account(client, ann, log_lines):
    User.objects.update(is_active=False)
    client.post("/accounts/login/", {"login": ann.email, "password": PASSWORD})
    assert log_lines() == [f"Person {ann.pk} was refused: password."]


def test_so_is_who_joins(client, log_lines):
    client.post("/accounts/signup/", NEW)
    assert log_lines() == [f"Person {User.objects.get().pk} signed in."]


def test_so_are_proofs_and_passwords_of_who_is_signed_in(signed_in, ann, log_lines):
    new = {"password1": "another quiet evening", "password2": "another quiet evening"}
    for password in ("wrong", PASSWORD):
        signed_in.post("/accounts/reauthenticate/", {"password": password})
        signed_in.post("/accounts/password/change/", {"oldpassword": password, **new})
    assert log_lines() == [
        f"Person {ann.pk} was refused: password.",
        f"Person {ann.pk} was refused: password.",
        f"Person {ann.pk} proved it once more by password.",
        f"Person {ann.pk} has another password.",
    ]


@pytest.mark.parametrize(
    "address",
    [
        "/accounts/login/",
        "/accounts/signup/",
        "/accounts/login/code/",
        "/accounts/password/reset/",
        "/accounts/password/reset/done/",
        "/accounts/password/reset/key/done/",
        "/accounts/password/reset/key/x-y/",
        "/accounts/confirm-email/",
        "/accounts/confirm-email/nonsense/",
        "/accounts/inactive/",
    ],
)
def test_every_page_for_visitors_has_our_frame(client, address):
    response = client.get(address)
    assert response.status_code == 200
    assert 'class="site"' in response.content.decode()


@pytest.mark.parametrize(
    "address",
    [
        "/accounts/email/",
        "/accounts/password/change/",
        "/accounts/sessions/",
        "/accounts/reauthenticate/",
        "/accounts/logout/",
    ],
)
def test_every_page_for_members_has_our_frame(signed_in, address):
    response = signed_in.get(address)
    assert response.status_code == 200
    assert 'aria-label="Your pages"' in response.content.decode()


def test_a_member_without_a_password_sets_one(client, ann):
    ann.set_unusable_password()
    ann.save()
    client.force_login(ann)
    page = client.get("/accounts/password/set/").content.decode()
    assert "Choose a password" in page
