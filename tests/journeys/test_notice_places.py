"""A person's own channels: added, tried and paused, on a phone and at a desk, also in German and without a mouse."""

from types import SimpleNamespace

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import NoticeDelivery, NoticePlace
from accounts.notice_places import services
from tests.journeys.hands import DESK, PHONE, page_width
from tests.makers import make_person
from tests.receivers import receiver

PATH = "/you/channels/"


@pytest.fixture
def ann(transactional_db):
    """A person, and a receiver."""
    with receiver() as local:
        yield SimpleNamespace(user=make_person("Ann"), local=local)


def channels(ann):
    """Two channels: one that works, and one that failed."""
    for name in ("fine", "gone"):
        services.add(ann.user, typed=f"{ann.local.url}/{name}", chosen=["turns", "matches"])
    fine, gone = NoticePlace.objects.order_by("pk")
    NoticeDelivery.objects.create(place=fine, status="sent", sent_at=timezone.now())
    NoticeDelivery.objects.create(place=gone, status="failed", trouble="gone")
    NoticePlace.objects.filter(pk=gone.pk).update(rest="failed", name="Phone")


def test_a_channel_is_added_and_used_with_the_keyboard(ann, visit, picture, no_barriers):
    page = visit(DESK, user=ann.user)
    page.goto(PATH)
    page.focus("#typed")
    page.keyboard.type("https://10.0.0.1/hook")
    page.keyboard.press("Enter")
    expect(page.locator("#typed")).to_have_value("https://10.0.0.1/hook")
    expect(page.locator("#refused")).to_contain_text("This is not an address that we know.")
    no_barriers(page)
    page.fill("#typed", f"{ann.local.url}/hook")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("whsec_")
    picture(page, "channels-secret-1280")
    page.goto(PATH)
    page.locator(".chip input[value=clubs]").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Save").press("Enter")
    expect(page.locator("#messages")).to_contain_text("Changed what goes to Webhook")
    page.get_by_role("button", name="Send a test to").press("Enter")
    expect(page.locator("#messages")).to_contain_text("A test was sent to Webhook")
    page.get_by_role("button", name="Pause").press("Enter")
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    page.get_by_text("Change name").press("Enter")
    page.get_by_label("Name of Webhook").press_sequentially("Hall screen")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Hall screen")).to_be_visible()
    page.get_by_text("Signing secret").press("Enter")
    page.get_by_role("button", name="Renew secret of Hall screen").press("Enter")
    expect(page.locator("main")).to_contain_text("it is not shown again")
    assert NoticePlace.objects.get().name == "Hall screen"
    assert NoticePlace.objects.get().topics == ["turns", "matches", "clubs"]


@pytest.mark.parametrize(("device", "width"), [(DESK, 1280), (PHONE, 390)], ids=["desk", "phone"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_fits(ann, visit, picture, no_barriers, device, width, language):
    channels(ann)
    ann.user.language = language
    ann.user.save()
    page = visit(device, user=ann.user, locale={"en": "en-GB", "de": "de-DE"}[language])
    page.goto(PATH)
    assert page_width(page) == width
    for summary in page.locator(f"#place-{NoticePlace.objects.first().pk} summary").all():
        summary.click()
    no_barriers(page)
    picture(page, f"channels-{width}-{language}")
    page.emulate_media(color_scheme="dark")
    picture(page, f"channels-{width}-{language}-dark")
    no_barriers(page)
