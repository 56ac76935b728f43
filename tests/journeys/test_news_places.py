"""Where a club's news goes: a place is added and used, on a phone and at a desk, also in German and without a mouse."""

from types import SimpleNamespace

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from clubs.models import NewsDelivery, NewsPlace
from clubs.news_places import services
from tests.clubs.test_series import evening
from tests.journeys.hands import DESK, PHONE, page_width
from tests.makers import make_club, make_member, make_person
from tests.receivers import receiver

PATH = "/clubs/harbour/news/places/"


@pytest.fixture
def harbour(transactional_db):
    """A club with an evening that was played, and a receiver."""
    owner = make_person("Olga")
    club = make_club("Harbour Hand and Foot", slug="harbour")
    make_member(club, owner, "owner")
    event = evening(
        club, owner, 0, (4000, 3000, 2000, 1000), names=("Ann Carter", "Bob Carter", "Edith Clark", "Jo Li")
    )
    with receiver() as local:
        yield SimpleNamespace(club=club, owner=owner, event=event, local=local)


def places(harbour):
    """Three places: one that works, one that failed, one without news yet."""
    kinds = ["standings", "champion"]
    for name in ("Discord, #results", "Telegram, @harbour_hf", "ntfy"):
        url = f"{harbour.local.url}/{name[:4]}"
        services.add(harbour.club.pk, harbour.owner, typed=url, name=name, kinds=kinds)
    works, failed, _ = NewsPlace.objects.order_by("pk")
    now = timezone.now()
    NewsDelivery.objects.create(place=works, kind="standings", key="1", event=harbour.event, status="sent", sent_at=now)
    NewsDelivery.objects.create(
        place=failed, kind="champion", key="1", event=harbour.event, status="failed", trouble="server_error"
    )
    NewsPlace.objects.filter(pk=failed.pk).update(rest="failed")


def test_a_place_is_added_and_used_with_the_keyboard(harbour, visit, picture, no_barriers):
    page = visit(DESK, user=harbour.owner)
    page.goto(PATH)
    expect(page.locator(".said")).to_contain_text("Ann Carter won.")
    page.focus("#typed")
    page.keyboard.type("https://10.0.0.1/hook")
    page.keyboard.press("Enter")
    expect(page.locator("#typed")).to_have_value("https://10.0.0.1/hook")
    expect(page.locator("main")).to_contain_text("This is not an address that we know.")
    no_barriers(page)
    page.fill("#typed", f"{harbour.local.url}/hook")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("whsec_")
    picture(page, "news-places-secret-1280")
    no_barriers(page)
    page.goto(PATH)
    expect(page.locator("main")).not_to_contain_text("whsec_")
    page.focus(".chip input[value=drawn]")
    page.keyboard.press("Space")
    page.locator("[id^=save-]").press("Enter")
    expect(page.locator("#messages")).to_contain_text("Changed what goes to Webhook.")
    expect(page.locator(".chip input[value=drawn]")).to_be_checked()
    page.locator("[id^=test-]").press("Enter")
    expect(page.locator("#messages")).to_contain_text("A test was sent to Webhook.")
    assert len(harbour.local.requests) == 2
    for summary in page.locator(".name summary").all():
        summary.press("Enter")
    no_barriers(page)
    picture(page, "news-places-open-1280")
    page.set_viewport_size({"width": 390, "height": 800})
    assert page_width(page) == 390
    picture(page, "news-places-open-390")
    page.locator("[id^=secret-]").press("Enter")
    expect(page.locator("main")).to_contain_text("whsec_")


@pytest.mark.parametrize(("device", "width"), [(DESK, 1280), (PHONE, 390)], ids=["desk", "phone"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_fits(harbour, visit, picture, no_barriers, device, width, language):
    places(harbour)
    harbour.owner.language = language
    harbour.owner.save()
    page = visit(device, user=harbour.owner, locale={"en": "en-GB", "de": "de-DE"}[language])
    for kind in ("standings", "evening"):
        page.goto(f"{PATH}?show={kind}")
        assert page_width(page) == width
        no_barriers(page)
        picture(page, f"news-places-{kind}-{width}-{language}")
    page.emulate_media(color_scheme="dark")
    picture(page, f"news-places-{width}-{language}-dark")
    no_barriers(page)
