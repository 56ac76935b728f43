"""Divisions of one season that come in by several files, and are undone one by one."""

import json

import pytest
from django.core.management import CommandError, call_command

from clubs.models import Act, Division, Season, SeasonEntry, Team
from clubs.services import history
from tournaments import integrity
from tournaments.models import Tournament
from web.errors import Refused

pytestmark = pytest.mark.django_db

TITLES = "Season,Division,Date,Home,Away,Score\n"
FIRST = TITLES + "2024/25,Division 1,2024-09-07,Arai,Bell,3:1\n2024/25,Division 1,2025-03-07,Bell,Arai,2:2\n"
SECOND = TITLES + "2024/25,Division 2,2024-09-01,Dahl,Eide,1:0\n2024/25,Division 2,2025-04-01,Eide,Dahl,5:0\n"
TABLE = "2024/25\nDivision 2\nPos,Team,Pts\n1,Dahl,4\n2,Eide,2\n"


@pytest.fixture
def bring_in(club, owner, tmp_path):
    def run(text, what="results", **answers):
        (tmp_path / "list.csv").write_text(text, "utf-8")
        (tmp_path / "answers.json").write_text(json.dumps({"league": "Monday League", **answers}), "utf-8")
        more = ["--answers", str(tmp_path / "answers.json")]
        call_command("bring_in", str(tmp_path / "list.csv"), "--club", "harbour", "--what", what, *more, "--json")

    return run


def levels():
    return list(Division.objects.order_by("level").values_list("level", "name"))


BOTH = [(1, "Division 1"), (2, "Division 2")]


@pytest.mark.parametrize("lists", [(FIRST, SECOND), (SECOND, FIRST)])
def test_a_further_list_adds_its_division_at_its_level(bring_in, lists):
    for text in lists:
        bring_in(text)
    season = Season.objects.get()
    assert levels() == BOTH
    assert (str(season.starts_on), season.closed_at.date().isoformat()) == ("2024-09-01", "2025-04-01")
    assert len(season.up) == len(season.down) == 1
    assert not Team.objects.exclude(left_at=None).exists()
    assert sorted(SeasonEntry.objects.exclude(entry=None).values_list("final_rank", flat=True)) == [1, 1, 2, 2]
    assert [wrong for _, wrong in integrity.events()] == [[], []]


def test_divisions_are_undone_in_turn(bring_in, owner):
    bring_in(SECOND)
    before = [*Season.objects.values(), *Division.objects.values()]
    bring_in(FIRST)
    first, second = Act.objects.order_by("pk")
    with pytest.raises(Refused):
        history.undo(first.pk, by=owner)
    history.undo(second.pk, by=owner)
    assert [*Season.objects.values(), *Division.objects.values()] == before
    assert Tournament.objects.count() == 1
    history.undo(first.pk, by=owner)
    assert not Season.objects.exists()
    assert not Tournament.objects.exists()


def test_a_final_table_is_a_division_beside_results(bring_in):
    bring_in(FIRST)
    bring_in(TABLE, "table")
    assert levels() == BOTH


def test_the_same_division_or_its_teams_do_not_come_in_twice(bring_in):
    bring_in(FIRST)
    for text in (FIRST, FIRST.replace("Division 1", "Division 2"), SECOND.replace("Division 2", "Division 1")):
        with pytest.raises(CommandError, match="A list of another division must name it"):
            bring_in(text)
    assert levels() == BOTH[:1]


def test_a_list_without_a_division_is_given_one(bring_in):
    bring_in(FIRST)
    bring_in("Date,Home,Away,Score\n2024-09-07,Dahl,Eide,1:0\n", season="2024/25", division="Division 2")
    assert levels() == BOTH
