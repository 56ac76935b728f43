"""I would like to come: a stranger reads the page of a club, says a name, and takes it back; an organiser looks on."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from clubs.models import Meeting, MeetingGuest, Question
from tests.journeys.hands import DESK, PHONE, page_width
from tests.makers import make_harbour, make_person

SIZES = {"390": PHONE, "1280": DESK}


@pytest.fixture
def owner(transactional_db):
    return make_person("Nora")


@pytest.fixture
def evening(owner):
    """A meeting of Harbour, which takes guests, in three days."""
    club = make_harbour(owner, takes_guests=True)
    at = (timezone.now() + timedelta(days=3)).replace(hour=18, minute=0, second=0, microsecond=0)
    meeting = Meeting.objects.create(club=club, title="Club night", starts_at=at, ends_at=at + timedelta(hours=3))
    Question.objects.create(club=club, meeting=meeting)
    return meeting


@pytest.fixture
def look(picture, no_barriers):
    """Look at a page in both lights: a picture of each, nothing too wide, nothing that axe finds."""

    def at(page, name, size):
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            picture(page, f"{name}-{size}-{scheme}")
            no_barriers(page)
        page.emulate_media(color_scheme="light")
        assert page_width(page) == int(size)

    return at


@pytest.mark.parametrize("size", SIZES)
def test_a_stranger_comes_and_cannot_come_after_all(evening, visit, look, size):
    page = visit(SIZES[size])
    page.goto("/clubs/harbour/")
    look(page, "guest-club", size)
    page.get_by_role("link", name="I would like to come").first.click()
    look(page, "guest-come", size)
    page.get_by_label("Note to the organisers").fill("I have never played before.")
    page.locator("#come-send").click()
    expect(page.locator("#refused")).to_have_text("Enter your name.")
    look(page, "guest-refused", size)
    expect(page.get_by_label("Note to the organisers")).to_have_value("I have never played before.")
    page.get_by_label("Your name").fill("Sam Field")
    page.locator("#come-send").click()
    expect(page.locator("h1")).to_have_text("Thank you, Sam Field")
    look(page, "guest-thanks", size)
    assert MeetingGuest.objects.get().note == "I have never played before."
    page.locator("#leave").click()
    expect(page.locator("h1")).to_have_text("You are not on the list")
    look(page, "guest-left", size)
    assert not MeetingGuest.objects.exists()


@pytest.mark.parametrize("size", SIZES)
def test_an_organiser_sees_guests_and_removes_one(evening, owner, visit, look, size):
    MeetingGuest.objects.create(meeting=evening, name="Sam Field", note="I have never played before.")
    MeetingGuest.objects.create(meeting=evening, name="Kim")
    page = visit(SIZES[size], user=owner)
    page.goto("/clubs/harbour/dates/")
    expect(page.get_by_role("link", name="2 guests from the public page")).to_be_visible()
    look(page, "guest-dates", size)
    page.goto(f"/clubs/harbour/coming/{evening.question.pk}/")
    look(page, "guest-desk", size)
    page.get_by_role("link", name="Manage guests").click()
    look(page, "guest-list", size)
    page.get_by_role("button", name="Kim").click()
    expect(page.locator("body")).to_contain_text("Guest removed: Club night.")
    assert MeetingGuest.objects.get().name == "Sam Field"


@pytest.mark.parametrize("size", SIZES)
def test_tonight_has_the_guests_of_the_day(evening, owner, visit, look, size):
    noon = timezone.now().astimezone(evening.club.zone).replace(hour=12, minute=0, second=0, microsecond=0)
    Meeting.objects.update(starts_at=noon, ends_at=None)
    MeetingGuest.objects.create(meeting=evening, name="Sam Field", note="I have never played before.")
    page = visit(SIZES[size], user=owner)
    page.goto("/clubs/harbour/tonight/")
    expect(page.locator("#guests")).to_contain_text("Sam Field")
    look(page, "guest-tonight", size)


def test_a_meeting_that_is_moved_meanwhile_is_shown_again(evening, visit, look):
    page = visit(PHONE)
    page.goto(f"/clubs/harbour/dates/{evening.pk}/come/")
    page.get_by_label("Your name").fill("Sam Field")
    Meeting.objects.update(starts_at=evening.starts_at + timedelta(hours=1))
    page.locator("#come-send").click()
    expect(page.locator("#refused")).to_have_text(
        "This meeting has just been moved. Check the new time and send it again."
    )
    look(page, "guest-moved", "390")
    page.locator("#come-send").click()
    expect(page.locator("h1")).to_have_text("Thank you, Sam Field")


def test_an_owner_lets_guests_come(evening, owner, visit, look):
    page = visit(DESK, user=owner)
    page.goto("/clubs/harbour/settings/")
    page.get_by_label("Guests can say that they come").uncheck()
    look(page, "guest-settings", "1280")
    page.locator("#save").click()
    expect(page.locator("body")).to_contain_text("Changed: guests without an account.")
