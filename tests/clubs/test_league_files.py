"""Leagues as files: their content, that spreadsheets calculate nothing of them, and that they are made once."""

import csv
import io
import json
from datetime import UTC, date, datetime
from xml.etree import ElementTree

import pytest
from icalendar import Calendar

from clubs.models import Club, Season, Team
from clubs.services.leagues import matchday_edits, teams
from clubs.services.seasons import season_setup
from tests.clubs import leagues as makers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_september")]

LEAGUE = "/clubs/harbour/leagues/monday-league/"
DIVISION = f"{LEAGUE}autumn-2026/1/"


@pytest.fixture(scope="module")
def drawn(harbour):
    with makers.september():
        return makers.draw(makers.make_season(harbour.club, harbour.owner, (4,), name="Autumn 2026"), harbour.owner)


def rows(client, name):
    answer = client.get(f"{DIVISION}{name}")
    assert answer["Content-Type"].startswith("text/csv")
    assert answer["Content-Disposition"].startswith("attachment")
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def calendar(client, path):
    answer = client.get(f"{LEAGUE}{path}")
    assert answer["Content-Type"].startswith("text/calendar")
    return list(Calendar.from_ical(answer.content).walk("VEVENT"))


def test_the_table_for_spreadsheets(season, owner, client):
    makers.decide(makers.match(season, "Pair 1", "Pair 2"), owner, {"Pair 1": 3000, "Pair 2": 2500})
    first = rows(client, "table.csv")[0]
    assert (first["place"], first["team"], first["for"], first["difference"]) == ("1", "Pair 1", "3000", "500")
    assert (first["points"], first["last five"]) == ("2", "W")


def test_the_fixtures_for_spreadsheets(season, owner, client):
    match = makers.match(season, "Pair 1", "Pair 2")
    makers.decide(match, owner, {"Pair 1": 3000, "Pair 2": 2500})
    fixtures = rows(client, "fixtures.csv")
    assert len(fixtures) == 6
    played = next(row for row in fixtures if row["home score"])
    assert {played["home score"], played["away score"]} == {"3000", "2500"}
    assert fixtures[0]["play by"] == "2026-09-13T23:59+02:00"


@pytest.mark.parametrize("sign", ["=", "+", "-", "@"])
def test_spreadsheets_calculate_nothing(club, owner, client, sign):
    season = makers.make_season(club, owner, (4,), name="Autumn 2026")
    teams.change(makers.team(season, "Pair 1").pk, owner, name=f"{sign}1+2", venue=f"{sign}cmd|' /C calc'!A0")
    makers.draw(season, owner)
    for name in ("table.csv", "fixtures.csv"):
        cells = [cell for row in rows(client, name) for cell in row.values()]
        assert f"'{sign}1+2" in cells
        assert not [cell for cell in cells if cell[:1] in "=+@" and cell]


def test_the_division_for_programs(season, owner, client):
    makers.decide(makers.match(season, "Pair 1", "Pair 2"), owner, {"Pair 1": 3000, "Pair 2": 2500})
    answer = client.get(f"{DIVISION}table.json")
    assert answer["Access-Control-Allow-Origin"] == "*"
    data = json.loads(answer.content)
    assert data["version"] == 1
    assert data["table"][0]["team"]["name"] == "Pair 1"
    assert sum(len(day["matches"]) for day in data["matchdays"]) == 6
    assert data["matchdays"][0]["deadline_at"] == "2026-09-13T21:59:00Z"
    played = [match for day in data["matchdays"] for match in day["matches"] if match["is_over"]]
    winners = [(match["home"]["has_won"], match["away"]["has_won"]) for match in played]
    assert winners in ([(True, False)], [(False, True)])


def test_the_table_on_paper_is_one_sheet(club, owner, client):
    makers.make_season(club, owner, (12,), name="Autumn 2026")
    season = makers.draw(Season.objects.get(), owner)
    makers.decide(makers.match(season, "Pair 1", "Pair 2"), owner, {"Pair 1": 3000, "Pair 2": 2500})
    answer = client.get(f"{DIVISION}table.pdf")
    assert answer["Content-Type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF")
    assert answer.content.count(b"/Type /Page\n") == 1


def test_calendars_of_the_league_a_team_and_a_player(season, club, client):
    assert len(calendar(client, "calendar.ics")) == 6
    events = calendar(client, "teams/1/calendar.ics")
    assert len(events) == 3
    assert all("Pair 1" in event["summary"] for event in events)
    player = Team.objects.get(number=1).roster.first().membership
    assert len(calendar(client, f"players/{player.pk}.ics")) == 3
    stranger = makers.names(club, "Zed")[0]
    assert client.get(f"{LEAGUE}players/{stranger.pk}.ics").status_code == 404


def test_a_calendar_says_when_a_match_is_played_or_until_when(season, owner, client):
    match = makers.match(season, "Pair 1", "Pair 2")
    before = {event["uid"]: event for event in calendar(client, "calendar.ics")}
    uid = next(uid for uid in before if f"-{match.pk}@" in uid)
    assert before[uid]["summary"].startswith("Play by now: ")
    assert isinstance(before[uid].decoded("dtstart"), date)
    at = datetime(2026, 9, 9, 17, 0, tzinfo=UTC)
    matchday_edits.set_match(match.pk, owner, starts_at=at, venue="The Anchor")
    after = {event["uid"]: event for event in calendar(client, "calendar.ics")}
    assert set(after) == set(before)
    assert after[uid].decoded("dtstart") == at
    assert after[uid]["location"] == "The Anchor"
    assert after[uid]["sequence"] > before[uid]["sequence"]


def test_the_feed_tells_results_and_corrections(season, owner, client):
    match = makers.match(season, "Pair 1", "Pair 2")
    marks = []
    for score in (3000, 3100):
        makers.decide(match, owner, {"Pair 1": score, "Pair 2": 2500}, reason="Looked again.")
        root = ElementTree.fromstring(client.get(f"{LEAGUE}feed.atom").content)
        entries = root.findall("{http://www.w3.org/2005/Atom}entry")
        assert len(entries) == 1
        assert f"{score:,}" in entries[0].findtext("{http://www.w3.org/2005/Atom}title")
        marks.append(entries[0].findtext("{http://www.w3.org/2005/Atom}id"))
    assert marks[0] != marks[1]


def test_a_file_is_not_sent_again_until_something_is_new(season, owner, client):
    for path in (f"{DIVISION}table.csv", f"{DIVISION}table.pdf", f"{LEAGUE}calendar.ics", f"{LEAGUE}feed.atom"):
        tag = client.get(path)["ETag"]
        assert client.get(path, headers={"if-none-match": tag}).status_code == 304, path
    tag = client.get(f"{DIVISION}table.csv")["ETag"]
    makers.decide(makers.match(season, "Pair 1", "Pair 2"), owner, {"Pair 1": 3000, "Pair 2": 2500})
    assert client.get(f"{DIVISION}table.csv", headers={"if-none-match": tag}).status_code == 200


def test_files_tell_times_by_the_clubs_clock(club, owner, client):
    Club.objects.filter(pk=club.pk).update(time_zone="America/Toronto")
    season = makers.make_season(club, owner, (3,), name="Autumn 2026")
    season_setup.change(season.pk, owner, changes={"plays_at": datetime(2026, 1, 1, 19, 0).time()})
    makers.draw(season, owner)
    assert rows(client, "fixtures.csv")[0]["begins"] == "2026-09-07T19:00-04:00"
