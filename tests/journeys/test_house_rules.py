"""House rules in a browser: the editor answers at once, versions are kept, and a link takes them to others."""

import re

import pytest
from playwright.sync_api import expect

from clubs.house_rules import page as public
from clubs.house_rules import services
from clubs.models import HouseRules, RulesVersion
from clubs.services import history
from engine.play.rules import Rules
from gameplay.models import Table
from tests.journeys.hands import DESK, PHONE, page_width
from tests.makers import make_club, make_event, make_member

SCHEMES = [(PHONE, "light"), (DESK, "dark")]


@pytest.fixture
def club(site):
    return make_club("Harbour Hand and Foot", slug="harbour", line="Thursdays at the quay")


@pytest.fixture
def nora(club, four):
    """The owner of the club."""
    make_member(club, four[0], "owner")
    return four[0]


@pytest.fixture
def fits(no_barriers, picture):
    """Fail if a page is wider than its window, or axe finds something; takes its picture."""

    def check(page, name):
        width = page.viewport_size["width"]
        picture(page, f"rules-{name}-{width}")
        assert page_width(page) <= width, name
        no_barriers(page)

    return check


def group(page, name):
    """The options of a group, folded open."""
    section = page.locator("details.rule-group", has=page.get_by_role("heading", name=name))
    if section.get_attribute("open") is None:
        section.locator("> summary").click()
    return section


def option(page, name):
    return page.locator("fieldset.rule", has=page.locator("legend", has_text=re.compile(f"^{re.escape(name)}$")))


def answer(page, question, words):
    """Choose an answer to a question, by its label as people do."""
    question_group = page.get_by_role("group", name=question)
    question_group.locator(".rule-answers label", has_text=words).click()
    return question_group


@pytest.mark.parametrize(("device", "scheme"), SCHEMES, ids=["phone", "desk"])
def test_from_nothing_to_a_second_version_that_others_copy(visit, nora, fits, device, scheme, four):
    page = visit(device, user=nora, color_scheme=scheme)
    page.goto("/clubs/harbour/rules/")
    fits(page, "empty")
    page.get_by_role("link", name="New house rules").click()
    write_first(page, fits)
    practise(page)
    page.get_by_role("button", name="Save these rules").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Harbour rules")
    fits(page, "first")
    first = RulesVersion.objects.get()
    assert first.rules == Rules.make("standard", {"draw_count": 3})

    page.get_by_role("link", name="Change rules").click()
    group(page, "Going out")
    option(page, "Bonus for going out").get_by_role("textbox").first.fill("250")
    expect(page.locator("#sheet")).to_contain_text("Changes from version 1 (1)")
    page.get_by_label("Reason for the change (optional)").fill("Going out is worth it")
    page.get_by_role("button", name="Save version 2").click()
    expect(page.locator("#messages")).to_contain_text("Harbour rules: version 2 saved.")
    page.get_by_text("Changes (1)").click()
    expect(page.locator(".versions")).to_contain_text("Going out is worth it")
    fits(page, "second")
    page.get_by_role("link", name="Version 1", exact=True).click()
    expect(page.locator(".origin")).to_contain_text("Bonus for going out")
    fits(page, "earlier")
    page.goto("/clubs/harbour/rules/")
    fits(page, "list")

    taken_along(visit, page, fits, device, scheme, four)


def test_what_is_typed_while_another_start_is_fetched_stays(visit, nora):
    page = visit(DESK, user=nora)
    page.goto("/clubs/harbour/rules/new/")
    held = []
    page.route("**/rules/sheet/", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/rules/sheet/"):
        page.get_by_label("Which published rules come nearest to yours?").select_option("bain")
    group(page, "Going out")
    bonus = option(page, "Bonus for going out").get_by_role("textbox").first
    bonus.fill("275")
    held[0].continue_()
    expect(page.locator("#sheet")).to_contain_text("The nearest published ruleset is Bain, with 1 difference.")
    expect(bonus).to_have_value("275")
    expect(page.locator("input[name=base]")).to_have_value("bain")


def write_first(page, fits):
    """Change one rule, with a contradiction on the way."""
    group(page, "Drawing and the pile")
    drawn = option(page, "Cards drawn from the stock")
    drawn.get_by_role("textbox").first.fill("3")
    # The sheet follows the typed rules, and the field is not taken away from under the fingers.
    expect(page.locator("#sheet")).to_contain_text("The nearest published ruleset is Standard, with 1 difference.")
    expect(drawn.locator(".rule-was")).to_contain_text("was 2")
    expect(drawn.get_by_role("textbox").first).to_be_focused()
    expect(page.locator("#house-count")).to_have_text("1 changed")
    answer(page, "How are wild cards melded?", "Otherwise")
    wild = option(page, "Melds of wild cards only")
    wild.get_by_role("combobox").select_option("no")
    sentence = "The contract asks for a wild book, but melds of wild cards are not allowed."
    expect(wild.locator(".rule-said")).to_contain_text(sentence)
    expect(option(page, "Books needed to go out").locator(".rule-said")).to_contain_text(sentence)
    expect(page.locator("#rules-wrong")).to_contain_text(sentence)
    expect(page.locator("#asked-wild")).to_contain_text("Wild cards alone are not a meld.")
    fits(page, "contradiction")
    wild.get_by_role("combobox").select_option("yes")
    expect(page.locator("#rules-wrong")).to_be_empty()
    page.get_by_label("Name", exact=True).fill("Harbour rules")
    fits(page, "editor")


def practise(page):
    """A practice deal by the typed rules, while the editor stays."""
    with page.expect_popup() as opened:
        page.get_by_role("button", name=re.compile("Practise now")).click()
    practice = opened.value
    expect(practice).to_have_url(re.compile("/tables/|/t/"))
    assert Table.objects.get().rules == Rules.make("standard", {"draw_count": 3})
    practice.close()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Harbour rules")


def taken_along(visit, page, fits, device, scheme, four):
    """An organiser of another club follows the link, and copies the rules."""
    quay = make_club("Quay")
    make_member(quay, four[1], "organiser")
    other = visit(device, user=four[1], color_scheme=scheme)
    other.goto(f"/clubs/rules/{RulesVersion.objects.get(number=2).token}/")
    fits(other, "shared")
    other.get_by_role("button", name="Copy").click()
    expect(other.locator("#messages")).to_contain_text("House rules created: Harbour rules.")
    assert (
        HouseRules.objects.get(club=quay).versions.get().rules
        == RulesVersion.objects.get(house_rules__club__slug="harbour", number=2).rules
    )
    other.goto("/tables/new/")
    other.get_by_label("Ruleset", exact=True).select_option(label="Harbour rules, version 1")
    expect(other.locator("#sheet .sheet-name")).to_have_text("Harbour rules, version 1")
    other.get_by_role("button", name="Create table").click()
    expect(other.locator(".origin")).to_contain_text("Harbour rules, version 1")
    fits(other, "table")
    other.goto("/clubs/quay/rules/bring-in/")
    fits(other, "bring-in")


@pytest.mark.parametrize(("device", "scheme"), SCHEMES, ids=["phone", "desk"])
def test_an_event_says_what_changed_since_its_version(visit, nora, club, fits, device, scheme):
    rules = Rules.make("standard", {"draw_count": 3})
    house = history.added_row(services.make(club.pk, nora, name="Harbour rules", rules=rules), HouseRules)
    ref = public.ref_of(house.versions.get())
    newer = Rules.make("family", {"draw_count": 3})
    services.save(house.pk, nora, rules=newer, note="As at home")
    fields = {"circle": club.circle, "rules_json": rules.write(), "terms": {"rules_ref": ref}}
    event = make_event(nora, entries=0, status="open", **fields)
    page = visit(device, color_scheme=scheme)
    page.goto(f"/events/{event.slug}/rules/")
    expect(page.get_by_role("heading", name="Harbour rules, version 1")).to_be_visible()
    expect(page.locator(".origin")).to_contain_text("There is a newer version 2")
    fits(page, "event")
    page = visit(device, user=nora, color_scheme=scheme)
    page.goto("/events/new/?from=league_cup")
    page.locator("#id_preset").select_option(label="Harbour rules, version 2")
    expect(page.locator("#event-rules input[name=base]")).to_have_value(public.ref_of(house.versions.get(number=2)))


def test_a_search_finds_rules_among_questions_and_folded_groups(visit, nora):
    page = visit(PHONE, user=nora)
    page.goto("/clubs/harbour/rules/new/")
    expect(option(page, "Bonus for going out")).to_be_hidden()
    search = page.get_by_label("Find a rule")
    search.fill("bonus going")
    expect(option(page, "Bonus for going out")).to_be_visible()
    expect(option(page, "Books needed to go out")).to_be_hidden()
    expect(page.locator("#rule-hits")).to_contain_text("found")
    search.fill("permission pelican")
    expect(page.locator("#rule-hits")).to_have_text("No rules found")
    search.fill("May I go out")
    expect(option(page, "“May I go out?”")).to_be_visible()
    search.fill("ausmachen bücher")  # its words in the other language
    expect(option(page, "Books needed to go out")).to_be_visible()
    expect(option(page, "Cards drawn from the stock")).to_be_hidden()
    search.press("Enter")
    expect(page).to_have_url(re.compile("/rules/new/$"))
    search.fill("")
    expect(page.get_by_role("group", name="How many clean, dirty and wild books")).to_be_visible()
    expect(option(page, "Books needed to go out")).to_be_hidden()
    expect(option(page, "Bonus for going out")).to_be_hidden()
    expect(page.locator("#house-count")).to_have_text("as published")


def test_a_ready_answer_fills_the_exact_options_which_wait_behind_otherwise(visit, nora, fits):
    page = visit(PHONE, user=nora)
    page.goto("/clubs/harbour/rules/new/")
    stacks = option(page, "Cards in each stack").get_by_role("textbox")
    expect(stacks.first).to_be_hidden()
    fits(page, "questions")
    question_group = page.get_by_role("group", name="How many cards are in your hand")
    question_group.get_by_role("radio", checked=True).focus()
    page.keyboard.press("ArrowRight")
    expect(question_group.get_by_role("radio", checked=True)).to_be_focused()
    expect(page.locator("#asked-cards")).to_contain_text("Changed in the rule sheet:")
    expect(page.locator("input[name=answered-cards]")).not_to_have_value("standard")
    expect(question_group.get_by_role("radio", checked=True)).to_be_focused()
    answer(page, "How many cards are in your hand", "Otherwise")
    expect(stacks.first).to_be_visible()
    fits(page, "otherwise")


def test_ready_answers_without_a_script(visit, nora):
    page = visit(DESK, user=nora, java_script_enabled=False)
    page.goto("/clubs/harbour/rules/new/")
    answer(page, "Do you ask your partner", "Nobody asks")
    answer(page, "When does a match end?", "Otherwise")
    page.get_by_label("Deals or points").fill("5")
    page.get_by_role("button", name="Update rule sheet").click()
    expect(page.locator("#asked-permission")).to_contain_text("Nobody is asked for permission to go out.")
    expect(page.locator("[name=answer-permission]:checked + span")).to_have_text("Nobody asks")
    expect(page.locator("[name=answer-length]:checked + span")).to_have_text("Otherwise")


def test_the_editor_without_a_script(visit, nora):
    page = visit(PHONE, user=nora, java_script_enabled=False)
    page.goto("/clubs/harbour/rules/new/?from=family")
    page.get_by_text("Drawing and the pile").click()
    drawn = option(page, "Cards drawn from the stock").get_by_role("textbox").first
    drawn.fill("3")
    drawn.press("Enter")
    expect(page.locator("#sheet")).to_contain_text("The nearest published ruleset is Family, with 1 difference.")
    page.get_by_label("Name", exact=True).fill("Quay rules")
    page.get_by_role("button", name="Save these rules").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Quay rules")
    assert RulesVersion.objects.get().rules == Rules.make("family", {"draw_count": 3})
