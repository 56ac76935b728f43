"""From the end of a deal to its review, which appears when a worker has done it."""

import pytest
from playwright.sync_api import expect

from gameplay.reviews import work
from gameplay.tasks import sweep_reviews, work_on_reviews
from tests.journeys.hands import DESK, PHONE, page_width


@pytest.mark.parametrize("device", [PHONE, DESK], ids=["phone", "desk"])
def test_a_player_reads_what_was_decisive(
    device, visit, seated, driver, no_barriers, picture, monkeypatch, same_cards, four
):
    for name, number in {"MOST_DECISIONS": 60, "SCREENED": 1, "WEIGHED": 4, "DEAREST": 3}.items():
        monkeypatch.setattr(work, name, number)
    monkeypatch.setattr(work_on_reviews, "delay", lambda review_id: None)
    four[1].display_name = "Wilhelmina Featherstonehaugh"
    four[1].save()
    table = driver.until(seated(), lambda table: table.is_between_deals)
    page = visit(device, user=table.creator)
    page.goto(table.get_absolute_url())
    picture(page, f"review-end-{device['viewport']['width']}")
    page.get_by_role("button", name="Review the deal").click()
    expect(page.get_by_text("The review is being worked out.")).to_be_visible()
    sweep_reviews()
    expect(page.get_by_role("heading", name="Turning points")).to_be_visible()
    expect(page.get_by_role("heading", name="Your acts that cost most")).to_be_visible()
    assert page_width(page) == device["viewport"]["width"]
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        picture(page, f"review-{device['viewport']['width']}-{scheme}")
        assert no_barriers.violations(page) == []
