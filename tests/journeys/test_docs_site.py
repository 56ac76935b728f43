"""The docs in a browser: found by words, legible at both widths in all lights, within the policy of the site."""

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.journeys.test_pages import DEVICES, faults, too_wide  # noqa: F401  fixtures

ROOT = Path(__file__).parents[2]
PAGES = ("", "for-players/", "deploy/", "reference/checks/", "contributing/")
both_devices = pytest.mark.parametrize("device", DEVICES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("docs")
    command = [sys.executable, "-m", "properdocs", "build", "--site-dir", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=300)
    return folder


@pytest.fixture
def docs(folder, settings):
    settings.DOCS_DIR = folder


@both_devices
def test_pages_have_no_faults(docs, visit, faults, device):  # noqa: F811
    page = visit(DEVICES[device])
    for path in PAGES:
        page.goto(f"/docs/{path}")
        page.problems += faults(page, f"docs-{path.strip('/').replace('/', '-') or 'index'}", device)


@both_devices
def test_a_search_leads_to_the_part_of_a_page(docs, visit, device):
    page = visit(DEVICES[device])
    page.goto("/help/")
    page.get_by_role("contentinfo").get_by_role("link", name="Docs").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("All pages")
    query = page.get_by_label("Search the docs")
    query.fill("practice deal")
    expect(page.locator(".results a").first).to_be_visible()
    expect(page.get_by_role("status")).to_contain_text("found")
    assert too_wide(page) == ""
    page.locator(".results").get_by_role("link", name="Your first table in five minutes: A practice deal").click()
    expect(page.locator("#a-practice-deal")).to_be_in_viewport()
    query.fill("nosuchwordanywhere")
    expect(page.get_by_role("status")).to_have_text("Nothing found")
    query.press("Escape")
    expect(query).to_have_value("")


SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) window.shifts.push([value, ...sources.map(({ node }) => node?.nodeName)]);
  }).observe({ type: "layout-shift", buffered: true });
}"""


@both_devices
def test_nothing_of_a_page_moves_while_it_loads(docs, visit, device):
    page = visit(DEVICES[device])
    page.add_init_script(f"({SHIFTS})()")
    page.goto("/docs/for-players/")
    expect(page.get_by_label("Search the docs")).to_be_visible()
    expect(page.locator(".pages.ready")).to_be_attached()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.shifts") == []


def test_without_script_the_pages_are_whole(docs, visit):
    page = visit(java_script_enabled=False)
    page.goto("/docs/clocks/")
    expect(page.get_by_label("Search the docs")).to_be_hidden()
    page.get_by_role("link", name="Bots").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bots")
    page.get_by_role("link", name="To the site").click()
    expect(page.get_by_role("link", name="Tables")).to_be_attached()
