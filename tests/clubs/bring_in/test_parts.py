"""Several lists in one file: below each other, side by side, on several sheets."""

import pytest

from clubs.bring_in import child, files
from clubs.bring_in import open as lists
from clubs.bring_in.reading import Context, Known
from tests.clubs.bring_in.workbooks import Tab, xlsx

FIRST = [
    ["", "Arai", "Bell", "Cole"],
    ["Arai", "x", "2:0", "1:1"],
    ["Bell", "0:2", "x", "3:1"],
    ["Cole", "1:1", "1:3", "x"],
]
SECOND = [
    ["", "Dahl", "Eide", "Falk"],
    ["Dahl", "x", "3:0", "1:0"],
    ["Eide", "0:3", "x", "2:1"],
    ["Falk", "0:1", "1:2", "x"],
]
TABLE = [["Pos", "Team", "Pts"], [1, "Arai", 8], [2, "Bell", 4]]
TABLE_TWO = [["Pos", "Team", "Pts"], [1, "Dahl", 6], [2, "Eide", 2]]


def read(*tabs, what="results", **more):
    return lists.read(files.read(xlsx(*tabs)), what, Context(**more))


def divisions(reading):
    return [(item.division, getattr(item, "home", "") or item.name) for item in reading.items]


def beside(left, right):
    return [[*row, None, *other] for row, other in zip(left, right, strict=True)]


IN_TWO = [*[("Division 1", "Arai")] * 2, ("Division 1", "Bell"), *[("Division 2", "Dahl")] * 2, ("Division 2", "Eide")]


@pytest.mark.parametrize("between", [[["Division 2"]], [[], ["Division 2"]], [["Notes: none"], [], ["Division 2"], []]])
def test_a_second_crosstable_below_is_another_division(between):
    reading = read(Tab("2024-25", [["League 2024/25"], ["Division 1"], *FIRST, *between, *SECOND]))
    assert divisions(reading) == IN_TWO
    assert {match.season for match in reading.matches} == {"2024/25"}
    assert not reading.questions


def test_crosstables_side_by_side_are_two_divisions():
    reading = read(Tab("Grid", [["Division 1", None, None, None, None, "Division 2"], *beside(FIRST, SECOND)]))
    assert divisions(reading) == IN_TWO


def test_the_division_of_a_crosstable_without_one_is_asked():
    tab = Tab("Grid", [["Division 1"], *FIRST, [], *SECOND])
    assert divisions(read(tab)) == IN_TWO
    assert [(question.row, question.kind) for question in read(tab).questions] == [(8, "division")]
    assert read(tab, answers={"8-division": "Ladies"}).matches[-1].division == "Ladies"


def test_tables_side_by_side_are_two_divisions():
    rows = [["Division 1", None, None, None, "Division 2"], *beside(TABLE, TABLE_TWO)]
    reading = read(Tab("Table", rows, merged=["A1:C1", "E1:G1"]), what="table")
    assert divisions(reading) == [
        *[("Division 1", name) for name in ("Arai", "Bell")],
        ("Division 2", "Dahl"),
        ("Division 2", "Eide"),
    ]
    assert [place.numbers["points"] for place in reading.places] == [8, 4, 6, 2]


def test_a_table_below_with_other_titles_is_read_by_its_own():
    two = [["Team", "Played", "Pts"], ["Dahl", 4, 6], ["Eide", 4, 2]]
    reading = read(Tab("Table", [["Division 1"], *TABLE, [], ["Division 2"], *two]), what="table")
    assert [(place.division, place.name, place.numbers["points"]) for place in reading.places][2:] == [
        ("Division 2", "Dahl", 6),
        ("Division 2", "Eide", 2),
    ]


def test_sheets_of_matchdays_are_read_together_and_others_are_not():
    titles = ["Home", "Away", "Score"]
    tabs = [
        Tab("Matchday 1", [["7 September 2025"], titles, ["Arai", "Bell", "3:1"]]),
        Tab("Matchday 2", [["14 September 2025"], titles, ["Arai", "Cole", "2:2"], ["Total", None, 3]]),
        Tab("Old results", [titles, ["Dahl", "Eide", "1:0"]]),
    ]
    reading = read(*tabs)
    assert [(match.matchday, str(match.day), match.away, match.sheet) for match in reading.matches] == [
        (1, "2025-09-07", "Bell", ""),
        (2, "2025-09-14", "Cole", "Matchday 2"),
    ]
    assert [(question.row, question.kind) for question in reading.questions] == [(0, "sheet2"), (4, "total")]
    assert reading.as_json()["matches"][1]["sheet"] == "Matchday 2"
    assert len(read(*tabs, answers={"0-sheet2": "aside"}).matches) == 1


def test_sheets_of_divisions_are_read_together():
    reading = read(Tab("Division 1", FIRST), Tab("Division 2", SECOND))
    assert divisions(reading) == IN_TWO


def test_a_matchday_above_the_titles_is_that_of_the_list():
    reading = lists.read(child.read_text("Week 3 – 14 October 2026\nHome,Away\nArai,Bell\n"), "fixtures", Context())
    assert [(match.matchday, str(match.day)) for match in reading.matches] == [(3, "2026-10-14")]


def test_sides_that_could_be_titles_begin_no_further_list():
    text = b"Matchday,Home,Away\n1,Pair 1,Pair 2\n1,Pair 3,Pair 4\n2,Pair 4,Pair 1\n2,Pair 1,Pair 2\n"
    reading = lists.read(files.read(text), "fixtures", Context())
    assert [(match.matchday, match.home) for match in reading.matches] == [
        (1, "Pair 1"),
        (1, "Pair 3"),
        (2, "Pair 4"),
        (2, "Pair 1"),
    ]


def test_a_side_of_another_sheet_is_asked_about_there():
    members = [Known(1, "Ann Falk"), Known(2, "Bo Falk")]
    reading = read(Tab("Division 1", FIRST), Tab("Division 2", SECOND), members=members)
    assert [(q.sheet, q.row, q.key) for q in reading.questions if q.kind == "member"] == [
        ("Division 2", 2, "s2-2-member")
    ]


PEOPLE = [["Name", "Phone"], ["Tom Hale", "020 123456"], ["Una Ray", None], ["Ivy Bell", "020 123457"]]
FURTHER = [["Name", "Phone"], ["Una Ray", "020 123458"], ["Max Price", "020 123459"]]


def test_people_of_a_sheet_with_the_same_columns_are_read_too_each_once():
    reading = read(Tab("A–L", PEOPLE), Tab("M–Z", FURTHER), what="members")
    assert [(person.sheet, person.row, person.name, person.phone) for person in reading.people] == [
        ("", 2, "Tom Hale", "020 123456"),
        ("", 3, "Una Ray", "020 123458"),
        ("", 4, "Ivy Bell", "020 123457"),
        ("M–Z", 3, "Max Price", "020 123459"),
    ]
    assert [(q.key, q.sheet, q.answer) for q in reading.questions] == [
        ("0-sheet2", "", "read"),
        ("s2-2-same_person", "M–Z", "one"),
    ]
    assert not reading.kept_aside


def test_people_of_a_sheet_with_other_columns_are_asked_about():
    further = [[*row, "x"] for row in FURTHER]
    further[0][2] = "Notes"
    tabs = [Tab("Members", PEOPLE), Tab("Guests", further)]
    assert len(read(*tabs, what="members").people) == 3
    assert len(read(*tabs, what="members", answers={"0-sheet2": "read"}).people) == 4
