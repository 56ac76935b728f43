"""From a workbook to what was read in it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext

from clubs.bring_in import crosstable, encodings, layout, lines, matches, members, opponents, parts, places
from clubs.bring_in.layout import CROSS, Layout
from clubs.bring_in.parts import Part
from clubs.bring_in.reading import (
    ASIDE,
    FIXTURES,
    MEMBERS,
    RESULTS,
    TABLE,
    Context,
    Desk,
    Match,
    Place,
    Question,
    Reading,
    keep_other_sheets,
)
from clubs.bring_in.sides import meant
from clubs.bring_in.values import Day
from clubs.bring_in.words import folded
from clubs.bring_in.workbook import Sheet, Workbook

_READ = "read"
"""Answer: a sheet is read as well."""


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
    if what in (RESULTS, FIXTURES):
        book = lines.with_whole_lines(book)
    context = replace(context, keys=Counter())
    place = layout.find(
        *(book, what), sheet=sheet, heading=heading, has_heading=has_heading, columns=columns, remembered=remembered
    )
    if "home" in (held := [column.holds for column in place.columns]) and "away" in held:
        book = _with(
            book, place.sheet, lines.with_joined_rows(book.sheets[place.sheet], held.index("home"), held.index("away"))
        )
    desk = Desk(book.sheets[place.sheet], place, context)
    if (sheet_read := _in_right_encoding(desk)) is not desk.sheet:
        book = _with(book, place.sheet, sheet_read)
    known = remembered or {}
    if what == MEMBERS:
        return _read_members(book, place, context, known, desk.questions)
    has_grid = columns is None or CROSS in columns
    return _read_lines(book, what, place, context, known, desk.questions, has_grid=has_grid)


def _read_members(
    book: Workbook, place: Layout, context: Context, known: Mapping[str, str], of_encoding: list[Question]
) -> Reading:
    """Read the list of members in this place, and further sheets with people as far as they are wanted."""
    desk, people = members.read(book.sheets[place.sheet], place, context)
    desk.questions[:0] = of_encoding
    reading = Reading(MEMBERS, book, place, [], [], people=people)
    desks, read_sheets = [desk], {place.sheet}
    for at, place_there, has_same_columns in parts.with_people(book, place, known):
        if _is_wanted(desk, book.sheets[at], at, _READ if has_same_columns else ASIDE):
            there = replace(context, part=f"s{at + 1}-")
            desk_there, reading.people = members.read(
                *(book.sheets[at], place_there, there), before=reading.people, name=book.sheets[at].name
            )
            desks.append(desk_there)
            read_sheets.add(at)
    _collect(reading, desks, read_sheets)
    return reading


def _read_lines(
    book: Workbook,
    what: str,
    place: Layout,
    context: Context,
    known: Mapping[str, str],
    of_encoding: list[Question],
    *,
    has_grid: bool,
) -> Reading:
    """Read the matches or the table in this place, in all its parts, and further sheets as far as they are wanted."""
    first, *others = parts.of_sheet(book, place, what, has_grid=has_grid, remembered=known)
    reading = Reading(what, book, first.layout, [], [])
    sheets_alike = parts.alike(book, first, what, known)
    further_days = _days_of(book, sheets_alike, context, known, what)
    desks = [_read_part(reading, first, replace(context, further_days=further_days), "")]
    desks[0].questions[:0] = of_encoding
    context = replace(
        context,
        season=next((item.season for item in _lines_of(reading)), ""),
        began=min((match.day for match in reading.matches if match.day), default=None),
    )
    desks += [_read_part(reading, part, context, "") for part in others]
    read_sheets = {place.sheet}
    for at in sheets_alike:
        if _is_wanted(desks[0], book.sheets[at], at):
            read_sheets.add(at)
            there = replace(context, part=f"s{at + 1}-")
            place_there = layout.find(book, what, sheet=at, remembered=known)
            further = parts.of_sheet(book, place_there, what, has_grid=first.grid is not None, remembered=known)
            desks += [_read_part(reading, part, there, book.sheets[at].name) for part in further]
    sides = [(match.sheet, match.row, side) for match in reading.matches for side in (match.home, match.away)]
    sides += [(place.sheet, place.row, place.name) for place in reading.places]
    if not context.has_team_names:
        reading.meant = meant({desk.name: desk for desk in reversed(desks)}, sides, context)
    _collect(reading, desks, read_sheets)
    return reading


def _with(book: Workbook, place: int, sheet: Sheet) -> Workbook:
    """A workbook with another sheet in this place."""
    return Workbook(tuple(sheet if at == place else other for at, other in enumerate(book.sheets)))


def _days_of(book: Workbook, sheets: Sequence[int], context: Context, known: Mapping[str, str], what: str) -> list[Day]:
    """The days of further sheets that say nothing of their year."""
    if what not in (RESULTS, FIXTURES):
        return []
    places_there = [
        (book.sheets[at], layout.find(book, what, sheet=at, remembered=known))
        for at in sheets
        if context.answers.get(f"0-sheet{at + 1}") != ASIDE
    ]
    return [day for sheet, place in places_there for day in matches.days_without_year(sheet, place, context, what)]


def _in_right_encoding(desk: Desk) -> Sheet:
    """The sheet, in another encoding if that is the answer; asked where two fit about as well, by a name of the list."""
    sheet = desk.sheet
    doubtful = [
        (row, cell.text)
        for row, cells in enumerate(sheet.rows)
        for cell in cells
        if sheet.readings
        and cell
        and len({encodings.read_again(cell.text, sheet.readings[0], other) for other in sheet.readings}) > 1
    ]
    if not doubtful:
        return sheet
    row, text = doubtful[-1]
    first = sheet.readings[0]
    choices = [(other, f"{encodings.read_again(text, first, other)} ({other})") for other in sheet.readings]
    question = gettext("%(text)s: written correctly?") % {"text": text}
    answer = desk.ask(row, "encoding", question, first, choices, shown=text)
    rows = [
        tuple(cell._replace(text=encodings.read_again(cell.text, first, answer)) for cell in cells)
        for cells in sheet.rows
    ]
    return replace(sheet, rows=tuple(rows))


def _is_wanted(desk: Desk, sheet: Sheet, at: int, guess: str = _READ) -> bool:
    """Whether another sheet is read as well."""
    answer = desk.ask(
        *(-1, f"sheet{at + 1}"),
        gettext("The sheet “%(sheet)s” has a list of the same kind. Read it too?") % {"sheet": sheet.name},
        guess,
        [(_READ, gettext("Yes")), (ASIDE, gettext("No: set it aside"))],
        shown=sheet.name,
    )
    return answer == _READ


def _read_part(reading: Reading, part: Part, context: Context, sheet_name: str) -> Desk:
    """Read a part of a workbook into what was read before; returns its desk."""
    items: Sequence[Match | Place]
    if reading.what == TABLE:
        desk, reading_places = places.read(part.sheet, part.layout, context)
        items = reading_places
        reading.places += reading_places
    else:
        if part.grid is not None:
            read_grid = opponents.read if part.grid.has_opponents else crosstable.read
            desk, hit = read_grid(part.sheet, part.layout, part.grid, context, reading.what)
        else:
            desk, hit = matches.read(part.sheet, part.layout, context, reading.what)
        items = hit
        reading.matches += hit
    _name_division(reading, desk, items)
    for item in items:
        item.sheet = sheet_name
    desk.name = sheet_name
    return desk


def _name_division(reading: Reading, desk: Desk, items: Sequence[Match | Place]) -> None:
    """Give a further part the division of the parts before it, asked if it is another."""
    before = _lines_of(reading)[: len(reading.items) - len(items)]
    if not items or not before or any(item.division for item in items):
        return
    sides = {side for item in items for side in _sides_of(item)}
    shared = [item for item in before if sides & set(_sides_of(item))]
    if shared:
        division = shared[0].division
    else:
        known = list(dict.fromkeys(folded(item.division) for item in before))
        numbered = gettext("Division %(number)s") % {"number": len(known) + 1}
        division = desk.ask(
            *(items[0].row - 1, "division"),
            gettext("In which division are the sides of the list that starts here?"),
            numbered,
            [(numbered, numbered), *((item.division, item.division) for item in before if item.division)],
            shown=" … ".join(list(dict.fromkeys(_sides_of(items[0])))),
            can_type=True,
        )
    for item in items:
        item.division = division


def _lines_of(reading: Reading) -> Sequence[Match | Place]:
    return reading.places if reading.what == TABLE else reading.matches


def _sides_of(item: Match | Place) -> list[str]:
    names = [item.name] if isinstance(item, Place) else [item.home, item.away]
    return [folded(name) for name in names]


def _collect(reading: Reading, desks: Sequence[Desk], sheets: set[int]) -> None:
    """Put questions and what was set aside together, by rows."""
    for number, desk in enumerate(desks):
        is_further = number > 0
        if is_further and desk.layout.heading is not None and not desk.name:
            desk.lines_between.add(desk.layout.heading)
        used = {row for row in desk.lines_between if not desk.name}
        reading.lines_between |= used
        reading.questions += [_of_sheet(question, desk.name) for question in desk.questions]
        reading.kept_aside += [
            replace(entry, sheet=desk.name)
            for entry in desk.kept_aside
            if not (is_further and entry.is_whole and entry.row - 1 in desk.lines_between)
        ]
    order = {name: at for at, name in enumerate(dict.fromkeys(desk.name for desk in desks))}
    reading.questions.sort(key=lambda question: (order[question.sheet], question.row))
    reading.kept_aside.sort(key=lambda entry: (order[entry.sheet], entry.row))
    reading.kept_aside += keep_other_sheets(reading.book, sheets)


def _of_sheet(question: Question, name: str) -> Question:
    return replace(question, sheet=name) if name else question
