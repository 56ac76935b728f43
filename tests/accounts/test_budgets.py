"""Budgets: what a person, a guest and an address can use, on each place that counts."""

import os
from contextlib import suppress
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache.backends.redis import RedisCache

from accounts import budget_limits, budgets
from accounts.addresses import network_of
from accounts.budgets import (
    BUDGETS,
    ELSEWHERE,
    HELD,
    Budget,
    Subject,
    asked_from,
    charge,
    check,
    hold,
    note_network,
    release,
    renew_leases,
    spend,
    subject_of,
    subjects,
    top_users,
    used,
)
from accounts.models import User
from web.errors import TooMuch
from web.shared_counts import CountsWithStandIn, FileCounts, RedisCounts

REDIS = os.environ.get("CELERY_BROKER_URL", "")
with_redis = pytest.mark.skipif(not REDIS.startswith("redis"), reason="there is no Redis")
HOURLY = Budget("hourly", "", "There were too many cards.", 3600, person=10, guest=4, address=12)
OPEN = Budget("open", "", "Too many doors are open.", HELD, person=3, guest=1, address=4)
START = 1_800_000_000 - 1_800_000_000 % 3600
ANN, BEN = User(pk=1), User(pk=2)
GUEST = User(pk=3, is_guest=True)


@pytest.fixture(params=["memory", "file", "away", pytest.param("redis", marks=with_redis)], autouse=True)
def place(request, tmp_path, monkeypatch, time_machine):
    """The place where is counted, at the start of an hour that stands still."""
    time_machine.move_to(START, tick=False)
    prefix = {"KEY_PREFIX": f"test-budgets-{os.getpid()}"}
    shared = {
        "memory": lambda: FileCounts(":memory:"),
        "file": lambda: FileCounts(tmp_path / "counts.sqlite3"),
        "away": lambda: RedisCounts(RedisCache("redis://127.0.0.1:1", prefix)),
        "redis": lambda: RedisCounts(RedisCache(REDIS, prefix)),
    }[request.param]()
    counts = CountsWithStandIn(shared)
    monkeypatch.setattr(budgets, "_counts", counts)
    monkeypatch.setattr(budget_limits, "_changed", {})
    monkeypatch.setattr(budgets, "_leases", set())
    monkeypatch.setattr(budgets, "_start_renewing", lambda: None)
    yield counts
    counts.clear()


@pytest.fixture
def after(time_machine):
    """Moves on by so many seconds."""
    return lambda seconds: time_machine.shift(seconds)


def refused(act, *args, **options):
    """Whether an act is refused because a budget is used up."""
    try:
        act(*args, **options)
    except TooMuch:
        return True
    return False


# Subjects


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::"),
        ("", ""),
        ("unknown", ""),
    ],
)
def test_an_address_counts_by_its_network(address, network):
    assert network_of(address) == network


def test_an_act_counts_for_the_person_and_the_address():
    with asked_from("192.0.2.7"):
        assert subjects(ANN) == [Subject("person", "1"), Subject("address", "192.0.2.7")]
        assert subjects(GUEST) == [Subject("guest", "3"), Subject("address", "192.0.2.7")]
        assert subjects(AnonymousUser()) == subjects(None) == [Subject("address", "192.0.2.7")]
        assert subjects(subject_of(ANN)) == [Subject("person", "1")]
    assert subjects(ANN) == [Subject("person", "1")]
    assert subjects(None) == []


def test_in_a_task_the_address_of_a_guest_is_the_one_noted():
    assert subjects(GUEST) == [Subject("guest", "3")]
    with asked_from("192.0.2.7"):
        note_network(GUEST)
        note_network(ANN)
    assert subjects(GUEST) == [Subject("guest", "3"), Subject("address", "192.0.2.7")]
    assert subjects(ANN) == [Subject("person", "1")]
    charge(HOURLY, GUEST, 12)
    with asked_from("192.0.2.7"):
        assert refused(check, HOURLY, BEN)


# What is spent


def test_a_budget_is_used_up_by_a_person_for_that_person_alone():
    for _ in range(10):
        spend(HOURLY, ANN)
    assert refused(spend, HOURLY, ANN)
    assert used(HOURLY, subject_of(ANN)) == 10
    spend(HOURLY, BEN)
    spend(HOURLY, GUEST, 4)
    assert refused(spend, HOURLY, GUEST)


def test_an_address_has_a_limit_over_all_its_people():
    with asked_from("2001:db8::1"):
        spend(HOURLY, ANN, 10)
        spend(HOURLY, BEN, 2)
    with asked_from("2001:db8::2"):
        assert refused(spend, HOURLY, BEN)
        assert refused(spend, HOURLY, None)
    with asked_from("2001:db8:0:1::1"):
        spend(HOURLY, BEN)
    assert used(HOURLY, subject_of(BEN)) == 3


def test_what_is_refused_uses_nothing():
    with asked_from("192.0.2.7"):
        assert refused(spend, HOURLY, ANN, 11)
    assert used(HOURLY, subject_of(ANN)) == 0
    assert used(HOURLY, Subject("address", "192.0.2.7")) == 0


def test_a_check_uses_nothing():
    spend(HOURLY, ANN, 9)
    check(HOURLY, ANN)
    check(HOURLY, ANN)
    assert refused(check, HOURLY, ANN, 2)
    assert used(HOURLY, subject_of(ANN)) == 9


def test_a_charge_counts_even_beyond_the_limit():
    charge(HOURLY, ANN, 25)
    assert used(HOURLY, subject_of(ANN)) == 25
    assert refused(spend, HOURLY, ANN)


def test_a_kind_without_a_limit_is_not_counted():
    budget = Budget("free", "", "", 3600, person=None, guest=1, address=None)
    with asked_from("192.0.2.7"):
        spend(budget, ANN, 1000)
        charge(budget, ANN, 1000)
    assert used(budget, subject_of(ANN)) == 0


def test_the_window_before_counts_less_and_less(after):
    spend(HOURLY, ANN, 10)
    after(3600)
    assert used(HOURLY, subject_of(ANN)) == 10
    assert refused(spend, HOURLY, ANN)
    after(1800)
    assert used(HOURLY, subject_of(ANN)) == 5
    spend(HOURLY, ANN, 5)
    assert refused(spend, HOURLY, ANN)
    after(1800)
    assert used(HOURLY, subject_of(ANN)) == 5
    after(3600)
    assert used(HOURLY, subject_of(ANN)) == 0


@pytest.mark.parametrize(("before", "at"), [(0, 0), (0, 1800), (3600, 0), (1800, 2700)])
def test_after_the_time_that_a_refusal_says_there_is_room(after, before, at):
    spend(HOURLY, ANN, 6)
    after(before)
    spend(HOURLY, ANN, 4 if not before else 3)
    after(at)
    with pytest.raises(TooMuch) as caught:
        spend(HOURLY, ANN, 8)
    after(caught.value.retry_after - 2)
    assert refused(spend, HOURLY, ANN, 8)
    after(2)
    spend(HOURLY, ANN, 8)


def test_a_refusal_is_a_sentence_with_when_to_try_again(after):
    spend(HOURLY, ANN, 10)
    after(600)
    with pytest.raises(TooMuch) as caught:
        spend(HOURLY, ANN)
    refusal = caught.value
    assert (refusal.code, refusal.status) == ("too_much", 429)
    assert refusal.sentence == "There were too many cards. Try again in 56 min."
    assert refusal.details == {"retry_after": 3360, "budget": "hourly"}
    assert refusal.headers == {"Retry-After": "3360"}


def test_a_refusal_says_that_an_address_was_counted():
    with asked_from("192.0.2.7"):
        spend(HOURLY, None, 12)
        with pytest.raises(TooMuch) as caught:
            spend(HOURLY, ANN)
    expected = (
        "There were too many cards. Everyone on your internet connection counts together. Try again in 1 h 5 min."
    )
    assert caught.value.sentence == expected


def test_what_the_database_counts_is_checked_against_the_limit():
    budget = Budget("rows", "", "You have too many rows.", ELSEWHERE, person=5, guest=2, address=None)
    with asked_from("192.0.2.7"):
        check(budget, ANN, already=4)
        with pytest.raises(TooMuch) as caught:
            check(budget, ANN, already=5)
        assert refused(check, budget, GUEST, already=2)
    assert caught.value.sentence == "You have too many rows."


def test_those_who_use_most_come_first(after):
    with asked_from("192.0.2.7"):
        spend(HOURLY, ANN, 4)
    after(3600 + 1800)
    spend(HOURLY, BEN, 3)
    assert list(top_users(HOURLY, 2).items()) == [("person:2", 3), ("address:192.0.2.7", 2)]


# What is held


def test_what_is_held_counts_until_it_is_released():
    leases = [hold(OPEN, ANN) for _ in range(3)]
    assert refused(hold, OPEN, ANN)
    assert used(OPEN, subject_of(ANN)) == 3
    hold(OPEN, BEN)
    release(leases[0])
    release(leases[0])
    assert used(OPEN, subject_of(ANN)) == 2
    hold(OPEN, ANN)


def test_what_is_held_is_released_after_the_context_even_by_an_error():
    with suppress(KeyError), hold(OPEN, ANN, 3):
        assert refused(hold, OPEN, ANN)
        raise KeyError
    assert used(OPEN, subject_of(ANN)) == 0


def test_an_address_holds_for_all_its_people():
    with asked_from("192.0.2.7"):
        with hold(OPEN, ANN, 3), hold(OPEN, GUEST):
            assert refused(hold, OPEN, BEN)
        hold(OPEN, BEN)


def test_what_is_held_counts_as_long_as_it_is_renewed(after):
    lease = hold(OPEN, ANN, 3)
    for _ in range(20):
        after(10)
        renew_leases()
        assert used(OPEN, subject_of(ANN)) == 3
        assert refused(hold, OPEN, ANN)
    release(lease)
    assert used(OPEN, subject_of(ANN)) == 0
    renew_leases()
    assert used(OPEN, subject_of(ANN)) == 0


def test_a_process_that_dies_holds_nothing_after_a_minute(after):
    hold(OPEN, ANN, 3)
    budgets._leases.clear()
    after(59)
    assert refused(hold, OPEN, ANN) is True
    after(31)
    hold(OPEN, ANN, 3)


@pytest.mark.parametrize("moved", [0, 15, 29, 30, 45])
def test_a_release_gives_back_all_of_it_and_no_more(after, moved):
    first, _second = hold(OPEN, ANN), hold(OPEN, ANN)
    after(moved)
    renew_leases()
    release(first)
    assert used(OPEN, subject_of(ANN)) == 1
    after(30)
    renew_leases()
    assert used(OPEN, subject_of(ANN)) == 1


def test_what_is_held_is_counted_again_where_counts_were_lost(place):
    lease = hold(OPEN, ANN, 2)
    place.clear()
    lease._windows.clear()
    renew_leases()
    assert used(OPEN, subject_of(ANN)) == 2


def test_while_the_counts_are_away_what_is_held_is_counted_here(place, monkeypatch):
    lease = hold(OPEN, ANN, 2)
    shared = place.shared
    monkeypatch.setattr(place, "_away_until", float("inf"))
    renew_leases()
    assert used(OPEN, subject_of(ANN)) == 2
    assert refused(hold, OPEN, ANN, 2)
    monkeypatch.setattr(place, "_away_until", 0)
    assert place.shared is shared
    renew_leases()
    release(lease)
    assert used(OPEN, subject_of(ANN)) == 0


def test_what_nobody_is_counted_for_is_not_renewed():
    with hold(OPEN, None):
        assert budgets._leases == set()


# The declared ones


@pytest.mark.parametrize("budget", BUDGETS, ids=lambda budget: budget.name)
def test_every_budget_refuses_and_nobody_else_is_refused(budget):
    who = GUEST if budget.person is None else ANN
    limit = budget.limit(subject_of(who))
    act = {HELD: hold, ELSEWHERE: lambda budget, who, amount: check(budget, who, already=amount - 1)}.get(
        budget.seconds, spend
    )
    leases = [act(budget, who, limit)]
    assert refused(act, budget, who, limit + 1)
    act(budget, BEN, 1)
    if budget.guest is not None and who != GUEST:
        act(budget, GUEST, 1)
    assert leases


@pytest.mark.parametrize("budget", BUDGETS, ids=lambda budget: budget.name)
def test_an_address_has_room_for_several_people(budget):
    assert budget.address is None or budget.address >= 4 * (budget.person or budget.guest)


def test_names_of_budgets_are_unique():
    assert len({budget.name for budget in BUDGETS}) == len(BUDGETS)


# At the door


def test_a_request_counts_for_its_address():
    everyone = []
    from accounts.middleware import address

    middleware = address(lambda request: everyone.append([str(each) for each in subjects(None)]))
    for meta in ({"REMOTE_ADDR": "192.0.2.7"}, {"REMOTE_ADDR": "2001:db8:1:2::3"}, {"REMOTE_ADDR": ""}):
        middleware(SimpleNamespace(META=meta, headers={}))
    assert everyone == [["address:192.0.2.7"], ["address:2001:db8:1:2::"], []]
    assert subjects(None) == []
