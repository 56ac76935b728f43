"""On which days matchdays fall, and in which order teams are drawn."""

from datetime import date, time
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.league import timetable
from clubs.league.timetable import Off
from engine.compete import fixtures

PRAGUE = ZoneInfo("Europe/Prague")
MONDAY = date(2026, 9, 7)


def matchdays(count, off=(), *, step=7, play_days=7, plays_at=None, starts_on=MONDAY):
    return timetable.matchdays(
        count, starts_on=starts_on, step=step, play_days=play_days, plays_at=plays_at, zone=PRAGUE, off=off
    )


def test_matchdays_lie_a_step_apart_and_end_with_their_last_day():
    first, second, third = matchdays(3)
    assert [day.first_day for day in (first, second, third)] == [date(2026, 9, 7), date(2026, 9, 14), date(2026, 9, 21)]
    assert (first.last_day, first.moved) == (date(2026, 9, 13), "")
    assert first.starts_at.isoformat() == "2026-09-07T00:00:00+02:00"
    assert first.deadline_at.isoformat() == "2026-09-13T23:59:00+02:00"


def test_a_time_of_play_is_of_the_first_day_in_summer_and_in_winter():
    days = matchdays(2, plays_at=time(19, 30), starts_on=date(2026, 10, 19))
    assert [day.starts_at.isoformat() for day in days] == ["2026-10-19T19:30:00+02:00", "2026-10-26T19:30:00+01:00"]
    assert days[0].days() == [date(2026, 10, 19)]


def test_a_first_day_that_is_off_moves_by_weeks_and_takes_the_rest_along():
    off = [Off(date(2026, 9, 14), date(2026, 9, 21), "Harvest")]
    first, second, third = matchdays(3, off)
    assert (first.first_day, second.first_day, third.first_day) == (MONDAY, date(2026, 9, 28), date(2026, 10, 5))
    assert (first.moved, second.moved, third.moved) == ("", "Harvest", "")


def test_matchdays_that_lie_no_weeks_apart_move_by_days():
    first, second = matchdays(2, [Off(date(2026, 9, 10), date(2026, 9, 11))], step=3, play_days=1)
    assert (first.first_day, second.first_day, second.moved) == (MONDAY, date(2026, 9, 12), "days off")


def test_days_off_within_a_matchday_are_given_back():
    [day] = matchdays(1, [Off(date(2026, 9, 9), date(2026, 9, 10))])
    assert day.last_day == date(2026, 9, 15)
    assert len(day.days()) == 7
    assert date(2026, 9, 9) not in day.days()


def test_where_a_whole_year_is_off_there_is_no_day():
    with pytest.raises(timetable.NoDay):
        matchdays(1, [Off(date(2026, 1, 1), date(2028, 1, 1))])


@pytest.mark.parametrize(
    ("plays_at", "off", "clashes"),
    [
        (None, [Off(MONDAY, date(2026, 9, 12))], False),
        (None, [Off(MONDAY, date(2026, 9, 13))], True),
        (None, [Off(MONDAY, date(2026, 9, 9)), Off(date(2026, 9, 10), date(2026, 9, 20))], True),
        (time(20), [Off(MONDAY, MONDAY)], True),
        (time(20), [Off(date(2026, 9, 8), date(2026, 9, 13))], False),
    ],
)
def test_a_team_is_away_where_its_days_off_leave_it_no_day(plays_at, off, clashes):
    [day] = matchdays(1, plays_at=plays_at)
    assert (timetable.clashing(day, off) is not None) == clashes


# The order of the draw


def byes(order):
    """By team, the round in which it has its bye, in a draw of an odd number."""
    return {order[drawn.byes[0] - 1]: number for number, drawn in enumerate(fixtures.round_robin(len(order)), 1)}


def test_without_days_off_the_order_stays():
    assert timetable.order(6, double=False, away={2: set()}) == (1, 2, 3, 4, 5, 6)


def test_of_an_odd_number_who_is_away_has_the_bye_then():
    order = timetable.order(7, double=False, away={1: {3}, 5: {1}, 6: {7}})
    assert {team: byes(order)[team] for team in (1, 5, 6)} == {1: 3, 5: 1, 6: 7}


def test_of_an_even_number_two_who_are_away_together_meet_then():
    order = timetable.order(6, double=False, away={1: {2}, 4: {2}})
    opponents = fixtures.round_robin(6)[1].tables
    assert {1, 4} in [{order[first - 1], order[second - 1]} for first, second in opponents]


@given(st.integers(3, 9), st.booleans(), st.dictionaries(st.integers(1, 9), st.sets(st.integers(1, 16), max_size=3)))
def test_the_order_is_one_and_never_worse_than_as_it_was(teams, double, away):
    away = {team: rounds for team, rounds in away.items() if team <= teams}
    opponents = [
        {first: second for pair in drawn.tables for first, second in (pair, pair[::-1])}
        for drawn in fixtures.round_robin(teams, double=double)
    ]
    plain = tuple(range(1, teams + 1))
    order = timetable.order(teams, double=double, away=away)
    assert sorted(order) == list(plain)
    assert timetable.clashes(order, opponents, away) <= timetable.clashes(plain, opponents, away)
    assert timetable.order(teams, double=double, away=away) == order
