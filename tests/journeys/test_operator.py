"""An operator in a real browser, at both widths, light and dark: sees stuck work, mends it, reads the history."""

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import expect

from accounts import budgets
from accounts.budgets import ADDRESS, Subject
from gameplay.models import Heartbeat, Table
from gameplay.monitoring import heartbeats
from gameplay.services import clocks
from tests.journeys.test_pages import DEVICES, faults  # noqa: F401  fixtures
from tests.operating import troubles

pytestmark = pytest.mark.parametrize("device", DEVICES)


@pytest.fixture
def check_page(faults, device):  # noqa: F811  the fixture
    """Check a page as it is: its width, the findings of axe, a picture."""

    def check(page, name):
        assert faults(page, f"operator-{name}", device) == []

    return check


def test_what_stands_still_is_mended(visit, check_page, person, seated, device):
    olga = person("Olga", is_staff=True)
    Heartbeat.objects.create(name=clocks.HEARTBEAT, at=timezone.now())
    _, _, pk = troubles.a_deadline_that_passed(seated)
    troubles.a_notice_that_was_refused(seated)
    troubles.a_letter_to_a_club(seated)
    Table.objects.filter(pk=pk).update(name="Wolfeschlegelsteinhausenbergerdorff and Lefèvre-Delacroix")
    page = visit(DEVICES[device], user=olga)

    page.goto("/operator/")
    expect(page.locator(".verdict")).to_contain_text("1 table is stuck; 1 email was not sent; 1 notification failed.")
    check_page(page, "troubles")
    button = page.locator("#tables").get_by_role("button", name="Apply the deadline")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Apply the deadline?")).to_be_visible()
    check_page(page, "confirm")
    page.get_by_role("button", name="Apply the deadline").click()
    expect(page.get_by_text("No table is stuck.")).to_be_visible()

    page.locator("#letters").get_by_role("button", name="Send now").click()
    expect(page.get_by_text("No email is waiting.")).to_be_visible()
    page.locator("#notices").get_by_role("button", name="Try again").click()
    expect(page.locator("#notices")).to_contain_text("We try again automatically.")

    page.get_by_label("A table, by its number or address").fill(str(pk))
    page.get_by_role("button", name="Show table").click()
    page.get_by_role("button", name="Check this table").click()
    expect(page.get_by_text("it agreed with its log")).to_be_visible()
    page.locator("summary").first.click()
    check_page(page, "table")
    page.goto("/operator/history/")
    expect(page.locator("ol.rows > li")).to_have_count(4)
    check_page(page, "history")


def test_where_all_is_well_the_page_says_so(visit, check_page, person, device):
    Heartbeat.objects.create(name=clocks.HEARTBEAT, at=timezone.now())
    heartbeats.tell("worker", "worker", 0, {}, settings.LANES)
    page = visit(DEVICES[device], user=person("Olga", is_staff=True))
    page.goto("/operator/")
    expect(page.get_by_text("All is well.")).to_be_visible()
    check_page(page, "well")


@pytest.mark.parametrize("language", ["en", "de"])
def test_shares_and_what_is_kept(visit, check_page, person, device, language):
    olga = person("Olga", is_staff=True, language=language)
    heavy = person("Wolfeschlegelsteinhausenbergerdorff")
    budgets.charge(budgets.BOT_TIME, heavy, 700_000)
    budgets.charge(budgets.REQUESTS, Subject(ADDRESS, "2001:db8:1:2::"), 5000)
    page = visit(DEVICES[device], user=olga)

    page.goto("/operator/budgets/")
    expect(page.locator("main")).to_contain_text("Wolfeschlegelsteinhausenbergerdorff")
    check_page(page, f"budgets-{language}")
    page.goto("/operator/data/")
    check_page(page, f"data-{language}")
