"""A hint at the table: asked for by a press or a key, read by all, and gone with the next move."""

import re

import pytest
from playwright.sync_api import expect

from engine.play.state import PLAYING
from gameplay.services import hints
from gameplay.snapshot import state_of
from tests.journeys.hands import DESK, PHONE, page_width


@pytest.fixture
def hinted(seated, driver, monkeypatch, same_cards):
    """A table with hints in mid-turn, and its player to act."""
    monkeypatch.setattr(hints, "SAMPLES", 2)
    table = seated(allows_hints=True)
    driver.until(table, lambda table: table.move_count > 60 and state_of(table).phase == PLAYING)
    return table, table.seats.get(number=table.seat_to_act).user


@pytest.mark.parametrize("device", [PHONE, DESK], ids=["phone", "desk"])
def test_the_best_acts_are_shown_beside_the_hand_and_the_selection_stays(device, visit, hinted, no_barriers, picture):
    table, user = hinted
    page = visit(device, user=user)
    page.goto(table.get_absolute_url())
    card = page.locator("#hand .card").first
    card.click()
    page.get_by_role("button", name="What would you do?").click()
    acts = page.locator("#hint li")
    expect(acts.first).to_be_visible()
    assert 1 <= acts.count() <= hints.MOST
    words = re.sub(r"\b(?:two|three|four|five|six|seven) [4-9]s\b", "", page.locator("#hint").inner_text())
    assert not re.search(r"\b(?:[2-9TJQKA][cdhs]|X[rb])\b", words)
    expect(page.locator("#say")).to_contain_text("A bot would choose: ")
    expect(card).to_have_attribute("aria-pressed", "true")
    assert page_width(page) == device["viewport"]["width"]
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        picture(page, f"table-hint-{device['viewport']['width']}-{scheme}")
        assert no_barriers.violations(page) == []
    page.locator("#hint summary").click()
    expect(acts.first).to_be_hidden()


def test_a_hint_comes_by_keyboard_and_goes_with_the_next_move(visit, hinted):
    table, user = hinted
    page = visit(DESK, user=user)
    page.goto(table.get_absolute_url())
    page.locator("#ask-hint").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#hint li").first).to_be_visible()
    expect(page.locator("#ask-hint")).to_be_focused()
    assert table.moves.count() == table.move_count
    page.locator("#hand .card").last.click()
    page.locator("#go").click()
    expect(page.locator("#go-wait")).to_be_visible()
    expect(page.locator("#hint")).to_have_count(0)
