"""Files of every door, pages and API alike, when everything is called something that a spreadsheet or a calendar obeys."""

import csv
import io
import re

import icalendar
import pytest

from tests.security.site_map import body_of, paths

pytestmark = pytest.mark.django_db

TEXT = "=1+1\r\nDTSTART:19700101T000000Z\nATTENDEE:mailto:x@example.org 👩‍👩‍👧🃏" * 2
NUMBER = re.compile(r"[-−+]?[\d.,]+")


FILE = re.compile(r"\.(csv|ics)$|csv|calendar|files?/")


def files(site):
    """(whose browser, path, answer) for every address that gives a file, by its name or its path."""
    for name, path in paths(site, site.playing):
        if FILE.search(path) or FILE.search(name):
            for reader in ("Ann", ""):
                yield reader, path, site.clients[reader].get(path)


@pytest.mark.parametrize("way", ["../", "..%2f", "%2e%2e/", "..%5c", "....//", "%252e%252e%252f", "/"])
def test_no_path_leads_out_of_the_static_files(client, way):
    served = client.get("/static/css/site.css")
    assert (served.status_code, served["Content-Type"]) == (200, 'text/css; charset="utf-8"')
    for beside in ("config/settings.py", "manage.py", "data/secret_key", "etc/passwd"):
        for depth in (1, 2, 6):
            assert client.get(f"/static/css/{way * depth}{beside}").status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("text", [TEXT, '@SUM(1)";+1,\t-1', "\t=1"], ids=["equals", "at", "tab"])
def test_no_file_for_spreadsheets_of_any_door_begins_a_cell_with_a_formula(site, text):
    read = set()
    for _, path, answer in files(site(text)):
        if not answer.get("Content-Type", "").startswith("text/csv") or answer.status_code != 200:
            continue
        content = body_of(answer).decode("utf-8-sig")
        table = list(csv.reader(io.StringIO(content), strict=True))
        assert len({len(row) for row in table if row}) <= 1, f"Rows of {path} are not of one length"
        for cell in (cell for row in table for cell in row):
            assert NUMBER.fullmatch(cell) or not cell.startswith(("=", "+", "-", "@", "\t", "\r")), (path, cell)
        read.add(path)
    assert len(read) >= 9, sorted(read)
    assert any(path.startswith("/api/") for path in read), sorted(read)


@pytest.mark.slow
def test_calendars_of_every_door_hold_their_dates_and_nothing_else(site):
    site, sizes = site(TEXT), {}
    for _ in range(2):
        for reader, path, answer in files(site):
            if not answer.get("Content-Type", "").startswith("text/calendar") or answer.status_code != 200:
                continue
            content = body_of(answer)
            assert all(len(line) <= 75 for line in content.split(b"\r\n")), path
            rest = content.replace(b"\r\n", b"")
            assert b"\n" not in rest, path
            assert b"\r" not in rest, path
            events = icalendar.Calendar.from_ical(content).walk("VEVENT")
            names = [str(event["UID"]) for event in events]
            assert len(set(names)) == len(names), path
            assert all("ATTENDEE" not in event and event["DTSTART"].dt.year > 2000 for event in events), path
            assert all("=1+1" in str(event["SUMMARY"]) for event in events), path
            assert sizes.setdefault((reader, path), names) == names, f"{path}: the same dates have other names"
    assert len(sizes) >= 8, sorted(sizes)
    assert sum(map(len, sizes.values())) > 5
