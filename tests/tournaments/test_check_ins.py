"""Check-in before the start, and absence during play."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.tournaments import driving
from tournaments.models import Entry, Organiser, Round, SitOut, StageEntry, Tournament
from tournaments.plan import standard
from tournaments.services import history
from tournaments.services.entries import check_ins, enrolment
from tournaments.services.events import lifecycle

pytestmark = pytest.mark.django_db
TEN = datetime(2026, 11, 21, 10, tzinfo=UTC)


@pytest.fixture
def cup(new_event):
    """Check-in from ten to eleven, London time."""
    cup = new_event(entries=4, has_check_in=True, check_in_from=TEN, check_in_until=TEN + timedelta(hours=1))
    Entry.objects.update(is_here=None)
    return cup


def here(tournament):
    return list(Entry.objects.filter(tournament=tournament).order_by("number").values_list("is_here", flat=True))


def test_players_check_in_while_the_window_is_open(cup, entry, user_of, refuses):
    first = entry(cup, 1)
    with refuses("too_early") as caught:
        check_ins.check_in(first.pk, user_of(first), now=TEN - timedelta(minutes=1))
    assert caught.value.sentence == "Check-in opens at Sat 21 Nov 10:00."
    check_ins.check_in(first.pk, user_of(first), now=TEN)
    check_ins.check_in(first.pk, user_of(first), now=TEN + timedelta(hours=1))
    with refuses("too_late"):
        check_ins.check_in(entry(cup, 2).pk, user_of(entry(cup, 2)), now=TEN + timedelta(hours=2))
    assert here(cup) == [True, None, None, None]


def test_times_are_told_by_the_events_clock(cup, entry, user_of, refuses):
    Tournament.objects.update(time_zone="Asia/Kolkata")
    with refuses("too_early") as caught:
        check_ins.check_in(entry(cup, 1).pk, user_of(entry(cup, 1)), now=TEN - timedelta(minutes=1))
    assert caught.value.sentence == "Check-in opens at Sat 21 Nov 15:30."


def test_an_organiser_checks_in_anybody_at_any_time(cup, entry, olga, person):
    scorer = person("Sam")
    Organiser.objects.create(tournament=cup, user=scorer, role="scorer")
    check_ins.check_in(entry(cup, 1).pk, olga, now=TEN - timedelta(days=1))
    check_ins.check_in(entry(cup, 2).pk, scorer, now=TEN + timedelta(days=1))
    assert here(cup) == [True, True, None, None]


def test_strangers_check_in_and_out_nobody(cup, entry, person, user_of, refuses):
    eve, other = person("Eve"), user_of(entry(cup, 2))
    for user in (eve, other):
        with refuses("not_yours"):
            check_ins.check_in(entry(cup, 1).pk, user, now=TEN)
        for act in (check_ins.mark_absent, check_ins.put_back):
            with refuses("not_organiser"):
                act(entry(cup, 1).pk, user)


def test_without_check_in_players_have_nothing_to_say(new_event, entry, user_of, refuses):
    first = entry(new_event(entries=2), 1)
    with refuses("no_check_in"):
        check_ins.check_in(first.pk, user_of(first))


def test_absent_and_back_and_undone(cup, entry, olga):
    absent = check_ins.mark_absent(entry(cup, 1).pk, olga)
    assert here(cup)[0] is False
    check_ins.put_back(entry(cup, 1).pk, olga, request_key="k")
    check_ins.put_back(entry(cup, 1).pk, olga, request_key="k")
    assert here(cup)[0] is True
    history.undo(cup.acts.first().pk, by=olga)
    history.undo(absent.pk, by=olga)
    assert here(cup)[0] is None


def test_who_is_not_here_is_left_out_and_the_waiting_list_moves_up(cup, entry, olga, refuses):
    Tournament.objects.filter(pk=cup.pk).update(entry_limit=4)
    waiting = enrolment.enter_for(cup.pk, olga, members=["Ada"])
    away = enrolment.enter_for(cup.pk, olga, members=["Bea"])
    for number in (1, 2, 3):
        check_ins.check_in(entry(cup, number).pk, olga)
    check_ins.check_in(waiting.pk, olga)
    with refuses("check_in_open"):
        lifecycle.start(cup.pk, olga, now=TEN)
    act = lifecycle.start(cup.pk, olga, anyway=True, now=TEN)
    assert act.sentence == (
        "The event started with 4 entries. 1 absent entry was left out. Ada moved up from the waiting list."
    )
    names = list(StageEntry.objects.order_by("position").values_list("entry__name", flat=True))
    assert names == ["Player 1", "Player 2", "Player 3", "Ada"]
    away.refresh_from_db()
    assert away.status == "waiting"


def test_the_start_undone_brings_everybody_back(cup, entry, olga):
    for number in (1, 2, 3):
        check_ins.check_in(entry(cup, number).pk, olga)
    act = lifecycle.start(cup.pk, olga, now=TEN + timedelta(hours=1))
    history.undo(act.pk, by=olga)
    cup.refresh_from_db()
    assert (cup.status, cup.started_at, here(cup)) == ("open", None, [True, True, True, None])
    assert not StageEntry.objects.exists()
    assert not Round.objects.exists()


# During play


def test_who_is_absent_sits_out_from_the_next_round_and_can_be_put_back(new_event, entry, olga):
    cup = new_event("swiss", entries=5, rounds=4, started=True)
    check_ins.mark_absent(entry(cup, 5).pk, olga)
    driving.play_round(cup, olga)
    assert drawn(2) == {"Player 1", "Player 2", "Player 3", "Player 4"}
    check_ins.put_back(entry(cup, 5).pk, olga, missed="half_bye")
    assert list(SitOut.objects.filter(entry=entry(cup, 5), round__number=2).values_list("kind", "points")) == [
        ("half_bye", 1)
    ]
    driving.play_round(cup, olga)
    assert "Player 5" in drawn(3)


def test_who_was_left_out_at_the_start_comes_in_late(new_event, entry, olga):
    cup = new_event("swiss", entries=5, rounds=3)
    check_ins.mark_absent(entry(cup, 5).pk, olga)
    lifecycle.start(cup.pk, olga)
    check_ins.put_back(entry(cup, 5).pk, olga, missed="bye")
    stage_entry = StageEntry.objects.get(entry=entry(cup, 5))
    assert (stage_entry.position, stage_entry.first_round, stage_entry.start_points) == (5, 2, 2)


def test_in_a_knockout_nobody_comes_in_late(new_event, entry, olga, refuses):
    cup = new_event(plans=[standard("single_elimination")], entries=5)
    check_ins.mark_absent(entry(cup, 5).pk, olga)
    lifecycle.start(cup.pk, olga)
    with refuses("too_late"):
        check_ins.put_back(entry(cup, 5).pk, olga)


def drawn(number):
    """Everyone who plays or has a bye in a round."""
    round_ = Round.objects.get(number=number)
    seated = round_.pairings.values_list("places__entry__name", flat=True)
    return {*seated, *round_.sit_outs.values_list("entry__name", flat=True)}


def test_an_event_starts_unchecked_if_the_organiser_says_that_all_but_some_are_here(cup, entry, olga, refuses):
    with refuses("cannot_work"):
        lifecycle.start(cup.pk, olga, anyway=True)
    lifecycle.start(cup.pk, olga, anyway=True, absent=[entry(cup, 4).pk])
    assert here(cup) == [True, True, True, False]


def test_a_roll_call_during_play_takes_out_who_left_and_puts_back_who_came(cup, entry, olga, refuses):
    lifecycle.start(cup.pk, olga, anyway=True, absent=[entry(cup, 4).pk])
    check_ins.mark_all(cup.pk, olga, absent=[entry(cup, 3).pk])
    assert here(cup) == [True, True, False, True]
    assert StageEntry.objects.get(entry=entry(cup, 3)).last_round is not None
    assert StageEntry.objects.get(entry=entry(cup, 4)).last_round is None
    with refuses("same"):
        check_ins.mark_all(cup.pk, olga, absent=[entry(cup, 3).pk])


def test_a_roll_call_knows_the_entries_of_its_own_event_only(cup, new_event, entry, olga, refuses):
    other = new_event(entries=2)
    with refuses("no_such_entry"):
        check_ins.mark_all(cup.pk, olga, absent=[entry(other, 1).pk])
