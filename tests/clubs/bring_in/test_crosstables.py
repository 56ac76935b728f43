"""Crosstables of real shapes are read as their matches; no cell is lost."""

from datetime import date

import pytest

from clubs.bring_in import child, files
from clubs.bring_in import open as lists
from clubs.bring_in.reading import Context
from tests.clubs.bring_in.workbooks import Tab, xlsx

SIDES = ["Lund / Arai", "Okafor / Bell", "Doyle / Brandt"]
MIRRORED = """\
Harbour League 2024/25;;;;
Pair;Lund / Arai;Okafor / Bell;Doyle / Brandt;Pts
Lund / Arai;x;8720:7940;6310:7000;2
Okafor / Bell;7940:8720;x;w/o;0
Doyle / Brandt;7000:6310;;x;4
TOTAL;;;;6
"""
NUMBERED = "No,Pair,1,2,3,Total\n1,Lund / Arai,***,3,1,4\n2,Okafor / Bell,1,***,2,3\n3,Doyle / Brandt,3,2,***,5\n"
TWICE = "\tLund\tOkafor\tDoyle\nLund\t\t2:0\t1:1\nOkafor\t3:1\t\t0:2\nDoyle\t4:0\t\t\n"


DAYS = """\
Home,Lund / Arai,Okafor / Bell,Doyle / Brandt
Lund / Arai,,7.9.2026,14.9.2026
Okafor / Bell,28.9.2026,,5.10.2026
Doyle / Brandt,19.10.2026,26.10.2026,
"""


def read(text, what="results"):
    return lists.read(child.read_text(text), what, Context())


def sides_and_scores(reading):
    return [(match.home, match.away, match.home_score, match.away_score) for match in reading.matches]


def test_scores_that_are_mirrored_are_one_match_and_totals_are_set_aside():
    reading = read(MIRRORED)
    lund, okafor, doyle = SIDES
    assert sides_and_scores(reading) == [
        (lund, okafor, 8720, 7940),
        (lund, doyle, 6310, 7000),
        (okafor, doyle, None, None),
    ]
    assert reading.matches[2].walkover == "away"
    assert [(question.row, question.kind) for question in reading.questions] == [(4, "walkover")]
    assert {match.season for match in reading.matches} == {"2024/25"}
    aside = {(aside_row.row, aside_row.cells) for aside_row in reading.kept_aside}
    assert {(3, ("2",)), (4, ("0",)), (5, ("4",)), (6, ("TOTAL", "6"))} <= aside
    assert [column.holds for column in reading.layout.columns] == ["home", "cross", "cross", "cross", "leave_out"]


def test_columns_with_the_numbers_of_the_sides_have_one_score_each():
    lund, okafor, doyle = SIDES
    assert sides_and_scores(read(NUMBERED)) == [(lund, okafor, 3, 1), (lund, doyle, 1, 3), (okafor, doyle, 2, 2)]


def test_home_and_away_are_two_matches():
    assert sides_and_scores(read(TWICE)) == [
        ("Lund", "Okafor", 2, 0),
        ("Lund", "Doyle", 1, 1),
        ("Okafor", "Lund", 3, 1),
        ("Okafor", "Doyle", 0, 2),
        ("Doyle", "Lund", 4, 0),
    ]


@pytest.mark.parametrize("text", [MIRRORED, NUMBERED, TWICE])
def test_every_cell_is_used_or_listed(text):
    reading = read(text)
    aside = {(aside_row.row, cell) for aside_row in reading.kept_aside for cell in aside_row.cells}
    for row, cells in enumerate(reading.sheet.rows, 1):
        for column, cell in enumerate(cells):
            in_grid = reading.layout.columns[column].holds in ("home", "cross") and row > reading.layout.heading
            is_title = row == reading.layout.heading + 1
            assert not cell or in_grid or is_title or (row, cell.text) in aside, (row, column, cell)


def test_days_in_the_cells_are_fixtures():
    reading = read(
        "Pair\tLund\tOkafor\tDoyle\nLund\t\t3 Sep 2026\t1\nOkafor\t\t\t10 Sep 2026\nDoyle\t2\t\t\n", "fixtures"
    )
    assert [(match.home, match.away, str(match.day)) for match in reading.matches if match.day] == [
        ("Lund", "Okafor", "2026-09-03"),
        ("Okafor", "Doyle", "2026-09-10"),
    ]


def test_a_list_of_matches_is_no_crosstable():
    text = "Date,Home,Away,Score\n2026-03-01,Lund,Okafor,2:0\n2026-03-08,Okafor,Doyle,1:1\n2026-03-15,Doyle,Lund,0:2\n"
    assert [column.holds for column in read(text).layout.columns] == ["date", "home", "away", "score"]


def test_a_grid_of_days_has_a_fixture_in_each_cell():
    fixtures = [(match.home, match.away, f"{match.day:%d.%m.}") for match in read(DAYS, "fixtures").matches]
    lund, okafor, doyle = SIDES
    assert fixtures == [
        (lund, okafor, "07.09."),
        (lund, doyle, "14.09."),
        (okafor, lund, "28.09."),
        (okafor, doyle, "05.10."),
        (doyle, lund, "19.10."),
        (doyle, okafor, "26.10."),
    ]


def test_the_same_day_in_both_cells_is_one_fixture():
    both = DAYS.replace("28.9.", "7.9.").replace("19.10.", "14.9.").replace("26.10.", "5.10.")
    assert [str(match.day) for match in read(both, "fixtures").matches] == ["2026-09-07", "2026-09-14", "2026-10-05"]


def grid(*rows, head=""):
    names = ["Lund", "Okafor", "Doyle", "Vik"][: len(rows)]
    lines = [["", *names], *([name, *row] for name, row in zip(names, rows, strict=True))]
    return head + "\n".join("\t".join(cells) for cells in lines) + "\n"


def test_a_walkover_in_both_cells_is_one_match():
    reading = read(grid(["x", "w/o", "2:0"], ["w/o", "x", "3:1"], ["0:2", "1:3", "x"]))
    assert [(match.home, match.away, match.walkover) for match in reading.matches] == [
        ("Lund", "Okafor", "away"),
        ("Lund", "Doyle", ""),
        ("Okafor", "Doyle", ""),
    ]
    assert [question.kind for question in reading.questions] == ["walkover"]


CONTRADICTING = grid(["x", "2:0", "1:1"], ["0:2", "x", "3:1"], ["1:1", "2:3", "x"])


@pytest.mark.parametrize(("answer", "scores"), [("one", [(3, 1)]), ("back", [(3, 2)]), ("two", [(3, 1), (2, 3)])])
def test_scores_that_contradict_each_other_are_one_match_and_a_question(answer, scores):
    context = Context(answers={"4-mirror": answer})
    reading = lists.read(child.read_text(CONTRADICTING), "results", context)
    assert [question.kind for question in reading.questions] == ["mirror"]
    assert [(match.home_score, match.away_score) for match in reading.matches[2:]] == scores


def test_half_a_crosstable_has_each_match_once():
    reading = read(grid(["x", "2:0", "1:1"], ["", "x", "3:1"], ["", "–", "x"]))
    assert (len(reading.matches), reading.questions) == (3, [])


def test_a_line_of_the_numbers_of_sides_is_not_part_of_their_names():
    text = "\tLund\tOkafor\tDoyle\n1. Lund\tx\t2:0\t1:1\n2. Okafor\t0:2\tx\t3:1\n3. Doyle\t1:1\t1:3\tx\n"
    assert {match.home for match in read(text).matches} == {"Lund", "Okafor"}


def test_initials_over_the_columns_stand_for_the_sides_in_their_order():
    text = "Pair\tA\tB\tC\nLund\tx\t2:0\t1:1\nOkafor\t0:2\tx\t3:1\nDoyle\t1:1\t1:3\tx\n"
    assert sides_and_scores(read(text)) == [
        ("Lund", "Okafor", 2, 0),
        ("Lund", "Doyle", 1, 1),
        ("Okafor", "Doyle", 3, 1),
    ]


def test_half_points_and_long_dashes_are_scores_and_a_note_below_is_kept():
    text = grid(["■", "1½–½", "0 — 2"], ["½–1½", "■", "1,5:0,5"], ["2–0", "0,5:1,5", "■"]) + "* after a replay\n"
    reading = read(text)
    assert [match.home_score for match in reading.matches] == [1.5, 0, 1.5]
    assert [entry.cells for entry in reading.kept_aside] == [("* after a replay",)]


def test_a_side_that_is_a_bye_has_no_match():
    text = "\tLund\tOkafor\tBYE\nLund\tx\t2:0\t1:1\nOkafor\t0:2\tx\t3:1\nBYE\t1:1\t1:3\tx\n"
    assert sides_and_scores(read(text)) == [("Lund", "Okafor", 2, 0)]


def test_scores_that_a_spreadsheet_has_turned_into_times_and_dates():
    rows = [
        ["", "A", "B", "C"],
        ["Arai", "x", "3-1", date(2026, 1, 3)],
        ["Bell", "", "x", "2-2"],
        ["Cole", "", "", "x"],
    ]
    reading = lists.read(files.read(xlsx(Tab("Grid", rows))), "results", Context())
    assert sides_and_scores(reading)[1] == ("Arai", "Cole", 3, 1)
    assert [(question.row, question.kind) for question in reading.questions] == [(2, "score")]


@pytest.mark.parametrize(("back", "count"), [(date(2026, 3, 1), 1), ("1-3", 0)])
def test_a_score_that_became_a_date_is_asked_once_unless_the_other_cell_says_it(back, count):
    rows = [["", "Lund", "Okafor", "Doyle"], ["Lund", "x", date(2026, 1, 3), "2-0"], ["Okafor", back, "x", "1-2"]]
    reading = lists.read(files.read(xlsx(Tab("", [*rows, ["Doyle", "0-2", "2-1", "x"]]))), "results", Context())
    assert sides_and_scores(reading)[0] == ("Lund", "Okafor", 3, 1)
    assert [question.kind for question in reading.questions] == ["score"] * count


def test_two_dates_that_cannot_be_one_score_are_asked_about():
    rows = [
        ["", "Lund", "Okafor", "Doyle"],
        ["Lund", "x", date(2026, 1, 3), "2-0"],
        ["Okafor", date(2026, 2, 5), "x", "1-2"],
    ]
    reading = lists.read(files.read(xlsx(Tab("", [*rows, ["Doyle", "0-2", "2-1", "x"]]))), "results", Context())
    assert [question.kind for question in reading.questions] == ["score", "mirror"]
