"""Days without a year: that of their season, of their weekday, of the days beside them; else it is asked."""

from datetime import date

import pytest

from clubs.bring_in import child, values
from clubs.bring_in import open as lists
from clubs.bring_in.reading import Context
from clubs.bring_in.workbook import Cell
from tests.clubs.bring_in.workbooks import Tab, xlsx


def days(when, head="", what="fixtures", **more):
    text = (
        head + "Date\tHome\tAway\tScore\n" + "".join(f"{day}\tLund {at}\tOkafor\t2:1\n" for at, day in enumerate(when))
    )
    reading = lists.read(child.read_text(text), what, Context(today=date(2026, 11, 27), **more))
    return [str(match.day) for match in reading.matches], [question.kind for question in reading.questions]


@pytest.mark.parametrize(
    "written", ["7 Sep", "7.9.", "7.9", "7/9", "Mo 7.9.", "Mon 7 Sep", "Monday, September 7", "7. Sept."]
)
def test_a_day_is_read_as_people_write_it(written):
    assert days([written, "28/9"], "2026/27\n") == (["2026-09-07", "2026-09-28"], [])


def test_the_name_of_the_season_tells_both_years():
    assert days(["7 Sep", "5 Jan", "2 Mar"], "Season 2024/25\n", "results")[0] == [
        "2024-09-07",
        "2025-01-05",
        "2025-03-02",
    ]
    assert days(["5 Jan", "2 Mar"], "Season 2024/25\n")[0] == ["2025-01-05", "2025-03-02"]


def test_the_first_day_of_the_season_tells_the_year():
    assert days(["7 Sep", "5 Jan"], first_day=date(2025, 9, 1)) == (["2025-09-07", "2026-01-05"], [])


def test_weekdays_tell_the_year():
    assert days(["Sa 7.9.", "Sa 14.9.", "Sa 4.1."]) == (["2024-09-07", "2024-09-14", "2025-01-04"], [])


def test_days_with_a_year_tell_that_of_the_others():
    assert days(["7.9.", "3.1.2025", "10.1."]) == (["2024-09-07", "2025-01-03", "2025-01-10"], [])


def test_what_nothing_tells_is_asked_once():
    assert days(["7 Sep", "5 Jan", "2 Mar"]) == (["2026-09-07", "2027-01-05", "2027-03-02"], ["year"])
    assert days(["7 Sep", "5 Jan", "2 Mar"], what="results") == (["2025-09-07", "2026-01-05", "2026-03-02"], ["year"])
    assert days(["7 Sep", "5 Jan"], answers={"2-year": "2025"})[0] == ["2025-09-07", "2026-01-05"]


def test_slashes_that_can_be_two_days_are_asked_as_before():
    assert days(["3/4", "10/4"], "2026\n") == (["2026-04-03", "2026-04-10"], ["date", "date"])


@pytest.mark.parametrize(
    ("written", "first"),
    [("14–20 October 2026", (10, 14)), ("7.-13.9.2026", (9, 7)), ("28.9.–4.10.2026", (9, 28)), ("2.5-3.5", None)],
)
def test_of_several_days_the_first_counts(written, first):
    day = values.day_in_any_year(Cell(written)).day
    assert (day and (day.month, day.day)) == first


def halves(head="", **more):
    sheets = {"Autumn": ("7 Sep", "14 Sep"), "Winter": ("7 Dec", "14 Dec"), "Spring": ("7 Mar", "14 Mar")}
    tabs = [
        Tab(name, [["Date", "Home", "Away", "Score"], [first, "Hale", "Bell", "3-1"], [second, "Ray", "Doe", "2-2"]])
        for name, (first, second) in sheets.items()
    ]
    tabs[0].rows[:0] = [[head]] if head else []
    book = child.read_file(xlsx(*tabs))
    return lists.read(book, "results", Context(today=date(2026, 11, 27), **more))


def test_the_year_of_several_sheets_is_asked_once_and_is_that_of_all():
    reading = halves()
    assert [(q.key, q.guess) for q in reading.questions if q.kind == "year"] == [("2-year", "2025")]
    assert [match.day.year for match in reading.matches] == [2025, 2025, 2025, 2025, 2026, 2026]
    reading = halves(answers={"2-year": "2024"})
    assert [match.day.year for match in reading.matches] == [2024, 2024, 2024, 2024, 2025, 2025]


@pytest.mark.parametrize("head", ["Results from 2024", "Season 2024/25"])
def test_a_year_above_the_first_list_is_that_of_all_sheets(head):
    reading = halves(head)
    assert "year" not in {question.kind for question in reading.questions}
    assert [match.day.year for match in reading.matches] == [2024, 2024, 2024, 2024, 2025, 2025]


def test_a_day_with_its_year_just_before_the_others_begins_their_season():
    assert days(["8 September 2026", "15 Sept", "22 Sept"], what="results")[0] == [
        "2026-09-08", "2026-09-15", "2026-09-22",
    ]  # fmt: skip
