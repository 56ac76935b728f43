"""A table of an evening: its clock counts seconds on the page, and cards are lifted by all at the same time."""

import re

import pytest
from playwright.sync_api import expect

from gameplay.models import Table
from tests.journeys.hands import DESK, PHONE


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_the_clock_of_an_evening_counts_seconds_once_all_are_there(device, visit, seated, four, picture, no_barriers):
    table = seated(clock="live", turn_seconds=60, bank_seconds=180)
    pages = [visit(device, user=user) for user in four]
    for page in pages:
        page.goto(table.get_absolute_url())
    actor = table.seat_to_act
    timer = pages[(actor + 1) % 4].locator(f"[data-seat='{actor}'] time[data-left='seconds']")
    expect(timer).to_have_text(re.compile(r"^3:\d\d$"))
    first = timer.text_content()
    expect(timer).not_to_have_text(first)
    picture(pages[(actor + 1) % 4], f"evening-waiting-{device['viewport']['width']}")
    picture(pages[actor], f"evening-turn-{device['viewport']['width']}")
    no_barriers(pages[actor])


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
def test_who_is_third_in_the_order_lifts_first(visit, seated, four, picture, no_barriers, scripts):
    table = seated("family")
    third = (table.seat_to_act + 2) % 4
    page = visit(PHONE, user=four[third], java_script_enabled=scripts)
    page.goto(table.get_absolute_url())
    picture(page, f"lift-{'scripts' if scripts else 'plain'}")
    page.get_by_label("Lift for me in later deals").check()
    page.get_by_role("button", name="Lift here").first.click()
    expect(page.get_by_text("Waiting for 3 players to lift").first).to_be_visible()
    seat = Table.objects.get(pk=table.pk).seats.get(number=third)
    assert (seat.is_lifting, seat.standing) == (False, {"lift": True})
    assert seat.lift["mark"] == 50
    picture(page, f"lifted-{'scripts' if scripts else 'plain'}")
    if scripts:
        no_barriers(page)
