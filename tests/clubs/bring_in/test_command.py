"""`manage.py bring_in`: one JSON object, and one act with one undo."""

import json
import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from clubs.models import Act, Club, KeptAside, Membership, Season
from clubs.services import history
from tests.clubs.bring_in.samples import MESSY, SAMPLES
from tests.clubs.bring_in.workbooks import Tab, xlsx

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.django_db


@pytest.fixture
def messy(tmp_path):
    file = tmp_path / "Members 2026.xlsx"
    file.write_bytes(MESSY)
    return file


@pytest.fixture
def bring_in(capsys, club):
    """Run the command; returns the object that it prints."""

    def run(file, *more, what="members"):
        call_command("bring_in", str(file), "--club", "harbour", "--what", what, *more, "--json")
        return json.loads(capsys.readouterr().out)

    return run


def people(club):
    return {member.name: member for member in Membership.objects.filter(club=club, left_at=None)}


def test_a_dry_run_says_everything_and_changes_nothing(bring_in, messy, club, staff):
    hit = bring_in(messy, "--dry-run")
    assert list(hit) == ["sheet", "heading_row", "columns", "people", "questions", "kept_aside"]
    assert (hit["sheet"], hit["heading_row"]) == ("Members", 3)
    assert hit["columns"][1] == {"title": "Member", "is": "name"}
    assert hit["people"][0] == {
        "row": 4,
        "name": "Asha Menon",
        "email": "asha@example.org",
        "phone": "07700 900101",
        "role": "Treasurer",
    }
    assert {
        "row": 6,
        "kind": "two_people",
        "text": "Ann & Bob Jones: two people?",
        "guess": "Ann Jones / Bob Jones",
    } in (hit["questions"])
    assert {"row": 8, "cells": ["Committee"], "why": "A heading within the list."} in hit["kept_aside"]
    assert set(people(club)) == {"Owner", "Organiser", "Scorer", "Member", "Guest"}
    assert not Act.objects.exists()


def test_a_list_is_imported_in_one_act_and_undone(bring_in, messy, club, staff):
    Membership.objects.create(club=club, name="Edith Clark")
    Membership.objects.create(club=club, name="Asha Menon", phone="1")
    before = people(club)
    bring_in(messy)
    after = people(club)
    assert set(after) - set(before) == {
        *("Tom Averill", "Ann Jones", "Bob Jones", "P. Penrose", "John Smith"),
        *("Gil Castellano", "Maria Castellano", "Zoë Öde"),
    }
    assert after["Edith Clark"].phone == "07700 900122"
    assert (after["Asha Menon"].phone, after["Asha Menon"].email) == ("1", "asha@example.org")
    assert (after["Zoë Öde"].note, after["Tom Averill"].phone) == ("Members' rep", "07700900117")
    act = Act.objects.get()
    assert act.sentence == "10 people were imported from a list. 7 rows were set aside."
    aside_row = KeptAside.objects.get()
    assert (aside_row.name, aside_row.what) == ("Members 2026.xlsx", "members")
    assert [8, ["Committee"], "A heading within the list."] in aside_row.rows
    history.undo(act.pk, by=staff["owner"])
    assert set(people(club)) == set(before)
    assert people(club)["Edith Clark"].phone == ""


def test_answers_replace_the_guesses(bring_in, messy, club, tmp_path):
    answers = tmp_path / "answers.json"
    answers.write_text(
        json.dumps(
            {
                "columns": ["leave_out", "name", "email", "phone", "note", "role"],
                "answers": [
                    {"row": 6, "kind": "two_people", "answer": "aside"},
                    {"row": 10, "kind": "same_person", "answer": "two"},
                    {"row": 14, "kind": "no_name", "answer": "Nora Whitlock"},
                ],
            }
        )
    )
    hit = bring_in(messy, "--dry-run", "--answers", str(answers))
    names = [person["name"] for person in hit["people"]]
    assert "Ann Jones" not in names
    assert {"J. Smith", "John Smith", "Nora Whitlock"} <= set(names)
    assert hit["people"][0]["note"] == "yes"
    assert 6 in [aside_row["row"] for aside_row in hit["kept_aside"]]


def test_what_columns_hold_is_remembered(bring_in, club, tmp_path):
    file, answers = tmp_path / "list.xlsx", tmp_path / "answers.json"
    file.write_bytes(xlsx(Tab("List", [["Wer", "Paid"], ["Ann Lee", "yes"], ["Bob Ross", "no"]])))
    answers.write_text(json.dumps({"columns": [{"is": "name"}, {"is": "note"}]}))
    bring_in(file, "--answers", str(answers))
    assert Club.objects.get(pk=club.pk).list_titles == {"members": {"wer": "name", "paid": "note"}}
    file.write_bytes(xlsx(Tab("List", [["Paid", "Wer"], ["yes", "Una Vale"]])))
    hit = bring_in(file, "--dry-run")
    assert [column["is"] for column in hit["columns"]] == ["note", "name"]


def test_two_people_of_one_name_are_told_apart(bring_in, club, tmp_path):
    file = tmp_path / "list.csv"
    file.write_text("Name,Email\nJ. Smith,a@example.org\nJ. Smith,b@example.org\n", "utf-8")
    bring_in(file)
    assert {"J. Smith", "J. Smith (2)"} <= set(people(club))


def test_what_cannot_be_done_is_said(bring_in, club, tmp_path):
    file = tmp_path / "list.csv"
    file.write_text("TOTAL\n", "utf-8")
    with pytest.raises(CommandError, match="There is nobody to import"):
        bring_in(file)
    file.write_bytes(b"a" * 6_000_000)
    with pytest.raises(CommandError, match="The limit is 5 MB"):
        bring_in(file, "--dry-run")
    with pytest.raises(CommandError, match="Club not found"):
        call_command("bring_in", str(file), "--club", "nowhere", "--what", "members")


def test_results_become_a_season_of_the_league_and_are_undone(bring_in, club, owner, tmp_path):
    sample = next(sample for sample in SAMPLES if sample.name == "results.xlsx")
    file, answers = tmp_path / "results.xlsx", tmp_path / "answers.json"
    file.write_bytes(sample.data)
    answers.write_text(json.dumps({"league": "Harbour League", "answers": {"6-walkover": "away"}}))
    hit = bring_in(file, "--answers", str(answers), what="results")
    assert [match["walkover"] for match in hit["matches"]] == ["", "away", "", ""]
    season = Season.objects.get()
    assert (season.league.name, season.name, season.status) == ("Harbour League", "2025/26", "closed")
    act = Act.objects.get()
    assert act.sentence == "4 matches of Harbour League were imported: 2025/26. 2 rows were set aside."
    assert {"Okafor", "Bell", "Doyle"} <= set(people(club))
    history.undo(act.pk, by=owner)
    assert not Season.objects.exists()


def test_a_final_table_becomes_a_season(bring_in, club, owner, tmp_path):
    file = tmp_path / "table.csv"
    file.write_text("Season,Place,Team,Played,Won,Points\n2024/25,1,Lund / Arai,4,3,6\n2024/25,2,Okafor / Bell,4,1,2\n")
    assert [place["name"] for place in bring_in(file, what="table")["places"]] == ["Lund / Arai", "Okafor / Bell"]
    assert Season.objects.get().name == "2024/25"


@pytest.mark.parametrize("what", ["fixtures"])
def test_fixtures_are_read_but_not_imported(bring_in, club, tmp_path, what):
    file = tmp_path / "table.csv"
    file.write_text("Place,Team,Played,Won,Points\n1,Lund / Arai,4,3,6\n", "utf-8")
    assert set(bring_in(file, "--dry-run", what=what)) > {"columns", "questions"}
    with pytest.raises(CommandError, match="can be read here, but not imported"):
        bring_in(file, what=what)


def test_the_command_in_the_docs_reads_its_sample(club, capsys):
    page = (ROOT / "docs/clubs.md").read_text()
    (words,) = re.findall(r"^python manage\.py (bring_in docs/samples/.*)$", page, re.MULTILINE)
    name, file, *more = words.split()
    call_command(name, str(ROOT / file), *more)
    read = json.loads(capsys.readouterr().out)
    assert [person["name"] for person in read["people"]][:4] == ["Ida Falk", "Tom Averill", "Ann Jones", "Bob Jones"]
    assert [question["kind"] for question in read["questions"]] == ["two_people", "name", "total"]
