"""Help from the table: the answer appears next to it, and selected cards stay selected."""

import re

import pytest
from playwright.sync_api import expect

from tests.journeys.hands import DESK, PHONE, Finger, Mouse


@pytest.mark.parametrize(("device", "hands"), [(DESK, Mouse), (PHONE, Finger)], ids=["desk", "phone"])
def test_an_answer_opens_beside_the_table_and_takes_nothing_from_it(visit, no_barriers, seated, four, device, hands):
    table = seated("standard")
    page = visit(device, user=four[table.seat_to_act])
    page.goto(table.get_absolute_url())
    hand = hands(page)
    hand.press(page.locator("#hand .card").first)
    hand.press(page.locator("#help > summary"))
    no_barriers(page)
    with page.expect_popup() as opened:
        hand.press(page.locator("#help").get_by_role("link", name="Going out"))
    answer = opened.value
    expect(answer).to_have_url(re.compile(r"/help/#going-out$"))
    expect(answer.locator("#going-out h3")).to_be_in_viewport()
    no_barriers(answer)
    expect(page.locator("#hand .card").first).to_have_attribute("aria-pressed", "true")
