"""The keyboard alone, never a mouse: every act of a deal, and the focus is never lost."""

import re

import pytest
from playwright.sync_api import expect

from clubs.models import Season
from clubs.services.leagues import leagues
from engine.play.cards import NAMES
from engine.play.state import DRAWING, PLAYING
from gameplay.models import Table
from gameplay.snapshot import state_of
from tests.clubs import leagues as league_makers
from tests.journeys.hands import Keys, act, act_of, do, play_deal, shows, table_at
from tests.makers import make_club

FIRST_DEAL = 16
"""A deal that is short."""


def test_a_practice_deal_is_played_to_its_score(visit):
    page = visit()
    keys = Keys(page)
    page.goto("/")
    keys.reach(page.get_by_role("button", name=re.compile("I know the game")))
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/tables/\w+/$"))
    page.wait_for_load_state()
    keys.reach(page.get_by_role("link", name="Skip to your hand"))
    page.keyboard.press("Enter")
    expect(page.locator("#hand")).to_be_focused()
    slug = Table.objects.get().slug

    shows(page, play_deal([keys, None, None, None], slug))
    expect(page.get_by_role("heading", name="won the deal")).to_be_visible()

    keys.press(page.get_by_role("button", name="Next deal"))
    expect(page.locator("#hand .card").first).to_be_visible()
    keys.settle()


@pytest.fixture
def to_act(seated, four, driver, visit):
    """A table driven on until `condition(state, moves)` holds for the seat to act; their page and the table."""

    def drive(preset, condition):
        table = seated(preset)

        def is_there(table):
            state = state_of(table)
            return not table.is_between_deals and condition(state, act_of(state, table.move_count))

        driver.until(table, is_there)
        page = visit(user=four[table.seat_to_act])
        page.goto(table.get_absolute_url())
        page.keyboard.press("h")
        return page, table

    return drive


def test_a_prepared_meld_and_a_made_one_are_undone(to_act):
    page, table = to_act("family", lambda state, moves: moves[0].kind == "meld" and len(moves[0].groups[0].cards) > 2)
    keys, [group, *_] = Keys(page), act_of(state_of(table), table.move_count)[0].groups
    held = page.locator("#hand-count").text_content()
    codes = {NAMES[card] for card in group.cards}

    do_stage(keys, group)
    expect(page.locator("#staged [data-group]")).to_have_count(1)
    keys.press(page.locator("#staged [data-group]"))
    expect(page.locator("#staged [data-group]")).to_have_count(0)
    assert page.evaluate("document.activeElement.dataset.card") in codes
    expect(page.locator("#hand .card[aria-pressed=true]")).to_have_count(0)

    do_stage(keys, group)
    keys.press(page.locator("#go"))
    expect(page.locator("#hand-count")).to_have_text(str(int(held) - len(group.cards)))
    keys.press(page.locator("#dots > summary"))
    keys.press(page.locator("#undo"))
    expect(page.locator("#hand-count")).to_have_text(held)
    keys.settle()
    assert [move.text for move in table.moves.order_by("-number")[:1]] == ["undo"]


def do_stage(keys, group):
    for card in group.cards:
        keys.press(keys.page.locator(f"#card-{NAMES[card]}"))
    keys.stage()


def test_may_i_go_out_is_asked_and_answered(to_act, visit, four):
    page, table = to_act("saskatchewan", lambda state, moves: moves[0].kind == "ask")
    partner = visit(user=four[(table.seat_to_act + 2) % 4])
    partner.goto(table.get_absolute_url())
    partner.keyboard.press("h")

    act(Keys(page), table.slug)
    expect(page.locator("#go-wait")).to_contain_text("to answer")
    expect(partner.locator(".question")).to_contain_text("asks: may I go out?")
    act(Keys(partner), table.slug)
    shows(page, table_at(table.slug))
    expect(page.locator("#go")).to_be_visible()
    Keys(page).settle()
    assert [move.text for move in table.moves.order_by("-number")[1:2]] == ["ask"]


def test_the_pile_is_taken(to_act):
    page, table = to_act("standard", lambda state, moves: state.phase == DRAWING and moves[0].kind == "take")
    state = state_of(table)
    do(Keys(page), state, act_of(state, table.move_count))
    expect(page.locator("#say")).to_contain_text("You took")
    Keys(page).settle()
    assert state_of(table_at(table.slug)).phase == PLAYING


def test_a_card_moves_to_where_the_player_wants_it(to_act):
    page, _ = to_act("standard", lambda state, moves: state.phase == PLAYING)
    first = page.locator("#hand .card").first
    code = first.get_attribute("data-card")
    page.keyboard.press("Alt+ArrowRight")
    expect(page.locator("#hand .card").nth(1)).to_have_attribute("data-card", code)
    expect(page.locator(f"#card-{code}")).to_be_focused()
    page.reload()
    expect(page.locator("#hand .card").nth(1)).to_have_attribute("data-card", code)


def test_a_season_is_prepared_in_three_steps(visit, person):
    ann = person("Ann")
    league = leagues.make(make_club("Lakeside", owner=ann).pk, ann, name="Monday League")
    for number in range(1, 5):
        league_makers.pair(league, ann, number)
    page = visit(user=ann)
    keys = Keys(page)
    page.goto(f"{league.get_absolute_url()}new/")
    for button in ("Next: when", "Next: how", "Save and assign teams"):
        keys.reach(page.get_by_role("button", name=button))
        page.keyboard.press("Enter")
        page.wait_for_load_state()
    expect(page.get_by_role("heading", name="Teams in divisions")).to_be_visible()
    assert Season.objects.get().divisions.get().entries.count() == 4
