"""Without a connection: a strip says it, nothing is lost; afterwards the page catches up automatically."""

import pytest
from playwright.sync_api import expect

from engine.play.cards import NAMES
from gameplay.snapshot import state_of
from tests.journeys.hands import DESK, PHONE, Mouse, act, act_of, pick, shows


def may_meld(table):
    """Whether a bot would lay three cards or more and keep some."""
    moves = act_of(state_of(table), table.move_count)
    return moves[0].kind == "meld" and len(moves[0].groups[0].cards) > 2 and moves[-1].kind == "discard"


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_what_is_staged_is_kept_and_played_afterwards(device, visit, seated, four, driver):
    table = driver.until(seated("family"), may_meld)
    seat = table.seat_to_act
    page = visit(device, user=four[seat])
    page.goto(table.get_absolute_url())
    shows(page, table)
    moves = act_of(state_of(table), table.move_count)
    hands = Mouse(page)
    pick(hands, moves[0].groups[0].cards)
    hands.stage()
    go, strip = page.locator("#go"), page.locator("#offline")

    page.context.set_offline(True)
    expect(strip).to_be_visible()
    expect(strip).to_contain_text("Your selection is not lost")
    expect(go).to_have_attribute("aria-disabled", "true")
    expect(page.locator("#staged [data-group]")).to_have_count(1)
    card = page.locator(f"#card-{NAMES[moves[-1].card]}")
    card.click()
    expect(card).to_have_attribute("aria-pressed", "true")
    expect(go).to_have_attribute("aria-disabled", "true")
    go.click(force=True)

    page.context.set_offline(False)
    expect(strip).to_be_hidden()
    expect(card).to_have_attribute("aria-pressed", "true")
    expect(go).not_to_have_attribute("aria-disabled", "true")
    before = table.move_count
    go.click()
    expect(page.locator("#go-wait")).to_be_visible()
    played = [move.text for move in table.moves.filter(number__gt=before, seat=seat)]
    assert [text.split()[0] for text in played] == ["meld", "discard"]


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_moves_of_others_since_then_are_caught_up_with(device, visit, seated, four, driver):
    table = driver.act(seated("standard"))
    seat = (table.seat_to_act + 1) % 4
    page = visit(device, user=four[seat])
    page.goto(table.get_absolute_url())
    page.evaluate("window.loadedOnce = true")
    card = page.locator("#hand .card").nth(3)
    card.click()

    page.context.set_offline(True)
    expect(page.locator("#offline")).to_be_visible()
    driver.until(table, lambda table: table.seat_to_act == seat)
    expect(page.locator("#go-wait")).to_be_visible()

    page.context.set_offline(False)
    expect(page.locator("#offline")).to_be_hidden()
    shows(page, table)
    expect(card).to_have_attribute("aria-pressed", "true")
    card.click()
    act(Mouse(page), table.slug)
    assert table.moves.latest("number").seat == seat
    assert page.evaluate("window.loadedOnce") is True
