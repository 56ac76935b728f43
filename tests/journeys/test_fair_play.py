"""Fair play in a real browser at both widths: a device is noted, and organisers see the findings."""

import re

import pytest
from playwright.sync_api import expect

from clubs.models import Membership
from clubs.models import Remark as ClubRemark
from gameplay.fair_play import services as page_views
from gameplay.models import Look, Table
from tests.journeys.test_pages import DEVICES, faults  # noqa: F401  fixtures
from tests.makers import make_club
from tests.tournaments.reading import pairings
from tournaments.models import Remark

pytestmark = pytest.mark.parametrize("device", DEVICES)


@pytest.fixture
def check_page(faults, device):  # noqa: F811  the fixture
    """Check a page as it is: its width, the findings of axe, a picture."""

    def check(page, name):
        assert faults(page, f"fair-play-{name}", device) == []

    return check


def share(table, count=2):
    for seat in table.seats.select_related("user")[:count]:
        assert page_views.note(table.slug, seat.user, "A" * 22)


def say(page, verdict, note=""):
    """Open the form of the first finding by keyboard, and fill it in."""
    page.locator("[id^=say-] > summary").first.press("Enter")
    page.get_by_label(verdict).first.check()
    page.get_by_label("Note for organisers (optional)").first.fill(note)


def test_organisers_of_an_event_look_and_say_what_is_in_it(visit, check_page, new_event, olga, device):
    cup = new_event("swiss", 4, kind="partnership", setting="online", started=True)
    share(pairings(cup)[0].table, 3)
    page = visit(DEVICES[device], user=olga)
    page.goto(f"/events/{cup.slug}/organise/people/")
    page.get_by_role("link", name="Fair play").click()
    expect(page.get_by_role("heading", name="Fair play", level=1)).to_be_visible()
    expect(page.locator("#organise")).to_contain_text("had their seats open on the same device")
    check_page(page, "event")
    page.locator("[id^=where-] > summary").first.press("Enter")
    say(page, "Keep watching", "Sisters, as far as I know.")
    check_page(page, "event-open")
    page.get_by_role("button", name="Save").first.click()
    expect(page.locator("#messages")).to_contain_text("It will be watched.")
    expect(page.locator("#organise")).to_contain_text("Sisters, as far as I know.")
    say(page, "Checked: no concern")
    page.get_by_role("button", name="Save").first.click()
    expect(page.get_by_role("heading", name="Checked: no concern")).to_be_visible()
    check_page(page, "event-settled")
    assert sorted(Remark.objects.values_list("verdict", flat=True)) == ["nothing", "watch"]


def test_organisers_of_a_club_do_so_at_its_tables(visit, check_page, seated, person, device):
    owner, table = person("Olga"), seated(is_rated=True)
    club = make_club("Lakeside", owner=owner)
    Table.objects.filter(pk=table.pk).update(audience=club.circle)
    share(table)
    page = visit(DEVICES[device], user=owner)
    page.goto("/clubs/lakeside/run/")
    page.get_by_role("link", name=re.compile("^Settings")).click()
    page.get_by_role("link", name="Fair play").click()
    expect(page.locator("main")).to_contain_text("had their seats open on the same device")
    say(page, "Checked: no concern", "A family.")
    check_page(page, "club")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("main")).to_contain_text("A family.")
    check_page(page, "club-settled")
    assert Membership.objects.filter(club=club).count() == ClubRemark.objects.count() == 1


def test_a_page_that_is_looked_at_notes_the_device_once(visit, seated, four, device):
    table = seated(is_rated=True)
    page = visit(DEVICES[device], user=four[0])
    for _ in range(2):
        with page.expect_response("**/looking/"):
            page.goto(table.get_absolute_url())
    (cookie,) = [cookie for cookie in page.context.cookies() if cookie["name"] == "device"]
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Lax")
    assert [page_view.mark for page_view in Look.objects.all()] == [page_views.mark_of(table.pk, cookie["value"])]
    assert cookie["value"] not in page.evaluate("document.cookie")
