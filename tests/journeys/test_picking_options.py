"""Moves that only some rules have, by press and by key: a second meld of a rank, the one with wild cards, the top card."""

import pytest
from playwright.sync_api import expect

from engine.play.position import read_position, write_meld
from gameplay.snapshot import keep, state_of
from tests.journeys.hands import DESK, PHONE

DEVICES = pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])


@pytest.fixture
def at_table(seated, four, visit):
    """The table and the page of Ann, who is to act at a position under house rules."""

    def open_page(rules, device=PHONE, **position):
        table = seated("standard")
        hands = {"0": "8c 8d 8s Kc Qd Jh", **{str(seat): "4c 4d 5h" for seat in (1, 2, 3)}}
        rules = {"base": "standard", "set": rules}
        state = read_position({"rules": rules, "dealer": 3, "hands": hands, "opened": {"0": True}, **position})
        keep(table, state)
        table.rules_json = state.rules.write()
        table.seat_to_act = state.actor
        table.save()
        page = visit(device, user=four[0])
        page.goto(table.get_absolute_url())
        return table, page

    return open_page


def select(page, *codes):
    for code in codes:
        page.locator(f"#card-{code}").click()


def melds(table):
    table.refresh_from_db()
    return [write_meld(meld) for meld in state_of(table).melds[0]]


@DEVICES
def test_a_second_meld_of_a_rank_has_a_button_of_its_own(device, at_table, no_barriers):
    table, page = at_table({"melds_per_rank": "free"}, device, melds={"0": ["8: 8c 8d 8h"]})
    select(page, "8c", "8d", "8s")
    expect(page.locator("#stage")).to_have_text("Three 8s on the 8s")
    expect(page.locator("#stage-new")).to_have_text("New meld: three 8s")
    no_barriers(page)
    page.locator("#stage-new").click()
    expect(page.locator("#go")).to_have_text("Meld three 8s as a new meld")
    page.locator("#go").click()
    expect(page.locator(".mine button.meld")).to_have_count(2)
    assert melds(table) == ["8: 8c 8d 8h", "8: 8c 8d 8s"]


def test_a_second_meld_is_started_by_key(at_table):
    table, page = at_table({"melds_per_rank": "free"}, DESK, melds={"0": ["8: 8c 8d 8h"]})
    for code in ("8s", "8d", "8c"):
        page.locator(f"#card-{code}").focus()
        page.keyboard.press("Enter")
    page.keyboard.press("n")
    expect(page.locator("#go")).to_have_text("Meld three 8s as a new meld")
    page.keyboard.press("g")
    page.keyboard.press("Enter")
    expect(page.locator(".mine button.meld")).to_have_count(2)
    assert melds(table) == ["8: 8c 8d 8h", "8: 8c 8d 8s"]


def test_a_meld_beside_a_book_that_grows_is_new_if_it_is_to_be(at_table):
    growing = {"books_grow": {"clean": "any", "dirty": "any", "wild": "any"}, "melds_per_rank": "after_book"}
    table, page = at_table(growing, melds={"0": ["8: 8c 8c 8d 8d 8h 8h 8s"]})
    select(page, "8c", "8d", "8s")
    page.locator("#stage-new").click()
    page.locator("#go").click()
    expect(page.locator(".mine button.meld")).to_have_count(2)
    assert melds(table) == ["8: 8c 8c 8d 8d 8h 8h 8s", "8: 8c 8d 8s"]


def test_where_a_rank_has_one_meld_nothing_offers_another(at_table):
    _, page = at_table({"melds_per_rank": "one"}, melds={"0": ["8: 8c 8d 8h"]})
    select(page, "8c", "8d", "8s")
    expect(page.locator("#stage")).to_have_text("Three 8s on the 8s")
    expect(page.locator("#stage-new")).to_have_count(0)


@DEVICES
def test_of_two_melds_of_a_rank_the_pressed_one_gets_the_cards(device, at_table):
    both = {"0": ["8: 8c 8d 8h", "8: 8c 8d 2c"]}
    table, page = at_table({"melds_per_rank": "clean_and_dirty"}, device, melds=both)
    select(page, "8s")
    expect(page.locator(".meld.fits")).to_have_count(2)
    page.locator('[data-meld="8*"]').click()
    expect(page.locator("#go")).to_have_text("Add an 8 on the 8s with wild cards")
    page.locator("#go").click()
    expect(page.locator(".mine .meld.fits")).to_have_count(0)
    expect(page.locator("#card-8s")).to_have_count(0)
    assert melds(table) == ["8: 8c 8d 8h", "8: 8c 8d 8s 2c"]


@DEVICES
def test_the_top_card_is_drawn_with_the_selected_cards(device, at_table):
    piles = {"phase": "draw", "pile": "8h 9c", "stock": "4c 4d 4h"}
    table, page = at_table({"draw_top": "melded"}, device, melds={"0": ["K: Kc Kd Kh"]}, **piles)
    select(page, "8c", "8s")
    expect(page.locator("#draw-top-0")).to_have_text("Draw the top card with two 8s")
    page.locator("#draw-top-0").click()
    expect(page.locator("#go")).to_be_visible()
    assert melds(table) == ["K: Kc Kd Kh", "8: 8c 8h 8s"]


def test_the_pile_is_taken_for_a_new_meld(at_table):
    piles = {"phase": "draw", "pile": "8h 9c", "stock": "4c 4d 4h"}
    table, page = at_table({"melds_per_rank": "free"}, melds={"0": ["8: 8c 8d 8h"]}, **piles)
    select(page, "8c", "8s")
    page.locator("#stage-new").click()
    page.locator("#take").click()
    expect(page.locator("#go")).to_be_visible()
    assert melds(table) == ["8: 8c 8d 8h", "8: 8c 8h 8s"]


def test_without_scripts_such_moves_stand_in_the_list(seated, four, visit, at_table):
    table, _ = at_table({"melds_per_rank": "clean_and_dirty"}, melds={"0": ["8: 8c 8d 8h", "8: 8c 8d 2c"]})
    page = visit(user=four[0], java_script_enabled=False)
    page.goto(table.get_absolute_url())
    page.locator("#plain-choice").select_option("meld 8*: 8c")
    page.get_by_role("button", name="Play move").first.click()
    assert melds(table) == ["8: 8c 8d 8h", "8: 8c 8c 8d 2c"]
