"""Workbooks of Excel 97 (`files/*.xls`, written once with xlwt), read like those of today."""

from pathlib import Path

import pytest

from clubs.bring_in import child
from clubs.bring_in import open as lists
from clubs.bring_in.reading import Context
from web.errors import Refused

FILES = Path(__file__).parent / "files"


def read(name, what):
    return lists.read(child.read_file((FILES / name).read_bytes()), what, Context())


def test_members_of_an_old_workbook():
    reading = read("members.xls", "members")
    assert (reading.sheet.name, reading.layout.heading) == ("Members", 2)
    assert [(person.name, person.role) for person in reading.people] == [
        ("Tom Averill", ""),
        ("Ann Carter", ""),
        ("Bob Carter", ""),
        ("Zoë Smith", "sub"),
    ]
    assert [(question.row, question.kind) for question in reading.questions] == [
        (5, "two_people"),
        (6, "phone"),
        (7, "total"),
    ]
    assert any(
        aside_row.row == 0 and aside_row.cells == ("Ask Nora about the hall",) for aside_row in reading.kept_aside
    )


def test_results_of_an_old_workbook():
    matches = read("results.xls", "results").matches
    assert [(str(m.day), m.home, m.home_score, m.walkover, m.season) for m in matches] == [
        ("2024-09-03", "Lund / Arai", 8720, "", "2024/25"),
        ("2024-09-10", "Okafor / Bell", None, "away", "2024/25"),
    ]


@pytest.mark.parametrize("name", ["members.xls", "results.xls"])
def test_half_of_such_a_file_is_refused(name):
    with pytest.raises(Refused):
        child.read_file((FILES / name).read_bytes()[:700])
