"""Past seasons brought in from a spreadsheet, and a whole club taken away and brought in again, in a browser."""

import re

import pytest
from playwright.sync_api import expect

from clubs.models import Club, Membership, Season
from clubs.services.members import membership
from tests.clubs.seasons import PAIRS, round_robin, sheet
from tests.journeys.test_pages import DEVICES, check_pages, faults, people, too_wide  # noqa: F401  fixtures
from tests.makers import make_club

both_devices = pytest.mark.parametrize("device", DEVICES)


@pytest.fixture
def harbour(people):  # noqa: F811  the fixture
    """A club that Ann owns."""
    return make_club("Harbour Hand and Foot", owner=people.ann, slug="harbour")


def test_pages(check_pages, people, harbour):  # noqa: F811  the fixtures
    paths = {
        "data": "/clubs/harbour/data/",
        "data-seasons": "/clubs/harbour/data/seasons/",
        "data-club": "/clubs/import/",
    }
    check_pages([(name, path, people.ann) for name, path in paths.items()])


@both_devices
def test_an_organiser_imports_past_seasons(visit, people, harbour, picture, no_barriers, device):  # noqa: F811
    membership.add_names(harbour.pk, people.ann, lines=["Okafor", "Bell"])
    lines = round_robin(PAIRS) + round_robin([f"Una{at} / Vic{at}" for at in range(4)], division="First")
    lines[3][6:8], lines[3][9] = ["", ""], "away"
    good = sheet(lines)
    lines[4][3] = "some day"
    page = visit(DEVICES[device], user=people.ann)
    page.goto("/clubs/harbour/run/")
    page.get_by_role("link", name=re.compile("^Settings")).click()
    page.get_by_role("link", name=re.compile("^Data")).click()
    page.get_by_role("link", name=re.compile("^Past seasons")).click()
    page.get_by_label("Paste the table").fill(sheet(lines))
    page.get_by_label("Name of a new league").fill("Harbour League")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name="Errors")).to_be_focused()
    expect(page.get_by_text("“some day” is not a date")).to_be_visible()
    expect(page.get_by_label("Name of a new league")).to_have_value("Harbour League")
    assert too_wide(page) == ""
    no_barriers(page)
    picture(page, f"data-wrong-{device}")
    page.problems[:] = [problem for problem in page.problems if "status of 422" not in problem]

    page.get_by_label("Correct the table").fill(good)
    page.get_by_role("button", name="Check again").click()
    expect(page.get_by_role("heading", name="Preview")).to_be_focused()
    expect(page.get_by_role("table")).to_have_count(2)
    assert Season.objects.count() == 0
    assert too_wide(page) == ""
    no_barriers(page)
    picture(page, f"data-looked-{device}")
    page.get_by_role("button", name="Import 12 matches").click()
    expect(page.get_by_text("12 matches of Harbour League were imported: 2024/25.")).to_be_visible()
    assert Season.objects.get().status == "closed"

    page.goto("/clubs/harbour/history/")
    page.get_by_role("button", name="Undo").first.click()
    expect(page.get_by_text("Undone: 12 matches of Harbour League").first).to_be_visible()
    assert Season.objects.count() == 0


@both_devices
def test_a_club_moves(visit, people, harbour, device, tmp_path):  # noqa: F811  the fixtures
    membership.add_names(harbour.pk, people.ann, lines=["Zoë Müller"])
    page = visit(DEVICES[device], user=people.ann)
    page.goto("/clubs/harbour/data/")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export the club").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name.startswith("harbour-")

    other = visit(DEVICES[device], user=people.ben)
    other.goto("/clubs/import/")
    other.get_by_label("The file").set_input_files(file)
    other.get_by_label("Your name in the club (optional)").fill("Ann")
    other.get_by_role("button", name="Import club").click()
    expect(other.get_by_text("The address harbour is taken. Choose another.")).to_be_focused()
    expect(other.get_by_label("Your name in the club (optional)")).to_have_value("Ann")
    other.problems[:] = [problem for problem in other.problems if "status of 422" not in problem]
    other.get_by_label("The file").set_input_files(file)
    other.get_by_label("Web address here (optional)").fill("harbour-two")
    other.get_by_role("button", name="Import club").click()
    expect(other.get_by_text("was imported.")).to_be_visible()
    new = Club.objects.get(slug="harbour-two")
    assert Membership.objects.get(club=new, user=people.ben).name == "Ann"
    assert new.memberships.filter(name="Zoë Müller", user=None).exists()
