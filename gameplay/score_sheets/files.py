"""A score sheet as files: JSON with all that it says, and CSV for a spreadsheet."""

import csv
import io
from typing import Any

from django.utils.translation import gettext

from accounts.models import User
from gameplay.score_sheets import paper_scoring
from gameplay.score_sheets.models import ScoreSheet
from gameplay.score_sheets.terms import seat_names, terms_of
from web import csv_cells


def as_json(sheet: ScoreSheet) -> dict[str, Any]:
    """The whole sheet, ready for JSON, as docs/score-sheets.md describes it."""
    terms = terms_of(sheet)
    reckoning = paper_scoring.reckon(terms, sheet.deals)
    return {
        "format": "foothold score sheet 1",
        "title": sheet.title,
        "rules": sheet.rules_json,
        "rules_title": sheet.rules_title,
        "seats": sheet.seat_count,
        "team_size": sheet.team_size,
        "players": seat_names(sheet),
        "sides": list(terms.names),
        "first_dealer": sheet.dealer + 1,
        "deals": [
            {**deal, "points": list(scored.points), "items": list(scored.items)}
            for deal, scored in zip(sheet.deals, reckoning.deals, strict=True)
        ],
        "totals": list(reckoning.totals),
        "is_over": reckoning.is_over or sheet.is_stopped,
        "made_at": sheet.made_at.isoformat(timespec="seconds"),
        "changed_at": sheet.touched_at.isoformat(timespec="seconds"),
    }


def as_csv(sheet: ScoreSheet) -> bytes:
    """A line for each side of each deal: the figures of its rows as they were counted, its points, its total."""
    terms = terms_of(sheet)
    rows = paper_scoring.rows(terms)
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(
        [gettext("Deal"), gettext("Side"), *[row.label for row in rows], gettext("Points"), gettext("Total")]
    )
    totals = [0] * len(terms.names)
    for at, deal in enumerate(sheet.deals, 1):
        scored = paper_scoring.count(terms, deal, at)
        for side, name in enumerate(terms.names):
            totals[side] += scored.points[side]
            figures = [_figure(terms, deal, side, row) for row in rows]
            writer.writerow([at, csv_cells.guard(name), *figures, scored.points[side], totals[side]])
    return text.getvalue().encode("utf-8-sig")


def _figure(terms: paper_scoring.Terms, deal: paper_scoring.Deal, side: int, row: paper_scoring.Row) -> str | int:
    if "points" in deal:
        return ""
    if row.kind == "out":
        return "yes" if deal["teams"][side].get("out") else "no"
    return paper_scoring.value(terms, deal, side, row.name)


def sheets_of(owner: User) -> list[dict[str, Any]]:
    """Score sheets in an account, for the export: every sheet whole, with its addresses."""
    sheets = ScoreSheet.objects.filter(owner=owner).order_by("pk")
    return [
        {"address": sheet.get_absolute_url(), "address_to_write": sheet.edit_url, **as_json(sheet)} for sheet in sheets
    ]
