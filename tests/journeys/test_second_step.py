"""Signing in with more than a password: an app's codes, recovery codes, and passkeys of a device within the browser."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth
from playwright.sync_api import expect

from tests.accounts.club_id import SERVER, offer
from tests.journeys.hands import DESK, PHONE, page_width

PASSWORD = "a quiet afternoon"
HALF_MINUTE = 59_000_000
"""By its number; the clock of the codes stands still."""
DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}

pytestmark = pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])


@pytest.fixture
def ann(site, person, monkeypatch):
    """Ann, with a password and an address that she has confirmed."""
    monkeypatch.setattr(auth, "yield_hotp_counters_from_time", lambda: iter([HALF_MINUTE]))
    user = person("Ann")
    user.set_password(PASSWORD)
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


@pytest.fixture
def look(request, no_barriers, picture, device):
    """Looks at a page: nothing that axe finds, nothing too wide; and a picture."""

    def at(page, name):
        assert page_width(page) <= device["viewport"]["width"], name
        no_barriers(page)
        picture(page, f"{name}-{request.node.callspec.id}")

    return at


def press(page, name):
    page.get_by_role("main").get_by_role("button", name=name).click()


def follow(page, name):
    page.get_by_role("main").get_by_role("link", name=name, exact=True).click()


def heading(page, words):
    expect(page.get_by_role("heading", name=words, level=1)).to_be_visible()


def sign_in(page, user):
    """Give address and password."""
    page.goto("/accounts/login/")
    page.get_by_label("Email").fill(user.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def sign_out(page):
    page.goto("/accounts/logout/")
    press(page, "Sign out")
    heading(page, "Play Hand and Foot. Run your club. Show everyone the standings.")


def is_signed_in(page):
    expect(page).to_have_url(re.compile("/play/$"))


def test_an_app_and_a_recovery_code(visit, ann, look, device):
    page = visit(device)
    sign_in(page, ann)
    is_signed_in(page)
    page.goto("/you/")
    follow(page, "Signing in")
    look(page, "second-step-none")
    follow(page, "Set up an app")
    heading(page, "Confirm it’s you")
    look(page, "second-step-password")
    page.get_by_label("Password").fill(PASSWORD)
    press(page, "Continue")
    heading(page, "Set up an app")
    expect(page.get_by_role("img", name="The key as a code for a camera")).to_be_visible()
    look(page, "second-step-app")
    secret = page.locator("[data-key]").inner_text()
    code = auth.format_hotp_value(auth.hotp_value(secret, HALF_MINUTE))
    page.get_by_label("Code that the app shows").fill("000 000")
    press(page, "Turn on")
    expect(page.get_by_text("That code is wrong.")).to_be_visible()
    page.get_by_label("Code that the app shows").fill(f"{code[:3]} {code[3:]}")
    press(page, "Turn on")
    heading(page, "Recovery codes")
    codes = page.locator(".codes li").all_inner_texts()
    assert len(codes) == 10
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    look(page, "second-step-codes")
    page.emulate_media(media="print")
    expect(page.get_by_role("link", name="Codes saved")).to_be_hidden()
    expect(page.locator(".codes li").first).to_be_visible()
    page.emulate_media(media="screen")
    follow(page, "Codes saved")
    expect(page.get_by_text("✓ on")).to_be_visible()
    look(page, "second-step-on")

    sign_out(page)
    sign_in(page, ann)
    heading(page, "Two-step sign-in")
    look(page, "second-step-asked")
    page.get_by_label("Code", exact=True).fill(code)
    press(page, "Sign in")
    is_signed_in(page)

    sign_out(page)
    sign_in(page, ann)
    page.get_by_label("Code", exact=True).fill(codes[0])
    press(page, "Sign in")
    is_signed_in(page)
    page.goto("/accounts/2fa/")
    expect(page.get_by_text("9 left.")).to_be_visible()


def test_a_passkey(visit, site, ann, look, device):
    page = visit(device, base_url=site.replace("127.0.0.1", "localhost"))  # a passkey belongs to a name
    browser = page.context.new_cdp_session(page)
    browser.send("WebAuthn.enable")
    browser.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})

    sign_in(page, ann)
    is_signed_in(page)
    page.goto("/accounts/2fa/")
    follow(page, "Add a passkey")
    page.get_by_label("Password").fill(PASSWORD)
    press(page, "Continue")
    heading(page, "Add a passkey")
    look(page, "passkey-add")
    page.get_by_label("Name").fill("My phone, the one with the very long name of fifty")
    press(page, "Add the passkey")
    heading(page, "Recovery codes")
    follow(page, "Codes saved")
    expect(page.get_by_text("My phone, the one with", exact=False).first).to_be_visible()
    look(page, "passkey-listed")

    sign_out(page)
    page.goto("/accounts/login/")
    look(page, "passkey-sign-in")
    press(page, "Sign in with a passkey")
    is_signed_in(page)

    sign_out(page)
    sign_in(page, ann)
    heading(page, "Two-step sign-in")
    look(page, "passkey-asked")
    press(page, "Use a passkey")
    is_signed_in(page)

    page.goto("/accounts/2fa/")
    follow(page, "Rename My phone, the one with the very long name of fifty")
    heading(page, "Confirm it’s you")
    look(page, "passkey-again")
    press(page, "Use a passkey")
    page.get_by_label("Name").fill("Phone")
    press(page, "Save")
    follow(page, "Remove Phone")
    heading(page, "Remove this passkey?")
    look(page, "passkey-remove")
    press(page, "Remove the passkey")
    expect(page.get_by_text("Passkey removed.")).to_be_visible()
    assert not Authenticator.objects.exists()

    sign_out(page)
    page.goto("/accounts/login/")
    press(page, "Sign in with a passkey")
    expect(page.get_by_text("We do not recognise this passkey")).to_be_visible()


def test_where_passkeys_cannot_be_one_is_told_why(visit, ann, device):
    page = visit(device)
    page.goto("/accounts/login/")
    press(page, "Sign in with a passkey")
    expect(page.get_by_text("Passkeys work only if you open Foothold at its own address")).to_be_visible()
    expect(page.get_by_role("button", name="Sign in with a passkey")).to_be_enabled()


def test_an_account_elsewhere(visit, site, look, device, settings, monkeypatch):
    """A form may not send people to another site; so the way there is a page, which goes on by itself."""
    club_id = offer(settings, monkeypatch)
    page = visit(device)

    def say_who(route):
        query = parse_qs(urlsplit(route.request.url).query)
        club_id.nonce = query["nonce"][0]
        way_back = f"{site}/accounts/with/openid/callback/?code=c&state={query['state'][0]}"
        route.fulfill(content_type="text/html", body=f'<a href="{way_back}">It is me</a>')

    page.route(f"{SERVER}/**", say_who)
    page.goto("/accounts/login/")
    look(page, "elsewhere-sign-in")
    page.get_by_role("button", name="Continue with Club ID").focus()
    page.keyboard.press("Enter")
    page.get_by_role("link", name="It is me").click()
    heading(page, "Sign up")
    look(page, "elsewhere-sign-up")
    page.get_by_label("Name").fill("Nell G")
    press(page, "Sign up")
    is_signed_in(page)
    page.goto("/accounts/2fa/")
    look(page, "elsewhere-connected")
    follow(page, "Disconnect Club ID")
    look(page, "elsewhere-disconnect")
    press(page, "Disconnect Club ID")
    expect(page.get_by_text("Account disconnected.")).to_be_visible()
