"""Random messy lists: no cell is lost, nobody is invented, everybody is in."""

import random
import re

import pytest

from clubs.bring_in import open as lists
from clubs.bring_in import words
from clubs.bring_in.column_contents import LEAVE_OUT
from clubs.bring_in.reading import KINDS, Context, Known
from clubs.bring_in.workbook import DATE, FORMULA, NUMBER, Cell, Sheet, Workbook, pack, unpack

FIRST = ["Ann", "Bob", "Edith", "Tom", "Zoë", "Asha", "Gil", "Maria", "Una", "Carl"]
LAST = ["Jones", "Smith", "Clark", "Averill", "Öde", "Menon", "van der Berg", "O'Neill", "Lee-Ross"]
TITLES = [
    "Name",
    "Member",
    "E-mail",
    "Tel",
    "Role",
    "Notes",
    "No.",
    "Paid",
    "Vorname",
    "Nachname",
    "Date",
    "Home",
    "Away",
    "Score",
    "Played",
    "Won",
    "Points",
    "Team",
    "Platz",
    "Venue",
]
KNOWN = [Known(1, "Edith Clark"), Known(2, "Tom Jones", "tom@example.org")]


def name(dice):
    first, last = dice.choice(FIRST), dice.choice(LAST)
    return dice.choice(
        [
            *(f"{first} {last}", f"{last}, {first}", f"{last.upper()} {first} (sub)", f"Mrs. {first[0]}. {last}"),
            *(f"{first} & {dice.choice(FIRST)} {last}", f"{first} {last}\n{dice.choice(FIRST)} {dice.choice(LAST)}"),
            *(f"{first[0]}. {last}", "TOTAL", "Committee", "new lady, Thursdays", "-", "", last, first, "Summe: 12"),
        ]
    )


def cell(dice):
    return dice.choice(
        [
            *(Cell(name(dice)), Cell(f"{dice.choice(FIRST).lower()}@example.org"), Cell("no email")),
            *(
                Cell("a@x.example; b@x.example"),
                Cell(f"07700 9001{dice.randrange(10, 99)}"),
                Cell("7700900117", NUMBER),
            ),
            *(Cell("4.47E+11"), Cell("=SUM(A1:A3)", FORMULA), Cell("2026-03-01", DATE), Cell("3/4/2026"), Cell("yes")),
            *(
                Cell("12,5"),
                Cell("8,720"),
                Cell("6310", NUMBER),
                Cell("Treasurer"),
                Cell("w/o"),
                Cell("2:0"),
                Cell("x"),
            ),
            *(Cell("Matchday 3"), Cell("bye"), Cell("Division Two"), Cell("ann(at)example.org"), Cell("by post")),
            *(Cell(), Cell(), Cell()),
        ]
    )


def workbook(dice):
    sheets = []
    for number in range(dice.choice([1, 1, 2])):
        width = dice.randrange(1, 8)
        rows = [(Cell("Club 2026"),) for _ in range(dice.randrange(3))]
        if dice.random() < 0.8:
            rows.append(tuple(Cell(title) for title in dice.sample(TITLES, width)))
        rows += [
            tuple(cell(dice) if dice.random() < 0.6 else Cell(name(dice)) for _ in range(width))
            for _ in range(dice.randrange(1, 15))
        ]
        sheets.append(Sheet(f"Sheet {number}", tuple(rows), is_hidden=dice.random() < 0.1))
    return Workbook(tuple(sheets))


def lost(reading):
    """The cells that are nowhere: not used, not asked about, not set aside."""
    sheet, hit = reading.sheet, reading.as_json()
    rows_in = {item.row for item in reading.items} | {question.row for question in reading.questions}
    texts_aside = {}
    for aside in hit["kept_aside"]:
        texts_aside.setdefault(aside["row"], set()).update(aside["cells"])
    for row, cells in enumerate(sheet.rows, 1):
        if reading.layout.heading == row - 1:
            continue
        for column, item in enumerate(cells):
            if not item or item.text in texts_aside.get(row, ()) or words.is_none(item.text):
                continue
            holds = reading.layout.columns[column].holds if column < len(reading.layout.columns) else LEAVE_OUT
            is_line_between = row - 1 in reading.lines_between
            is_in = holds != LEAVE_OUT and row in rows_in
            if not is_in and not is_line_between and not is_name_of(reading, row, item.text):
                yield row, column, item


def is_name_of(reading, row, text):
    """Whether a cell outside the columns of names is the name of a question of this row, or of a person."""
    people = {item.row for item in reading.items} | {question.row for question in reading.questions}
    return (
        row in people
        and any(sign.isalpha() for sign in text)
        and any(
            question.row == row and question.kind in ("name", "near_name", "same_person", "total")
            for question in reading.questions
        )
    )


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("what", KINDS)
def test_no_cell_is_lost(what, seed):
    for part in range(10):
        book = workbook(random.Random(f"{seed} {part}"))
        if not any(sheet.filled for sheet in book.sheets):
            continue
        reading = lists.read(book, what, Context(members=KNOWN))
        assert list(lost(reading)) == []
        others = [aside for aside in reading.kept_aside if aside.row == 0]
        also_read = [question for question in reading.questions if question.row == 0 and question.answer == "read"]
        assert len(others) + len(also_read) == sum(bool(sheet.filled) for sheet in book.sheets) - 1
        assert unpack(pack(book)) == book


@pytest.mark.parametrize("seed", range(12))
def test_nobody_is_invented(seed):
    for part in range(10):
        book = workbook(random.Random(f"people {seed} {part}"))
        if not any(sheet.filled for sheet in book.sheets):
            continue
        reading = lists.read(book, "members", Context())
        cells = words.folded(" ".join(cell.text for row in reading.sheet.rows for cell in row)).split()
        for person in reading.people:
            assert set(words.folded(person.name).split()) <= set(cells), person
            assert not words.is_total(person.name)


@pytest.mark.parametrize("seed", range(12))
def test_everybody_is_in(seed):
    dice = random.Random(f"everybody {seed}")
    people = dice.sample([f"{first} {last}" for first in FIRST for last in LAST if first[0] not in "EM"], 30)
    rows = []
    for person in people:
        first, _, last = person.partition(" ")
        shown = dice.choice(
            [person, f"{last}, {first}", f"{last.upper()} {first}", f"Dr {person} (sub)", f"{person}, captain"]
        )
        rows.append((Cell(shown), Cell(dice.choice(["", "-", f"{first.lower()}@{len(rows)}.example"])), Cell("yes")))
    for noise in (("TOTAL",), ("Committee",), ("Please pay by Friday!",), ("Name", "Mail", "Paid")):
        rows.insert(dice.randrange(len(rows)), tuple(map(Cell, noise)))
    titles = tuple(map(Cell, ("Name", "Mail", "Paid")))
    reading = lists.read(Workbook((Sheet("", ((Cell("Our club"),), (), titles, *rows)),)), "members", Context())
    assert sorted(re.sub(r"\s", "", person.name).casefold() for person in reading.people) == sorted(
        re.sub(r"\s", "", person).casefold() for person in people
    )
