"""An organiser with a phone at the venue: from a template to the champion of eight pairs, with a withdrawal and a result
that is corrected on the way; the same from the first form without a script."""

import re

import pytest
from playwright.sync_api import expect

from tests.journeys.hands import PHONE, page_width
from tournaments.models import Act, Entry, Pairing, Result, Tournament

PAIRS = "\n".join(
    (
        "Amara Okafor / Tom Bell",
        "Zoë Müller / Łukasz Wójcik",
        "Jiří Dvořák / İpek Şahin",
        "Sigrún Vik / Hiroshi Ono",
        "Ayşe Kaya / Tomasz Malý",
        "Nguyễn Lan / Haug Peña",
        "Wolfeschlegelsteinhausenbergerdorff / Lefèvre-Delacroix",
        "مريم الخطيب / يوسف",
    )
)


@pytest.fixture
def fits(no_barriers, picture):
    """Fail if a page is wider than the phone, or axe finds something; takes its picture."""

    def check(page, name):
        picture(page, f"organiser-{name}-phone")
        assert page_width(page) <= PHONE["viewport"]["width"], name
        no_barriers(page)

    return check


def button(page, name):
    return page.get_by_role("button", name=name, exact=isinstance(name, str))


def tab(page, name):
    page.get_by_role("navigation", name="Event desk").get_by_role("link", name=name).tap()
    expect(page.get_by_role("navigation", name="Event desk").locator("[aria-current]")).to_have_text(name)


def announce(page):
    """Make the event from a template, with a look at its schedule on the way."""
    page.goto("/events/new/")
    page.get_by_role("link", name=re.compile("League cup, double elimination")).tap()
    page.get_by_label("Name", exact=True).fill("Harvest Cup")
    page.get_by_label("Where it is played").select_option("face")
    expect(page.locator("#schedule")).to_contain_text("8 entries. 8 rounds, 4 tables at once, 14 matches, no bye.")
    page.get_by_label("Entries you expect").fill("6")
    page.get_by_label("Entries you expect").blur()
    expect(page.locator("#schedule")).to_contain_text("6 entries.")
    page.get_by_label("Entries you expect").fill("1")
    page.get_by_label("Entries you expect").blur()
    expect(page.locator("#id_expected_wrong")).to_contain_text("Enter 2 or more.")
    page.get_by_label("Entries you expect").fill("8")
    page.get_by_label("Entries you expect").blur()
    expect(page.locator("#id_expected_wrong")).to_be_empty()


def enter(page, scores):
    """Enter the result of the first table that is still played."""
    row = page.locator("#missing .tb").first
    name = row.get_attribute("id")
    row.get_by_role("link", name=re.compile("Enter result")).tap()
    opened = page.locator(f"#{name}.open")
    expect(opened).to_be_visible()
    for field, points in zip(opened.locator("input[inputmode=numeric]").all(), scores, strict=True):
        field.fill(str(points))
    button(opened, "Enter result").tap()
    expect(opened).to_have_count(0)
    return name


def test_from_a_template_to_the_champion(visit, four, fits):
    ann = four[0]
    page = visit(PHONE, user=ann)
    announce(page)
    fits(page, "new")
    button(page, "Publish event").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Entries open")
    event = Tournament.objects.get()

    tab(page, "Entries")
    page.get_by_label("Pairs").fill(PAIRS)
    button(page, "Add").tap()
    expect(page.locator("#messages")).to_contain_text("8 entries were added.")
    expect(page.locator("#list li")).to_have_count(8)
    page.get_by_role("link", name="Seeds and entries kept apart").tap()
    last = Entry.objects.get(number=8)
    button(page, f"{last.name} up").press("Enter")
    expect(page.get_by_text("not saved yet")).to_be_visible()
    # Whoever moves an entry by keyboard stays at its button.
    expect(page.locator(f"#up-{last.pk}")).to_be_focused()
    button(page, "Save this order").tap()
    expect(page.locator("#messages")).to_contain_text("8 entries were seeded by hand")
    fits(page, "seeds")

    tab(page, "Event desk")
    button(page, "Start").tap()
    expect(page.locator("#missing .tb")).to_have_count(4)
    first = enter(page, (4210, 3640))
    expect(page.locator("#messages")).to_contain_text(re.compile("ound 1, match 1"))
    assert page.url.endswith(f"/events/{event.slug}/organise/") or page.url.endswith(f"#{first}")
    enter(page, (100, 90))
    enter(page, (3980, 3755))

    # The first result was entered the wrong way round; a match that depends on it has been played since.
    enter(page, (5000, 4000))
    expect(page.locator("#missing .tb")).to_have_count(4)
    enter(page, (2000, 1000))
    correct(page, fits)

    # A pair goes home.
    withdraw(page, fits)

    tab(page, "Event desk")
    fits(page, "desk")
    while page.locator("#missing .tb").count():
        enter(page, (3000, 2000))
    expect(page.get_by_role("heading", level=1)).to_have_text("Finished")
    expect(page.locator(".lead")).to_contain_text("won.")
    fits(page, "over")
    event.refresh_from_db()
    assert event.status == Tournament.Status.OVER
    assert Act.objects.filter(kind="withdraw").count() == 1
    assert Result.objects.filter(reason="Read the wrong way round").count() == 1


def correct(page, fits):
    """Change the result of the first match: seen before it is done."""
    tab(page, "Rounds")
    page.get_by_role("link").filter(has=page.locator("b")).first.tap()
    pairing = Pairing.objects.get(name="WB1.1")
    page.locator(f"#open-{pairing.pk}").tap()
    row = page.locator(f"#m-1-{pairing.name.replace('.', '-')}.open")
    expect(row).to_be_visible()
    first, second = row.locator("input[inputmode=numeric]").all()
    expect(first).to_have_value("4210")
    first.fill("3640")
    second.fill("4210")
    button(row, "Preview changes").tap()
    panel = row.locator(".panel.alert")
    expect(panel.get_by_role("heading", name=re.compile("Correct the result of .*round 1, match 1"))).to_be_focused()
    expect(panel).to_contain_text("Effects")
    fits(page, "preview")
    assert Pairing.objects.get(pk=pairing.pk).result.reason == ""
    # A reason is required; the browser itself would not send the form without one.
    panel.get_by_label("Reason, shown in the history").fill("Read the wrong way round")
    button(panel, "Correct result").tap()
    expect(page.locator("#m-1-WB1-1")).to_contain_text("✎ corrected")
    assert Pairing.objects.get(pk=pairing.pk).result.reason == "Read the wrong way round"


def withdraw(page, fits):
    tab(page, "Entries")
    entry = Entry.objects.exclude(places__pairing__result=None).filter(places__isnull=False).first()
    page.get_by_role("link", name=entry.name).tap()
    button(page, re.compile("Withdraw at once")).tap()
    panel = page.locator("#leaving.panel")
    expect(panel).to_contain_text("withdrew at once")
    fits(page, "withdrawal")
    panel.get_by_label(re.compile("Reason")).fill("Ill")
    button(panel, "Withdraw").tap()
    expect(page.locator("#messages")).to_contain_text("withdrew at once")
    entry.refresh_from_db()
    assert entry.status == Entry.Status.WITHDRAWN


def test_two_organisers_who_press_next_round_make_one(visit, four):
    ann, ben = four[:2]
    page = visit(PHONE, user=ann)
    page.goto("/events/new/?from=swiss_weekend")
    page.get_by_label("Name", exact=True).fill("Swiss")
    button(page, "Publish event").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Entries open")
    event = Tournament.objects.get()
    tab(page, "Entries")
    page.get_by_label("Pairs").fill(PAIRS)
    button(page, "Add").tap()
    expect(page.locator("#messages")).to_contain_text("entries were added.")
    tab(page, "Check-in")
    for number in range(1, 9):
        page.locator(f"#here-{number}").tap()
        expect(page.locator(f"#entry-{number}")).to_contain_text("✓ here")
    tab(page, "People")
    page.get_by_label("Username").fill("Ben")
    button(page, "Add organiser").tap()
    expect(page.locator("#messages")).to_contain_text("Ben is now an organiser")
    tab(page, "Event desk")
    button(page, "Start").tap()
    expect(page.locator("#wait")).to_contain_text("Round 1 is ready.")

    other = visit(PHONE, user=ben)
    other.goto(f"/events/{event.slug}/organise/")
    button(page, "First round").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 1 of 6")
    button(other, "First round").tap()
    expect(other.locator("#refused")).to_contain_text("Something has changed since you opened this page")
    expect(other.get_by_role("heading", level=1)).to_have_text("Round 1 of 6")
    assert event.stages.get().rounds.count() == 1


def test_without_a_script_an_event_is_made_and_a_result_changed(visit, four):
    page = visit(PHONE, user=four[0], java_script_enabled=False)
    page.goto("/events/new/?from=swiss_weekend")
    page.get_by_label("Name", exact=True).fill("Plain")
    page.get_by_label("Entries you expect").fill("9")
    button(page, "Show the schedule").tap()
    expect(page.locator("#schedule")).to_contain_text("9 entries.")
    page.get_by_label("Format").select_option("single_elimination")
    button(page, "Show the schedule").tap()
    expect(page.get_by_label("A match for third place")).to_be_visible()
    button(page, "Publish event").tap()
    tab(page, "Entries")
    page.get_by_label("Pairs").fill("\n".join(PAIRS.splitlines()[:4]))
    button(page, "Add").tap()
    expect(page.locator("#messages")).to_contain_text("entries were added.")
    tab(page, "Check-in")
    for number in range(1, 5):
        page.locator(f"#here-{number}").tap()
    tab(page, "Event desk")
    button(page, "Start").tap()
    button(page, "First round").tap()
    name = enter(page, (100, 50))
    page.goto(f"{page.url.partition('organise')[0]}organise/1/rounds/1/")
    page.locator(f"#{name}").get_by_role("link", name=re.compile("Change")).tap()
    row = page.locator(f"#{name}")
    row.locator("input[inputmode=numeric]").first.fill("40")
    button(row, "Preview changes").tap()
    page.get_by_label("Reason, shown in the history").fill("Read wrong")
    button(page, "Correct result").tap()
    expect(page.locator(f"#{name}")).to_contain_text("40 – 50")
