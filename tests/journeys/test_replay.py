"""The replay by itself: it plays, steps, is scrubbed and linked to, and never loads its page again."""

import re

import pytest
from playwright.sync_api import expect

from gameplay.models import Table
from tests.journeys.hands import DESK, PHONE

FIRST_DEAL = 16
DEVICES = pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])


@pytest.fixture
def played(seated, driver):
    """A match that is over."""
    return driver.until(seated("standard", options={"length": {"deals": 1}}), lambda t: t.status == Table.Status.OVER)


@pytest.fixture
def replaying(played, four, visit):
    """A page of Ann with the replay, at `query`."""

    def open_page(query="", device=DESK, **options):
        page = visit(device, user=four[0], **options)
        page.goto(f"{played.get_absolute_url()}replay/{query}")
        if options.get("java_script_enabled", True):
            page.evaluate("window.loadedOnce = true")
        return page

    return open_page


def where(page):
    """Turn and act of the address."""
    return re.search(r"at=([\d.]+)", page.url)[1]


@DEVICES
def test_it_plays_by_itself_from_the_beginning_and_stands_still_at_a_press(device, replaying, no_barriers, picture):
    page = replaying(device=device, reduced_motion="no-preference")
    expect(page.locator("#scale")).to_have_attribute("aria-valuetext", "Deal 1 starts.")
    assert page.locator("#act-back").get_attribute("aria-disabled") == "true"
    page.get_by_label("4×").check(force=True)
    page.locator("#play").click()
    expect(page).to_have_url(re.compile(r"at=([2-9]|\d\d)\."))
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    turn = int(where(page).split(".")[0])
    assert f"Turn {turn} of" in page.locator("#said").inner_text()
    picture(page, f"replay-played-{device['viewport']['width']}")
    no_barriers(page)
    page.locator("#turn-on").click()
    expect(page).to_have_url(re.compile(rf"at={turn + 1}\.1$"))
    assert page.evaluate("window.loadedOnce") is True


def test_steps_by_act_and_by_turn_show_what_a_link_to_the_place_shows(replaying, played):
    page = replaying("?deal=1&at=5.2")
    linked = page.locator("#board").inner_html(), page.locator("#replay-hands").inner_html()
    page.locator("#turn-back").click()
    expect(page).to_have_url(re.compile(r"at=5\.1$"))
    page.locator("#turn-back").click()
    expect(page).to_have_url(re.compile(r"at=4\.1$"))
    assert page.locator(".ring .who").all_inner_texts() == ["Ben", "Cem", "Dee"]
    expect(page.locator(".ring [aria-current] .who")).to_have_text("Dee")
    page.keyboard.press("Shift+ArrowRight")
    expect(page).to_have_url(re.compile(r"at=5\.1$"))
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"at=5\.2$"))
    squeezed = [re.sub(r"\s+", "", part) for part in linked]
    here = page.locator("#board").inner_html(), page.locator("#replay-hands").inner_html()
    assert [re.sub(r"\s+", "", part) for part in here] == squeezed
    expect(page.locator("#turn [aria-current]")).to_have_attribute("href", "?deal=1&at=5.2")
    page.keyboard.press("End")
    expect(page.locator("#act-on")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile(r"at=0$"))
    assert page.evaluate("window.loadedOnce") is True


def test_the_scale_says_turn_and_player_and_a_link_to_the_moment_is_copied(replaying):
    page = replaying()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#scale").fill("20")
    expect(page.locator("#scale")).to_have_attribute("aria-valuetext", re.compile(r"^Turn 20, \w+ of \d+$"))
    expect(page.locator("#said")).to_contain_text("Turn 20 of")
    page.locator("#act-on").click()
    expect(page).to_have_url(re.compile(r"at=20\.2$"))
    page.get_by_role("button", name="Link").click()
    expect(page.locator("#said")).to_have_text("Copied: turn 20, move 2")
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_hands_close_at_a_press_and_stay_so(replaying):
    page = replaying("?deal=1&at=3.1")
    expect(page.locator(".openhand").first).to_be_visible()
    page.get_by_role("button", name="Hands").click()
    expect(page.locator(".openhand >> visible=true")).to_have_count(0)
    page.reload()
    expect(page.locator(".openhand >> visible=true")).to_have_count(0)


def test_without_scripts_links_lead_from_place_to_place(replaying, played):
    page = replaying("?deal=1&at=2.1", java_script_enabled=False)
    page.get_by_role("link", name="Next turn").click()
    assert where(page) == "3.1"
    page.locator("#turn a", has_text="discarded").click()
    page.get_by_role("link", name="Next move").click()
    assert where(page) == "4.1"
    page.locator("#scale").fill("9")
    page.get_by_role("button", name="Go").click()
    assert where(page) == "9"
    expect(page.locator("#h-turn")).to_contain_text("Turn 9")
    expect(page.locator("#play")).to_be_hidden()
