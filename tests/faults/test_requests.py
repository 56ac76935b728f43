"""Requests that come at once, again, or too late, over pages and over the API."""

import re
from functools import partial

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from accounts.services import tokens
from engine.play.cards import write_cards
from gameplay.models import Move, Seat, Table
from gameplay.snapshot import view_of
from tests.at_once import at_once

DEVICES = 16


@pytest.fixture(autouse=True)
def _fresh_counts():
    cache.clear()


def page_of(user):
    """Posts an act as the page does."""
    client = Client()
    client.force_login(user)

    def send(table, moves, *, version, key):
        data = {"moves": "\n".join(moves), "seen": version, "key": key}
        return client.post(reverse("gameplay:move", args=[table.slug]), data, headers={"HX-Request": "true"})

    return send


def program_of(user):
    """Posts an act as a program does."""
    _, text = tokens.create(user, name="bot", scopes=["play"], days=None)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")

    def send(table, moves, *, version, key):
        data = {"moves": moves, "seen": version, "key": key}
        return client.post(f"/api/v1/tables/{table.slug}/moves/", data, format="json")

    return send


@pytest.fixture(params=[page_of, program_of], ids=["page", "program"])
def door(request):
    """Makes what posts the acts of a person."""
    return request.param


def seat_to_act(table):
    table.refresh_from_db()
    return table.seats.select_related("user").get(number=table.seat_to_act)


def stored(table):
    rows = Table.objects.filter(pk=table.pk).values().get(), list(Seat.objects.filter(table=table).values())
    return rows, list(Move.objects.filter(table=table).values()), table.happenings.count()


def text_of(response):
    return response.content.decode()


@pytest.mark.django_db(transaction=True)
def test_of_sixteen_devices_one_plays_and_the_others_see_where_things_stand(seated, door):
    table = seated()
    devices = [door(seat_to_act(table).user) for _ in range(DEVICES)]
    answers = at_once(*[partial(send, table, ["draw"], version=0, key=f"k{n}") for n, send in enumerate(devices)])
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * (DEVICES - 1)
    assert list(table.moves.values_list("number", "text")) == [(1, "draw")]
    for answer in answers:
        if answer.status_code == 409:
            assert counts_of(answer) == {1}


def counts_of(answer):
    """The numbers of moves that an answer says are in the log."""
    if answer["Content-Type"] == "application/json":
        return {answer.json()["move_count"]}
    return {int(number) for number in re.findall(r'name="seen" value="(\d+)"', text_of(answer))}


@pytest.mark.django_db
def test_a_request_sent_again_is_answered_as_it_was_and_does_nothing(seated, door):
    table = seated()
    send = door(seat_to_act(table).user)
    first = send(table, ["draw"], version=0, key="one")
    before = stored(table)
    repeated = send(table, ["draw"], version=0, key="one")
    assert first.status_code == repeated.status_code == 200
    assert without_clock(text_of(repeated)) == without_clock(text_of(first))
    assert stored(table) == before


def without_clock(text):
    return re.sub(r"\d+ (seconds?|minutes?|hours?)", "", text)


@pytest.mark.django_db
def test_anothers_key_brings_nothing_of_theirs(seated, door):
    table = seated()
    seat = seat_to_act(table)
    first = door(seat.user)(table, ["draw"], version=0, key="one")
    before = stored(table)
    other = table.seats.exclude(pk=seat.pk).select_related("user").first()
    answer = door(other.user)(table, ["draw"], version=0, key="one")
    assert answer.status_code == 409
    assert text_of(answer) != text_of(first)
    assert stored(table) == before
    table.refresh_from_db()
    hand, other_hand = (view_of(table, each.number).hand for each in (seat, other))
    assert shown_hand(answer) in (set(), set(write_cards(other_hand).split()))
    assert shown_hand(first) == set(write_cards(hand).split())


def shown_hand(answer):
    """The cards of the hand that an answer holds."""
    if answer["Content-Type"] == "application/json":
        hands = answer.json().get("view", {}).get("hands", [])
        return {card for hand in hands for card in hand.get("cards", "").split()}
    return set(re.findall(r'data-card="(\w+)"', text_of(answer)))


@pytest.mark.django_db
def test_the_same_key_is_good_for_a_request_of_ones_own(seated, door, driver):
    table = seated()
    first = seat_to_act(table)
    assert door(first.user)(table, ["draw"], version=0, key="one").status_code == 200
    driver.until(table, lambda table: table.seat_to_act != first.number)
    second = seat_to_act(table)
    assert door(second.user)(table, ["draw"], version=table.move_count, key="one").status_code == 200
    assert list(table.moves.filter(request_key="one").values_list("seat", flat=True)) == [first.number, second.number]


@pytest.mark.django_db
@pytest.mark.parametrize("version", [0, 2, 99])
def test_an_act_for_another_position_is_refused_and_changes_nothing(seated, door, version):
    table = seated()
    send = door(seat_to_act(table).user)
    send(table, ["draw"], version=0, key="one")
    before = stored(table)
    answer = send(table, ["draw"], version=version, key="two")
    assert answer.status_code == 409
    assert counts_of(answer) == {1}
    assert stored(table) == before
