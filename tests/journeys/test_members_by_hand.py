"""Members without accounts: their details are entered, they are told by hand, the handbook shows what they allow, and
they claim it all in two presses."""

from datetime import time, timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from clubs.models import Meeting, Membership, PersonalMessage, Question, RepeatingMeeting
from tests.journeys.hands import DESK, PHONE, page_width
from tests.makers import make_harbour, make_person

SIZES = {"390": PHONE, "1280": DESK}


@pytest.fixture
def owner(transactional_db):
    return make_person("Nora")


@pytest.fixture
def club(owner):
    """Harbour with a club night in three days, and people who like to hear by each way."""
    club = make_harbour(owner, is_listed=True)
    rows = [
        ("Edith Clark", {"hears_by": "slip"}),
        ("Ken Ito", {"hears_by": "text", "phone": "07700 900123", "is_listed": True, "shows_phone": True}),
        ("Luis Pardo", {"hears_by": "whatsapp", "phone": "+31 6 1234 5678"}),
        ("Gil Castellano", {"address": "3 Quay Street\nAB1 2CD Harbour", "is_listed": True, "shows_address": True}),
        ("Ayşe Kaya", {"email": "ayse@example.org"}),
        ("Asha Menon", {}),
    ]
    for name, fields in rows:
        Membership.objects.create(club=club, name=name, **fields)
    at = (timezone.now() + timedelta(days=3)).astimezone(club.zone).replace(hour=19, minute=0, second=0, microsecond=0)
    repeating = RepeatingMeeting.objects.create(
        club=club, title="Club night", weekday=at.weekday(), starts_at=time(19), first_day=at.date(), by=owner
    )
    meeting = Meeting.objects.create(
        club=club, title="Club night", starts_at=at, ends_at=at + timedelta(hours=3), repeating=repeating, day=at.date()
    )
    Question.objects.create(club=club, meeting=meeting, asked_at=timezone.now())
    return club


@pytest.mark.parametrize("size", SIZES)
def test_what_a_person_said_is_entered_and_claimed_in_two_presses(club, owner, visit, picture, no_barriers, size):
    edith = Membership.objects.get(name="Edith Clark")
    page = visit(SIZES[size], owner)
    page.goto(f"/clubs/harbour/people/{edith.pk}/")
    page.get_by_label("Phone (optional)").fill("020 555 1234")
    page.get_by_label("Postal address (optional)").fill("1 Quay Street\nHarbour")
    page.get_by_label("How they like to hear from the club").select_option("text")
    page.get_by_label("Show the name, also in the directory").check()
    page.get_by_label("Show the phone number").check()
    assert page_width(page) == int(size)
    picture(page, f"details-{size}")
    no_barriers(page)
    page.locator("#save").click()
    expect(page.locator(".messages")).to_contain_text("The contact details of Edith Clark were changed.")
    claimant = visit(SIZES[size], make_person("Edith"))
    claimant.goto(f"/clubs/claim/{edith.claim_token}/")
    claimant.get_by_role("button", name="Yes, this is me").click()
    claimant.goto("/clubs/harbour/me/")
    expect(claimant.get_by_label("Phone (optional)")).to_have_value("020 555 1234")
    expect(claimant.get_by_label("How you like to hear from the club")).to_have_value("text")
    expect(claimant.get_by_label("Show the phone number")).to_be_checked()
    assert page_width(claimant) == int(size)
    picture(claimant, f"own-details-{size}")
    no_barriers(claimant)
    page.goto(f"/clubs/harbour/people/{edith.pk}/")
    expect(page.locator("main")).to_contain_text("They change these on their club profile.")
    picture(page, f"details-of-account-{size}")


@pytest.mark.parametrize("size", SIZES)
def test_members_are_told_by_hand(club, owner, visit, picture, no_barriers, size):
    page = visit(SIZES[size], owner)
    page.goto("/clubs/harbour/run/tell/")
    page.get_by_role("link", name="Tell members").click()
    expect(page.locator(".state a").first).to_contain_text("5")
    assert page_width(page) == int(size)
    picture(page, f"tell-{size}")
    no_barriers(page)
    row = page.locator("li", has_text="Ken Ito").first
    assert row.locator("a.go").get_attribute("href").startswith("sms:07700900123?body=Hello%20Ken%20Ito.")
    row.get_by_role("button", name="Done").click()
    expect(page.locator("#told")).to_contain_text("Ken Ito")
    page.get_by_role("link", name="Print 3 slips").click()
    expect(page.locator(".slips > li")).to_have_count(3)
    assert page_width(page) == int(size)
    picture(page, f"slips-{size}")
    no_barriers(page)
    page.emulate_media(media="print")
    picture(page, f"slips-print-{size}")
    page.emulate_media(media="screen")
    page.get_by_role("link", name="Tell members").click()
    page.locator("#all-slips").click()
    expect(page.locator("#told li")).to_have_count(4)
    picture(page, f"tell-told-{size}")
    no_barriers(page)
    page.locator("#told li", has_text="Ken Ito").get_by_role("button", name="Undo").click()
    expect(page.locator("#told li")).to_have_count(3)
    assert PersonalMessage.objects.count() == 3


@pytest.mark.parametrize("size", SIZES)
def test_the_handbook_is_printed(club, owner, visit, picture, no_barriers, size):
    page = visit(SIZES[size], owner)
    page.goto("/clubs/harbour/members/")
    page.get_by_role("link", name="Members’ handbook").click()
    expect(page.locator("main")).to_contain_text("07700 900123")
    expect(page.locator("main")).not_to_contain_text("+31 6 1234")
    expect(page.locator("main")).to_contain_text("Club night")
    assert page_width(page) == int(size)
    picture(page, f"handbook-{size}")
    no_barriers(page)
    page.emulate_media(media="print")
    picture(page, f"handbook-print-{size}")
