"""Leaving an event before and during play, and coming back."""

from functools import partial

import pytest

from tests.at_once import at_once
from tests.tournaments import driving
from tournaments.models import Act, Entry, Pairing, Round, SitOut, StageEntry, Tournament
from tournaments.services import history
from tournaments.services.entries import enrolment, late_entries, withdrawal
from tournaments.services.events import lifecycle

pytestmark = pytest.mark.django_db


def stage_entry(entry_row):
    return StageEntry.objects.get(entry=entry_row)


def in_round(number, tournament):
    round_ = Round.objects.get(stage__tournament=tournament, number=number)
    seated = round_.pairings.values_list("places__entry__name", flat=True)
    return {*seated, *round_.sit_outs.values_list("entry__name", flat=True)}


def match_of(entry_row, number=1):
    return Pairing.objects.get(round__number=number, places__entry=entry_row)


# Before the start


def test_who_withdraws_before_the_start_can_enter_again(new_event, entry, user_of, refuses):
    cup = new_event(entries=2)
    first, user = entry(cup, 1), user_of(entry(cup, 1))
    act = withdrawal.withdraw(first.pk, user)
    assert (act.sentence, act.by) == ("Player 1 withdrew.", user)
    with refuses("not_yours"):
        withdrawal.withdraw(first.pk, user)
    assert enrolment.enter(cup.pk, user).name == "Player 1 (3)"


def test_withdrawing_by_one_request_is_done_once(new_event, entry, olga, refuses):
    cup = new_event(entries=2)
    withdrawal.withdraw(entry(cup, 1).pk, olga, request_key="k")
    withdrawal.withdraw(entry(cup, 1).pk, olga, request_key="k")
    assert Act.objects.count() == 1
    with refuses("withdrawn"):
        withdrawal.withdraw(entry(cup, 1).pk, olga)


def test_strangers_withdraw_nobody(new_event, entry, person, user_of, refuses):
    cup = new_event(entries=2)
    for user in (person("Eve"), user_of(entry(cup, 2))):
        with refuses("not_yours"):
            withdrawal.withdraw(entry(cup, 1).pk, user)
    assert not Act.objects.exists()


def test_undoing_brings_back_the_entry_and_its_people(new_event, entry, user_of, olga):
    cup = new_event(entries=2, kind="partnership")
    act = withdrawal.withdraw(entry(cup, 1).pk, olga)
    history.undo(act.pk, by=olga)
    assert entry(cup, 1).status == "entered"
    assert entry(cup, 1).members.filter(left_at=None).count() == 2


def test_reinstating_before_the_start_takes_a_place_or_waits_for_one(new_event, entry, person, olga, refuses):
    cup = new_event(entries=2, entry_limit=2)
    withdrawal.withdraw(entry(cup, 1).pk, olga)
    enrolment.enter(cup.pk, person("Ann"))
    act = withdrawal.reinstate(entry(cup, 1).pk, olga)
    assert act.sentence == "Player 1 was reinstated on the waiting list."
    assert entry(cup, 1).members.filter(left_at=None).count() == 1
    with refuses("in_already"):
        withdrawal.reinstate(entry(cup, 1).pk, olga)


def test_who_plays_elsewhere_by_now_is_not_taken_back(new_event, entry, user_of, olga, refuses):
    cup = new_event(entries=2)
    user = user_of(entry(cup, 1))
    withdrawal.withdraw(entry(cup, 1).pk, olga)
    enrolment.enter(cup.pk, user)
    with refuses("entered_already"):
        withdrawal.reinstate(entry(cup, 1).pk, olga)


def test_who_is_disqualified_cannot_enter_again(new_event, entry, user_of, olga, refuses):
    cup = new_event(entries=2)
    user = user_of(entry(cup, 1))
    with refuses("no_reason"):
        withdrawal.disqualify(entry(cup, 1).pk, olga, reason=" ")
    act = withdrawal.disqualify(entry(cup, 1).pk, olga, reason="Marked cards")
    assert (act.sentence, act.reason) == ("Player 1 was disqualified.", "Marked cards")
    with refuses("entered_already"):
        enrolment.enter(cup.pk, user)
    with refuses("disqualified"):
        withdrawal.disqualify(entry(cup, 1).pk, olga, reason="Again")
    history.undo(act.pk, by=olga)
    assert entry(cup, 1).status == "entered"


# During play


def test_after_the_round_the_open_match_is_still_played(new_event, entry, user_of, olga):
    cup = new_event("swiss", entries=6, rounds=3, started=True)
    first = entry(cup, 1)
    act = withdrawal.withdraw(first.pk, user_of(first))
    assert act.sentence == "Player 1 withdrew after the round."
    assert (stage_entry(first).last_round, match_of(first).status) == (1, "ready")
    driving.play_round(cup, olga)
    assert "Player 1" not in in_round(2, cup)
    assert match_of(first).result.kind != "forfeit"


def test_at_once_the_open_match_is_lost(new_event, entry, olga):
    cup = new_event("swiss", entries=6, rounds=3, started=True)
    first = entry(cup, 1)
    number = match_of(first).number
    act = withdrawal.withdraw(first.pk, olga, at_once=True)
    assert act.sentence == f"Player 1 withdrew at once and loses round 1, table {number} by walkover."
    match = match_of(first)
    assert (match.status, match.result.kind) == ("done", "forfeit")
    assert {place.entry.name: place.rank for place in match.places.all()}["Player 1"] == 2
    driving.play_round(cup, olga)
    assert "Player 1" not in in_round(2, cup)


def test_at_once_after_the_match_nothing_is_lost(new_event, entry, olga):
    cup = new_event("swiss", entries=6, rounds=3, started=True)
    first = entry(cup, 1)
    driving.decide(match_of(first), olga)
    act = withdrawal.withdraw(first.pk, olga, at_once=True)
    assert act.sentence == "Player 1 withdrew at once."
    assert (stage_entry(first).last_round, match_of(first).result.kind) == (1, "decided")


def test_undoing_a_withdrawal_restores_everything(new_event, entry, olga):
    cup = new_event("swiss", entries=6, rounds=3, started=True)
    before = driving.outline(cup)
    act = withdrawal.withdraw(entry(cup, 1).pk, olga, at_once=True)
    assert driving.outline(cup) != before
    history.undo(act.pk, by=olga)
    assert driving.outline(cup) == before
    assert entry(cup, 1).status == "entered"


def test_in_a_knockout_the_opponent_goes_on(new_event, entry, olga):
    cup = new_event("single_elimination", entries=4, started=True)
    withdrawal.withdraw(entry(cup, 1).pk, olga, at_once=True)
    final = Pairing.objects.get(round__number=2)
    assert "Player 4" in {place.entry.name for place in final.places.all() if place.entry}
    driving.play_out(cup, olga)
    cup.refresh_from_db()
    assert cup.status == "over"


def test_in_a_round_robin_later_matches_are_walkovers_and_playable_again_after_coming_back(new_event, entry, olga):
    cup = new_event("round_robin", entries=4, started=True)
    first = entry(cup, 1)
    withdrawal.withdraw(first.pk, olga)
    later = Pairing.objects.filter(round__number__gt=1, places__entry=first)
    assert set(later.values_list("is_walkover", flat=True)) == {True}
    withdrawal.reinstate(first.pk, olga)
    assert set(later.values_list("is_walkover", flat=True)) == {False}
    driving.play_out(cup, olga)
    cup.refresh_from_db()
    assert cup.status == "over"


def test_reinstated_entries_have_sat_out_what_was_played_meanwhile(new_event, entry, olga, refuses):
    cup = new_event("swiss", entries=7, rounds=4, started=True)
    first = entry(cup, 1)
    withdrawal.withdraw(first.pk, olga)
    driving.play_round(cup, olga)
    with refuses("bad_choice"):
        withdrawal.reinstate(first.pk, olga, missed="everything")
    act = withdrawal.reinstate(first.pk, olga)
    assert (entry(cup, 1).status, stage_entry(first).last_round) == ("entered", None)
    assert list(SitOut.objects.filter(entry=first).values_list("round__number", "kind")) == [(2, "zero_bye")]
    driving.play_round(cup, olga)
    assert "Player 1" in in_round(3, cup)
    assert act.kind == "reinstate"


def test_a_disqualified_entry_loses_its_open_match(new_event, entry, olga):
    cup = new_event("swiss", entries=4, rounds=2, started=True)
    withdrawal.disqualify(entry(cup, 1).pk, olga, reason="Left the room")
    assert match_of(entry(cup, 1)).result.kind == "forfeit"
    assert entry(cup, 1).status == "disqualified"


def test_at_a_bigger_table_the_others_play_on(new_event, entry, olga):
    cup = new_event("swiss_pods", entries=8, seats=4, rounds=2, started=True)
    act = withdrawal.withdraw(entry(cup, 1).pk, olga, at_once=True)
    assert act.sentence == "Player 1 withdrew at once."
    assert match_of(entry(cup, 1)).is_open


def test_after_the_end_nobody_leaves(new_event, entry, olga, refuses):
    cup = new_event(entries=2)
    Tournament.objects.filter(pk=cup.pk).update(status="over")
    with refuses("over"):
        withdrawal.withdraw(entry(cup, 1).pk, olga)


def test_who_never_came_in_is_just_withdrawn(new_event, olga):
    cup = new_event("swiss", entries=4, rounds=2, entry_limit=4)
    waiting = enrolment.enter_for(cup.pk, olga, members=["Ada"])
    lifecycle.start(cup.pk, olga)
    withdrawal.withdraw(waiting.pk, olga, at_once=True)
    waiting.refresh_from_db()
    assert waiting.status == "withdrawn"


@pytest.mark.django_db(transaction=True)
def test_who_withdraws_while_the_event_starts_is_nobodys_ghost(new_event, entry, olga):
    cup = new_event("swiss", entries=6, rounds=3)
    first = entry(cup, 1)
    withdraw = partial(withdrawal.withdraw, first.pk, olga, at_once=True)
    outcomes = at_once(partial(lifecycle.start, cup.pk, olga), withdraw)
    assert [str(outcome) for outcome in outcomes if isinstance(outcome, Exception)] == []
    in_stage = StageEntry.objects.filter(entry=first).first()
    if in_stage is None:
        assert "Player 1" not in in_round(1, cup)
    else:
        assert (in_stage.last_round, match_of(first).result.kind) == (1, "forfeit")
    driving.play_round(cup, olga)
    assert "Player 1" not in in_round(2, cup)


# Late entries


def test_a_late_entry_plays_from_the_next_round_with_points_for_those_missed(new_event, olga):
    cup = new_event("swiss", entries=5, rounds=4, started=True)
    driving.play_round(cup, olga)
    ada = late_entries.enter_late(cup.pk, olga, members=["Ada"], missed="half_bye")
    assert (stage_entry(ada).position, stage_entry(ada).first_round, stage_entry(ada).start_points) == (6, 3, 2)
    assert Act.objects.filter(kind="late").get().sentence == (
        "Ada entered from round 3, with half-point byes for the rounds before."
    )
    driving.play_round(cup, olga)
    assert "Ada" in in_round(3, cup)


def test_a_late_entry_by_one_request_is_made_once_and_can_be_undone(new_event, olga):
    cup = new_event("swiss", entries=4, rounds=3, started=True)
    before = driving.outline(cup)
    first = late_entries.enter_late(cup.pk, olga, members=["Ada"], request_key="k")
    assert late_entries.enter_late(cup.pk, olga, members=["Ada"], request_key="k") == first
    assert Entry.objects.count() == 5
    history.undo(Act.objects.get(kind="late").pk, by=olga)
    assert driving.outline(cup) == before


def test_who_waits_can_come_in_late(new_event, olga, refuses):
    cup = new_event("swiss", entries=4, rounds=3, entry_limit=4)
    waiting = enrolment.enter_for(cup.pk, olga, members=["Ada"])
    with refuses("not_begun"):
        late_entries.enter_late(cup.pk, olga, entry_id=waiting.pk)
    lifecycle.start(cup.pk, olga)
    late_entries.enter_late(cup.pk, olga, entry_id=waiting.pk)
    waiting.refresh_from_db()
    assert (waiting.status, stage_entry(waiting).start_points) == ("entered", 0)
    with refuses("in_already"):
        late_entries.enter_late(cup.pk, olga, entry_id=waiting.pk)


@pytest.mark.parametrize("format", ["single_elimination", "round_robin"])
def test_where_everything_is_fixed_nobody_comes_in_late(new_event, olga, refuses, format):
    cup = new_event(format, entries=4, started=True)
    with refuses("too_late"):
        late_entries.enter_late(cup.pk, olga, members=["Ada"])
    assert not Entry.objects.filter(name="Ada").exists()
