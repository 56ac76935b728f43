"""An organiser says that the final is eight deals, and its score sheet has eight deals."""

import pytest
from playwright.sync_api import expect

from tests.journeys.hands import DESK, PHONE
from tests.journeys.test_pages import faults, people  # noqa: F401  fixtures
from tests.makers import make_event
from tests.tournaments import driving
from tournaments.models import Pairing
from tournaments.plan import standard
from tournaments.services.events import lifecycle


@pytest.mark.parametrize(
    ("device", "language", "sentence"),
    [
        (PHONE, "en", "The final is eight deals."),
        (DESK, "en", "The final is eight deals."),
        (PHONE, "de", "Das Finale geht über acht Spiele."),
    ],
)
def test_the_final_is_eight_deals(visit, people, faults, device, language, sentence):  # noqa: F811  fixtures
    ann, width = people.ann, device["viewport"]["width"]
    ann.language = language
    ann.save(update_fields=["language"])
    plan = standard("single_elimination", round_minutes=60)
    cup = make_event(ann, plan, entries=4, status="open", setting="face", length_json={"deals": 2})
    at = cup.get_absolute_url()
    page = visit(device, ann)

    def check(name):
        assert faults(page, f"terms-{name}-{language}", width) == []

    page.goto(f"{at}organise/stages/1/")
    page.locator("#stage-1-terms > summary").click()
    page.locator("#id_stage-1-final_deals").fill("8")
    page.locator("#id_stage-1-final_minutes").fill("120")
    with page.expect_response("**/stages/schedule/"):
        page.keyboard.press("Tab")
    expect(page.locator(".htmx-request")).to_have_count(0)
    check("form")
    page.locator("#save").click()
    page.wait_for_url("**/organise/stages/")
    page.goto(at)
    expect(page.get_by_text(sentence)).to_be_visible()
    check("event")

    lifecycle.start(cup.pk, ann)
    driving.play_round(cup, ann)
    final = Pairing.objects.get(round__name="Final")
    page.goto(f"{at}organise/1/rounds/2/")
    expect(page.get_by_text(sentence)).to_be_visible()
    check("round")
    page.goto(f"{at}print/scores/?round=2")
    expect(page.locator(".score-blank thead th[scope=colgroup]")).to_have_count(8)
    page.goto(f"/events/card/{final.token}/1/")
    expect(page.locator("h1")).to_contain_text({"en": "deal 1 of 8", "de": "Spiel 1 von 8"}[language])
    check("sheet")
