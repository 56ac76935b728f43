"""A rule sheet on paper: two pages, from the browser and as PDF, whatever the rules are."""

import pytest
from playwright.sync_api import expect

from clubs.house_rules import services
from clubs.models import HouseRules
from clubs.services import history
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from tests.journeys.hands import DESK, PHONE
from tests.journeys.test_public_paper import sheets
from tests.makers import make_club, make_member

MANY = Rules.make(
    "bain",
    {
        "stacks": {"by_deal": [[11, 11], [13, 11], [13, 13]]},
        "pile_take": {"by_deal": [3, 5, "all"]},
        "contract": {
            "by_deal": [
                {"clean": 1, "dirty": 1, "wild": 0},
                {"clean": 2, "dirty": 1, "wild": 0},
                {"clean": 2, "dirty": 2, "wild": 0},
            ]
        },
        "out_bonus": {"by_deal": [100, 200, 300]},
        "draw_count": 3,
        "permission": "required",
        "final_turns": True,
        "tie": "extra_deals",
        "penalties": {"out_refused": -100, "asked_not_out": -70, "wrong_claim": -50},
        "ask_wilds": True,
    },
)
"""House rules with many changes, some of them different in each deal."""


@pytest.fixture
def harbour(site, four):
    """House rules of a club with many changes."""
    club = make_club("Harbour Hand and Foot", slug="harbour", line="Thursdays at the quay")
    make_member(club, four[0], "owner")
    about = "As we have played on Thursdays at the quay since Nora brought the cards from Saskatchewan."
    return history.added_row(services.make(club.pk, four[0], name="Harbour rules", rules=MANY, about=about), HouseRules)


def addresses(harbour):
    return [*(f"/rules/{name}/" for name in PRESETS), f"{harbour.get_absolute_url()}1/"]


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_every_rule_sheet_prints_on_two_pages(visit, harbour, language):
    page = visit(DESK, locale=language)
    for address in addresses(harbour):
        page.goto(address)
        assert sheets(page) == [(210, 297)] * 2, address
        assert page.pdf(format="Letter").count(b"/Type /Page\n") == 2, address


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_every_rule_sheet_is_a_pdf_of_two_pages(visit, harbour, language):
    page = visit(PHONE, locale=language)
    for address in addresses(harbour):
        page.goto(address)
        link = page.locator("a[href$='/sheet.pdf']")
        expect(link).to_be_visible()
        written = page.request.get(link.get_attribute("href"), headers={"Accept-Language": language}).body()
        assert written.startswith(b"%PDF")
        assert written.count(b"/Type /Page\n") == 2, address
