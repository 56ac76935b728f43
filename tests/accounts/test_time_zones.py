from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from accounts import time_zones
from accounts.models import User


def sleeper(zone, start="22:00", end="07:00"):
    return User(time_zone=zone, quiet_from=time.fromisoformat(start), quiet_until=time.fromisoformat(end))


def local(zone, text, fold=0):
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold)


@pytest.mark.parametrize(
    ("zone", "hours", "moment", "end"),
    [
        ("Europe/Berlin", ("22:00", "07:00"), "2026-03-28T23:00", "2026-03-29T07:00"),
        ("Europe/Berlin", ("22:00", "07:00"), "2026-10-24T23:00", "2026-10-25T07:00"),
        ("Europe/Berlin", ("13:00", "15:00"), "2026-05-06T14:59", "2026-05-06T15:00"),
        # The clock skips half past two: three o'clock is the first moment that is not quiet.
        ("Europe/Berlin", ("22:00", "02:30"), "2026-03-29T01:59", "2026-03-29T03:00"),
        ("Asia/Kolkata", ("22:00", "07:00"), "2026-05-06T22:00", "2026-05-07T07:00"),
        ("America/St_Johns", ("22:00", "07:00"), "2026-03-07T23:30", "2026-03-08T07:00"),
        ("America/St_Johns", ("22:00", "07:00"), "2026-10-31T23:30", "2026-11-01T07:00"),
        ("Australia/Lord_Howe", ("22:00", "07:00"), "2026-10-03T23:00", "2026-10-04T07:00"),
        ("Australia/Lord_Howe", ("22:00", "07:00"), "2026-04-04T23:00", "2026-04-05T07:00"),
        ("Australia/Lord_Howe", ("22:00", "02:15"), "2026-10-04T01:45", "2026-10-04T02:30"),
    ],
)
def test_quiet_hours_end_by_the_own_clock(zone, hours, moment, end):
    ends_at = time_zones.quiet_end(sleeper(zone, *hours), local(zone, moment))
    assert ends_at.astimezone(ZoneInfo(zone)) == local(zone, end)
    assert ends_at.astimezone(ZoneInfo(zone)).replace(tzinfo=None) == datetime.fromisoformat(end)


def test_an_hour_that_comes_twice_may_be_quiet_twice():
    user = sleeper("Europe/Berlin", "22:00", "02:30")
    first = time_zones.quiet_end(user, local("Europe/Berlin", "2026-10-25T01:00"))
    assert first == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert time_zones.quiet_end(user, datetime(2026, 10, 25, 1, 0, tzinfo=UTC)) == datetime(
        2026, 10, 25, 1, 30, tzinfo=UTC
    )


@pytest.mark.parametrize(("start", "end"), [(None, None), (time(22), None), (time(7), time(7))])
def test_without_two_different_times_nothing_is_quiet(start, end):
    user = User(time_zone="Europe/Berlin", quiet_from=start, quiet_until=end)
    moment = datetime(2026, 5, 6, 3, tzinfo=UTC)
    assert not time_zones.is_quiet(user, moment)
    assert time_zones.quiet_end(user, moment) == moment


@given(
    moment=st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31), timezones=st.just(UTC)),
    zone=st.sampled_from(
        ["Europe/Berlin", "Asia/Kolkata", "America/St_Johns", "Australia/Lord_Howe", "Africa/Casablanca"]
    ),
    hours=st.tuples(st.times(), st.times()),
)
def test_quiet_hours_always_end_within_a_day_and_an_hour(moment, zone, hours):
    user = User(
        time_zone=zone,
        quiet_from=hours[0].replace(second=0, microsecond=0),
        quiet_until=hours[1].replace(second=0, microsecond=0),
    )
    end = time_zones.quiet_end(user, moment)
    assert not time_zones.is_quiet(user, end)
    assert moment <= end <= moment + timedelta(hours=25)


@pytest.mark.parametrize(
    ("cookie", "zone"),
    [
        ("Asia/Kolkata", "Asia/Kolkata"),
        ("Asia%2FKolkata", "Asia/Kolkata"),
        ("Asia%2FCalcutta", "Asia/Kolkata"),
        ("../../etc/passwd", "UTC"),
        ("Mars/Olympus", "UTC"),
        ("x" * 5000, "UTC"),
        ("", "UTC"),
    ],
)
def test_the_browsers_guess_is_taken_only_where_it_is_a_zone(cookie, zone):
    request = RequestFactory().get("/")
    request.COOKIES["zone"] = cookie
    assert time_zones.guess(request) == zone
