"""Four people at four browsers play a whole deal, each page learning of the others' moves without a reload."""

import pytest
from playwright.sync_api import expect

from gameplay.models import Table
from tests.journeys.hands import DESK, PHONE, Finger, Mouse, act, play_deal, shows

FIRST_DEAL = 31
"""A deal that is short."""


@pytest.mark.parametrize(("device", "hands"), [(DESK, Mouse), (PHONE, Finger)], ids=["desk", "touch"])
def test_four_browsers_play_a_family_deal_to_its_score(device, hands, visit, seated, four, no_barriers):
    slug = seated("family").slug
    pages = [visit(device, user=user) for user in four]
    for page in pages:
        page.goto(f"/tables/{slug}/")
        page.evaluate("window.loadedOnce = true")

    table = play_deal([hands(page) for page in pages], slug)

    assert table.status == Table.Status.OVER
    for page in pages:
        shows(page, table)
        expect(page.get_by_role("heading", name="won the match")).to_be_visible()
        totals = page.locator(".sheet .total td.num")
        assert sorted(number(cell) for cell in totals.all_text_contents()) == sorted(table.result["totals"])
        assert page.evaluate("window.loadedOnce") is True
    no_barriers(pages[0])


def number(text):
    """The value of a figure on the page: it may have commas and a true minus sign."""
    return int(text.replace(",", "").replace("−", "-"))


@pytest.mark.parametrize(("device", "hands"), [(DESK, Mouse), (PHONE, Finger)], ids=["desk", "touch"])
def test_the_stock_is_lifted_and_a_stack_chosen_where_the_ruleset_has_it(device, hands, visit, seated, four):
    slug = seated("denexa").slug
    pages = [visit(device, user=user) for user in four]
    for page in pages:
        page.goto(f"/tables/{slug}/")
    kinds = []
    for _ in range(9):
        table = Table.objects.get(slug=slug)
        page = pages[table.seat_to_act]
        shows(page, table)
        kinds.append(page.locator("#tray").get_attribute("data-kind"))
        act(hands(page), slug)
    assert kinds == ["lift"] * 4 + ["choose"] * 4 + ["draw"]
