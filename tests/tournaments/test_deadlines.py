"""Decisions of the clock: silence, no-shows, finished tables; and nothing waits behind failed work."""

from datetime import timedelta

import pytest
from django.utils import timezone

from gameplay.models import Table
from gameplay.services import leaving
from tests.tournaments import driving
from tests.tournaments.reading import ONE_DEAL, pairings
from tournaments.models import Act, Pairing, Place, Result, Round, Tournament
from tournaments.plan import standard
from tournaments.services import history
from tournaments.services.matches import deadlines, match_scheduling, results

HOUR = timedelta(hours=1)


@pytest.fixture
def late_event(make):
    """An event of four at two tables, whose deadline is an hour ago."""
    event = make(4, standard("swiss", rounds=1), no_show=Tournament.NoShow.WALKOVER)
    Round.objects.update(deadline_at=timezone.now() - HOUR)
    return event


@pytest.fixture
def online_late(new_event, olga):
    """The same of pairs online."""
    choices = {"kind": "partnership", "setting": "online", "rules_json": ONE_DEAL, "rounds": 1}
    event = new_event("swiss", 4, no_show=Tournament.NoShow.WALKOVER, **choices, started=True)
    Round.objects.update(deadline_at=timezone.now() - HOUR)
    return event


def kinds():
    return [pairing.result and pairing.result.kind for pairing in Pairing.objects.order_by("number")]


def test_a_match_that_nobody_began_is_lost_by_all(late_event):
    deadlines.sweep()
    deadlines.sweep()
    assert kinds() == ["double_forfeit", "double_forfeit"]
    assert Result.objects.count() == 2


def test_without_the_rule_a_deadline_decides_nothing(late_event):
    Tournament.objects.update(no_show=Tournament.NoShow.ORGANISER)
    deadlines.sweep()
    assert kinds() == [None, None]


def test_what_is_being_played_is_no_no_show_and_keeps_nobody_waiting(late_event, monkeypatch):
    monkeypatch.setattr(deadlines, "AT_ONCE", 1)
    first = driving.open_pairings(late_event)[0]
    Pairing.objects.filter(pk=first.pk).update(status=Pairing.Status.PLAYING, begun_at=timezone.now())
    assert first.pk not in deadlines.no_shows(timezone.now())
    deadlines.sweep()
    assert kinds() == [None, "double_forfeit"]


def test_online_who_should_have_moved_loses(online_late):
    first = pairings(online_late)[0]
    loser = first.places.get(side=first.table.seat_to_act % 2)
    deadlines.sweep()
    lines = Result.objects.get(pairing=first).lines
    assert [line["entry"] for line in lines if line["forfeit"]] == [loser.entry_id]


def test_a_table_at_which_cards_were_played_is_no_no_show(online_late):
    first, other = pairings(online_late)
    Table.objects.filter(pk=first.table_id).update(move_count=1)
    assert deadlines.no_shows(timezone.now()) == [other.pk]


def test_sides_are_told_by_their_order_at_the_table(online_late):
    first = pairings(online_late)[0]
    Place.objects.filter(pairing=first, side=1).update(side=2)
    Table.objects.filter(pk=first.table_id).update(seat_to_act=1)
    assert deadlines.no_show(first.pk, timezone.now())
    lines = Result.objects.get(pairing=first).lines
    assert [line["forfeit"] for line in lines] == [False, True]


def test_a_table_that_cannot_be_read_keeps_no_other_waiting(online_late, monkeypatch):
    monkeypatch.setattr(deadlines, "AT_ONCE", 1)
    Round.objects.update(deadline_at=None)
    first, other = pairings(online_late)
    for pairing in (first, other):
        for seat in pairing.table.seats.select_related("user"):
            leaving.resign(pairing.table_id, seat.user)
    Result.objects.all().delete()
    Table.objects.filter(pk=first.table_id).update(result={"reason": "forfeit"})
    assert deadlines.finished_tables() == [first.table_id, other.table_id]
    deadlines.sweep()
    assert kinds() == [None, "double_forfeit"]
    deadlines.sweep()
    assert kinds() == [None, "double_forfeit"]


def test_silence_confirms_even_where_another_result_is_in_trouble(make, olga, member, monkeypatch):
    event = make(4, standard("swiss", rounds=1))
    matches = driving.open_pairings(event)
    for at, match in enumerate(matches):
        results.report(match.pk, driving.lines_of(match), by=member(match.places.first().entry, f"Ann {at}"))
    Result.objects.update(confirms_at=timezone.now() - HOUR)
    first = Result.objects.earliest("pk")
    stand = results.confirm_unanswered

    def in_trouble(result_id, now):
        if result_id == first.pk:
            raise ValueError("A fault.")
        return stand(result_id, now)

    monkeypatch.setattr(results, "confirm_unanswered", in_trouble)
    deadlines.sweep()
    assert list(Result.objects.order_by("pk").values_list("status", flat=True)) == ["reported", "confirmed"]


def test_more_than_one_sweep_does_is_left_to_the_next(late_event, monkeypatch):
    monkeypatch.setattr(deadlines, "AT_ONCE", 1)
    deadlines.sweep()
    assert kinds().count("double_forfeit") == 1
    deadlines.sweep()
    assert kinds() == ["double_forfeit", "double_forfeit"]


def test_reminders_come_at_half_the_time_near_the_end_and_each_once(make, member, monkeypatch):
    reminders = []
    monkeypatch.setattr("tournaments.services.notifications.remind", lambda pairing, due: reminders.append(due))
    event = make(2, standard("swiss", rounds=1))
    match = driving.open_pairings(event)[0]
    since = match.opened_at
    Round.objects.update(deadline_at=since + 100 * HOUR)
    for hours in (10, 51, 52, 81, 90, 99, 99):
        deadlines.sweep(since + hours * HOUR)
    assert reminders == [1, 2, 3]


def test_a_walkover_that_was_undone_comes_back_with_a_new_deadline_only(late_event, olga):
    deadlines.sweep()
    first = Pairing.objects.get(number=1)
    act = Act.objects.filter(kind="walkover", sentence__contains="table 1 ").get()
    history.undo(act.pk, by=olga)
    deadlines.sweep()
    assert kinds() == [None, "double_forfeit"]
    now = timezone.now()
    match_scheduling.set_match_times(first.pk, olga, starts_at=None, deadline_at=now + HOUR)
    deadlines.sweep(now + 2 * HOUR)
    assert kinds() == ["double_forfeit", "double_forfeit"]
