"""Moves of others arrive automatically, take nothing away, and move nothing under a thumb."""

import pytest
from playwright.sync_api import expect

from engine.play.state import PLAYING
from gameplay.services import pauses
from gameplay.snapshot import state_of
from tests.journeys.hands import DESK, PHONE, Mouse, shows, table_at

HELD_BACK = """() => {
  const { send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function (...body) { window.release = () => send.apply(this, body); };
}"""
"""Requests of htmx leave only when `release()` is called."""


def bottom_of_the_button(page):
    """The bottom of the main button; found and measured at once, because fresh parts may replace it at any time."""
    return page.evaluate("document.querySelector('#act .go').getBoundingClientRect().bottom")


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_while_waiting_picks_and_focus_stay_and_the_button_stands_still(device, visit, seated, four, driver):
    table = driver.act(seated("standard"))
    after_next = (table.seat_to_act + 2) % 4
    page = visit(device, user=four[after_next])
    page.goto(table.get_absolute_url())
    page.evaluate("window.loadedOnce = true")
    card = page.locator("#hand .card").nth(2)
    card.click()
    card.focus()
    bottom = bottom_of_the_button(page)

    driver.until(table, lambda table: table.seat_to_act == after_next)
    shows(page, table)
    expect(page.locator("#draw")).to_be_visible()
    expect(card).to_have_attribute("aria-pressed", "true")
    expect(card).to_be_focused()
    assert bottom_of_the_button(page) == bottom
    assert page.evaluate("window.loadedOnce") is True
    expect(page).to_have_title("(1) Your turn · Harbour Four")


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_in_ones_own_turn_what_is_staged_stays_and_the_button_stands_still(device, visit, seated, four, driver):
    table = driver.until(seated("family"), lambda table: state_of(table).phase == PLAYING)
    seat = table.seat_to_act
    page = visit(device, user=four[seat])
    page.goto(table.get_absolute_url())
    cards = page.locator("#hand .rank:has(.card:nth-child(2))").first.locator(".card")
    cards.nth(0).click()
    cards.nth(1).click()
    Mouse(page).stage()
    staged = page.locator("#staged [data-group]").all_text_contents()
    assert staged
    page.locator("#hand .card >> visible=true").last.click()
    go = page.locator("#go")
    go.focus()
    expect(go).to_contain_text("discard")
    words, bottom = go.text_content(), bottom_of_the_button(page)

    pauses.propose_pause(table.pk, four[(seat + 1) % 4])
    shows(page, table_at(table.slug))
    expect(page.locator("#staged [data-group]")).to_have_text(staged)
    expect(go).to_have_text(words)
    expect(go).to_be_focused()
    assert bottom_of_the_button(page) == bottom


def test_what_is_open_stays_open_and_keeps_the_focus(visit, seated, four, driver):
    table = driver.until(seated("family"), lambda table: state_of(table).phase == PLAYING)
    seat = table.seat_to_act
    page = visit(user=four[seat])
    page.goto(table.get_absolute_url())
    page.locator("#dots-more").click()
    page.locator("#keys-more").click()

    pauses.propose_pause(table.pk, four[(seat + 1) % 4])
    shows(page, table_at(table.slug))
    expect(page.locator("#keys dl")).to_be_visible()
    expect(page.locator("#keys-more")).to_be_focused()

    page.locator("#sort-suit").focus()
    pauses.decline(table.pk, four[(seat + 2) % 4])
    shows(page, table_at(table.slug))
    expect(page.locator("#sort-suit")).to_be_focused()

    page.locator("#sort-suit").click()
    expect(page.locator("#sort-suit")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#dots[open]")).to_have_count(0)


def test_a_menu_that_was_opened_before_the_answer_came_stays_open(visit, seated, four, driver):
    table = driver.until(seated("family"), lambda table: state_of(table).phase == PLAYING)
    page = visit(user=four[table.seat_to_act])
    page.goto(table.get_absolute_url())
    page.evaluate(HELD_BACK)
    page.locator("#hand .card").first.click()
    page.locator("#go").click()
    page.locator("#dots-more").press("Enter")
    expect(page.locator("#dots .menu")).to_be_visible()

    with page.expect_response("**/move/"):
        page.evaluate("release()")
    expect(page.locator("#tray")).to_have_attribute("data-kind", "wait")
    expect(page.locator("#dots .menu")).to_be_visible()
    expect(page.locator("#dots-more")).to_be_focused()


def test_a_turn_list_that_is_open_learns_of_a_turn(visit, seated, four, driver):
    table = driver.act(seated("standard"))
    after_next = (table.seat_to_act + 1) % 4
    page = visit(user=four[after_next])
    page.goto("/play/")
    expect(page).not_to_have_title("(1) Your turn")
    driver.until(table, lambda table: table.seat_to_act == after_next)
    expect(page.locator("#turns")).to_have_attribute("data-turns-now", "1")


def test_a_spectator_follows_and_sees_no_hand(visit, seated, driver):
    table = seated("standard", watching="link")
    page = visit()
    page.goto(table.get_absolute_url())
    driver.act(table)
    shows(page, table)
    expect(page.locator("#dock, #hand")).to_have_count(0)
    expect(page.locator(".stock b")).to_have_text(str(len(state_of(table).stock)))


def test_an_answer_that_comes_late_does_not_turn_the_page_back(visit, seated, four, driver):
    table = seated("standard")
    seat = table.seat_to_act
    page = visit(user=four[seat])
    page.goto(table.get_absolute_url())

    def answered_late(route):
        answer = route.fetch()
        driver.until(table, lambda table: table.seat_to_act != seat)
        with page.expect_response("**/parts/**"):
            pass
        shows(page, table)
        route.fulfill(response=answer)

    page.route("**/move/", answered_late)
    with page.expect_response("**/move/"):
        page.locator("#draw").click()
    page.unroute("**/move/")
    expect(page.locator("#go-wait")).to_be_visible()
    shows(page, table_at(table.slug))
