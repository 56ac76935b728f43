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


def with_hostile_names(event):
    """The event with names as people have them, and as they should not."""
    entries = list(Entry.objects.filter(tournament=event)[: len(HOSTILE)])
    for entry, name in zip(entries, HOSTILE, strict=True):
        entry.name = name
    Entry.objects.bulk_update(entries, ["name"])
    return event


def paper(page, path):
    """Print a page at its own size: the number of its sheets, and the PDF."""
    page.goto(path)
    pdf = page.pdf(prefer_css_page_size=True, print_background=True)
    if folder := os.environ.get("SCREENSHOTS"):
        (Path(folder) / f"{re.sub(r'[^a-z0-9-]+', '-', path.strip('/'))}.pdf").write_bytes(pdf)
    return len(re.findall(rb"/Type\s*/Page\b", pdf)), pdf


@pytest.mark.parametrize("device", [PHONE, DESK], ids=["phone", "desk"])
def test_sheets_can_be_looked_at_before_they_are_printed(new_event, olga, visit, no_barriers, picture, device):
    cup = with_hostile_names(new_event("double_elimination", 12, started=True, kind="partnership"))
    page = visit(device, user=olga)
    for sheet in SHEETS:
        page.goto(f"/events/{cup.slug}/print/{sheet}")
        picture(page, f"print-{sheet.strip('/') or 'index'}-{device['viewport']['width']}")
        assert page_width(page) <= page.viewport_size["width"], sheet
        assert no_barriers.violations(page) == [], sheet


@pytest.mark.parametrize(
    ("format", "entries", "sheets"),
    [("single_elimination", 16, 1), ("double_elimination", 16, 1), ("double_elimination", 32, 2), ("swiss", 16, 1)],
)
def test_the_chart_for_the_wall_takes_as_few_sheets_as_it_should(new_event, olga, visit, format, entries, sheets):
    cup = with_hostile_names(new_event(format, entries, started=True))
    driving.play_round(cup, olga, driving.by_lot)
    count, _ = paper(visit(DESK), f"/events/{cup.slug}/print/1/")
    assert count == sheets


def test_cards_are_four_and_name_cards_ten_on_a_sheet_and_each_table_has_a_score_sheet(new_event, olga, visit):
    cup = with_hostile_names(new_event("swiss", 24, started=True, name="Harbour Cup"))
    page = visit(DESK, user=olga)
    at = f"/events/{cup.slug}/print"
    assert [paper(page, f"{at}/{sheet}/")[0] for sheet in ("cards", "names", "scores", "pairings")] == [3, 3, 12, 2]
