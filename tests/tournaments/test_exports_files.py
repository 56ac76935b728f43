"""Events as files: CSV and JSON, access, and caching."""

import csv
import io
import json
from datetime import UTC, datetime
from fractions import Fraction

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from tests.makers import make_club, make_member
from tests.tournaments import driving
from tests.tries import tries
from tournaments.exports import tabular
from tournaments.models import Entry, Pairing, Tournament
from tournaments.plan import standard
from web import csv_cells

FILES = (
    *("event.json", "entries.csv", "results.csv", "schedule.csv", "schedule.pdf", "1/standings.csv", "1/standings.pdf"),
    *("calendar.ics", "entries/1/calendar.ics", "feed.atom", "preview.png"),
)
HOSTILE = (
    "=SUM(A1:A9)",
    "+1",
    "-2+3",
    "@cmd",
    "\tx",
    "\r\nInjected: 1",
    'a "quoted", name',
    "مريم \u202eevil",
    "🃏 Ann",
    "W" * 40,
)


def paths(event, files=FILES):
    return [f"/events/{event.slug}/{file}" for file in files]


def rows_of(client, event, file, **query):
    answer = client.get(paths(event, [file])[0], query)
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(answer.content.decode(), newline="")))


def rename(event, names=HOSTILE):
    rows = list(Entry.objects.filter(tournament=event)[: len(names)])
    for entry, name in zip(rows, names, strict=False):
        entry.name = name
    Entry.objects.bulk_update(rows, ["name"])
    cache.clear()


@pytest.mark.slow
@pytest.mark.parametrize(("format", "entries", "choices"), driving.FORMATS)
def test_every_file_of_every_format_is_there_from_the_start_to_the_end(
    new_event, olga, client, format, entries, choices
):
    event = new_event(format, entries, started=True, **choices)
    rename(event)
    has_bracket = format in ("single_elimination", "double_elimination", "pod_knockout")
    small = [file for file in FILES if not file.endswith((".pdf", ".png"))]
    for files, play in ((small, driving.play_round), (FILES, driving.play_out), (small, driving.play_round)):
        for path in paths(event, files):
            assert client.get(path).status_code == 200, path
        play(event, olga, driving.by_lot)
    assert client.get(paths(event, ["1/bracket.pdf"])[0]).status_code == (200 if has_bracket else 404)
    has_crosstable = not has_bracket and format not in ("ladder", "arena")
    for path in paths(event, ["1/crosstable.pdf", "1/crosstable/"]):
        assert client.get(path).status_code == (200 if has_crosstable else 404)


def test_an_event_that_is_to_come_has_all_its_files(new_event, client):
    plans = [standard("groups", groups=2), standard("single_elimination", take=4, take_each=2)]
    event = new_event("groups", 8, plans=plans)
    for path in paths(event, (*FILES, "1/crosstable.pdf", "2/standings.csv", "2/standings.pdf", "2/bracket.pdf")):
        assert client.get(path).status_code == 200, path


def test_what_is_not_there_is_not_found_and_nothing_can_be_sent(new_event, client):
    event = new_event("swiss", 4, started=True)
    for file in ("9/standings.csv", "9/standings.pdf", "9/bracket.pdf", "1/bracket.pdf", "entries/99/calendar.ics"):
        assert client.get(paths(event, [file])[0]).status_code == 404, file
    for path in paths(event):
        assert client.post(path).status_code == 405, path


@pytest.mark.slow
def test_files_are_for_those_who_may_read_the_pages(new_event, client, olga, person):
    draft = new_event("swiss", 4, status="draft")
    club = make_club("Lakeside")
    closed = new_event("swiss", 4, started=True, circle=f"club:{club.pk}", visibility="circle")
    member, eve = person("Mia"), person("Eve")
    make_member(club, member)
    expected = {None: (404, 404), eve: (404, 404), member: (404, 200), olga: (200, 200)}
    for user, (of_draft, of_club) in expected.items():
        browser = Client()
        if user is not None:
            browser.force_login(user)
        assert {browser.get(path).status_code for path in paths(draft)} == {of_draft}, user
        assert {browser.get(path).status_code for path in paths(closed)} == {of_club}, user


# CSV


def test_cells_that_a_spreadsheet_would_calculate_get_an_apostrophe(new_event, client):
    event = new_event("swiss", 10)
    rename(event)
    read = [row["entry"] for row in rows_of(client, event, "entries.csv")]
    guarded = ["'=SUM(A1:A9)", "'+1", "'-2+3", "'@cmd", "'\tx", "'\r\nInjected: 1"]
    assert read == [*guarded, 'a "quoted", name', "مريم \u202eevil", "🃏 Ann", "W" * 40]


@given(names=st.lists(st.text(max_size=20), min_size=1, max_size=6))
@tries(60)
def test_any_text_is_read_back_and_none_is_a_formula(names):
    content = tabular.write(
        Tournament(time_zone="UTC"), ["name", "points"], [[name, -5] for name in names if "\0" not in name]
    )
    lines = list(csv.reader(io.StringIO(content.decode("utf-8"), newline="")))
    assert [csv_cells.unguard(line[0]) for line in lines[1:]] == [name for name in names if "\0" not in name]
    assert all(not line[0].startswith(tuple(csv_cells.FORMULA)) for line in lines[1:])
    assert all(line[1] == "-5" for line in lines[1:])
    assert content.count(b"\r\n") >= len(lines)


def test_text_that_cannot_be_written_does_not_break_a_table():
    with pytest.raises(UnicodeEncodeError):
        tabular.write(Tournament(time_zone="UTC"), ["name"], [["\ud800"]])


@pytest.mark.parametrize(
    ("number", "words"),
    [("7", "7"), ("13/2", "6.5"), ("-1/4", "-0.25"), ("1/3", "0.333333"), ("0", "0"), ("100", "100")],
)
def test_figures_are_as_spreadsheets_read_them(number, words):
    assert tabular.figure(Fraction(number)) == words


def test_the_mark_of_utf8_is_put_in_front_where_it_is_asked_for(new_event, client):
    event = new_event("swiss", 4)
    path = paths(event, ["entries.csv"])[0]
    plain, marked = client.get(path).content, client.get(path, {"bom": "1"}).content
    assert marked == b"\xef\xbb\xbf" + plain
    assert client.get(path)["Content-Disposition"] == f'attachment; filename="{event.slug}-entries.csv"'
    assert client.get(path)["Content-Type"] == "text/csv; charset=utf-8; header=present"


def test_standings_have_every_tie_break(new_event, olga, client):
    event = new_event("swiss", 4, started=True, rounds=2, tiebreaks=["buchholz", "wins", "spread"])
    driving.play_out(event, olga)
    rows = rows_of(client, event, "1/standings.csv")
    assert list(rows[0]) == [
        *("group", "place", "number", "entry", "status", "played", "won", "drawn", "lost", "points"),
        *("buchholz", "wins", "spread", "best_place", "worst_place", "decided_by"),
    ]
    assert [(row["place"], row["entry"], row["points"], row["wins"]) for row in rows] == [
        ("1", "Player 1", "4", "2"),
        ("2", "Player 2", "2", "1"),
        ("3", "Player 3", "2", "1"),
        ("4", "Player 4", "0", "0"),
    ]


def test_standings_of_a_knockout_are_places(new_event, olga, client):
    event = new_event("single_elimination", 4, started=True)
    driving.play_round(event, olga)
    rows = rows_of(client, event, "1/standings.csv")
    assert [(row["place"], row["number"], row["best_place"], row["worst_place"]) for row in rows] == [
        ("", "1", "1", "2"),
        ("", "2", "1", "2"),
        ("3", "3", "3", "3"),
        ("3", "4", "3", "3"),
    ]


def test_results_have_a_line_for_each_entry(new_event, olga, client):
    event = new_event("single_elimination", 2, started=True, time_zone="America/Toronto")
    driving.decide(driving.open_pairings(event)[0], olga)
    Pairing.objects.update(done_at=datetime(2026, 7, 4, 12, tzinfo=UTC))
    rows = rows_of(client, event, "results.csv")
    assert [(row["match"], row["entry"], row["card_points"], row["place"], row["finished_at"]) for row in rows] == [
        ("WB1.1", "Player 1", "4990", "1", "2026-07-04T08:00:00-04:00"),
        ("WB1.1", "Player 2", "4980", "2", "2026-07-04T08:00:00-04:00"),
    ]


def test_the_schedule_has_a_column_for_each_side(new_event, client):
    event = new_event("swiss_pods", 8, started=True, rounds=2)
    rows = rows_of(client, event, "schedule.csv")
    assert [name for name in rows[0] if name.startswith("side")] == ["side_1", "side_2", "side_3", "side_4"]
    assert sorted(row[f"side_{at}"] for row in rows for at in range(1, 5)) == [f"Player {at}" for at in range(1, 9)]


# JSON


def test_the_whole_event_as_json(new_event, olga, client, settings):
    settings.SITE_URL = "https://foothold.example"
    event = new_event("single_elimination", 2, started=True, starts_at=datetime(2026, 7, 4, 12, tzinfo=UTC))
    driving.decide(driving.open_pairings(event)[0], olga)
    data = json.loads(client.get(paths(event, ["event.json"])[0]).content)
    assert (data["format"], data["version"]) == ("foothold.event", 1)
    assert list(data) == ["format", "version", "event", "entries", "stages", "champions", "outcome"]
    assert (data["champions"], data["outcome"]) == ([1], "")
    assert data["event"]["url"] == f"https://foothold.example/events/{event.slug}/"
    assert data["event"]["starts_at"] == "2026-07-04T12:00:00Z"
    assert data["event"]["rules"] == event.rules_json
    assert [(line["number"], line["name"], [each["name"] for each in line["members"]]) for line in data["entries"]] == [
        (1, "Player 1", ["Player 1"]),
        (2, "Player 2", ["Player 2"]),
    ]
    (stage,) = data["stages"]
    assert stage["plan"]["format"] == "single_elimination"
    (table,) = stage["rounds"][0]["tables"]
    assert [(place["entry"], place["score"], place["rank"]) for place in table["places"]] == [
        (1, 4990, 1),
        (2, 4980, 2),
    ]
    assert [(line["entry"], line["score"]) for line in table["result"]["lines"]] == [(1, 4990), (2, 4980)]
    assert stage["standings"] == [
        {"entry": 1, "best": 1, "worst": 1, "by": ""},
        {"entry": 2, "best": 2, "worst": 2, "by": ""},
    ]


def test_json_tells_nothing_that_pages_do_not(new_event, olga, client):
    event = new_event("swiss", 4)
    member = event.entries.first().members.first()
    member.email = "secret@example.org"
    member.save()
    text = client.get(paths(event, ["event.json"])[0]).content.decode()
    assert json.loads(text)["event"]["lots"] is None
    assert "secret@example.org" not in text
    assert member.token not in text
    from tournaments.services.events import lifecycle

    lifecycle.start(event.pk, olga, anyway=True)
    after = client.get(paths(event, ["event.json"])[0]).content.decode()
    assert json.loads(after)["event"]["lots"] == "1234"
    assert not any(pairing.token in after for pairing in Pairing.objects.all())


# What is sent again


def test_files_that_the_reader_has_are_not_sent_again(new_event, olga, client):
    event = new_event("swiss", 4, started=True)
    for path in paths(event):
        tag = client.get(path)["ETag"]
        second = client.get(path, headers={"If-None-Match": tag})
        assert (second.status_code, second.content) == (304, b""), path
        assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200, path
    path = paths(event, ["results.csv"])[0]
    tag, before = client.get(path)["ETag"], client.get(path).content
    driving.play_round(event, olga)
    answer = client.get(path, headers={"If-None-Match": tag})
    assert (answer.status_code, answer["ETag"] == tag, answer.content == before) == (200, False, False)


def test_members_keep_nothing_in_their_browsers(new_event, client, olga):
    event = new_event("swiss", 4, started=True)
    client.force_login(olga)
    for path in paths(event):
        answer = client.get(path)
        assert "no-store" in answer["Cache-Control"], path
        assert "ETag" not in answer, path


def queries(client, path):
    cache.clear()
    with CaptureQueriesContext(connection) as context:
        assert client.get(path).status_code == 200
    return len(context)


@pytest.mark.slow
@pytest.mark.parametrize(("format", "small", "large"), [("swiss", 4, 16), ("double_elimination", 4, 16)])
def test_the_number_of_queries_does_not_depend_on_entries_or_rounds(new_event, olga, client, format, small, large):
    choices = {"rounds": 3} if format == "swiss" else {}
    first, second = new_event(format, small, started=True, **choices), new_event(format, large, started=True, **choices)
    driving.play_round(first, olga)
    for _ in range(2):
        driving.play_round(second, olga)
    files = (*FILES, "1/bracket.pdf") if format == "double_elimination" else FILES
    for a, b in zip(paths(first, files), paths(second, files), strict=True):
        assert queries(client, a) == queries(client, b) <= 16, a


def test_what_is_kept_takes_one_query_or_two(new_event, client, django_assert_max_num_queries):
    event = new_event("swiss", 8, started=True)
    for path in paths(event):
        client.get(path)
        with django_assert_max_num_queries(2):  # the event, and its stages or the entry where one is named
            client.get(path)
