"""From a workbook to what was read in it."""

from collections.abc import Mapping, Sequence

from clubs.bring_in import crosstable, layout, matches, members, places
from clubs.bring_in.layout import CROSS
from clubs.bring_in.reading import FIXTURES, MEMBERS, RESULTS, TABLE, Context, Reading, keep_other_sheets
from clubs.bring_in.sides import meant
from clubs.bring_in.workbook import Workbook


def read(
    book: Workbook,
    what: str,
    context: Context,
    *,
    sheet: int | None = None,
    heading: int | None = None,
    has_heading: bool | None = None,
    columns: Sequence[str] | None = None,
    remembered: Mapping[str, str] | None = None,
) -> Reading:
    """Read a workbook as a list of this kind. What is `None` is guessed; `sheet` and `heading` count from 0."""
    place = layout.find(
        *(book, what), sheet=sheet, heading=heading, has_heading=has_heading, columns=columns, remembered=remembered
    )
    hit = book.sheets[place.sheet]
    grid = None
    if what in (RESULTS, FIXTURES) and (columns is None or CROSS in columns):
        grid = crosstable.find(hit, what)
        place = place if grid is None else crosstable.layout_of(hit, place.sheet, grid)
    reading = Reading(what, book, place, [], [])
    if what == MEMBERS:
        desk, reading.people = members.read(hit, place, context)
    elif grid is not None:
        desk, reading.matches = crosstable.read(hit, place, grid, context, what)
    elif what == TABLE:
        desk, reading.places = places.read(hit, place, context)
    else:
        desk, reading.matches = matches.read(hit, place, context, what)
    sides = [(match.row, side) for match in reading.matches for side in (match.home, match.away)]
    if not context.has_team_names:
        reading.meant = meant(desk, sides or [(place.row, place.name) for place in reading.places], context)
    reading.lines_between = desk.lines_between
    reading.questions = sorted(desk.questions, key=lambda question: question.row)
    reading.kept_aside = sorted(desk.kept_aside, key=lambda aside_row: aside_row.row) + keep_other_sheets(
        book, place.sheet
    )
    return reading
