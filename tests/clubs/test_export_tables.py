"""Tables of a club for spreadsheets: quoted, marked, and never a formula; and read back as they were."""

import csv
import io
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from clubs.exports.tables import write
from clubs.imports.tables import read_table

ZONE = ZoneInfo("Europe/Amsterdam")


def cells(*line):
    data = write(ZONE, ["a"], [line])
    return next(iter(list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))[1:]))


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_text_that_begins_like_a_formula_stays_text(sign):
    assert cells(f"{sign}1+1", "plain") == [f"'{sign}1+1", "plain"]


def test_figures_and_times_stay_what_they_are():
    at = datetime(2026, 7, 1, 10, 30, tzinfo=UTC)
    assert cells(-5, True, None, date(2026, 7, 1), at) == ["-5", "yes", "", "2026-07-01", "2026-07-01T12:30+02:00"]


def test_quotes_and_lines():
    data = write(ZONE, ["a", "b"], [['say "hello"', "two\r\nlines"], ["semi;colon", "com,ma"]])
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.count(b"\r\n") == 4
    assert b'"say ""hello""","two\r\nlines"' in data


@pytest.mark.parametrize(
    "text", ["=Ann", "+31 20", "-Zoë", "@home", "＝Ann", "＋31", "－Zoë", "＠home", "O'Neil", "'tis"]
)
def test_what_is_written_is_read_back(text):
    data = write(ZONE, ["name", "x"], [[text, "y"]])
    assert read_table(data).rows[1].cells == (text, "y")
