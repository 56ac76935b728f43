"""Sheets of an event: looked at on a phone and a desk, and printed on A4 as a browser prints them."""

import os
import re
from pathlib import Path

import pytest

from tests.journeys.hands import DESK, PHONE, page_width
from tests.tournaments import driving
from tournaments.models import Entry

SHEETS = ("", "1/", "pairings/", "scores/", "names/", "cards/")
HOSTILE = (
    "Wolfeschlegelsteinhausenbergerdorff / Lefèvre",
    "مريم الخطيب / يوسف",
    "<script>alert(1)</script>",
    "Nguyễn Thị Ánh 🃏",
    "W" * 40,
)


def named(event):
    """The event with names as people have them, and as they should not."""
    rows = list(Entry.objects.filter(tournament=event)[: len(HOSTILE)])
    for row, name in zip(rows, HOSTILE, strict=True):
        row.name = name
    Entry.objects.bulk_update(rows, ["name"])
    return event


def printed(page, path):
    """How many sheets a page takes on paper, by the size that it asks for."""
    page.goto(path)
    made = page.pdf(prefer_css_page_size=True, print_background=True)
    if folder := os.environ.get("SCREENSHOTS"):
        (Path(folder) / f"{re.sub(r'[^a-z0-9-]+', '-', path.strip('/'))}.pdf").write_bytes(made)
    return len(re.findall(rb"/Type\s*/Page\b", made)), made


@pytest.mark.parametrize("device", [PHONE, DESK], ids=["phone", "desk"])
def test_sheets_can_be_looked_at_before_they_are_printed(event, olga, visit, no_barriers, picture, device):
    made = named(event("double_elimination", 12, started=True, kind="partnership"))
    page = visit(device, user=olga)
    for sheet in SHEETS:
        page.goto(f"/events/{made.slug}/print/{sheet}")
        picture(page, f"print-{sheet.strip('/') or 'index'}-{device['viewport']['width']}")
        assert page_width(page) <= page.viewport_size["width"], sheet
        assert no_barriers.found(page) == [], sheet


@pytest.mark.parametrize(
    ("format", "entries", "sheets"),
    [("single_elimination", 16, 1), ("double_elimination", 16, 1), ("double_elimination", 32, 2), ("swiss", 16, 1)],
)
def test_the_chart_for_the_wall_takes_as_few_sheets_as_it_should(event, olga, visit, format, entries, sheets):
    made = named(event(format, entries, started=True))
    driving.play_round(made, olga, driving.by_lot)
    count, _ = printed(visit(DESK), f"/events/{made.slug}/print/1/")
    assert count == sheets


def test_cards_are_four_and_name_cards_ten_on_a_sheet_and_each_table_has_a_score_sheet(event, olga, visit):
    made = named(event("swiss", 24, started=True, name="Harbour Cup"))
    page = visit(DESK, user=olga)
    at = f"/events/{made.slug}/print"
    assert [printed(page, f"{at}/{sheet}/")[0] for sheet in ("cards", "names", "scores", "pairings")] == [3, 3, 12, 2]
