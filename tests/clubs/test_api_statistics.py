"""Statistics and files by program: as the pages have them, for everyone; drafts only for their organisers."""

import csv
import io

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.house_rules import services as house_rules
from clubs.models import Membership, TeamMember
from clubs.services.members import membership
from engine.play.rules import Rules
from tests.clubs import leagues as makers
from tests.tournaments.programs import BASE

pytestmark = pytest.mark.django_db

CLUB = "clubs/harbour/"
LEAGUE = f"{CLUB}leagues/monday-league/"
SEASON = f"{LEAGUE}seasons/autumn-2026/"


@pytest.fixture(autouse=True)
def _in_september():
    cache.clear()
    with time_machine.travel(makers.NOW, tick=False):
        yield


@pytest.fixture(scope="module")
def drawn(harbour):
    """Two divisions, all of it played: the lower number won 3,000 to 2,000."""
    with makers.september():
        season = makers.draw(makers.make_season(harbour.club, harbour.owner, (4, 2)), harbour.owner)
        makers.play_out(season, harbour.owner)
        return season


@pytest.fixture
def nobody(program):
    return program()


def test_teams_people_and_records_are_those_of_the_pages(nobody, season):
    for path in (CLUB, LEAGUE, SEASON):
        answer = nobody.get(f"{path}statistics/")
        assert (answer["matches"], answer["walkovers"]) == (7, 0)
        first = answer["teams"][0]
        assert (first["name"], first["won"], first["lost"], first["average"]) == ("Pair 1", 3, 0, 3000)
        assert (first["league"], first["team"], first["longest_wins"]) == ("monday-league", 1, 3)
        assert {person["name"] for person in answer["people"]} == {
            f"{name} {number}" for name in ("Ann", "Ben") for number in range(1, 7)
        }
        record = next(record for record in answer["records"] if record["title"] == "Biggest win")
        assert (record["value"], len(record["holders"]), record["others"]) == ("by 1,000", 3, 4)
        assert record["holders"][0]["url"].startswith("http")


def test_a_season_tells_how_each_division_went(nobody, season):
    answer = nobody.get(f"{SEASON}statistics/")
    course = answer["course"]
    assert (course["division"], course["matchdays"]) == ("Division 1", [1, 2, 3])
    assert [(line["name"], line["places"][-1], line["points"][-1]) for line in course["teams"]] == [
        ("Pair 1", 1, "6"), ("Pair 2", 2, "4"), ("Pair 3", 3, "2"), ("Pair 4", 4, "0"),
    ]  # fmt: skip
    day = answer["averages"][0]
    assert (day["matchday"], day["matches"], day["score"], day["gap"]) == (1, 3, 2500, 1000)
    assert nobody.get(f"{SEASON}statistics/", division=2)["course"]["matchdays"] == [1]
    nobody.get(f"{SEASON}statistics/", 404, division=3)
    nobody.get(f"{SEASON}statistics/", 400, division="top")


def test_two_teams_are_put_side_by_side(nobody, season):
    choice = nobody.get(f"{LEAGUE}head-to-head/")
    assert ([team["name"] for team in choice["teams"]], choice["met"]) == ([f"Pair {n}" for n in range(1, 7)], None)
    answer = nobody.get(f"{LEAGUE}head-to-head/", one=2, other=1)
    assert (answer["one"]["name"], answer["other"]["name"]) == ("Pair 2", "Pair 1")
    met = answer["met"]
    assert (met["won"], met["lost"], met["scored"], met["conceded"]) == (0, 1, 2000, 3000)
    assert [match["score"] for match in met["matches"]] == ["2,000 – 3,000"]
    assert met["sentence"] == "Pair 2 won 0 of 1 match against Pair 1 and lost 1."
    assert nobody.get(f"{LEAGUE}head-to-head/", one=1, other=1)["met"] is None
    nobody.get(f"{LEAGUE}head-to-head/", 404, one=1, other=99)


def test_who_has_left_is_not_named(nobody, season, owner):
    gone = Membership.objects.get(name="Ann 1")
    membership.remove(gone.pk, owner)
    answer = nobody.get(f"{CLUB}statistics/")
    assert "Ann 1" not in str(answer["people"])
    assert [person["name"] for person in answer["people"] if person["membership"] is None] == ["former member"]


def test_a_result_shows_at_once_and_what_is_known_is_not_worked_out_again(nobody, club, owner):
    season = makers.draw(makers.make_season(club, owner, (4,)), owner)
    assert nobody.get(f"{CLUB}statistics/")["matches"] == 0
    assert nobody.get(f"{SEASON}statistics/")["course"] is None
    makers.decide(makers.match(season, "Pair 1", "Pair 2"), owner, {"Pair 1": 3000, "Pair 2": 2000})
    with CaptureQueriesContext(connection) as first:
        assert nobody.get(f"{CLUB}statistics/")["matches"] == 1
    with CaptureQueriesContext(connection) as second:
        assert nobody.get(f"{CLUB}statistics/")["matches"] == 1
    assert len(second) < len(first)
    assert len(second) <= 4


def test_a_draft_is_for_who_prepares_it(nobody, program, staff, club):
    makers.make_season(club, staff["owner"], (4,))
    nobody.get(f"{SEASON}statistics/", 404)
    program(staff["member"]).get(f"{SEASON}statistics/", 404)
    assert program(staff["organiser"]).get(f"{SEASON}statistics/")["matches"] == 0
    nobody.get(f"{CLUB}leagues/no-such/statistics/", 404)


# Files


def files(season):
    """Every file of the club and its league, with its kind."""
    player = TeamMember.objects.filter(team__league=season.league).first().membership_id
    division = f"{SEASON}divisions/1/files/"
    return {
        f"{CLUB}files/calendar.ics": "text/calendar",
        f"{CLUB}files/news.atom": "application/atom+xml",
        f"{CLUB}files/statistics.csv": "text/csv",
        f"{LEAGUE}files/calendar.ics": "text/calendar",
        f"{LEAGUE}files/feed.atom": "application/atom+xml",
        f"{LEAGUE}files/statistics.csv": "text/csv",
        f"{LEAGUE}teams/1/calendar.ics": "text/calendar",
        f"{LEAGUE}players/{player}/calendar.ics": "text/calendar",
        f"{SEASON}files/statistics.csv": "text/csv",
        f"{division}table.csv": "text/csv",
        f"{division}fixtures.csv": "text/csv",
        f"{division}table.json": "application/json",
        f"{division}table.pdf": "application/pdf",
    }


def test_files_are_those_of_the_pages(nobody, season):
    for path, kind in files(season).items():
        answer = nobody.client.get(f"{BASE}/{path}")
        assert (answer.status_code, answer["Content-Type"].split(";")[0]) == (200, kind), path
        assert answer.content, path
    table = nobody.client.get(f"{BASE}/{SEASON}divisions/1/files/table.csv").content.decode("utf-8-sig")
    assert [row["team"] for row in csv.DictReader(io.StringIO(table))] == [f"Pair {n}" for n in range(1, 5)]


def test_files_of_a_draft_are_for_who_prepares_it_by_token(nobody, program, staff, club):
    season = makers.make_season(club, staff["owner"], (4,))
    for name in ("divisions/1/files/fixtures.csv", "files/statistics.csv"):
        path = f"{BASE}/{SEASON}{name}"
        assert nobody.client.get(path).status_code == 404
        assert program(staff["member"]).client.get(path).status_code == 404
        answer = program(staff["organiser"]).client.get(path)
        assert (answer.status_code, answer["Cache-Control"]) == (200, "private, no-cache"), path
        assert program(staff["organiser"], "read").client.get(path).status_code == 403
    assert season.status == "draft"


def test_a_specimen_is_for_owners(program, staff, club):
    path = f"{BASE}/{CLUB}files/past-season.csv"
    assert b"home score" in program(staff["owner"]).client.get(path).content
    refused = program(staff["organiser"]).client.get(path)
    assert (refused.status_code, refused.json()["code"]) == (403, "not_your_part")
    assert program().client.get(path).status_code == 401


# House rules


@pytest.fixture
def rules(club, owner):
    """House rules in two versions."""
    house_rules.make(club.pk, owner, name="Harbour rules", rules=Rules.preset("family"))
    rules = club.house_rules.get()
    house_rules.save(rules.pk, owner, rules=Rules.preset("standard"))
    return rules


def test_a_version_says_what_it_means_and_what_changed_since(nobody, rules):
    first = nobody.get(f"{CLUB}rules/harbour-rules/versions/1/")
    assert first["changed"] == []
    assert first["fit"] == {"nearest": "family", "summary": "Exactly as Family.", "lines": []}
    differences = Rules.preset("standard").differences(Rules.preset("family"))
    assert {option["name"] for option in first["since"]} == set(differences)
    assert all(option["was"] != option["now"] for option in first["since"])
    assert first["sheet"][0]["sentences"]
    assert nobody.get(f"{CLUB}rules/harbour-rules/versions/2/")["since"] == []
    token = first["shared"].rstrip("/").rsplit("/", 1)[1]
    file = nobody.client.get(f"{BASE}/shared-rules/{token}/file/").json()
    assert (file["name"], file["rules"]) == ("Harbour rules", first["rules"])


def test_rules_are_looked_at_and_read_before_they_are_kept(program, staff, nobody, rules):
    organiser = program(staff["organiser"])
    preview = organiser.post(f"{CLUB}look-at-rules/", ruleset="standard", options={})
    assert (preview["can_be"], preview["wrong"], preview["changed"]) == (True, [], [])
    assert preview["sheet"]
    assert preview["fit"] == {"nearest": "standard", "summary": "Exactly as Standard.", "lines": []}
    clash = organiser.post(f"{CLUB}look-at-rules/", ruleset="bain", options={"wild_melds": False, "out_bonus": 50})
    assert (clash["can_be"], [wrong["options"] for wrong in clash["wrong"]]) == (False, [["contract", "wild_melds"]])
    assert clash["fit"]["nearest"] == "bain"
    assert clash["fit"]["lines"] == ["Wild cards alone are not a meld.", "Going out earns 50 points."]
    wrong = organiser.post(f"{CLUB}look-at-rules/", ruleset="standard", options={"no_such": 1})
    assert (wrong["can_be"], wrong["sheet"], wrong["fit"]) == (False, [], None)
    assert wrong["wrong"][0]["sentence"]
    token = nobody.get(f"{CLUB}rules/harbour-rules/versions/1/")["shared"].rstrip("/").rsplit("/", 1)[1]
    file = nobody.client.get(f"{BASE}/shared-rules/{token}/file/").content.decode()
    read = organiser.post(f"{CLUB}read-rules/", text=file)
    assert (read["name"], read["ruleset"], read["options"]) == ("Harbour rules", "family", {})
    assert organiser.post(f"{CLUB}read-rules/", 422, text="{")["code"] == "no_json"
    assert program(staff["member"]).post(f"{CLUB}read-rules/", 403, text=file)["code"] == "not_your_part"
    assert rules.versions.count() == 2
