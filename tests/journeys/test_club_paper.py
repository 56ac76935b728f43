"""Pages of a club on paper: A4, as many sheets as they should take, and nothing cut off at the edge."""

import os
from pathlib import Path

import pytest

from tests.journeys.hands import DESK
from tests.journeys.test_league import LEAGUE, SEASON, club, running  # noqa: F401  fixtures
from tests.journeys.test_pages import people  # noqa: F401  a fixture
from tests.journeys.test_public_paper import sheets

PAPER = {"width": 688, "height": 1017}
"""A4 less its margins of 14 mm, in the pixels of a browser."""

CUT_OFF = """() => [...document.querySelectorAll("body *")].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width && box.height && !one.closest(".vh") && (box.right > innerWidth + 1 || box.left < -1);
}).map((one) => one.outerHTML.slice(0, 120))"""

SCREEN_ONLY = (".site", ".foot", ".tabs", ".take", ".btns", "form", "button", "nav", "iframe")
"""Parts of no use on paper."""


def on_paper(page, name):
    """Fail if a printed page has something cut off, or parts for the screen; the number of its sheets.

    If `SCREENSHOTS` names a folder, the sheets are written there as PDF.
    """
    sizes = sheets(page)
    assert set(sizes) == {(210, 297)}, name
    if folder := os.environ.get("SCREENSHOTS"):
        page.pdf(prefer_css_page_size=True, path=Path(folder) / f"paper-{name}.pdf")
    before = page.viewport_size
    page.emulate_media(media="print")
    page.set_viewport_size(PAPER)
    assert page.evaluate(CUT_OFF) == [], name
    for selector in SCREEN_ONLY:
        assert page.locator(selector).locator("visible=true").count() == 0, (name, selector)
    page.emulate_media(media="null")
    page.set_viewport_size(before)
    return len(sizes)


PAGES = {
    "season": (SEASON, 1),
    "fixtures": (f"{SEASON}1/fixtures/", 2),
    "results": (f"{SEASON}1/results/", 1),
    "crosstable": (f"{SEASON}1/crosstable/", 1),
    "league": (LEAGUE, 1),
    "teams": (f"{LEAGUE}teams/", 1),
    "team": (f"{LEAGUE}teams/1/", 1),
    "club": ("/clubs/lakeside/", 2),
    "roles": ("/clubs/lakeside/roles/", 1),
    "statistics": ("/clubs/lakeside/statistics/", 2),
    "statistics-season": ("/clubs/lakeside/statistics/lakeside-league/autumn/", 3),
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_a_club_print_on_as_few_sheets_as_they_should(visit, running, scheme):  # noqa: F811  the fixture
    page = visit(DESK, color_scheme=scheme)
    counts = {}
    for name, (path, _) in PAGES.items():
        page.goto(path)
        counts[name] = on_paper(page, f"{name}-{scheme}")
    assert {name: count for name, count in counts.items() if count > PAGES[name][1]} == {}


def test_the_table_as_pdf_takes_one_sheet(visit, running):  # noqa: F811  the fixture
    page = visit(DESK)
    for level in (1, 2):
        written = page.request.get(f"{SEASON}{level}/table.pdf").body()
        assert written.startswith(b"%PDF")
        assert written.count(b"/Type /Page\n") == 1
        if folder := os.environ.get("SCREENSHOTS"):
            (Path(folder) / f"table-{level}.pdf").write_bytes(written)
