"""Without JavaScript everything is shown, and a game can be played by plain forms."""

import pytest
from playwright.sync_api import expect

from gameplay.models import Table
from tests.journeys.hands import DESK, PHONE


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_a_practice_deal_is_begun_and_a_turn_played(device, visit):
    page = visit(device, java_script_enabled=False)
    page.goto("/")
    page.get_by_role("button", name="Play a practice deal now").click()
    expect(page.locator("#hand .card").first).to_be_visible()
    expect(page.get_by_role("heading", name="You and Charles")).to_be_visible()
    expect(page.locator(".stock")).to_contain_text("Stock")
    table = Table.objects.get()

    page.locator("#draw").click()
    expect(page.locator("#tray input[name=seen]")).to_have_value("1")
    expect(page.locator("#hand-count")).to_have_text("9")

    choice = page.get_by_label("Your move", exact=True)
    expect(choice).to_be_in_viewport(ratio=1)
    choice.select_option(index=choice.locator("option").count() - 1)
    page.get_by_role("button", name="Play move").first.click()
    expect(page.locator("#draw")).to_be_visible()
    assert [move.seat for move in table.moves.order_by("number")[:2]] == [0, 0]
    assert table.moves.filter(by="bot").values("seat").distinct().count() == 3


def test_a_refused_move_says_why(visit, seated, four):
    table = seated("standard")
    page = visit(user=four[table.seat_to_act], java_script_enabled=False)
    page.goto(table.get_absolute_url())
    page.get_by_label("Or type your move").fill("discard Kc")
    page.get_by_role("button", name="Play move").last.click()
    expect(page.locator("#say")).to_have_class("say bad")
    expect(page.locator("#hand .card").first).to_be_visible()
    assert table.moves.count() == 0
