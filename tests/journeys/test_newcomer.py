"""A newcomer, from the front page to the end of a first practice deal."""

import re

import pytest
from playwright.sync_api import expect

from accounts.models import User
from gameplay.models import Table
from tests.journeys.hands import DESK, PHONE, Finger, Mouse, play_deal, shows

FIRST_DEAL = 16
"""A deal that is short."""


@pytest.mark.parametrize(("device", "hands"), [(DESK, Mouse), (PHONE, Finger)], ids=["desk", "phone"])
def test_a_newcomer_plays_a_practice_deal_to_its_score_and_keeps_it(device, hands, visit):
    page = visit(device)
    page.goto("/")
    hands(page).press(page.get_by_role("button", name=re.compile("I know the game")))
    expect(page).to_have_url(re.compile(r"/tables/\w+/$"))
    slug = Table.objects.get().slug

    table = play_deal([hands(page), None, None, None], slug)
    shows(page, table)
    expect(page.get_by_role("heading", name="won the deal")).to_be_visible()
    expect(page.get_by_role("button", name="Next deal")).to_be_visible()
    assert table.deals.get(number=1).result is not None

    page.goto("/")
    hands(page).press(page.get_by_role("link", name="Sign up", exact=True).first)
    page.get_by_label("Name", exact=True).fill("Newcomer")
    page.get_by_label("Email address").fill("new@example.org")
    page.get_by_label("Password", exact=True).fill("a long pass phrase")
    hands(page).press(page.get_by_role("button", name="Sign up"))
    expect(page).not_to_have_url(re.compile("/accounts/signup/"))
    assert table.seats.get(number=0).user == User.objects.get(display_name="Newcomer", is_guest=False)

    page.goto(f"/tables/{slug}/")
    hands(page).press(page.get_by_role("button", name="Next deal"))
    expect(page.locator("#hand .card").first).to_be_visible()
