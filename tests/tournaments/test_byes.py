"""Byes on request."""

import pytest

from tests.tournaments import driving
from tournaments.models import SitOut, StageEntry
from tournaments.services import history
from tournaments.services.entries import byes, withdrawal
from tournaments.services.events import lifecycle

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(new_event):
    return new_event("swiss", entries=5, rounds=3, started=True)


def sat_out(entry_row):
    return list(SitOut.objects.filter(entry=entry_row).values_list("round__number", "kind", "points"))


def test_a_bye_is_asked_for_before_its_round_is_drawn(cup, entry, user_of, olga):
    first = entry(cup, 1)
    act = byes.request_bye(first.pk, user_of(first), round_number=2)
    assert act.sentence == "Player 1 has a half-point bye in round 2."
    driving.play_round(cup, olga)
    assert sat_out(first) == [(2, "half_bye", 1)]


def test_a_crosstable_has_half_point_byes(cup, entry, user_of, olga, client):
    byes.request_bye(entry(cup, 1).pk, user_of(entry(cup, 1)), round_number=2)
    driving.play_round(cup, olga)
    (table,) = client.get(f"/api/v1/events/{cup.slug}/stages/1/crosstable/").json()["tables"]
    assert "half-point bye +1" in str(table)
    assert "half-point bye" in client.get(f"{cup.get_absolute_url()}1/crosstable/").content.decode()


@pytest.mark.parametrize(("kind", "points"), [("zero_bye", 0), ("half_bye", 1), ("bye", 2)])
def test_an_organiser_gives_any(cup, entry, olga, kind, points):
    byes.request_bye(entry(cup, 1).pk, olga, round_number=2, kind=kind)
    driving.play_round(cup, olga)
    assert sat_out(entry(cup, 1)) == [(2, kind, points)]


def test_what_is_refused(cup, entry, user_of, person, refuses):
    first = entry(cup, 1)
    user = user_of(first)
    with refuses("not_organiser"):
        byes.request_bye(first.pk, user, round_number=2, kind="bye")
    with refuses("drawn"):
        byes.request_bye(first.pk, user, round_number=1)
    with refuses("no_such_round"):
        byes.request_bye(first.pk, user, round_number=4)
    with refuses("bad_choice"):
        byes.request_bye(first.pk, user, round_number=2, kind="double")
    with refuses("not_yours"):
        byes.request_bye(first.pk, person("Eve"), round_number=2)


def test_a_bye_is_taken_back_as_long_as_the_round_is_not_drawn(cup, entry, user_of, olga, refuses):
    first = entry(cup, 1)
    byes.request_bye(first.pk, user_of(first), round_number=2)
    byes.cancel_bye(first.pk, user_of(first), round_number=2)
    assert byes.cancel_bye(first.pk, olga, round_number=2).changes == []
    byes.request_bye(first.pk, olga, round_number=3)
    history.undo(cup.acts.first().pk, by=olga)
    assert StageEntry.objects.get(entry=first).byes == {}
    driving.play_round(cup, olga)
    with refuses("drawn"):
        byes.cancel_bye(first.pk, olga, round_number=2)


def test_asked_for_before_the_start_it_holds_for_the_first_stage(new_event, entry, user_of, olga):
    cup = new_event("swiss", entries=6, rounds=3)
    first = entry(cup, 1)
    byes.request_bye(first.pk, user_of(first), round_number=1)
    lifecycle.start(cup.pk, olga)
    assert StageEntry.objects.get(entry=first).byes == {"1": "half_bye"}
    assert sat_out(first) == [(1, "half_bye", 1)]


def test_where_every_match_is_fixed_there_are_no_byes(new_event, entry, olga, refuses):
    cup = new_event("round_robin", entries=4, started=True)
    with refuses("no_byes"):
        byes.request_bye(entry(cup, 1).pk, olga, round_number=2)


def test_who_has_left_asks_for_nothing(cup, entry, olga, refuses):
    withdrawal.withdraw(entry(cup, 1).pk, olga)
    with refuses("gone"):
        byes.request_bye(entry(cup, 1).pk, olga, round_number=2)
