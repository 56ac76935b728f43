"""The lifts before a deal: at the same time, made in order, by the site where it is left to it, and never for days."""

from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse

from engine.play.state import CHOOSE, LIFT
from gameplay import queries
from gameplay.models import Move, Table
from gameplay.services import clocks, leaving, play
from gameplay.snapshot import state_of
from gameplay.standing_orders import services as orders
from tests.gameplay.test_hidden_cards import NOW, answers, doors
from tests.turns import play_bots
from web.errors import NotAllowed, Refused


@pytest.fixture
def lifting(seated):
    """A table where all four are about to lift: the table and its players in the order of their lifts."""

    def make(**terms):
        table = seated("family", **terms)
        seats = list(table.seats.select_related("user"))
        first = table.seat_to_act
        return table, [seats[(first + step) % 4].user for step in range(4)]

    return make


def fresh(table):
    return Table.objects.get(pk=table.pk)


def grabs(table):
    return [grab for grab in state_of(fresh(table)).grabs if grab is not None]


def test_all_are_waited_for_at_once(lifting):
    table, people = lifting()
    assert [seat.is_lifting for seat in table.seats.all()] == [True] * 4
    assert [queries.turn_count(user) for user in people] == [1] * 4


def test_lifts_in_any_order_are_made_in_theirs(lifting):
    table, people = lifting()
    for user in reversed(people[1:]):
        play.play_lift(table.pk, user, 50, seen=0)
    assert grabs(table) == []
    assert [queries.turn_count(user) for user in people] == [1, 0, 0, 0]
    play.play_lift(table.pk, people[0], 50, seen=0)
    play_bots(table.pk)
    assert len(grabs(table)) == 4
    assert state_of(fresh(table)).phase != LIFT
    assert [move.seat for move in table.moves.all()] == [
        (fresh(table).moves.first().seat + step) % 4 for step in range(4)
    ]
    assert set(table.moves.values_list("by", flat=True)) == {Move.By.PLAYER}
    assert not table.seats.exclude(lift=None, is_lifting=False).exists()


def test_nobody_is_stale_by_the_lift_of_another(lifting):
    table, people = lifting()
    play.play_lift(table.pk, people[0], 50, seen=0)
    play.play_lift(table.pk, people[1], 50, seen=0)
    assert len(grabs(table)) == 2


def test_a_lift_sent_twice_is_one(lifting, refuses):
    table, people = lifting()
    for _ in range(2):
        play.play_lift(table.pk, people[2], 40, seen=0, request_key="third")
    with refuses("already_lifted"):
        play.play_lift(table.pk, people[2], 60, seen=0, request_key="other")
    assert table.seats.get(user=people[2]).lift == {"mark": 40, "key": "third"}
    for user in people[:2]:
        play.play_lift(table.pk, user, 50, seen=0)
    play_bots(table.pk)
    play.play_lift(table.pk, people[2], 40, seen=0, request_key="third")
    assert [move.request_key for move in table.moves.all()] == [None, None, "third"]


def test_a_lift_that_waits_is_seen_by_nobody(lifting, client):
    with time_machine.travel(NOW, tick=False):
        table, people = lifting()
        client.force_login(people[0])
        requests = [("get", door, None) for door in doors(table) if table.slug in door]
        play.play_lift(table.pk, people[2], 10, seen=0)
        first = answers(client, requests)
        table.seats.filter(user=people[2]).update(lift={"mark": 90, "key": "k"})
        assert answers(client, requests) == first


def test_the_site_lifts_for_those_who_leave_it_to_it(lifting):
    table, people = lifting()
    orders.set_standing(table.pk, people[1].__class__.objects.get(pk=people[1].pk), {"lift": "on"})
    assert [queries.turn_count(user) for user in people] == [1, 0, 1, 1]
    play.play_lift(table.pk, people[0], 50, seen=0, from_now_on=True)
    play_bots(table.pk)
    assert list(table.moves.values_list("by", flat=True)) == [Move.By.PLAYER, Move.By.STANDING]
    assert table.seats.get(user=people[0]).standing == {"lift": True}


def test_no_deal_waits_longer_than_half_a_day_for_lifts(lifting):
    table, people = lifting(clock_hours=72, free_weekends=True)
    assert table.deadline_at - table.clock_started_at == timedelta(hours=12)
    play.play_lift(table.pk, people[1], 50, seen=0)
    assert fresh(table).deadline_at == table.deadline_at
    clocks.sweep(table.deadline_at - timedelta(minutes=1))
    assert grabs(table) == []
    clocks.sweep(table.deadline_at + timedelta(seconds=1))
    assert len(grabs(table)) == 4
    assert sorted(table.moves.values_list("by", flat=True)) == ["player", "stand_in", "stand_in", "stand_in"]
    assert set(table.seats.values_list("turns_missed", flat=True)) == {0}
    assert "The site lifted for players who did not lift in time." in table.happenings.values_list(
        "sentence", flat=True
    )


def test_a_bot_lifts_in_its_turn_and_holds_up_nobody(lifting):
    table, people = lifting()
    leaving.resign(table.pk, people[2])
    leaving.resign(table.pk, people[0])
    play_bots(table.pk)
    assert len(grabs(table)) == 1
    play.play_lift(table.pk, people[3], 50, seen=0)
    play.play_lift(table.pk, people[1], 50, seen=0)
    play_bots(table.pk)
    assert len(grabs(table)) == 4


def test_who_has_no_seat_or_no_stock_to_lift_from_is_refused(lifting, seated, person, refuses):
    table, people = lifting()
    with pytest.raises(NotAllowed):
        play.play_lift(table.pk, person("Eve"), 50, seen=0)
    with refuses("out_of_range"):
        play.play_lift(table.pk, people[0], 101, seen=0)
    other = seated("standard")
    with pytest.raises(Refused) as refusal:
        play.play_lift(other.pk, people[0], 50, seen=0)
    assert refusal.value.code == "wrong_phase"


def test_the_page_of_each_lifts_and_says_for_whom_it_waits(lifting, client):
    table, people = lifting()
    client.force_login(people[3])
    page = client.get(table.get_absolute_url()).content.decode()
    assert 'id="go-lift"' in page
    client.post(reverse("gameplay:move", args=[table.slug]), {"lift": "30", "seen": "0", "key": "k"})
    page = client.get(table.get_absolute_url()).content.decode()
    assert 'id="go-lift"' not in page
    assert "to lift" in page


def test_a_stack_is_chosen_within_half_a_day_too(seated):
    table = seated("denexa", clock_hours=72)
    for seat in table.seats.select_related("user"):
        play.play_lift(table.pk, seat.user, 50, seen=0)
    play_bots(table.pk)
    table = fresh(table)
    assert state_of(table).phase == CHOOSE
    assert table.deadline_at - table.clock_started_at == timedelta(hours=12)
    chooser = table.seat_to_act
    clocks.sweep(table.deadline_at - timedelta(minutes=1))
    clocks.sweep(table.deadline_at + timedelta(seconds=1))
    assert fresh(table).seat_to_act != chooser
    assert table.seats.get(number=chooser).turns_missed == 0
