"""Points given or taken by an organiser."""

from fractions import Fraction

import pytest

from tournaments import stage_standings
from tournaments.models import Adjustment, Stage
from tournaments.services import history
from tournaments.services.matches import point_adjustments
from tournaments.stage_state import load

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(new_event):
    return Stage.objects.get(tournament=new_event("swiss", entries=4, rounds=2, started=True))


def points(stage):
    state = load(stage)
    return {state.entries[line.entry].entry.name: line.points for line in stage_standings.table(state)}


def test_points_count_from_then_on_and_no_longer_when_taken_back(stage, entry, olga, refuses):
    first = entry(stage.tournament, 1)
    adjustment = point_adjustments.adjust(stage.pk, olga, entry_id=first.pk, points="−1/2", reason=" Late ")
    assert (adjustment.points, adjustment.reason, adjustment.by) == (Fraction(-1, 2), "Late", olga)
    assert stage.tournament.acts.first().sentence == "−1/2 point for Player 1 in Swiss: Late"
    assert points(stage)["Player 1"] == Fraction(-1, 2)
    act = point_adjustments.remove_adjustment(adjustment.pk, olga)
    assert points(stage)["Player 1"] == 0
    with refuses("no_adjustment"):
        point_adjustments.remove_adjustment(adjustment.pk, olga)
    history.undo(act.pk, by=olga)
    assert points(stage)["Player 1"] == Fraction(-1, 2)


def test_one_request_is_one_adjustment(stage, entry, olga):
    first = entry(stage.tournament, 1)
    for _ in range(2):
        point_adjustments.adjust(stage.pk, olga, entry_id=first.pk, points=2, reason="Fair play", request_key="k")
    assert Adjustment.objects.get().points == 2


@pytest.mark.parametrize(
    ("points", "reason", "code"),
    [
        (0, "Why", "bad_points"),
        ("1/0", "Why", "bad_points"),
        ("many", "Why", "bad_points"),
        (1001, "Why", "bad_points"),
        ("1/1000", "Why", "bad_points"),
        (1, "  ", "no_reason"),
    ],
)
def test_what_is_no_adjustment(stage, entry, olga, refuses, points, reason, code):
    with refuses(code):
        point_adjustments.adjust(stage.pk, olga, entry_id=entry(stage.tournament, 1).pk, points=points, reason=reason)


def test_only_entries_of_the_stage(stage, new_event, entry, olga, refuses):
    with refuses("no_such_entry"):
        point_adjustments.adjust(stage.pk, olga, entry_id=entry(new_event(entries=2), 1).pk, points=1, reason="Why")
