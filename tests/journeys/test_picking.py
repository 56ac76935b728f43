"""Selecting cards: what fits is shown, what was prepared lets go, and a refusal names the true reason for as long as it holds."""

import pytest
from playwright.sync_api import expect

from engine.play.position import read_position
from gameplay.snapshot import keep
from tests.journeys.hands import DESK, PHONE

DEVICES = pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])


@pytest.fixture
def picking(seated, four, visit):
    """A page of Ann, who is to play or to draw, at a position."""

    def open_page(device=PHONE, user=None, **position):
        table = seated("standard")
        position = {"melds": {"0": ["K: Kc Kd Kh", "6: 6c 6d 6h 2c"], "1": []}, **position}
        hands = {"0": "Ks Ks 2h 8c 8d 8h 4c 5d 7h", **{str(seat): "4c 4d 5h" for seat in (1, 2, 3)}}
        state = read_position({"rules": "standard", "dealer": 3, "hands": hands, **position})
        keep(table, state)
        table.seat_to_act = state.actor
        table.save()
        page = visit(device, user=user or four[0])
        page.goto(table.get_absolute_url())
        return page

    return open_page


def select(page, *codes):
    for code in codes:
        page.locator(f"#card-{code}").click()


def selected(page):
    return page.locator("#hand .card[aria-pressed=true]")


@DEVICES
def test_own_melds_invite_the_cards_that_fit_them(device, picking, no_barriers):
    page = picking(device)
    select(page, "Ks", "Ks")
    expect(page.locator(".meld.fits")).to_have_count(1)
    expect(page.locator(".meld.fits .fit")).to_have_text("add 2")
    no_barriers(page)
    page.locator(".meld.fits").click()
    expect(page.locator("#staged [data-group]")).to_have_count(1)
    expect(page.locator(".meld.fits")).to_have_count(0)


def test_a_wild_card_fits_where_there_is_room_for_one(picking):
    page = picking()
    select(page, "2h")
    assert page.locator(".meld.fits").evaluate_all("melds => melds.map(meld => meld.dataset.meld)") == ["K"]


def test_three_cards_of_three_ranks_are_refused_for_their_ranks_and_the_refusal_goes_with_the_selection(picking):
    page = picking()
    select(page, "4c", "5d", "7h")
    page.locator("#stage").click()
    expect(page.locator("#say")).to_have_text("!A meld is of one rank. You selected a 4, a 5 and a 7.")
    expect(selected(page)).to_have_count(3)
    select(page, "7h")
    expect(page.locator("#say")).to_have_text("")


def test_the_button_says_what_the_meld_would_be(picking):
    page = picking()
    for code, words in (("8c", None), ("8d", "New meld: 2 of 3"), ("8h", "New meld: three 8s")):
        select(page, code)
        if words:
            expect(page.locator("#stage")).to_have_text(words)
    page.locator("[data-clear]").click()
    select(page, "Ks", "2h")
    expect(page.locator("#stage")).to_have_text("A K with a wild card on the Ks")


@DEVICES
def test_clearing_a_prepared_meld_or_the_selection_lets_go_of_all(device, picking):
    page = picking(device)
    expect(page.locator("[data-clear]")).to_be_hidden()
    select(page, "8c", "8d", "8h")
    page.locator("#stage").click()
    page.locator("#staged [data-group]").click()
    expect(selected(page)).to_have_count(0)
    select(page, "8c", "Ks", "Ks")
    page.locator("[data-clear]").click()
    expect(selected(page)).to_have_count(0)
    expect(page.locator("#card-8c")).to_be_focused()
    expect(page.locator("[data-clear]")).to_be_hidden()


@DEVICES
def test_a_press_on_the_stock_draws(device, picking):
    page = picking(device, phase="draw", stock="4c 4d 4h 5c 5d 5h")
    page.locator("button.cardback").click()
    expect(page.locator("#go")).to_be_visible()
    expect(page.locator("button.cardback")).to_have_count(0)


def test_without_scripts_a_press_on_the_stock_draws(seated, four, visit):
    table = seated("standard")
    page = visit(user=four[table.seat_to_act], java_script_enabled=False)
    page.goto(table.get_absolute_url())
    page.locator("button.cardback").click()
    expect(page.locator("#plain-choice")).to_contain_text("Discard")
    assert [move.text for move in table.moves.all()] == ["draw"]


def test_cards_are_dragged_to_another_place_in_the_hand_and_stay_there(picking):
    page = picking(DESK)
    expect(page.locator("#table[data-drags]")).to_be_attached()
    page.locator("#card-2h").drag_to(page.locator("#card-Ks"), target_position={"x": 5, "y": 30})
    expect(page.locator("#hand .card").first).to_have_attribute("data-card", "2h")
    page.reload()
    expect(page.locator("#hand .card").first).to_have_attribute("data-card", "2h")


def test_the_hand_is_sorted_by_suit_and_towards_books(picking):
    page = picking()
    for order, first in (("suit", "Ks"), ("book", "Ks"), ("low", "4c")):
        page.locator("#dots > summary").click()
        page.locator(f"[data-sort={order}]").click()
        expect(page.locator("#tray")).to_have_attribute("data-order", order)
        expect(page.locator("#hand .card").first).to_have_attribute("data-card", first)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_header_of_a_guest_has_two_rows_on_a_phone(language, visit, site):
    page = visit(PHONE, locale=language)
    page.goto("/practice/")
    page.locator("main form button").last.click()
    expect(page.locator("#hand .card").first).to_be_visible()
    page.goto("/")
    expect(page.locator(".turn-link")).to_be_visible()
    assert page.locator("header.site").evaluate("header => header.getBoundingClientRect().height") < 110
