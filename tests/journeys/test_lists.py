"""A list of members from a messy workbook, in a browser: given, checked, imported, undone. Fixtures from a paste, and the
results so far of their season."""

from datetime import date, timedelta

import pytest
from playwright.sync_api import expect

from clubs.models import KeptAside, Membership, Season
from tests.clubs.bring_in.samples import MESSY
from tests.journeys.test_pages import DEVICES, faults, people, too_wide  # noqa: F401  fixtures
from tests.makers import make_club
from tournaments.models import Pairing

both_devices = pytest.mark.parametrize("device", DEVICES)


@pytest.fixture
def harbour(people):  # noqa: F811  the fixture
    """A club that Ann owns, with a member whom the list misspells."""
    club = make_club("Harbour Hand and Foot", owner=people.ann, slug="harbour")
    Membership.objects.create(club=club, name="Edith Clark")
    return club


@both_devices
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_messy_list_is_imported(visit, people, harbour, picture, no_barriers, device, language):  # noqa: F811
    if language == "de":
        people.ann.language = "de"
        people.ann.save(update_fields=["language"])
    page = visit(DEVICES[device], user=people.ann)
    page.goto("/clubs/harbour/people/")
    page.locator("a[href$='/import/members/']").click()
    assert too_wide(page) == ""
    no_barriers(page)
    picture(page, f"lists-give-{language}-{device}")
    page.locator("#file").set_input_files(
        {"name": "Members 2026.xlsx", "mimeType": "application/octet-stream", "buffer": MESSY}
    )
    page.locator("#read").click()
    expect(page.locator("#table-h")).to_be_visible()
    assert too_wide(page) == ""
    no_barriers(page)
    picture(page, f"lists-read-{language}-{device}")
    if language == "de":
        return
    expect(page.locator("#import")).to_contain_text("Import 10 people")
    expect(page.locator("#import")).to_contain_text("7 set aside")
    page.get_by_label("One person", exact=True).first.check()
    expect(page.locator("#import")).to_contain_text("Import 9 people")
    page.get_by_label("Answer for row 14").fill("Nora Whitlock")
    page.get_by_label("Answer for row 14").press("Tab")
    expect(page.locator("#import")).to_contain_text("Import 10 people")
    page.get_by_label("Column 5 is").select_option("note")
    expect(page.locator("#import")).to_contain_text("Import 10 people")
    page.locator("#import").click()
    expect(page.get_by_text("10 people were imported from a list.")).to_be_visible()
    names = set(Membership.objects.filter(club=harbour).values_list("name", flat=True))
    assert {"Nora Whitlock", "Asha Menon", "Edith Clark", "John Smith"} <= names
    assert "Edth Clark" not in names
    assert KeptAside.objects.get().name == "Members 2026.xlsx"
    expect(page.get_by_role("heading", name="Set aside")).to_be_visible()
    no_barriers(page)
    picture(page, f"lists-people-{device}")


@both_devices
def test_fixtures_make_a_season_whose_results_are_typed(visit, people, harbour, picture, no_barriers, device):  # noqa: F811
    page = visit(DEVICES[device], user=people.ann)
    page.goto("/clubs/harbour/data/")
    page.locator("a[href$='/import/fixtures/']").click()
    days = [(date.today() + timedelta(days)).strftime("%d.%m.%Y") for days in (-8, -1, 6)]
    pairs = [("Lund / Arai", "Bell / Vik"), ("Bell / Vik", "Lund / Arai"), ("Lund / Arai", "Bell / Vik")]
    lines = [f"{at}\t{day}\t{home}\t{away}" for at, (day, (home, away)) in enumerate(zip(days, pairs, strict=True), 1)]
    page.locator("#paste").fill("\n".join(["Round\tDate\tHome\tAway", *lines]))
    page.locator("#read").click()
    page.locator("#league_name").fill("Harbour League")
    page.locator("#season_name").fill("Autumn")
    no_barriers(page)
    picture(page, f"lists-fixtures-{device}")
    page.locator("#import").click()
    expect(page.locator(".success")).to_contain_text("3 matches")
    picture(page, f"lists-season-desk-{device}")
    page.locator("a[href$='/so-far/']").click()
    first, second = Pairing.objects.filter(round__number__lt=3).order_by("round__number")
    page.locator(f"#t{first.pk}-0").press_sequentially("6180")
    page.keyboard.press("Enter")
    page.keyboard.type("5705")
    page.keyboard.press("Enter")
    expect(page.locator(f"#t{second.pk}-0")).to_be_focused()
    expect(page.locator(f"#said-{first.pk}")).to_contain_text("by 475, 2 points")
    page.keyboard.type("many")
    page.keyboard.press("Tab")
    expect(page.locator(f"#said-{second.pk}")).to_contain_text("is not a score")
    assert too_wide(page) == ""
    no_barriers(page)
    picture(page, f"lists-so-far-{device}")
    page.locator("#big-act").click()
    expect(page.locator("#published")).to_contain_text("1 result")
    page.locator("#take-back").click()
    expect(page.locator(f"#t{first.pk}-0")).to_have_value("6,180")
    assert Season.objects.get().status == "running"
