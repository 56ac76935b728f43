"""Events as files: what stands in CSV and JSON, who may read them, and when they are sent again."""

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
    for row, name in zip(rows, names, strict=False):
        row.name = name
    Entry.objects.bulk_update(rows, ["name"])
    cache.clear()


@pytest.mark.slow
@pytest.mark.parametrize(("format", "entries", "choices"), driving.FORMATS)
def test_every_file_of_every_format_is_there_from_the_start_to_the_end(event, olga, client, format, entries, choices):
    made = event(format, entries, started=True, **choices)
    rename(made)
    has_bracket = format in ("single_elimination", "double_elimination", "pod_knockout")
    small = [file for file in FILES if not file.endswith((".pdf", ".png"))]
    for files, play in ((small, driving.play_round), (FILES, driving.play_out), (small, driving.play_round)):
        for path in paths(made, files):
            assert client.get(path).status_code == 200, path
        play(made, olga, driving.by_lot)
    assert client.get(paths(made, ["1/bracket.pdf"])[0]).status_code == (200 if has_bracket else 404)
    has_crosstable = not has_bracket and format not in ("ladder", "arena")
    for path in paths(made, ["1/crosstable.pdf", "1/crosstable/"]):
        assert client.get(path).status_code == (200 if has_crosstable else 404)


def test_an_event_that_is_to_come_has_all_its_files(event, client):
    made = event("groups", 8, plans=[standard("groups", groups=2), standard("single_elimination", take=4, take_each=2)])
    for path in paths(made, (*FILES, "1/crosstable.pdf", "2/standings.csv", "2/standings.pdf", "2/bracket.pdf")):
        assert client.get(path).status_code == 200, path


def test_what_is_not_there_is_not_found_and_nothing_can_be_sent(event, client):
    made = event("swiss", 4, started=True)
    for file in ("9/standings.csv", "9/standings.pdf", "9/bracket.pdf", "1/bracket.pdf", "entries/99/calendar.ics"):
        assert client.get(paths(made, [file])[0]).status_code == 404, file
    for path in paths(made):
        assert client.post(path).status_code == 405, path


@pytest.mark.slow
def test_files_are_for_those_who_may_read_the_pages(event, client, olga, person):
    draft = event("swiss", 4, status="draft")
    club = make_club("Lakeside")
    closed = event("swiss", 4, started=True, circle=f"club:{club.pk}", visibility="circle")
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


def test_cells_that_a_spreadsheet_would_calculate_get_an_apostrophe(event, client):
    made = event("swiss", 10)
    rename(made)
    read = [row["entry"] for row in rows_of(client, made, "entries.csv")]
    guarded = ["'=SUM(A1:A9)", "'+1", "'-2+3", "'@cmd", "'\tx", "'\r\nInjected: 1"]
    assert read == [*guarded, 'a "quoted", name', "مريم \u202eevil", "🃏 Ann", "W" * 40]


@given(names=st.lists(st.text(max_size=20), min_size=1, max_size=6))
@tries(60)
def test_any_text_is_read_back_and_none_is_a_formula(names):
    made = tabular.write(
        Tournament(time_zone="UTC"), ["name", "points"], [[name, -5] for name in names if "\0" not in name]
    )
    lines = list(csv.reader(io.StringIO(made.decode("utf-8"), newline="")))
    assert [
        line[0].removeprefix("'") if line[0][1:2] and line[0][1] in tabular.FORMULA else line[0] for line in lines[1:]
    ] == [name for name in names if "\0" not in name]
    assert all(line[0][:1] not in ("=", "+", "-", "@", "\t", "\r") for line in lines[1:])
    assert all(line[1] == "-5" for line in lines[1:])
    assert made.count(b"\r\n") >= len(lines)


def test_text_that_cannot_be_written_does_not_break_a_table():
    with pytest.raises(UnicodeEncodeError):
        tabular.write(Tournament(time_zone="UTC"), ["name"], [["\ud800"]])


@pytest.mark.parametrize(
    ("number", "words"),
    [("7", "7"), ("13/2", "6.5"), ("-1/4", "-0.25"), ("1/3", "0.333333"), ("0", "0"), ("100", "100")],
)
def test_figures_are_as_spreadsheets_read_them(number, words):
    assert tabular.figure(Fraction(number)) == words


def test_the_mark_of_utf8_is_put_in_front_where_it_is_asked_for(event, client):
    made = event("swiss", 4)
    path = paths(made, ["entries.csv"])[0]
    plain, marked = client.get(path).content, client.get(path, {"bom": "1"}).content
    assert marked == b"\xef\xbb\xbf" + plain
    assert client.get(path)["Content-Disposition"] == f'attachment; filename="{made.slug}-entries.csv"'
    assert client.get(path)["Content-Type"] == "text/csv; charset=utf-8; header=present"


def test_standings_have_every_tie_break(event, olga, client):
    made = event("swiss", 4, started=True, rounds=2, tiebreaks=["buchholz", "wins", "spread"])
    driving.play_out(made, olga)
    rows = rows_of(client, made, "1/standings.csv")
    assert list(rows[0]) == [
        *("group", "place", "number", "entry", "status", "played", "won", "drawn", "lost", "points"),
        *("buchholz", "wins", "spread", "best_place", "worst_place"),
    ]
    assert [(row["place"], row["entry"], row["points"], row["wins"]) for row in rows] == [
        ("1", "Player 1", "4", "2"),
        ("2", "Player 2", "2", "1"),
        ("3", "Player 3", "2", "1"),
        ("4", "Player 4", "0", "0"),
    ]


def test_standings_of_a_knockout_are_places(event, olga, client):
    made = event("single_elimination", 4, started=True)
    driving.play_round(made, olga)
    rows = rows_of(client, made, "1/standings.csv")
    assert [(row["place"], row["number"], row["best_place"], row["worst_place"]) for row in rows] == [
        ("", "1", "1", "2"),
        ("", "2", "1", "2"),
        ("3", "3", "3", "3"),
        ("3", "4", "3", "3"),
    ]


def test_results_have_a_line_for_each_entry(event, olga, client):
    made = event("single_elimination", 2, started=True, time_zone="America/Toronto")
    driving.decide(driving.open_pairings(made)[0], olga)
    Pairing.objects.update(done_at=datetime(2026, 7, 4, 12, tzinfo=UTC))
    rows = rows_of(client, made, "results.csv")
    assert [(row["match"], row["entry"], row["card_points"], row["place"], row["finished_at"]) for row in rows] == [
        ("WB1.1", "Player 1", "4990", "1", "2026-07-04T08:00:00-04:00"),
        ("WB1.1", "Player 2", "4980", "2", "2026-07-04T08:00:00-04:00"),
    ]


def test_the_schedule_has_a_column_for_each_side(event, client):
    made = event("swiss_pods", 8, started=True, rounds=2)
    rows = rows_of(client, made, "schedule.csv")
    assert [name for name in rows[0] if name.startswith("side")] == ["side_1", "side_2", "side_3", "side_4"]
    assert sorted(row[f"side_{at}"] for row in rows for at in range(1, 5)) == [f"Player {at}" for at in range(1, 9)]


# JSON


def test_the_whole_event_as_json(event, olga, client, settings):
    settings.SITE_URL = "https://foothold.example"
    made = event("single_elimination", 2, started=True, starts_at=datetime(2026, 7, 4, 12, tzinfo=UTC))
    driving.decide(driving.open_pairings(made)[0], olga)
    told = json.loads(client.get(paths(made, ["event.json"])[0]).content)
    assert (told["format"], told["version"]) == ("foothold.event", 1)
    assert list(told) == ["format", "version", "event", "entries", "stages"]
    assert told["event"]["url"] == f"https://foothold.example/events/{made.slug}/"
    assert told["event"]["starts_at"] == "2026-07-04T12:00:00Z"
    assert told["event"]["rules"] == made.rules_json
    assert [(one["number"], one["name"], [each["name"] for each in one["members"]]) for one in told["entries"]] == [
        (1, "Player 1", ["Player 1"]),
        (2, "Player 2", ["Player 2"]),
    ]
    (stage,) = told["stages"]
    assert stage["plan"]["format"] == "single_elimination"
    (table,) = stage["rounds"][0]["tables"]
    assert [(place["entry"], place["score"], place["rank"]) for place in table["places"]] == [
        (1, 4990, 1),
        (2, 4980, 2),
    ]
    assert [(line["entry"], line["score"]) for line in table["result"]["lines"]] == [(1, 4990), (2, 4980)]
    assert stage["standings"] == [{"entry": 1, "best": 1, "worst": 1}, {"entry": 2, "best": 2, "worst": 2}]


def test_json_tells_nothing_that_pages_do_not(event, olga, client):
    made = event("swiss", 4)
    member = made.entries.first().members.first()
    member.email = "secret@example.org"
    member.save()
    text = client.get(paths(made, ["event.json"])[0]).content.decode()
    assert json.loads(text)["event"]["lots"] is None
    assert "secret@example.org" not in text
    assert member.token not in text
    from tournaments.services.events import lifecycle

    lifecycle.start(made.pk, olga, anyway=True)
    told = client.get(paths(made, ["event.json"])[0]).content.decode()
    assert json.loads(told)["event"]["lots"] == "1234"
    assert not any(pairing.token in told for pairing in Pairing.objects.all())


# What is sent again


def test_files_that_the_reader_has_are_not_sent_again(event, olga, client):
    made = event("swiss", 4, started=True)
    for path in paths(made):
        tag = client.get(path)["ETag"]
        again = client.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.content) == (304, b""), path
        assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200, path
    path = paths(made, ["results.csv"])[0]
    tag, before = client.get(path)["ETag"], client.get(path).content
    driving.play_round(made, olga)
    answer = client.get(path, headers={"If-None-Match": tag})
    assert (answer.status_code, answer["ETag"] == tag, answer.content == before) == (200, False, False)


def test_members_keep_nothing_in_their_browsers(event, client, olga):
    made = event("swiss", 4, started=True)
    client.force_login(olga)
    for path in paths(made):
        answer = client.get(path)
        assert "no-store" in answer["Cache-Control"], path
        assert "ETag" not in answer, path


def queries(client, path):
    cache.clear()
    with CaptureQueriesContext(connection) as seen:
        assert client.get(path).status_code == 200
    return len(seen)


@pytest.mark.slow
@pytest.mark.parametrize(("format", "small", "large"), [("swiss", 4, 16), ("double_elimination", 4, 16)])
def test_the_number_of_queries_does_not_depend_on_entries_or_rounds(event, olga, client, format, small, large):
    choices = {"rounds": 3} if format == "swiss" else {}
    one, other = event(format, small, started=True, **choices), event(format, large, started=True, **choices)
    driving.play_round(one, olga)
    for _ in range(2):
        driving.play_round(other, olga)
    files = (*FILES, "1/bracket.pdf") if format == "double_elimination" else FILES
    for a, b in zip(paths(one, files), paths(other, files), strict=True):
        assert queries(client, a) == queries(client, b) <= 16, a


def test_what_is_kept_takes_one_query_or_two(event, client, django_assert_max_num_queries):
    made = event("swiss", 8, started=True)
    for path in paths(made):
        client.get(path)
        with django_assert_max_num_queries(2):  # the event, and its stages or the entry where one is named
            client.get(path)
