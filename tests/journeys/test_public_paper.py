"""Brackets on paper: A4 landscape, one sheet up to sixteen entries, a sheet for each half up to thirty-two."""

import re

import pytest

from tests.journeys.hands import DESK
from tests.tournaments import driving
from tournaments.models import Entry

LONG = "Wolfeschlegelsteinhausenbergerdorff / Lefèvre-Delacroix"


def sheets(page):
    """Width and height in millimetres of each sheet that the page prints on."""
    written = page.pdf(prefer_css_page_size=True)
    boxes = re.findall(rb"/Type\s*/Page\b[^s].*?/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", written, re.DOTALL)
    return [(round(float(width) / 72 * 25.4), round(float(height) / 72 * 25.4)) for width, height in boxes]


@pytest.mark.parametrize(
    ("format", "entries", "count"),
    [
        ("single_elimination", 16, 1),
        ("double_elimination", 16, 1),
        ("single_elimination", 32, 1),
        ("double_elimination", 17, 2),
        ("double_elimination", 32, 2),
    ],
)
def test_a_bracket_prints_on_as_few_sheets_as_promised(visit, site, new_event, olga, format, entries, count):
    cup = new_event(format, entries, started=True)
    for entry in Entry.objects.filter(tournament=cup):
        Entry.objects.filter(pk=entry.pk).update(name=f"{LONG} {entry.number}")
    first = driving.open_pairings(cup)[0]
    driving.decide(first, olga, lambda names: [10405, 8560])
    driving.decide(first, olga, lambda names: [8560, 10405], reason="Entered the wrong way round.")
    page = visit(DESK)
    page.goto(f"{cup.get_absolute_url()}1/")
    assert sheets(page) == [(297, 210)] * count


def test_standings_of_sixteen_print_upright_on_one_sheet_and_their_sentences_on_the_next(visit, site, new_event, olga):
    cup = new_event("round_robin", 16, started=True)
    driving.play_round(cup, olga, driving.by_lot)
    page = visit(DESK)
    page.goto(f"{cup.get_absolute_url()}1/")
    sizes = sheets(page)
    assert set(sizes) == {(210, 297)}
    assert len(sizes) <= 2
