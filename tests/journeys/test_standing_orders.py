"""Orders for the next turn are set on a phone: previewed, saved, without scripts too."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.journeys.hands import PHONE


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_orders_are_previewed_then_saved(seated, visit, no_barriers, picture, scripts, scheme):
    table = seated()
    seat = table.seats.get(number=(table.seat_to_act + 1) % 4)
    page = visit(PHONE, user=seat.user, java_script_enabled=scripts, color_scheme=scheme)
    page.goto(reverse("gameplay:standing", args=[table.slug]))
    page.get_by_label("K", exact=True).check()
    page.get_by_label("9", exact=True).check()
    page.get_by_label("Only if the pile has at least so many cards").fill("4")
    page.get_by_label("Otherwise draw and discard").select_option(index=1)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("Preview: not saved yet")).to_be_visible()
    expect(page.get_by_text("if the top card is one of the nines or kings")).to_be_visible()
    picture(page, f"orders-preview-{scheme}-{'scripts' if scripts else 'plain'}")
    seat.refresh_from_db()
    assert seat.standing == {}
    if scripts:
        no_barriers(page)
    expect(page.get_by_label("K", exact=True)).to_be_checked()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Standing orders saved.")).to_be_visible()
    expect(page.get_by_text("Your orders")).to_be_visible()
    seat.refresh_from_db()
    assert (seat.standing["take"], seat.standing["take_least"], len(seat.standing["discard"])) == (["9", "K"], 4, 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390 if scripts else True
