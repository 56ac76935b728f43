"""The lifts before a deal: at the same time, made in order, by the site where it is left to it, and never for days."""

from datetime import timedelta
from functools import partial

import pytest
import time_machine
from django.urls import reverse

from engine.play.moves import DRAW, KEEP_FIRST, KEEP_SECOND
from engine.play.state import CHOOSE, DRAWING, LIFT
from gameplay import queries
from gameplay.models import Move, Table
from gameplay.monitoring import integrity
from gameplay.services import clocks, leaving, play
from gameplay.snapshot import state_of
from gameplay.standing_orders import services as orders
from tests.at_once import at_once
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


# Choosing a stack


@pytest.fixture
def choosing(seated):
    """A table where all four are about to choose a stack: the table and its players in the order of their choices."""

    def make(**terms):
        table = seated("denexa", **terms)
        for seat in table.seats.select_related("user"):
            play.play_lift(table.pk, seat.user, 50, seen=0)
        play_bots(table.pk)
        table = fresh(table)
        assert state_of(table).phase == CHOOSE
        seats = list(table.seats.select_related("user"))
        return table, [seats[(table.seat_to_act + step) % 4].user for step in range(4)]

    return make


def choose(table, user, move=KEEP_SECOND, seen=4, **more):
    return play.play(table.pk, user, [move], seen=seen, **more)


def chosen(table):
    return sum(stacks is None for stacks in state_of(fresh(table)).stacks)


def test_all_choose_at_once_in_any_order_and_keep_what_they_chose(choosing):
    table, people = choosing()
    assert [queries.turn_count(user) for user in people] == [1] * 4
    first = [bytes(sorted(stacks[0])) for stacks in state_of(table).stacks]
    for user in reversed(people[1:]):
        choose(table, user)
    assert chosen(table) == 0
    assert [queries.turn_count(user) for user in people] == [1, 0, 0, 0]
    choose(table, people[0])
    play_bots(table.pk)
    state = state_of(fresh(table))
    assert state.phase == DRAWING
    moves = table.moves.filter(text="keep 2")
    assert (moves.count(), set(moves.values_list("by", flat=True))) == (4, {Move.By.PLAYER})
    seats = [move.seat for move in moves]
    assert seats == [(seats[0] + step) % 4 for step in range(4)]
    assert sorted(state.feet) == sorted(first)
    assert not table.seats.exclude(lift=None, is_lifting=False).exists()


def test_a_choice_sent_twice_is_one(choosing, refuses):
    table, people = choosing()
    for _ in range(2):
        choose(table, people[2], request_key="third")
    with refuses("already_chosen"):
        choose(table, people[2], KEEP_FIRST, request_key="other")
    assert table.seats.get(user=people[2]).lift == {"keep": 2, "key": "third"}
    for user in people[:2]:
        choose(table, user)
    play_bots(table.pk)
    choose(table, people[2], request_key="third")
    with pytest.raises(play.StalePage):
        choose(table, people[2], request_key="other")


@pytest.mark.django_db(transaction=True)
def test_two_choices_at_the_same_instant_are_both_made(choosing):
    table, people = choosing()
    at_once(partial(choose, table, people[0]), partial(choose, table, people[1]))
    play_bots(table.pk)
    assert chosen(table) == 2


def test_a_choice_that_waits_is_seen_by_nobody(choosing, client):
    with time_machine.travel(NOW, tick=False):
        table, people = choosing()
        client.force_login(people[0])
        requests = [("get", door, None) for door in doors(table) if table.slug in door]
        choose(table, people[2], KEEP_FIRST)
        first = answers(client, requests)
        table.seats.filter(user=people[2]).update(lift={"keep": 2, "key": "k"})
        assert answers(client, requests) == first


def test_the_site_chooses_for_those_who_leave_it_to_it(choosing):
    table, people = choosing()
    orders.set_standing(table.pk, people[1].__class__.objects.get(pk=people[1].pk), {"lift": "on"})
    assert [queries.turn_count(user) for user in people] == [1, 0, 1, 1]
    choose(table, people[0], from_now_on=True)
    play_bots(table.pk)
    assert list(table.moves.order_by("number").values_list("text", "by"))[4:] == [
        ("keep 2", Move.By.PLAYER),
        ("keep 1", Move.By.STANDING),
    ]
    assert table.seats.get(user=people[0]).standing == {"lift": True}


def test_no_deal_waits_longer_than_half_a_day_for_choices(choosing):
    table, people = choosing(clock_hours=72)
    assert table.deadline_at - table.clock_started_at == timedelta(hours=12)
    choose(table, people[1])
    assert fresh(table).deadline_at == table.deadline_at
    clocks.sweep(table.deadline_at - timedelta(minutes=1))
    assert chosen(table) == 0
    clocks.sweep(table.deadline_at + timedelta(seconds=1))
    assert state_of(fresh(table)).phase == DRAWING
    assert list(table.moves.order_by("number").values_list("text", "by"))[4:] == [
        ("keep 1", Move.By.STAND_IN),
        ("keep 2", Move.By.PLAYER),
        ("keep 1", Move.By.STAND_IN),
        ("keep 1", Move.By.STAND_IN),
    ]
    assert set(table.seats.values_list("turns_missed", flat=True)) == {0}


def test_a_bot_chooses_in_its_turn_and_holds_up_nobody(choosing):
    table, people = choosing()
    leaving.resign(table.pk, people[2])
    leaving.resign(table.pk, people[0])
    play_bots(table.pk)
    assert chosen(table) == 1
    choose(table, people[3], seen=fresh(table).move_count)
    choose(table, people[1], seen=fresh(table).move_count)
    play_bots(table.pk)
    assert state_of(fresh(table)).phase == DRAWING


def test_a_choice_takes_nothing_from_the_bank_and_adds_nothing(choosing):
    table, people = choosing(clock="bank", clock_hours=48, increment_hours=12, cap_hours=120)
    for user in people:
        choose(table, user)
    play_bots(table.pk)
    assert set(table.seats.values_list("time_left", flat=True)) == {timedelta(hours=48)}


def test_a_choice_comes_alone_and_before_the_cards_are_seen(choosing, refuses):
    table, people = choosing()
    with refuses("look_first"):
        play.play(table.pk, people[3], [KEEP_FIRST, DRAW], seen=4)
    for user in people:
        choose(table, user)
    play_bots(table.pk)
    with pytest.raises(Refused):
        choose(table, people[0], seen=fresh(table).move_count)


def test_the_page_and_the_program_of_each_choose_and_say_for_whom_they_wait(choosing, client):
    table, people = choosing()
    client.force_login(people[3])
    page = client.get(table.get_absolute_url()).content.decode()
    assert 'id="keep-2"' in page
    assert 'name="from_now_on"' in page
    client.post(reverse("gameplay:move", args=[table.slug]), {"moves": "keep 2", "seen": "4", "key": "k"})
    page = client.get(table.get_absolute_url()).content.decode()
    assert 'id="keep-2"' not in page
    assert "Waiting for 3 players to choose" in page


def test_the_log_of_choices_made_at_once_replays_to_the_position(choosing):
    table, people = choosing()
    for user in reversed(people):
        choose(table, user)
    play_bots(table.pk)
    assert list(integrity.wrong_at(fresh(table))) == []
