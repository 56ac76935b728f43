"""Four people score a match with real cards on one phone, which loses its network half way."""

import pytest
from playwright.sync_api import expect

from gameplay.score_sheets.models import ScoreSheet
from tests.journeys.hands import DESK, PHONE
from tests.journeys.real_cards import FIRST, OTHER, POOR, enter, fill_in, is_kept, wire  # noqa: F401  a fixture

DEVICES = pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])


def begin(page, *names, title="", **choices):
    page.goto("/score/")
    for name, value in choices.items():
        page.locator(f"#{name}").select_option(value)
    for seat, name in enumerate(names):
        page.locator(f"#seat-{seat}").fill(name)
    page.locator("#title").fill(title)
    page.get_by_role("button", name="Open score sheet").click()
    expect(page.locator("#dock-words")).to_be_visible()


STICKING_OUT = """width => [...document.querySelectorAll('body *')].filter(one =>
  one.getBoundingClientRect().right > width + 1 && !one.closest('.scroll, .vh, .how, nav') && one.checkVisibility())
  .map(one => one.outerHTML.slice(0, 90))"""


@DEVICES
def test_four_people_on_one_phone_that_loses_its_network(visit, wire, no_barriers, picture, device):  # noqa: F811
    kind = "phone" if device is PHONE else "desk"
    page = visit(device, base_url=wire.url)
    page.goto("/")
    page.get_by_role("link", name="Score with real cards").first.click()
    no_barriers(page)
    picture(page, f"sheet-start-{kind}")
    begin(page, "Ann", "Ben", "Cem", "Dee", title="Friday")
    no_barriers(page)
    is_kept(page)
    dock = page.locator("#dock-words")

    enter(page, 1, FIRST, OTHER)
    expect(dock).to_contain_text("Sent.")
    sheet = ScoreSheet.objects.get()
    assert [len(sheet.deals), sheet.version] == [1, 1]
    expect(page.locator("#coming")).to_contain_text("90 for both sides")
    expect(page.locator("#coming dd").nth(1)).to_have_text("Ann")
    no_barriers(page)
    picture(page, f"sheet-second-deal-{kind}")

    wire.cut(page)
    enter(page, 2, POOR, FIRST)
    expect(dock).to_contain_text("No network. We send it once you are online.")
    # The phone is put away and taken out again, still without a network.
    page.reload()
    expect(page.locator("#t-0")).to_have_text("4,595")
    expect(page.locator("#t-1")).to_have_text("6,070")
    fill_in(page, 0, {"clean": 1})
    page.reload()
    expect(page.locator("#s0-clean")).to_have_value("1")
    page.locator("[name=step][value='s0-clean:-1']").click()
    enter(page, 3, OTHER, POOR)
    # A deal of before the loss is put right.
    page.get_by_role("link", name="Change deal 1").click()
    fill_in(page, 1, {"left": 85})
    page.get_by_role("button", name="Save deal 1").click()
    expect(page.locator("#running tbody tr").first).to_contain_text("+1,455")
    no_barriers(page)
    picture(page, f"sheet-offline-{kind}")
    assert ScoreSheet.objects.get().version == 1

    wire.mend(page)
    expect(dock).to_contain_text("Sent.")
    sheet.refresh_from_db()
    assert len(sheet.deals) == 3
    assert sheet.deals[0]["teams"][1]["left"] == 85
    enter(page, 4, POOR, POOR)
    expect(page.locator("#outcome")).to_contain_text("Ben / Dee won")
    expect(dock).to_contain_text("Sent.")
    no_barriers(page)
    picture(page, f"sheet-over-{kind}")

    page.get_by_role("link", name="See score sheet", exact=True).click()
    expect(page.get_by_text("Ben / Dee won.")).to_be_visible()
    no_barriers(page)
    picture(page, f"sheet-shown-{kind}")
    assert page.evaluate(STICKING_OUT, device["viewport"]["width"]) == []


def test_two_phones_do_not_overwrite_each_other(visit, no_barriers, picture):
    first, second = visit(PHONE), visit(PHONE)
    begin(first, "Ann", "Ben", "Cem", "Dee")
    is_kept(first)
    second.goto(first.url)
    is_kept(second)
    enter(first, 1, FIRST, OTHER)
    expect(first.locator("#dock-words")).to_contain_text("Sent.")

    enter(second, 1, OTHER, POOR)
    conflict = second.locator("#conflict")
    expect(conflict).to_contain_text("+1,355 : −120")
    expect(conflict).to_contain_text("+4,715 : +1,355")
    expect(second.get_by_role("button", name="Use this phone’s")).to_be_focused()
    no_barriers(second)
    picture(second, "sheet-two-phones")
    assert len(ScoreSheet.objects.get().deals) == 1
    second.get_by_role("button", name="Use the other").click()
    expect(conflict).to_be_hidden()
    expect(second.locator("#t-0")).to_have_text("4,715")

    # A discarded deal comes back by Undo; the first phone hears of it when it is looked at.
    second.get_by_role("button", name="Undo").click()
    expect(second.locator("#t-0")).to_have_text("1,355")
    expect(second.locator("#dock-words")).to_contain_text("Sent.")
    first.evaluate("dispatchEvent(new Event('online'))")
    expect(first.locator("#t-0")).to_have_text("1,355")

    enter(first, 2, POOR, POOR)
    expect(first.locator("#dock-words")).to_contain_text("Sent.")
    enter(second, 2, OTHER, OTHER)
    second.get_by_role("button", name="Use this phone’s").click()
    expect(second.locator("#dock-words")).to_contain_text("Sent.")
    sheet = ScoreSheet.objects.get()
    assert [sheet.deals[1]["teams"][side]["melded"] for side in (0, 1)] == [540, 540]


@DEVICES
def test_cards_are_counted_by_rank_under_their_row(visit, no_barriers, picture, device):
    kind = "phone" if device is PHONE else "desk"
    page = visit(device)
    begin(page)
    row = page.locator(".of-0 .ln", has=page.locator("#s0-melded"))
    row.get_by_text("count by rank").click()
    for key, presses in (("K", 3), ("2", 1), ("3", 2)):
        for _ in range(presses):
            row.locator(f"[name=step][value='s0-melded-{key}:1']").click()
    expect(page.locator("#s0-melded")).to_have_value("60")
    expect(page.locator("#p-s0-melded")).to_have_text("+60")
    no_barriers(page)
    picture(page, f"sheet-ranks-{kind}")
    page.locator("#s0-melded").fill("65")
    expect(page.locator("#e-s0-melded")).to_contain_text("Counted by rank it is 60, but 65 is written here.")
    page.locator("#s0-melded").fill("60")
    expect(page.locator("#e-s0-melded")).to_be_hidden()
    page.get_by_role("button", name="Save deal 1").click()
    expect(page.locator("#dock-words")).to_contain_text("Sent.")
    assert ScoreSheet.objects.get().deals[0]["teams"][0]["melded"] == {"K": 3, "2": 1, "3": 2}
    page.get_by_role("link", name="Change deal 1").click()
    expect(page.locator("#s0-melded-K")).to_have_value("3")
    expect(page.locator("#s0-melded-K")).to_be_visible()


def test_what_is_typed_before_the_script_is_there_stays(visit):
    page = visit(PHONE)
    held = []
    page.route("**/score/keep*.js", lambda route: held.append(route))
    begin(page)
    row = page.locator(".of-0 .ln", has=page.locator("#s0-melded"))
    row.get_by_text("count by rank").click()
    page.locator("#s0-melded").fill("100")
    expect(page.locator("#dock-words")).to_have_text("Deal 1. Not saved yet.")
    held.pop().continue_()
    expect(page.locator("#dock-words")).to_contain_text("On this phone. Deal 1 is not saved yet.")
    expect(page.locator("#s0-melded")).to_have_value("100")
    expect(page.locator("#d-0")).to_have_text("+100")
    expect(row.locator("details")).to_have_attribute("open", "")
    page.get_by_role("button", name="Save deal 1").click()
    expect(page.locator("#title")).to_contain_text("deal 2")
    expect(page.locator("#s0-melded")).to_have_value("")
    expect(row.locator("details")).not_to_have_attribute("open", "")


def test_what_cannot_be_is_refused_on_the_phone_and_nothing_is_lost(visit, no_barriers, picture):
    page = visit(PHONE)
    begin(page, rules="solo", shape="3x1")
    expect(page.locator("#title")).to_contain_text("deal 1 of 4")
    fill_in(page, 1, {"clean": 2, "out": 1, "melded": 40})
    expect(page.locator("#remarks")).to_contain_text("its books alone are worth")
    page.get_by_role("button", name="Save deal 1").click()
    expect(page.locator("#dock-words")).to_contain_text("Refused. Everything you typed is still here.")
    expect(page.locator("#s1-melded")).to_be_focused()
    expect(page.locator("#e-s1-melded")).to_contain_text("its books alone are worth")
    no_barriers(page)
    picture(page, "sheet-refused")
    page.locator("#s1-melded").fill("300")
    expect(page.locator("#refused")).to_be_hidden()
    fill_in(page, 0, {"out": 1})
    page.get_by_role("button", name="Save deal 1").click()
    expect(page.locator("#refused")).to_contain_text("Only one side can go out in a deal, not Player 1 and Player 2.")
    fill_in(page, 0, {"out": 0})
    # Without the books of the contract it is said, and counts.
    fill_in(page, 1, {})
    expect(page.locator("#r-s1-out")).to_contain_text("Your entry is still counted.")
    page.get_by_role("button", name="Save deal 1").click()
    expect(page.locator("#dock-words")).to_contain_text("Sent.")


def test_deal_totals_stopping_and_going_on(visit):
    page = visit(DESK)
    begin(page)
    page.get_by_role("link", name="Deal totals").click()
    enter(page, 1, ({"points": "1,385"}, 1385), ({"points": "−120"}, -120))
    expect(page.locator("#dock-words")).to_contain_text("Sent.")
    expect(page.locator("#s0-points")).to_be_visible()
    page.get_by_role("button", name="Save deal 2").click()
    expect(page.locator("#e-s0-points")).to_contain_text("Enter the points of Side 1.")
    page.get_by_role("button", name="End the match here").click()
    expect(page.locator("#outcome")).to_contain_text("Side 1 won, 1,385 : −120. You ended the match here.")
    expect(page.locator("#dock-words")).to_contain_text("Sent.")
    assert ScoreSheet.objects.get().is_stopped
    page.get_by_role("button", name="Keep playing").click()
    page.get_by_role("button", name="Delete deal 1").click()
    expect(page.locator("#title")).to_contain_text("deal 1 of 4")
    expect(page.locator("#dock-words")).to_contain_text("Sent.")
    assert ScoreSheet.objects.get().deals == []


def test_a_sheet_is_written_without_a_script(visit):
    page = visit(PHONE, java_script_enabled=False)
    page.goto("/score/")
    page.locator("#rules").select_option("solo")
    page.get_by_role("button", name="Show seats").click()
    page.locator("#seat-0").fill("Ann")
    page.get_by_role("button", name="Open score sheet").click()
    for number in ("1", "2"):
        page.locator("[name=step][value='s0-clean:1']").click()
        expect(page.locator("#s0-clean")).to_have_value(number)
    page.locator("#s0-melded").fill("200")
    page.get_by_role("button", name="Save deal 1").click()
    expect(page.locator("#t-0")).to_have_text("800")
    page.get_by_role("link", name="See and print score sheet").click()
    expect(page.get_by_text("1 of 4 deals")).to_be_visible()


@DEVICES
def test_every_page_of_a_sheet(visit, no_barriers, picture, device):
    kind = "phone" if device is PHONE else "desk"
    page = visit(device)
    begin(page, "Łukasz-Maximilian Wójcik", "Bé", "", "Dee", rules="bga", shape="6x2", title="x" * 60)
    enter(page, 1, *[({"melded": 100}, 100)] * 3)
    for name, path in (
        ("edit", page.url),
        ("shown", ScoreSheet.objects.get().get_absolute_url()),
        ("start", "/score/"),
    ):
        page.goto(path)
        for details in page.locator(".more details, .of-0 details").all():
            details.evaluate("details => { details.open = true; }")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            picture(page, f"sheet-{name}-{kind}-{scheme}")
            assert page.evaluate(STICKING_OUT, device["viewport"]["width"]) == [], name
            assert no_barriers.violations(page, only=["color-contrast"] if scheme == "dark" else []) == [], name


@pytest.mark.parametrize(
    ("rules", "shape", "deals"), [("standard", "4x2", 4), ("bain", "4x2", 15), ("bga", "6x1", 4), ("bga", "7x1", 4)]
)
def test_a_sheet_prints_on_one_page(visit, rules, shape, deals):
    page = visit(DESK)
    begin(page, rules=rules, shape=shape)
    expect(page.locator("#title")).to_contain_text("deal 1")
    sheet = ScoreSheet.objects.get()
    team = {"books": {"clean": 1, "dirty": 1}, "melded": 400, "left": 35, "red_threes_laid": 1, "penalties": -50}
    ScoreSheet.objects.update(deals=[{"teams": [team] * sheet.side_count}] * deals)
    page.goto(sheet.get_absolute_url())
    assert page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == 1


def test_six_links_fit_the_head_of_a_phone(visit):
    page = visit(PHONE)
    for path in ("/", "/tables/", "/events/", "/clubs/", "/rules/", "/score/"):
        page.goto(path)
        inside, room = page.evaluate(
            "(list => [list.scrollWidth, list.clientWidth])(document.querySelector('.site nav ul'))"
        )
        assert inside <= room, path
