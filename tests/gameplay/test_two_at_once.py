"""Many hands on one table: however many acts arrive at once, exactly one legal sequence of moves results."""

import random
from functools import partial

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from engine.bots import make_bot
from engine.play.moves import write_move
from gameplay.log.match_history import dealt, match_of, state_at, steps
from gameplay.models import Table
from gameplay.snapshot import state_of, view_of
from tests.at_once import at_once

CLIENTS = 8


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def send(client, table, moves, *, seen, key):
    data = {"moves": moves, "seen": seen, "key": key}
    return client.post(reverse("gameplay:move", args=[table.slug]), data, headers={"HX-Request": "true"}).status_code


def advice(table):
    """The move of a bot for the seat to act, in notation."""
    bot = make_bot("club", seed=table.move_count)
    return write_move(bot.choose(view_of(table, table.seat_to_act)))


@pytest.fixture
def clients(seated):
    """A table begun, and a client for each of its seats."""
    table = seated()
    return table, [signed_in(seat.user) for seat in table.seats.select_related("user")]


@pytest.mark.django_db(transaction=True)
def test_the_same_act_from_eight_devices_is_done_once(clients):
    table, _ = clients
    user = table.seats.get(number=table.seat_to_act).user
    devices = [signed_in(user) for _ in range(CLIENTS)]
    statuses = at_once(*[partial(send, d, table, "draw", seen=0, key=f"k{n}") for n, d in enumerate(devices)])
    assert sorted(statuses) == [200] + [409] * (CLIENTS - 1)
    assert list(table.moves.values_list("number", "text")) == [(1, "draw")]


@pytest.mark.django_db(transaction=True)
def test_one_request_sent_eight_times_at_once_is_done_once_and_answered_eight_times(clients):
    table, _ = clients
    user = table.seats.get(number=table.seat_to_act).user
    devices = [signed_in(user) for _ in range(CLIENTS)]
    statuses = at_once(*[partial(send, d, table, "draw", seen=0, key="one") for d in devices])
    assert statuses == [200] * CLIENTS
    assert list(table.moves.values_list("number", "text")) == [(1, "draw")]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_eight_clients_hammer_a_table_with_all_kinds_of_acts(clients):
    table, by_seat = clients
    rng = random.Random(7)
    for round_number in range(25):
        table.refresh_from_db()
        if table.is_between_deals or table.status != Table.Status.PLAYING:
            break
        right, seen, actor = advice(table), table.move_count, table.seat_to_act
        player, left, partner = (by_seat[(actor + n) % 4] for n in range(3))
        attempts = [
            partial(send, player, table, right, seen=seen, key=f"{round_number}-a"),
            partial(send, player, table, right, seen=seen, key=f"{round_number}-a"),
            partial(send, player, table, right, seen=seen, key=f"{round_number}-b"),
            partial(send, player, table, "discard 3s", seen=seen, key=f"{round_number}-c"),
            partial(send, player, table, right, seen=max(0, seen - 1), key=f"{round_number}-d"),
            partial(send, left, table, right, seen=seen, key=f"{round_number}-a"),
            partial(send, partner, table, "draw", seen=seen + 1, key=f"{round_number}-e"),
            partial(send, player, table, "nonsense", seen=seen, key=f"{round_number}-f"),
        ]
        rng.shuffle(attempts)
        statuses = at_once(*attempts)
        assert set(statuses) <= {200, 409, 422}
        table.refresh_from_db()
        assert table.move_count == seen + 1
    numbers = list(table.moves.values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
    match = match_of(table, dealt(table))
    assert state_at(match, steps(match)[-1]) == state_of(table)


@pytest.mark.django_db(transaction=True)
def test_the_last_to_want_the_next_deal_begins_it_once(clients, driver):
    table, by_seat = clients
    driver.until(table, lambda table: table.is_between_deals)
    url = reverse("gameplay:next_deal", args=[table.slug])
    at_once(*[partial(client.post, url, {"deal": 1}) for client in by_seat for _ in range(2)])
    table.refresh_from_db()
    assert table.deal_number == 2
    assert table.deals.count() == 2
    assert not table.is_between_deals


def test_these_tests_meet_the_database_they_are_meant_for(db):
    assert connection.vendor in ("sqlite", "postgresql")
    assert connection.settings_dict["NAME"] != ":memory:"
