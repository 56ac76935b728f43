"""Grids of fixtures: their cells are days with or without a year, times, or the numbers of matchdays."""

from datetime import date

import pytest

from clubs.bring_in import files
from clubs.bring_in import open as lists
from clubs.bring_in.reading import Context
from tests.clubs.bring_in.workbooks import Tab, xlsx

TODAY = date(2026, 11, 27)
SIDES = ["Lund", "Okafor", "Doyle", "Vik"]
DOUBLE = [["x", 1, 2, 3], [4, "x", 3, 2], [5, 6, "x", 1], [6, 5, 4, "x"]]
SINGLE = [["x", 1, 2, 3], [1, "x", 3, 2], [2, 3, "x", 1], [3, 2, 1, "x"]]
DAYS = [
    ["x", "15.10", "12.11.", "4.3"],
    ["7.1", "x", "14.1", "15.10"],
    ["21.1.", "28.1", "x", "12.11"],
    ["14.1", "18.3", "3.12", "x"],
]


def rows_of(cells, name=""):
    return [
        *([[name]] if name else []),
        ["Home", *SIDES],
        *([side, *row] for side, row in zip(SIDES, cells, strict=True)),
    ]


def as_csv(rows):
    return "\n".join(";".join("" if cell is None else str(cell) for cell in row) for row in rows).encode()


def as_xlsx(rows):
    return xlsx(Tab("Plan", rows))


def read(data, what="fixtures", **more):
    return lists.read(files.read(data), what, Context(today=TODAY, **more))


def days(reading):
    return {(match.home, match.away): match.day and match.day.isoformat() for match in reading.matches}


@pytest.mark.parametrize("written", [as_csv, as_xlsx])
def test_days_without_a_year_are_those_of_the_season(written):
    reading = read(written(rows_of(DAYS, "Harbour League 2026/27")))
    assert len(reading.matches) == 12
    assert not reading.questions
    assert days(reading)["Lund", "Okafor"] == "2026-10-15"
    assert days(reading)["Okafor", "Lund"] == "2027-01-07"
    assert days(reading)["Lund", "Vik"] == "2027-03-04"
    assert all(match.home_score is None for match in reading.matches)


def test_days_are_no_results_of_a_season():
    reading = read(as_csv(rows_of(DAYS)), "results")
    assert not reading.matches
    assert [entry.why for entry in reading.kept_aside] == ["No result yet."] * 4


@pytest.mark.parametrize("written", [as_csv, as_xlsx])
@pytest.mark.parametrize(("cells", "count"), [(DOUBLE, 12), (SINGLE, 6)])
def test_numbers_that_plan_every_side_once_are_matchdays(written, cells, count):
    reading = read(written(rows_of(cells)))
    assert len(reading.matches) == count
    assert not reading.questions
    for number in {match.matchday for match in reading.matches}:
        playing = [side for match in reading.matches if match.matchday == number for side in (match.home, match.away)]
        assert sorted(playing) == sorted(SIDES)


def test_matchdays_are_no_results():
    assert not read(as_csv(rows_of(DOUBLE)), "results").matches


def test_numbers_that_are_no_plan_are_asked_about():
    cells = [["x", 1, 1, 3], [4, "x", 3, 2], [5, 6, "x", 1], [6, 5, 4, "x"]]
    assert [question.kind for question in read(as_csv(rows_of(cells))).questions] == ["numbers"]


def test_a_day_that_a_spreadsheet_has_shortened_is_the_one_of_the_usual_weekday():
    cells = [["x", 15.1, 12.11, 26.11], [3.12, "x", 19.11, 12.11], [22.1, 29.1, "x", 15.1], [5.11, 5.11, 10.12, "x"]]
    reading = read(as_xlsx(rows_of(cells, "2026/27")))
    assert days(reading)["Lund", "Okafor"] == "2026-10-15"
    assert days(reading)["Doyle", "Lund"] == "2026-10-22"


def test_a_shortened_day_that_may_be_two_is_asked_about_once():
    cells = [["x", 15.1, 12.11, 28.11], [3.12, "x", 20.11, 12.11], [23.12, 29.11, "x", 15.1], [5.11, 6.11, 9.12, "x"]]
    reading = read(as_xlsx(rows_of(cells, "2026/27")))
    assert [(question.kind, question.guess) for question in reading.questions] == [("date", "2026-10-15")]


def test_times_and_matchdays_in_the_cells_are_read():
    cells = [
        ["x", "7 Sep 19:30", "7.9. 19.30 Uhr", "Sa 12.9."],
        ["", "x", "MD 3, 17/9", "Thu 17 Sep"],
        ["", "", "x", "Week 4"],
        ["", "", "", "x"],
    ]
    reading = read(as_csv(rows_of(cells, "2026/27")))
    assert [(str(match.day), match.clock, match.matchday) for match in reading.matches] == [
        ("2026-09-07", "19:30", None),
        ("2026-09-07", "19:30", None),
        ("2026-09-12", "", None),
        ("2026-09-17", "", 3),
        ("2026-09-17", "", None),
        ("None", "", 4),
    ]


def test_a_postponed_fixture_stays_with_its_remark():
    cells = [["x", "7.9.", "postponed", "tbc"], ["", "x", "14.9.", ""], ["", "", "x", ""], ["", "", "", "x"]]
    reading = read(as_csv(rows_of(cells, "2026")))
    assert [(match.away, match.day and match.day.day, match.note) for match in reading.matches] == [
        ("Okafor", 7, ""),
        ("Doyle", None, "postponed"),
        ("Vik", None, "tbc"),
        ("Doyle", 14, ""),
    ]


def test_what_stands_behind_the_day_is_the_place():
    cells = [["x", "7.9. 19:30 Hall 2", "14.9.", ""], ["", "x", "21.9.", ""], ["", "", "x", ""], ["", "", "", "x"]]
    match = read(as_csv(rows_of(cells, "2026"))).matches[0]
    assert (str(match.day), match.clock, match.venue) == ("2026-09-07", "19:30", "Hall 2")


def test_a_time_on_a_line_of_fixtures_is_no_score():
    matches = read(b"7.9.2026 Lund v Okafor 19:30\n7.9.2026 Doyle v Vik 20.15 Uhr\n").matches
    assert [(match.away, match.clock, match.home_score) for match in matches] == [
        ("Okafor", "19:30", None),
        ("Vik", "20:15", None),
    ]


def test_a_column_of_weekdays_is_not_that_of_the_days():
    matches = read(b"Day;Date;Home;Away\nMo;7.9.2026;Lund;Okafor\nDi;8.9.2026;Doyle;Vik\n").matches
    assert [match.day.day for match in matches] == [7, 8]


def test_a_time_alone_is_no_score():
    cells = [["x", "19:30", "7.9.", "20.15"], ["14.9.", "x", "21.9.", "19:30"], ["", "", "x", ""], ["", "", "", "x"]]
    reading = read(as_csv(rows_of(cells, "2026/27")))
    assert [(match.home, match.away, match.clock) for match in reading.matches if match.clock] == [
        ("Lund", "Okafor", "19:30"),
        ("Lund", "Vik", "20:15"),
        ("Okafor", "Vik", "19:30"),
    ]
    assert all(match.home_score is None for match in reading.matches)
    assert len(reading.kept_aside) == 1


def test_short_words_for_a_matchday_are_understood():
    cells = [["", "W1", "Wk 2", "MD 3"], ["", "", "md3", "W 2"], ["", "", "", "GW1"], ["", "", "", ""]]
    assert [match.matchday for match in read(as_csv(rows_of(cells))).matches] == [1, 2, 3, 3, 2, 1]


def test_a_free_place_for_scores_is_a_fixture_at_home_and_away():
    cells = [["x", "3:1", "-:-", "-:-"], ["-:-", "x", "-:-", "put off"], ["", "-:-", "x", ""], ["", "put off", "", "x"]]
    reading = read(as_csv(rows_of(cells)))
    assert [(match.home, match.away, match.home_score, match.note) for match in reading.matches] == [
        ("Lund", "Okafor", 3, ""),
        ("Lund", "Doyle", None, ""),
        ("Lund", "Vik", None, ""),
        ("Okafor", "Lund", None, ""),
        ("Okafor", "Doyle", None, ""),
        ("Okafor", "Vik", None, "put off"),
        ("Doyle", "Okafor", None, ""),
        ("Vik", "Okafor", None, "put off"),
    ]
    assert [entry.row for entry in reading.kept_aside] == []


def test_a_free_place_for_scores_in_a_list_is_no_doubt():
    reading = read(b"Datum;Heim;Gast;Erg.\n7.9.2026;Lund;Vik;-:-\n8.9.2026;Vik;Doyle;3:1\n9.9.2026;Lund;Doyle;- : -\n")
    assert [match.home_score for match in reading.matches] == [None, 3, None]
    assert not reading.kept_aside


def test_columns_without_titles_may_be_matchday_and_time():
    matches = read(b"W1;Lund;Okafor;19:30\nW1;Doyle;Vik;20:00\nWk 2;Lund;Vik;19:30\n").matches
    assert [(match.matchday, match.clock, match.home_score) for match in matches] == [
        (1, "19:30", None),
        (1, "20:00", None),
        (2, "19:30", None),
    ]


def test_a_name_with_a_number_is_no_matchday():
    matches = read(b"Home;Away\nWeek 1\nLund;Vik\nFord 3\nLund;Okafor\n").matches
    assert [match.matchday for match in matches] == [1, 1]


OPPONENTS = """\
Team,W1,W2,W3
Lund,Okafor,Doyle,Vik
Okafor,Lund,Vik,Doyle
Doyle,Vik,Lund,Okafor
Vik,Doyle,Okafor,Lund
"""


def by_matchday(reading):
    return [(match.matchday, match.home, match.away) for match in reading.matches]


def test_a_grid_of_opponents_has_each_match_once():
    reading = read(OPPONENTS.encode())
    assert by_matchday(reading) == [
        (1, "Lund", "Okafor"),
        (1, "Doyle", "Vik"),
        (2, "Lund", "Doyle"),
        (2, "Okafor", "Vik"),
        (3, "Lund", "Vik"),
        (3, "Okafor", "Doyle"),
    ]
    assert not reading.questions
    assert not reading.kept_aside


@pytest.mark.parametrize(
    "rows",
    [
        ("Lund,Okafor (H),Doyle (A)", "Okafor,Lund (A),Vik (H)", "Doyle,Vik (A),Lund (H)", "Vik,Doyle (H),Okafor (A)"),
        ("Lund,v Okafor,@ Doyle", "Okafor,@ Lund,v Vik", "Doyle,at Vik,v Lund", "Vik,v Doyle,at Okafor"),
        ("1. Lund,2H,3A", "2. Okafor,1A,4H", "3. Doyle,4A,1H", "4. Vik,3H,2A"),
    ],
)
def test_a_grid_of_opponents_says_who_is_at_home(rows):
    reading = read("\n".join(["Team,7.9.2026,14.9.2026", *rows]).encode())
    assert by_matchday(reading) == [
        (1, "Lund", "Okafor"),
        (1, "Vik", "Doyle"),
        (2, "Doyle", "Lund"),
        (2, "Okafor", "Vik"),
    ]
    assert [match.day.day for match in reading.matches] == [7, 7, 14, 14]


def test_a_grid_of_opponents_that_contradicts_itself_is_asked_about():
    reading = read(OPPONENTS.replace("Okafor,Lund,Vik", "Okafor,Vik,Vik").encode())
    assert [(question.row, question.kind, question.guess) for question in reading.questions] == [
        (2, "mirror", "aside"),
        (3, "mirror", "aside"),
    ]
    assert by_matchday(reading)[0] == (1, "Doyle", "Vik")
    assert [entry.cells for entry in reading.kept_aside] == [("Okafor",), ("Vik",)]
    both_home = read(b"Team,W1,W2\nLund,Vik H,\nVik,Lund H,Doyle H\nDoyle,,Vik A\n")
    assert [question.kind for question in both_home.questions] == ["home"]


def test_places_week_by_week_are_no_opponents():
    assert not read(b"Team,W1,W2,W3\nLund,1,2,1\nOkafor,2,1,3\nDoyle,3,3,2\n").matches


@pytest.mark.parametrize(
    ("upper", "lower"),
    [(["7.9.", "14.9.", "21.9."], ["19:30", "8pm", "19:30"]), (["19:30", "8pm", "19:30"], ["7.9.", "14.9.", "21.9."])],
)
def test_a_half_of_times_belongs_to_the_days_of_the_other_half(upper, lower):
    rows = [["x", *upper[:2]], [lower[0], "x", upper[2]], [lower[1], lower[2], "x"]]
    reading = read(as_csv([["Home", *SIDES[:3]], *([side, *row] for side, row in zip(SIDES, rows, strict=False))]))
    assert [(match.home, match.away, match.day.day, match.clock) for match in reading.matches] == [
        ("Lund", "Okafor", 7, "19:30"),
        ("Lund", "Doyle", 14, "20:00"),
        ("Okafor", "Doyle", 21, "19:30"),
    ]


def test_a_half_of_times_has_no_results():
    rows = b"Home;Lund;Okafor;Doyle\nLund;x;19:30;20:00\nOkafor;3:1;x;19:30\nDoyle;2:2;3:0;x\n"
    assert [(match.home, match.home_score) for match in read(rows, "results").matches] == [
        ("Okafor", 3),
        ("Doyle", 2),
        ("Doyle", 3),
    ]
    nothing_else = read(rows.replace(b"3:1", b"").replace(b"2:2", b"").replace(b"3:0", b""), "results")
    assert [question.kind for question in nothing_else.questions] == ["times"]
    assert not nothing_else.matches
