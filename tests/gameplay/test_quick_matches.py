"""Play now: people with the same wishes meet, bots take the seats that stay free."""

import re
from datetime import timedelta
from functools import partial

import pytest
from django.test import Client
from django.urls import reverse

from accounts.budgets import GUESTS, PRACTICE_TABLES, TABLES
from accounts.models import User
from engine.errors import BadInput
from gameplay.models import Table, Wish
from gameplay.services import quick_matches, seating, tables
from tests.at_once import at_once
from tests.makers import make_person
from web.errors import NotAllowed, Refused

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def play(user, wait=5 * MINUTE, ruleset="standard", pace="day", **time):
    return quick_matches.play_now(user, ruleset=ruleset, pace=pace, wait=wait, **time)


def names(table):
    return [str(seat) if seat.is_taken else "" for seat in table.seats.all()]


def test_people_with_the_same_wishes_meet_and_the_last_to_come_starts_the_match(four):
    first = play(four[0])
    assert (first.status, first.clock_hours, names(first)) == ("gathering", 24, ["Ann", "", "", ""])
    for user in four[1:]:
        assert play(user) == first
    table = Table.objects.get()
    assert (names(table), table.status, table.bots_join_at) == (["Ann", "Ben", "Cem", "Dee"], "playing", None)
    assert table.deal_number == 1


@pytest.mark.parametrize("other", [{"ruleset": "family"}, {"pace": "bank"}, {"wait": None}])
def test_other_wishes_are_another_table(four, other):
    assert play(four[0]) != play(four[1], **other)


def test_twice_is_one_seat_and_other_wishes_are_refused_while_one_waits(four):
    table = play(four[0])
    assert play(four[0]) == table
    assert names(table) == ["Ann", "", "", ""]
    with pytest.raises(Refused, match="You already wait for a quick match"):
        play(four[0], ruleset="family")
    assert Table.objects.count() == 1
    seating.leave(table.pk, four[0])
    assert play(four[0], ruleset="family").rules.name == "family"


@pytest.mark.django_db(transaction=True)
def test_two_people_at_the_same_instant_are_seated_together(four):
    results = at_once(partial(play, four[0]), partial(play, four[1]))
    assert results[0] == results[1]
    assert sorted(names(Table.objects.get())) == ["", "", "Ann", "Ben"]


@pytest.mark.django_db(transaction=True)
def test_eight_people_at_the_same_instant_fill_two_tables(four):
    people = four + [make_person(name) for name in ("Eve", "Fay", "Gus", "Hal")]
    results = at_once(*[partial(play, user) for user in people])
    assert sorted(results.count(table) for table in Table.objects.all()) == [4, 4]
    assert set(Table.objects.values_list("status", flat=True)) == {"playing"}


@pytest.mark.django_db(transaction=True)
def test_one_person_on_eight_devices_has_one_seat(four):
    results = at_once(*[partial(play, four[0]) for _ in range(8)])
    assert results == [Table.objects.get()] * 8
    assert names(results[0]) == ["Ann", "", "", ""]


@pytest.mark.django_db(transaction=True)
def test_bots_that_join_while_a_person_comes_leave_nobody_without_a_seat(four):
    table = play(four[0])
    later = table.bots_join_at
    at_once(partial(quick_matches.fill, table.pk, later), partial(play, four[1]))
    seats = [seat for each in Table.objects.all() for seat in each.seats.all() if seat.user_id]
    assert sorted(str(seat) for seat in seats) == ["Ann", "Ben"]


def test_bots_take_the_free_seats_after_the_chosen_time_and_not_before(four):
    table = play(four[0], now=None)
    play(four[1])
    table.refresh_from_db()
    quick_matches.sweep(table.bots_join_at - timedelta(seconds=1))
    assert Table.objects.get().status == "gathering"
    for _ in range(2):
        quick_matches.sweep(table.bots_join_at)
    started = Table.objects.get()
    assert (started.status, started.bots_join_at) == ("playing", None)
    assert names(started) == ["Ann", "Ben", "Charles (bot)", "Dorothea (bot)"]
    assert [seat.bot for seat in started.seats.all()] == ["", "", "club", "club"]


def test_the_shortest_wait_at_a_table_counts(four):
    table = play(four[0], wait=60 * MINUTE)
    first = table.bots_join_at
    play(four[1], wait=MINUTE)
    table.refresh_from_db()
    second = table.bots_join_at
    assert second < first
    play(four[2], wait=60 * MINUTE)
    table.refresh_from_db()
    assert table.bots_join_at == second


def test_without_bots_a_table_waits_for_people(four):
    table = play(four[0], wait=None)
    assert table.bots_join_at is None
    quick_matches.sweep(table.created_at + timedelta(days=20))
    assert Table.objects.get().status == "gathering"


def test_bots_that_may_not_play_yet_are_asked_again_later(four, limited):
    limited(PRACTICE_TABLES, person=0)
    table = play(four[0])
    due = table.bots_join_at
    quick_matches.sweep(due)
    table = Table.objects.get()
    assert (table.status, table.bots_join_at, names(table)) == (
        "gathering",
        due + timedelta(minutes=10),
        ["Ann", "", "", ""],
    )


def test_a_full_budget_of_tables_refuses_who_would_need_a_new_one_only(four, limited, refuses):
    play(four[0])
    limited(TABLES, person=0)
    assert names(play(four[1])) == ["Ann", "Ben", "", ""]
    with refuses("too_much"):
        play(four[2], ruleset="family")
    assert Table.objects.count() == 1


def test_whoever_leaves_gives_the_seat_free_and_the_last_takes_the_table_along(four):
    table = play(four[0])
    play(four[1])
    seating.leave(table.pk, four[0])
    assert names(play(four[2])) == ["Cem", "Ben", "", ""]
    for user in four[1:3]:
        seating.leave(table.pk, user)
    assert not Table.objects.exists()
    assert Wish.objects.count() == 1


@pytest.mark.parametrize("act", ["start", "cancel"])
def test_nobody_arranges_a_quick_match(four, act):
    table = play(four[0])
    with pytest.raises(NotAllowed, match="A quick match starts automatically"):
        getattr(tables, act)(table.pk, four[0])


def test_unknown_wishes_are_refused(four):
    with pytest.raises(BadInput):
        play(four[0], ruleset="poker")
    with pytest.raises(Refused, match="Choose one of the clocks"):
        play(four[0], pace="none")
    assert not Wish.objects.exists()


# Pages


def test_one_press_takes_a_seat_and_the_page_shows_who_waits(client, four):
    client.force_login(four[0])
    assert "Nobody is waiting right now." in client.get("/play/now/").content.decode()
    response = client.post("/play/now/", {"ruleset": "standard", "pace": "day", "bots_after": "300"})
    table = Table.objects.get()
    assert (response.status_code, response["Location"]) == (302, table.get_absolute_url())
    room = client.get(table.get_absolute_url()).content.decode()
    assert "Bots take the free seats" in room
    assert '<meta http-equiv="refresh" content="20">' in room
    assert reverse("gameplay:start", args=[table.slug]) not in room
    client.force_login(four[1])
    page = client.get("/play/now/").content.decode()
    assert "<b>1 of 4</b>" in page
    client.post("/play/now/", {"ruleset": "standard", "pace": "day", "bots_after": "60"})
    assert names(table) == ["Ann", "Ben", "", ""]


def test_wishes_are_filled_in_as_last_time(client, four):
    play(four[0], ruleset="family", pace="bank", wait=None)
    client.force_login(four[0])
    page = client.get("/play/now/").content.decode()
    chosen = re.findall(r'<option value="(\w*)" selected>', page)
    assert chosen == ["family", "bank", ""]


@pytest.mark.parametrize(
    "wrong", [{"ruleset": "poker"}, {"pace": "none"}, {"bots_after": "7"}, {"ruleset": ""}, {"pace": ""}]
)
def test_wishes_that_are_not_on_the_list_are_refused(client, four, wrong):
    client.force_login(four[0])
    data = {"ruleset": "standard", "pace": "day", "bots_after": "300"} | wrong
    assert client.post("/play/now/", data).status_code == 422
    assert not Table.objects.exists()


def test_other_wishes_while_one_waits_are_refused_on_the_page(client, four):
    play(four[0])
    client.force_login(four[0])
    response = client.post("/play/now/", {"ruleset": "family", "pace": "day", "bots_after": "300"})
    assert response.status_code == 422
    assert "You already wait for a quick match. Leave it to choose another." in response.content.decode()


# Guests


def play_as_guest(client, name="Zoe", **fields):
    wishes = {"ruleset": "standard", "pace": "day", "bots_after": "300", "key": name * 9}
    return client.post("/play/now/", {"name": name, **wishes, **fields})


def test_a_visitor_plays_now_under_a_name(client, four):
    assert 'name="name"' in client.get("/play/now/").content.decode()
    table = play(four[0])
    assert play_as_guest(client)["Location"] == table.get_absolute_url()
    assert names(table) == ["Ann", "Zoe (guest)", "", ""]
    guest = table.seats.get(number=1).user
    assert (guest.is_guest, guest.is_active) == (True, False)
    room = client.get(table.get_absolute_url()).content.decode()
    assert "You play as a guest in this browser." in room
    assert 'value="Zoe"' in client.get("/play/now/").content.decode()


def test_a_guest_who_sends_the_form_twice_has_one_seat(client, four):
    for browser in (client, client, Client()):
        play_as_guest(browser)
    assert names(Table.objects.get()) == ["Zoe (guest)", "", "", ""]
    assert User.objects.filter(is_guest=True).count() == 1


def test_two_guests_of_one_name_wait_at_two_tables(four):
    for key in ("one", "two"):
        play_as_guest(Client(), key=key)
    assert Table.objects.count() == 2


def test_a_guest_who_is_left_alone_keeps_the_table(client, four):
    table = play(four[0])
    play_as_guest(client)
    seating.leave(table.pk, four[0])
    assert names(table) == ["", "Zoe (guest)", "", ""]
    assert play(four[1]) == table


def test_bots_join_a_guest_and_nothing_is_rated(client):
    play_as_guest(client)
    table = Table.objects.get()
    quick_matches.sweep(table.bots_join_at)
    table.refresh_from_db()
    assert (table.status, table.is_rated, table.is_practice) == ("playing", False, False)
    assert client.get(table.get_absolute_url()).status_code == 200


@pytest.mark.parametrize(("budget", "limit"), [(GUESTS, {"address": 0}), (TABLES, {"guest": 0})])
def test_guests_have_the_budgets_of_guests_and_a_refusal_leaves_none_behind(client, limited, budget, limit):
    limited(budget, **limit)
    assert play_as_guest(client).status_code == 429
    assert not User.objects.filter(is_guest=True).exists()
    assert not Table.objects.exists()


@pytest.mark.parametrize("name", ["", " ", "x" * 41])
def test_a_guest_without_a_name_is_asked_for_one(client, name):
    assert play_as_guest(client, name).status_code == 422
    assert not User.objects.filter(is_guest=True).exists()


def test_a_quick_match_that_waits_takes_guests_on_its_page_too(client, four):
    table = play(four[0])
    assert "Your name" in client.get(table.get_absolute_url()).content.decode()
    client.post(reverse("gameplay:join_as_guest", args=[table.slug]), {"name": "Zoe", "key": "k" * 32})
    assert names(table) == ["Ann", "Zoe (guest)", "", ""]


# Defaults


def chosen_on(client):
    return re.findall(r'<option value="(\w*)" selected>', client.get("/play/now/").content.decode())


def test_an_evening_with_bots_after_a_minute_is_the_usual_wish(client, four):
    assert chosen_on(client) == ["standard", "evening", "60"]
    client.force_login(four[0])
    assert chosen_on(client) == ["standard", "evening", "60"]
    client.post("/play/now/", {"ruleset": "standard", "pace": "evening", "bots_after": "60"})
    table = Table.objects.get()
    assert (table.clock, table.turn_seconds, table.bank_seconds) == ("live", 60, 180)


def test_the_wait_is_filled_in_as_last_time_too(client, four):
    client.force_login(four[0])
    client.post("/play/now/", {"ruleset": "family", "pace": "day", "bots_after": "3600"})
    assert chosen_on(client) == ["family", "day", "3600"]


def test_the_page_asks_as_much_for_one_table_as_for_three(client, four, django_assert_max_num_queries):
    client.force_login(make_person("Zed"))
    counts = []
    for user, ruleset in zip(four, ("standard", "family", "bain", "knee"), strict=True):
        play(user, ruleset=ruleset)
        with django_assert_max_num_queries(100) as queries:
            client.get("/play/now/")
        counts.append(len(queries))
    assert counts[1:] == [counts[1]] * 3
