"""Locks that lock out strangers, not the owner: devices and networks that an account knows."""

import json
import re
from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail as outbox
from django.core.signing import Signer
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import attempts, privacy, retention
from accounts.models import KnownClient, User
from config.cache import Cache
from tests.accounts.conftest import NOON, PASSWORD
from tests.accounts.test_limits import CODE, LOGIN, RESET, asks_to_wait, code_in
from tests.accounts.test_second_step import AGAIN, SECRET, STEP, code_of, is_signed_in

pytestmark = pytest.mark.django_db

HOME, AWAY, ATTACKER = "192.0.2.5", "198.51.100.7", "203.0.113.9"
NEW = {"password1": "another quiet evening", "password2": "another quiet evening"}
COOKIE = "known_device"


@pytest.fixture(autouse=True)
def noon():
    """A clock that is moved by hand."""
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


def at(place, device=None):
    """A browser at this network address, on the device of another one if it is given."""
    browser = Client(REMOTE_ADDR=place)
    if device is not None:
        browser.cookies[COOKIE] = device.cookies[COOKIE].value
    return browser


def sign_in(browser, email, password=PASSWORD):
    return browser.post(LOGIN, {"login": email, "password": password})


def known_device(user, place=HOME):
    """A browser that once signed in to this account."""
    browser = at(place)
    assert sign_in(browser, user.email).status_code == 302
    browser.post("/accounts/logout/")
    return browser


def attack(email, tries=20, networks=1):
    """Wrong passwords from so many networks, in turns: the last answer."""
    for number in range(tries):
        answer = sign_in(at(f"203.0.{number % networks}.9"), email, f"wrong {number}")
    return answer


def test_the_owner_signs_in_on_a_known_device_whatever_strangers_try(ann):
    device = known_device(ann)
    assert asks_to_wait(attack(ann.email))
    assert sign_in(at(AWAY, device), ann.email).url == "/play/"


def test_and_on_a_new_device_in_a_known_network(ann):
    known_device(ann)
    attack(ann.email)
    assert sign_in(at(HOME), ann.email).url == "/play/"


def test_elsewhere_on_a_new_device_the_owner_waits_or_uses_a_code(ann):
    known_device(ann)
    attack(ann.email, 200, networks=200)
    browser = at(AWAY)
    refusal = sign_in(browser, ann.email)
    assert asks_to_wait(refusal)
    assert "Send me a code by email" in refusal.content.decode()
    assert '<input type="hidden" name="email" value="ann@example.org">' in refusal.content.decode()
    confirm = browser.post(CODE, {"email": ann.email}).url
    browser.post(confirm, {"code": code_in(outbox.outbox[-1])})
    assert is_signed_in(browser)


def test_strangers_have_five_tries_together_from_200_networks(ann, monkeypatch):
    hashed, encode = [], MD5PasswordHasher.encode
    monkeypatch.setattr(MD5PasswordHasher, "encode", lambda *args: hashed.append(args) or encode(*args))
    attack(ann.email, 200, networks=200)
    assert len(hashed) == 5


def test_a_network_of_ipv6_is_the_first_half_of_the_address(ann):
    known_device(ann, "2001:db8:1:2:aaaa::1")
    attack(ann.email)
    assert asks_to_wait(sign_in(at("2001:db8:1:3::1"), ann.email))
    assert sign_in(at("2001:db8:1:2:bbbb::2"), ann.email).url == "/play/"


@pytest.mark.parametrize("how", ["device", "network"])
def test_the_known_have_five_tries_as_well(ann, how):
    device = known_device(ann)
    browser = at(AWAY, device) if how == "device" else at(HOME)
    answers = [asks_to_wait(sign_in(browser, ann.email, "wrong")) for _ in range(6)]
    assert answers == [False] * 5 + [True]
    assert asks_to_wait(sign_in(browser, ann.email))


def test_a_device_that_is_locked_locks_nobody_else(ann):
    device, other = known_device(ann), known_device(ann)
    for _ in range(6):
        sign_in(at(AWAY, device), ann.email, "wrong")
    assert sign_in(at(AWAY, other), ann.email).url == "/play/"
    assert sign_in(at("198.51.100.8"), ann.email).url == "/play/"


def test_the_device_of_another_account_gains_nothing(ann, person):
    eve = known_device(person("Eve"), ATTACKER)
    attack(ann.email)
    assert asks_to_wait(sign_in(at(AWAY, eve), ann.email))


def test_one_device_knows_several_accounts(ann, person):
    ben, device = person("Ben"), at(HOME)
    for user in (ann, ben, ann):
        sign_in(device, user.email)
        device.post("/accounts/logout/")
    for user in (ann, ben):
        attack(user.email)
        assert sign_in(at(AWAY, device), user.email).url == "/play/"


def test_a_ninth_account_takes_the_place_of_the_first(person):
    people, device = [person(f"Ann{number}") for number in range(9)], at(HOME)
    for user in people:
        sign_in(device, user.email)
        device.post("/accounts/logout/")
    first, ninth = people[0], people[-1]
    for user in (first, ninth):
        attack(user.email)
    assert asks_to_wait(sign_in(at(AWAY, device), first.email))
    assert sign_in(at(AWAY, device), ninth.email).url == "/play/"


@pytest.mark.parametrize(
    "forged",
    [
        "",
        "nonsense",
        "WyJhYmMiXQ:AAAA",
        lambda good: good[:-1] + ("A" if good[-1] != "A" else "B"),
        lambda good: Signer(key="another", salt="accounts.known_clients").sign_object(["abc"]),
        lambda good: Signer(salt="another").sign_object(["abc"]),
        lambda good: Signer(salt="accounts.known_clients").sign_object(["abc"] * 9),
    ],
)
def test_a_forged_cookie_gains_nothing(ann, forged):
    device = known_device(ann)
    good = device.cookies[COOKIE].value
    attack(ann.email)
    browser = at(AWAY)
    browser.cookies[COOKIE] = forged(good) if callable(forged) else forged
    assert asks_to_wait(sign_in(browser, ann.email))


def test_the_cookie_is_not_a_session(ann):
    device = known_device(ann)
    assert at(HOME, device).get("/you/").status_code == 302


def test_the_cookie_is_for_the_server_alone_and_names_no_account(ann):
    device = at(HOME)
    cookie = sign_in(device, ann.email).cookies[COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 180 * 86400)
    (token,) = Signer(salt="accounts.known_clients").unsign_object(cookie.value)
    assert re.fullmatch(r"[\w-]{32}", token)


def test_the_cookie_is_another_after_each_sign_in(ann):
    device = known_device(ann)
    old = at(AWAY, device)
    sign_in(device, ann.email)
    assert device.cookies[COOKIE].value != old.cookies[COOKIE].value
    attack(ann.email)
    assert asks_to_wait(sign_in(old, ann.email))
    assert ann.known_clients.filter(kind="device").count() == 1


def test_only_signing_in_whole_makes_a_device_known(ann):
    TOTP.activate(ann, SECRET)
    browser = at(AWAY)
    sign_in(browser, ann.email)
    assert COOKIE not in browser.cookies
    browser.post(STEP, {"code": code_of(SECRET)})
    assert COOKIE in browser.cookies


def test_a_refused_sign_in_leaves_no_cookie(ann):
    browser = at(AWAY)
    assert COOKIE not in sign_in(browser, ann.email, "wrong").cookies
    assert not KnownClient.objects.exists()


# Known and unknown addresses


def answers_to(email, browser):
    """All that can be seen of so many tries: status, headers and page of each, without what differs at every answer."""
    seen = []
    for number in range(7):
        answer = browser.post(LOGIN, {"login": email, "password": f"wrong {number}"})
        page = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.content.decode())
        headers = {name: value for name, value in answer.headers.items() if name != "X-Request-ID"}
        seen.append((answer.status_code, headers, sorted(answer.cookies), page.replace(email, "EMAIL")))
    return seen


def test_an_unknown_address_is_locked_and_looks_the_same(ann, person):
    eve = known_device(person("Eve"), ATTACKER)
    known_device(ann)
    of_known = answers_to("ann@example.org", at(AWAY, eve))
    of_unknown = answers_to("xyz@example.org", at("198.51.100.8", eve))
    assert [status for status, *_ in of_known] == [200] * 5 + [429] * 2
    assert of_known == of_unknown
    assert of_known[-1][1]["Retry-After"] == "300"


def test_an_unknown_address_takes_the_same_work(ann, monkeypatch):
    from django.db import connection

    known_device(ann)
    hashed, encode = [], MD5PasswordHasher.encode
    monkeypatch.setattr(MD5PasswordHasher, "encode", lambda *args: hashed.append(args) or encode(*args))
    work = []
    for number, email in enumerate(("ann@example.org", "xyz@example.org")):
        browser, of_this = at(f"198.51.100.{number}"), []
        for _ in range(7):
            hashed.clear()
            with CaptureQueriesContext(connection) as queries:
                sign_in(browser, email, "wrong")
            looked_up = [query["sql"] for query in queries if "knownclient" in query["sql"]]
            of_this.append((len(hashed), len(looked_up)))
        work.append(of_this)
    assert work[0] == work[1] == [(1, 1)] * 5 + [(0, 1)] * 2


@pytest.mark.parametrize("door", [CODE, RESET])
def test_emails_past_the_limit_look_the_same_for_unknown_addresses(ann, door):
    pages = []
    for email in (ann.email, "xyz@example.org"):
        for number in range(5):
            browser = at(f"198.51.{number}.7")
            answer = browser.post(door, {"email": email})
            page = re.sub(r'value="\w{64}"', "", browser.get(answer.url).content.decode())
        pages.append((answer.status_code, answer.url, page.replace(email, "EMAIL")))
    assert pages[0] == pages[1]
    assert len(outbox.outbox) == 6


def test_letters_that_databases_take_for_one_are_counted_as_one(ann):
    spellings = ["sam@example.org", "SAM@example.org", "ſam@example.org", "Sam@Example.org", " sam@example.org "]
    answers = [sign_in(at(f"198.51.{n}.7"), spellings[n % 5], "wrong").status_code for n in range(10)]
    assert answers == [200] * 5 + [429] * 5


# Codes by email


def test_who_asks_for_codes_keeps_nobody_from_one(ann):
    """The inbox gets three emails, all with one code, which fits in every browser that asked."""
    for number in range(30):
        at(f"203.0.{number}.9").post(CODE, {"email": ann.email})
    assert len({code_in(message) for message in outbox.outbox}) == 1
    browser = at(AWAY)
    confirm = browser.post(CODE, {"email": ann.email}).url
    assert len(outbox.outbox) == 3
    page = browser.get(confirm).content.decode()
    assert "We have already sent this code several times. Use the newest email." in page
    browser.post(confirm, {"code": code_in(outbox.outbox[-1])})
    assert is_signed_in(browser)


def test_a_known_device_gets_an_email_all_the_same(ann):
    device = known_device(ann)
    for number in range(30):
        at(f"203.0.{number}.9").post(CODE, {"email": ann.email})
    at(AWAY, device).post(CODE, {"email": ann.email})
    assert len(outbox.outbox) == 4


def test_a_code_signs_in_once_although_several_browsers_asked(ann):
    owner, other = at(AWAY), at(ATTACKER)
    for browser in (owner, other):
        confirm = browser.post(CODE, {"email": ann.email}).url
    code = code_in(outbox.outbox[0])
    owner.post(confirm, {"code": code})
    assert is_signed_in(owner)
    other.post(confirm, {"code": code})
    assert not is_signed_in(other)


def test_after_a_sign_in_the_next_code_is_another(ann):
    for number in range(2):
        browser = at(f"198.51.{number}.7")
        confirm = browser.post(CODE, {"email": ann.email}).url
        browser.post(confirm, {"code": code_in(outbox.outbox[-1])})
        assert is_signed_in(browser)
    assert len({code_in(message) for message in outbox.outbox}) == 2


def test_two_accounts_whose_addresses_are_counted_as_one_share_no_code(person):
    for name, email in (("Sam", "sam@example.org"), ("Eve", "ſam@example.org")):
        user = person(name)
        User.objects.filter(pk=user.pk).update(email=email)
        EmailAddress.objects.filter(user=user).update(email=email)
        at(ATTACKER).post(CODE, {"email": email})
    assert [message.to for message in outbox.outbox] == [["sam@example.org"], ["ſam@example.org"]]
    assert len({code_in(message) for message in outbox.outbox}) == 2


def test_a_code_ends_after_ten_minutes_at_most(ann, noon):
    at(ATTACKER).post(CODE, {"email": ann.email})
    noon.shift(timedelta(minutes=4, seconds=59))
    browser = at(AWAY)
    confirm = browser.post(CODE, {"email": ann.email}).url
    assert code_in(outbox.outbox[0]) == code_in(outbox.outbox[1])
    noon.shift(timedelta(minutes=5, seconds=1))
    browser.post(confirm, {"code": code_in(outbox.outbox[1])})
    assert not is_signed_in(browser)


# The second step, and proofs


def test_codes_guessed_by_who_knows_the_password_lock_no_known_device(ann):
    device = known_device(ann)
    TOTP.activate(ann, SECRET)
    thief = at(ATTACKER)
    sign_in(thief, ann.email)
    answers = [thief.post(STEP, {"code": f"00000{number}"}).status_code for number in range(6)]
    assert answers == [200] * 5 + [429]
    owner = at(AWAY, device)
    sign_in(owner, ann.email)
    owner.post(STEP, {"code": code_of(SECRET)})
    assert is_signed_in(owner)


def test_nor_who_comes_by_a_code_by_email(ann):
    TOTP.activate(ann, SECRET)
    thief, owner = at(ATTACKER), at(AWAY)
    sign_in(thief, ann.email)
    for number in range(6):
        refusal = thief.post(STEP, {"code": f"00000{number}"}).content.decode()
    assert "Sign in again with a code by email instead of the password" in refusal
    sign_in(owner, ann.email)
    assert owner.post(STEP, {"code": code_of(SECRET)}).status_code == 429
    left = owner.post("/accounts/logout/", {"next": CODE})
    assert left.url == CODE
    confirm = owner.post(CODE, {"email": ann.email}).url
    owner.post(confirm, {"code": code_in(outbox.outbox[-1])})
    owner.post(STEP, {"code": code_of(SECRET)})
    assert is_signed_in(owner)


def test_strangers_do_not_lock_proofs_of_who_is_signed_in(ann):
    browser = at(AWAY)
    sign_in(browser, ann.email)
    attack(ann.email)
    answer = browser.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": "/accounts/email/"})
    assert answer.url == "/accounts/email/"


@pytest.mark.parametrize(
    ("door", "wrong"),
    [
        ("/accounts/reauthenticate/", {"password": "wrong"}),
        ("/accounts/password/change/", {"oldpassword": "wrong", **NEW}),
    ],
)
def test_each_session_has_five_wrong_proofs(ann, door, wrong):
    thief, owner = at(ATTACKER), at(AWAY)
    for browser in (thief, owner):
        sign_in(browser, ann.email)
    answers = [thief.post(door, wrong).status_code for _ in range(6)]
    assert answers == [200] * 5 + [429]
    assert owner.post(door, {name: PASSWORD if value == "wrong" else value for name, value in wrong.items()}).url


def test_each_session_has_five_wrong_codes(ann):
    thief, owner = at(ATTACKER), at(AWAY)
    for browser in (thief, owner):
        sign_in(browser, ann.email)
    TOTP.activate(ann, SECRET)
    assert [thief.post(AGAIN, {"code": "000000"}).status_code for _ in range(6)] == [200] * 5 + [429]
    assert owner.post(AGAIN, {"code": code_of(SECRET), "next": "/accounts/2fa/"}).url == "/accounts/2fa/"


# Forgetting


def test_a_change_of_password_forgets_all_other_devices_and_networks(ann):
    lost = known_device(ann, ATTACKER)
    device = at(AWAY)
    sign_in(device, ann.email)
    device.post("/accounts/password/change/", {"oldpassword": PASSWORD, **NEW})
    device.post("/accounts/logout/")
    assert sorted(ann.known_clients.values_list("kind", flat=True)) == ["device", "network"]
    for number in range(6):
        sign_in(at(f"198.51.{number}.9"), ann.email, "wrong")
    for stranger in (at("198.51.99.9", lost), at(ATTACKER)):
        assert asks_to_wait(sign_in(stranger, ann.email, NEW["password1"]))
    assert sign_in(at("198.51.98.9", device), ann.email, NEW["password1"]).url == "/play/"


def test_so_does_a_reset_which_also_ends_the_lock(ann):
    lost = known_device(ann, ATTACKER)
    attack(ann.email)
    browser = at(AWAY)
    browser.post(RESET, {"email": ann.email})
    link = re.search(r"http://testserver(\S+)", outbox.outbox[-1].body)[1]
    form = browser.get(link, follow=True).request["PATH_INFO"]
    browser.post(form, NEW)
    assert sign_in(at("198.51.99.9"), ann.email, NEW["password1"]).url == "/play/"
    attack(ann.email)
    assert asks_to_wait(sign_in(at("198.51.98.9", lost), ann.email, NEW["password1"]))
    assert sign_in(at("198.51.97.9", browser), ann.email, NEW["password1"]).url == "/play/"


def old(name):
    """How many rows are past their age by this rule."""
    (rule,) = [rule for rule in retention.rules() if rule.name == name]
    return rule.past(timezone.now()).count()


def test_a_network_is_known_for_60_days_and_a_device_for_180(ann, noon):
    device = known_device(ann)
    noon.shift(timedelta(days=60, seconds=1))
    attack(ann.email)
    assert asks_to_wait(sign_in(at(HOME), ann.email))
    assert (old("known_networks"), old("known_devices")) == (1, 0)
    noon.shift(timedelta(days=119))
    attack(ann.email)
    assert sign_in(at(AWAY, device), ann.email).url == "/play/"
    noon.shift(timedelta(days=180, seconds=1))
    assert (old("known_networks"), old("known_devices")) == (2, 1)


def test_an_account_knows_twenty_devices_and_networks(ann, noon):
    for number in range(22):
        sign_in(at(f"198.51.{number}.7"), ann.email)
        noon.shift(timedelta(minutes=1))
    assert ann.known_clients.filter(kind="device").count() == 20
    assert ann.known_clients.filter(kind="network").count() == 20
    attack(ann.email)
    assert asks_to_wait(sign_in(at("198.51.0.7"), ann.email))
    assert sign_in(at("198.51.21.7"), ann.email).url == "/play/"


def test_the_download_tells_of_them_without_what_they_are(ann):
    known_device(ann)
    rows = privacy.export(ann)["known_clients"]
    assert rows == [{"kind": kind, "first_at": NOON, "last_at": NOON} for kind in ("device", "network")]


def test_no_address_is_stored(ann):
    known_device(ann)
    stored = json.dumps(list(KnownClient.objects.values("kind", "digest")))
    assert HOME not in stored
    assert all(re.fullmatch(r"[0-9a-f]{64}", row.digest) for row in KnownClient.objects.all())


def test_one_network_is_another_digest_for_each_account(ann, person):
    for user in (ann, person("Ben")):
        known_device(user)
    assert len(set(KnownClient.objects.values_list("digest", flat=True))) == 4


def test_they_go_with_the_account(ann):
    known_device(ann)
    privacy.delete_account(User.objects.get(pk=ann.pk))
    assert not KnownClient.objects.exists()


def test_a_former_key_of_the_site_still_recognises_a_device(ann, settings):
    device = known_device(ann)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key, as long as it has to be", [settings.SECRET_KEY]
    attack(ann.email)
    assert sign_in(at(AWAY, device), ann.email).url == "/play/"


def test_without_the_shared_cache_the_process_counts(ann, monkeypatch):
    monkeypatch.setattr(attempts, "cache", Cache("redis://127.0.0.1:1", {}))
    device = known_device(ann)
    answers = [sign_in(at(f"198.51.{n}.9"), ann.email, "wrong").status_code for n in range(7)]
    assert answers == [200] * 5 + [429] * 2
    assert sign_in(at(AWAY, device), ann.email).url == "/play/"
    for number in range(9):
        at(f"203.0.{number}.9").post(CODE, {"email": ann.email})
    assert len(outbox.outbox) == 3


def test_in_german(ann):
    ann.language = "de"
    ann.save()
    attack(ann.email)
    page = at(AWAY).post(LOGIN, {"login": ann.email, "password": "x"}, headers={"accept-language": "de"})
    text = page.content.decode()
    assert "Warte 5 min und versuch es dann noch einmal." in text
    assert "Schick mir einen Code per E-Mail" in text
