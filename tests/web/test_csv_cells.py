"""One guard for the cells of every CSV file."""

import re
from pathlib import Path

import pytest

from web import csv_cells

ROOT = Path(__file__).parents[2]
WRITERS = {"clubs/exports/tables.py", "gameplay/score_sheets/files.py", "tournaments/exports/tabular.py"}


@pytest.mark.parametrize("sign", csv_cells.FORMULA)
def test_text_that_a_spreadsheet_would_calculate_is_guarded_and_read_back(sign):
    assert csv_cells.guard(f"{sign}1+1") == f"'{sign}1+1"
    assert csv_cells.unguard(f"'{sign}1+1") == f"{sign}1+1"


@pytest.mark.parametrize("text", ["", "Ann", "1=1", "'tis", " =1", "−3"])
def test_other_text_stays_as_it_is(text):
    assert csv_cells.guard(text) == csv_cells.unguard(text) == text


def test_every_module_that_writes_csv_guards_its_cells():
    apps = ("accounts", "acts", "clubs", "config", "gameplay", "operating", "tournaments", "web")
    texts = {str(path.relative_to(ROOT)): path.read_text() for app in apps for path in (ROOT / app).rglob("*.py")}
    writers = {name for name, text in texts.items() if re.search(r"\bcsv\.(writer|DictWriter)\b", text)}
    assert writers == WRITERS
    assert not [name for name in writers if "csv_cells.guard(" not in texts[name]]
