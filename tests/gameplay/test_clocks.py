"""Thinking time: `due_at` and `used` undo each other in every zone, and nothing is lost or won by a pause."""

from datetime import UTC, datetime, time, timedelta
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import Absence
from gameplay import clocks
from gameplay.clocks import FreeTime, due_at, free_time, used
from gameplay.models import Seat, Table

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ZONES = (
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/St_Johns",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Pacific/Chatham",
    "Africa/Cairo",
    "America/Santiago",
    "Africa/Casablanca",
)


def utc(*parts):
    return datetime(*parts, tzinfo=UTC)


def local(zone, *parts, fold=0):
    return datetime(*parts, tzinfo=ZoneInfo(zone), fold=fold)


moments = st.datetimes(datetime(2025, 1, 1), datetime(2028, 12, 31), timezones=st.just(UTC))
absences = st.lists(st.tuples(moments, st.timedeltas(timedelta(seconds=1), 40 * DAY)), max_size=3)
times = st.builds(time, st.integers(0, 23), st.sampled_from([0, 15, 30, 59]))
free_times = st.builds(
    lambda zone, days, quiet, away: FreeTime(
        ZoneInfo(zone),
        frozenset(days),
        quiet if quiet and quiet[0] != quiet[1] else None,
        tuple((begins, begins + length) for begins, length in away),
    ),
    st.sampled_from(ZONES),
    st.sets(st.integers(0, 6), max_size=2),
    st.none() | st.tuples(times, times),
    absences,
)
allowances = st.timedeltas(timedelta(), 20 * DAY)


@given(moments, allowances, free_times)
def test_what_is_used_until_it_is_due_is_the_allowance(start, allowance, free):
    due = due_at(start, allowance, free)
    assert due >= start + allowance
    assert used(start, due, free) == allowance


@given(moments, allowances, free_times)
def test_a_moment_later_more_is_used(start, allowance, free):
    due = due_at(start, allowance, free)
    assert used(start, due + timedelta(microseconds=1), free) == allowance + timedelta(microseconds=1)


@given(moments, st.timedeltas(timedelta(), 60 * DAY), st.timedeltas(timedelta(), 60 * DAY), free_times)
def test_time_used_adds_up_and_is_never_negative(start, first, second, free):
    middle, end = start + first, start + first + second
    assert used(start, middle, free) + used(middle, end, free) == used(start, end, free)
    assert timedelta() <= used(start, end, free) <= end - start
    assert used(end, start, free) == timedelta()


@given(
    moments, st.lists(st.tuples(st.timedeltas(timedelta(), 3 * DAY), st.timedeltas(timedelta(), 9 * DAY))), free_times
)
def test_thinking_time_is_conserved_under_pauses(start, rounds, free):
    table, seat = a_table(), a_seat()
    clocks.free_time, original = (lambda table, seat: free), clocks.free_time
    try:
        clocks.begin_turn(table, seat)
        now, spent = start, timedelta()
        clocks.start(table, seat, now)
        for running, paused in rounds:
            spent += used(now, now + running, free)
            now += running
            clocks.stop(table, [seat], now)
            assert seat.time_left == max(timedelta(), table.allowance - spent)
            now += paused
            clocks.run(table, seat, now)
            assert table.deadline_at == due_at(now, seat.time_left, free)
    finally:
        clocks.free_time = original


@given(moments, allowances)
def test_without_free_time_it_is_plain_addition(start, allowance):
    assert due_at(start, allowance, clocks.NO_FREE_TIME) == start + allowance


def a_table(**fields):
    return Table(**{"clock": "move", "clock_hours": 48, "seat_to_act": 0, **fields})


def a_seat(**fields):
    return Seat(number=0, user_id=1, **fields)


BERLIN = "Europe/Berlin"


@pytest.mark.parametrize(
    ("start", "hours", "due"),
    [
        # Into the night of 29 March, when 02:00 becomes 03:00: the day has 23 hours.
        (local(BERLIN, 2026, 3, 28, 12), 24, local(BERLIN, 2026, 3, 29, 13)),
        # Into the night of 25 October, when 03:00 becomes 02:00: the day has 25.
        (local(BERLIN, 2026, 10, 24, 12), 24, local(BERLIN, 2026, 10, 25, 11)),
        # From a time that occurs twice, the first and the second.
        (local(BERLIN, 2026, 10, 25, 2, 30), 12, local(BERLIN, 2026, 10, 25, 13, 30)),
        (local(BERLIN, 2026, 10, 25, 2, 30, fold=1), 12, local(BERLIN, 2026, 10, 25, 14, 30)),
        (utc(2028, 2, 28, 12), 24, utc(2028, 2, 29, 12)),
        (utc(2026, 12, 31, 12), 12, utc(2027, 1, 1)),
    ],
)
def test_an_allowance_is_hours_that_pass(start, hours, due):
    assert due_at(start, hours * HOUR, FreeTime(ZoneInfo(BERLIN))) == due


@pytest.mark.parametrize(
    ("zone", "start", "due"),
    [
        # Friday noon to Monday noon: the weekend is 47 hours, 49, and, at Lord Howe, 47½ and 48½.
        (BERLIN, (2026, 3, 27, 12), (2026, 3, 30, 12)),
        (BERLIN, (2026, 10, 23, 12), (2026, 10, 26, 12)),
        ("Australia/Lord_Howe", (2026, 10, 2, 12), (2026, 10, 5, 12)),
        ("Australia/Lord_Howe", (2026, 4, 3, 12), (2026, 4, 6, 12)),
        ("America/St_Johns", (2026, 3, 6, 12), (2026, 3, 9, 12)),
        ("Asia/Kolkata", (2026, 3, 27, 12), (2026, 3, 30, 12)),
    ],
)
def test_a_free_weekend_is_that_of_the_own_calendar(zone, start, due):
    free = FreeTime(ZoneInfo(zone), frozenset({5, 6}))
    assert due_at(local(zone, *start), 24 * HOUR, free) == local(zone, *due)


@pytest.mark.parametrize(
    ("zone", "day", "awake"),
    [(BERLIN, (2026, 3, 28), 16), (BERLIN, (2026, 10, 24), 16), ("Australia/Lord_Howe", (2026, 10, 3), 16)],
)
def test_a_night_is_quiet_however_long_it_is(zone, day, awake):
    free = FreeTime(ZoneInfo(zone), quiet=(time(22), time(6)))
    start = local(zone, *day, 22)
    assert used(start, start.replace(day=day[2] + 1), free) == awake * HOUR


def test_quiet_hours_that_occur_twice_are_quiet_twice():
    free = FreeTime(ZoneInfo(BERLIN), quiet=(time(2), time(2, 59)))
    start, end = local(BERLIN, 2026, 10, 25), local(BERLIN, 2026, 10, 25, 12)
    assert used(start, end, free) == 13 * HOUR - timedelta(minutes=119)


def test_quiet_hours_that_the_clocks_skip_come_an_hour_later():
    free = FreeTime(ZoneInfo(BERLIN), quiet=(time(2), time(2, 30)))
    start, end = local(BERLIN, 2026, 3, 29), local(BERLIN, 2026, 3, 29, 12)
    assert used(start, end, free) == 11 * HOUR - timedelta(minutes=30)


def test_time_that_runs_out_when_free_time_begins_runs_out_when_it_ends():
    free = FreeTime(ZoneInfo("UTC"), frozenset({5, 6}))
    assert due_at(utc(2026, 3, 26), 48 * HOUR, free) == utc(2026, 3, 30)
    assert due_at(utc(2026, 3, 28, 5), timedelta(), free) == utc(2026, 3, 30)


def test_a_deadline_at_midnight_is_at_midnight():
    assert due_at(utc(2026, 12, 30), 48 * HOUR, clocks.NO_FREE_TIME) == utc(2027, 1, 1)


@pytest.mark.parametrize(
    ("zone", "expected"), [("Asia/Kolkata", "2026-03-10 17:30"), ("America/St_Johns", "2026-03-10 09:30")]
)
def test_players_far_apart_see_one_deadline_on_their_own_clocks(zone, expected):
    due = due_at(utc(2026, 3, 8, 12), 48 * HOUR, FreeTime(ZoneInfo(zone)))
    assert due.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M") == expected


# Allowances of a table


def test_free_time_is_what_the_table_grants(person):
    user = person("Ann", time_zone="Asia/Kolkata", quiet_from=time(23), quiet_until=time(7))
    away = Absence.objects.create(user=user, starts_at=utc(2026, 3, 1), ends_at=utc(2026, 3, 4))
    seat, zone = Seat(user=user), ZoneInfo("Asia/Kolkata")
    assert free_time(Table(allows_absences=False), seat) == FreeTime(zone)
    assert free_time(Table(allows_absences=False, free_weekends=True), seat) == FreeTime(zone, frozenset({5, 6}))
    assert free_time(Table(allows_absences=False, free_nights=True), seat).quiet == (time(23), time(7))
    assert free_time(Table(), seat).absences == ((away.starts_at, away.ends_at),)
    assert free_time(Table(free_weekends=True), Seat(bot="club")) == clocks.NO_FREE_TIME


def test_nobody_makes_every_day_a_weekend_nor_the_day_a_night(person):
    user = person("Ann", weekend_days="0123456", quiet_from=time(8), quiet_until=time(7))
    free = free_time(Table(free_weekends=True, free_nights=True, allows_absences=False), Seat(user=user))
    assert len(free.weekend_days) == clocks.MOST_WEEKEND_DAYS
    monday = utc(2026, 3, 2)
    assert used(monday, monday + DAY, free) == 12 * HOUR


def test_free_time_asks_the_database_nothing_more(seated, django_assert_num_queries):
    from django.db import transaction

    from gameplay.services.sitting import sit_down

    table = seated(free_weekends=True, free_nights=True)
    with transaction.atomic():
        sitting = sit_down(table.pk)
        with django_assert_num_queries(0):
            for seat in sitting.seats:
                free_time(sitting.table, seat)


# Banks


def bank(**fields):
    return a_table(clock="bank", **{"clock_hours": 72, "increment_hours": 6, "cap_hours": 96, **fields})


def test_a_bank_grows_with_each_turn_up_to_its_cap():
    table, seat = bank(), a_seat(time_left=80 * HOUR)
    clocks.end_turn(table, seat)
    assert seat.time_left == 86 * HOUR
    seat.time_left = 95 * HOUR
    clocks.end_turn(table, seat)
    assert seat.time_left == 96 * HOUR


def test_a_bank_above_its_cap_loses_nothing():
    table, seat = bank(cap_hours=0), a_seat(time_left=75 * HOUR)
    clocks.end_turn(table, seat)
    assert seat.time_left == 75 * HOUR


def test_nobody_has_less_than_twelve_hours_for_a_turn():
    table, seat = bank(), a_seat(time_left=timedelta())
    clocks.begin_turn(table, seat)
    assert seat.time_left == 12 * HOUR


def test_an_answer_takes_nothing_from_the_bank_and_has_a_day_at_most():
    seats = [plain_seat(time_left=50 * HOUR)]
    table = bank()
    clocks.start(table, seats[0], utc(2026, 3, 2), most=clocks.ANSWER_TIME)
    assert table.deadline_at == utc(2026, 3, 3)
    clocks.stop(table, seats, utc(2026, 3, 2, 20))
    assert seats[0].time_left == 50 * HOUR
    assert table.wait_left == 4 * HOUR


def plain_seat(**fields):
    """A seat of a person without absences, weekends or nights, made without a database."""
    zone = ZoneInfo("UTC")
    user = SimpleNamespace(weekend_days="", quiet_from=None, quiet_until=None, zone=zone, known_absences=[])
    return SimpleNamespace(number=0, user=user, user_id=1, bot="", reminded=0, **fields)


def test_a_clock_that_jumps_back_charges_nothing():
    table, seats = a_table(), [plain_seat(time_left=48 * HOUR)]
    clocks.start(table, seats[0], utc(2026, 3, 2, 12))
    clocks.stop(table, seats, utc(2026, 3, 2, 11))
    assert seats[0].time_left == 48 * HOUR


def test_what_is_charged_is_never_more_than_there_is():
    table, seats = a_table(), [plain_seat(time_left=48 * HOUR)]
    clocks.start(table, seats[0], utc(2026, 3, 2, 12))
    clocks.stop(table, seats, utc(2026, 4, 2))
    assert seats[0].time_left == timedelta()


# Reminders


def moments_of(table, seat, start):
    clocks.start(table, seat, start)
    return clocks.reminders(table, seat)


def test_reminders_at_half_at_four_fifths_and_two_hours_before():
    moments = moments_of(a_table(clock_hours=50), plain_seat(time_left=50 * HOUR), utc(2026, 3, 2))
    assert moments == [utc(2026, 3, 3, 1), utc(2026, 3, 3, 16), utc(2026, 3, 4)]


def test_reminders_that_would_come_out_of_order_are_left_out():
    moments = moments_of(bank(), plain_seat(time_left=5 * HOUR), utc(2026, 3, 2))
    assert moments == [utc(2026, 3, 2, 2, 30), utc(2026, 3, 2, 4), None]


def test_reminders_before_the_clock_ran_are_left_out():
    moments = moments_of(a_table(clock_hours=50), plain_seat(time_left=20 * HOUR), utc(2026, 3, 2))
    assert moments == [None, utc(2026, 3, 2, 10), utc(2026, 3, 2, 18)]
