"""Data in and out by program: past seasons looked at and brought in, and whole clubs as one file."""

import io
import zipfile
from datetime import timedelta

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from clubs.models import Act, Club, League, Membership, Season, SeasonEntry
from tests.clubs.seasons import PAIRS, round_robin, sheet, tally
from tests.makers import make_club
from tests.tournaments.programs import BASE
from tournaments.models import Pairing
from tournaments.services.matches import results

pytestmark = pytest.mark.django_db

CLUB = "clubs/harbour/"


@pytest.fixture
def owner(staff, program):
    return program(staff["owner"])


@pytest.fixture
def past_season():
    """The request for one season of four pairs."""
    return {"table": sheet(round_robin(PAIRS)), "league_name": "Harbour League", "win": "3"}


def test_past_seasons_are_looked_at_and_nothing_is_written(owner, past_season):
    preview = owner.post(f"{CLUB}look-at-seasons/", **past_season)
    assert (preview["can_bring"], preview["lines"], preview["matches"], preview["problems"]) == (True, 6, 6, [])
    assert sorted(preview["new"]) == sorted(PAIRS)
    assert len(preview["people"]) == 8
    (season,) = preview["seasons"]
    points = {row["name"]: int(row["points"]) for row in season["tables"][0]["rows"]}
    assert points == tally(round_robin(PAIRS), win=3)["2024/25", "Premier"]
    assert (Season.objects.count(), League.objects.count(), Act.objects.count()) == (0, 0, 0)


def test_what_is_wrong_is_told_line_by_line_and_nothing_is_made(owner, past_season):
    lines = round_robin(PAIRS)
    lines[2][6] = "many"
    past_season["table"] = sheet(lines)
    preview = owner.post(f"{CLUB}look-at-seasons/", **past_season)
    assert not preview["can_bring"]
    assert [problem["line"] for problem in preview["problems"]] == [4]
    refused = owner.post(f"{CLUB}bring-seasons/", 422, **past_season)
    assert (refused["code"], refused["field"]) == ("wrong_lines", "table")
    assert refused["sentence"].startswith("Line 4:")
    assert owner.post(f"{CLUB}look-at-seasons/", 422, table="a;b\n1;2\n")["code"] == "no_titles"
    assert owner.post(f"{CLUB}look-at-seasons/", 400, table="x", dates="year")["fields"]["dates"]
    assert Season.objects.count() == 0


def test_a_long_table_is_read_although_no_form_may_be_so_long(owner, past_season):
    assert owner.post(f"{CLUB}look-at-seasons/", 422, table=f"{'🂡' * 100_000}\n" * 8)["code"] == "no_titles"
    assert owner.post(f"{CLUB}look-at-seasons/", 413, table=f"{'🂡' * 100_000}\n" * 12)["code"] == "too_large"


def test_past_seasons_are_imported_once(owner, past_season):
    assert owner.post(f"{CLUB}bring-seasons/", **past_season, preview=True)["act"] is None
    assert Season.objects.count() == 0
    answer = owner.post(f"{CLUB}bring-seasons/", **past_season, key="k")
    assert owner.post(f"{CLUB}bring-seasons/", **past_season, key="k")["act"] == answer["act"]
    season = Season.objects.get()
    assert (season.status, season.league.name, Pairing.objects.count()) == ("closed", "Harbour League", 6)
    standings = owner.get(f"{CLUB}leagues/harbour-league/seasons/{season.slug}/tables/")["tables"][0]
    points = {row["name"]: int(row["points"]) for row in standings["rows"]}
    assert points == tally(round_robin(PAIRS), win=3)["2024/25", "Premier"]
    refused = owner.post(f"{CLUB}bring-seasons/", 422, table=past_season["table"], league="harbour-league")
    assert refused["code"] == "name_taken"
    owner.post(f"{CLUB}history/{answer['act']}/undo/")
    assert Season.objects.count() == 0


def test_past_seasons_are_for_owners_and_a_league_of_the_club(owner, past_season, program, staff, person):
    organiser = program(staff["organiser"])
    for door in ("look-at-seasons", "bring-seasons"):
        assert organiser.post(f"{CLUB}{door}/", 403, **past_season)["code"] == "not_your_part"
    other = make_club("Other")
    League.objects.create(club=other, name="Theirs", slug="theirs")
    for door in ("look-at-seasons", "bring-seasons"):
        owner.post(f"{CLUB}{door}/", 404, table=past_season["table"], league="theirs")
    stale = owner.post(f"{CLUB}bring-seasons/", 409, **past_season, seen=99)
    assert stale["code"] == "stale"


def test_a_corrected_season_is_ranked_again_once(owner, past_season, staff, program):
    owner.post(f"{CLUB}bring-seasons/", **past_season)
    last = SeasonEntry.objects.get(final_rank=4)
    path = f"{CLUB}leagues/harbour-league/seasons/{last.season.slug}/rank-anew/"
    assert owner.get(f"{CLUB}data/")["corrected"] == []
    assert owner.post(path, 422)["code"] == "nothing_new"
    for pairing in Pairing.objects.filter(places__entry=last.entry):
        lines = [
            {"entry": place.entry_id, "score": 9 * (place.entry_id == last.entry_id)} for place in pairing.places.all()
        ]
        results.decide(pairing.pk, lines, by=staff["owner"], reason="Misread")
    (item,) = owner.get(f"{CLUB}data/")["corrected"]
    assert (item["league"], item["season"]) == ("harbour-league", last.season.slug)
    assert program(staff["organiser"]).post(path, 403)["code"] == "not_your_part"
    answer = owner.post(path, key="k")
    assert owner.post(path, key="k")["act"] == answer["act"]
    last.refresh_from_db()
    assert last.final_rank == 1
    assert owner.get(f"{CLUB}data/")["corrected"] == []


# Whole clubs


def export_club(owner, **data):
    """The file of the club, as the door gives it."""
    answer = owner.client.post(f"{BASE}/{CLUB}take-away/", data, format="json")
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "application/zip"
    return b"".join(answer.streaming_content)


def import_club(by, content, expected=201, **data):
    file = SimpleUploadedFile("club.zip", content, content_type="application/zip")
    answer = by.client.post(f"{BASE}/club-files/bring-in/", {"file": file, **data}, format="multipart")
    assert answer.status_code == expected, answer.content
    return answer.json()


def test_a_club_is_taken_away_and_it_is_written_down(owner, staff, program):
    with zipfile.ZipFile(io.BytesIO(export_club(owner, reason="The yearly copy."))) as archive:
        assert archive.testzip() is None
        assert "members.csv" in archive.namelist()
    act = Act.objects.get(kind="taken")
    assert (act.by, act.reason) == (staff["owner"], "The yearly copy.")
    assert owner.get(f"{CLUB}data/")["last_taken"]["by"] == "Owner"
    program(staff["organiser"]).post(f"{CLUB}take-away/", 403)
    program(staff["owner"], "clubs_read").post(f"{CLUB}take-away/", 403)


def test_a_lost_answer_is_given_again_for_a_while_and_written_down_once(owner, club):
    now = timezone.now()
    with time_machine.travel(now, tick=False):
        first = export_club(owner, key="k")
    with time_machine.travel(now + timedelta(minutes=9), tick=False):
        second = export_club(owner, key="k")
    assert Act.objects.filter(kind="taken").count() == 1
    names = [zipfile.ZipFile(io.BytesIO(archive)).namelist() for archive in (first, second)]
    assert names[0] == names[1]
    with time_machine.travel(now + timedelta(minutes=11), tick=False):
        assert owner.post(f"{CLUB}take-away/", 422, key="k")["code"] == "key_used"
    assert Act.objects.filter(kind="taken").count() == 1


def test_a_club_is_imported_from_its_file_once(owner, staff, program, person):
    content = export_club(owner)
    eve = program(person("Eve"))
    club = import_club(eve, content, slug="harbour-two", own_name="Owner", key="k")
    assert (club["slug"], club["your_role"], club["name"]) == ("harbour-two", "owner", "Harbour Hand and Foot")
    assert import_club(eve, content, slug="harbour-two", own_name="Owner", key="k")["slug"] == "harbour-two"
    assert Club.objects.count() == 2
    assert import_club(eve, content, 422, slug="harbour-three", key="k")["code"] == "key_used"
    assert Membership.objects.get(club__slug="harbour-two", user__username="eve").name == "Owner"
    assert import_club(eve, content, 422)["code"] == "slug_taken"
    assert import_club(eve, b"PK nonsense", 422, slug="harbour-three")["code"] == "no_archive"
    refused = eve.post("club-files/bring-in/", 400, slug="harbour-three")
    assert "file" in refused["fields"]
    assert import_club(program(person("Fay"), "clubs_read"), content, 403)["code"] == "permission_denied"
    assert Club.objects.count() == 2


def test_a_club_that_rests_can_be_taken_away_and_nothing_else(owner, club, past_season):
    owner.post(f"{CLUB}archive/", key="rest")
    assert owner.post(f"{CLUB}archive/", key="rest")["sentence"]
    assert export_club(owner)
    assert owner.post(f"{CLUB}bring-seasons/", 422, **past_season)["code"] == "archived"
    assert owner.post(f"{CLUB}write-newsletter/", 422)["code"] == "archived"
    owner.post(f"{CLUB}bring-back/", key="wake")
    assert owner.post(f"{CLUB}bring-back/", 422)["code"] == "not_archived"
    assert owner.post(f"{CLUB}bring-seasons/", **past_season)["act"]
