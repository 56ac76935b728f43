"""Meetings that repeat: their days by the club’s clock, and the next ones, added once by the site."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.utils import timezone

from clubs.coming import days, repeating
from clubs.models import Act, Meeting, Question, RepeatingMeeting
from clubs.services import history
from clubs.services.publications import meetings
from tests.at_once import at_once
from tests.makers import make_club
from tournaments.models import Tournament

NOW = datetime(2026, 11, 2, 12, tzinfo=UTC)
VALUES = {
    "title": "Club night",
    "every": "week",
    "weekday": "1",
    "starts_at": "19:00",
    "minutes": "180",
    "first_day": "2026-11-01",
    "asks": True,
}


def planned(until=date(2027, 12, 31), after=None, **fields):
    row = RepeatingMeeting(**{"first_day": date(2026, 1, 1), "starts_at": time(19), **fields})
    return [day.isoformat() for day in days.days_of(row, after, until)]


@pytest.fixture
def now():
    with time_machine.travel(NOW, tick=False):
        yield NOW


def add(club, by, **values):
    act = repeating.save(club.pk, by, values=VALUES | values)
    return RepeatingMeeting.objects.get(pk=history.added_row(act, RepeatingMeeting).pk)


# Days


def test_every_week_on_its_weekday():
    assert planned(date(2026, 1, 31), weekday=1) == ["2026-01-06", "2026-01-13", "2026-01-20", "2026-01-27"]


def test_the_first_tuesday_of_each_month():
    assert planned(date(2026, 4, 30), every="month", weekday=1, nth=1) == [
        "2026-01-06",
        "2026-02-03",
        "2026-03-03",
        "2026-04-07",
    ]


def test_the_last_friday_is_the_fourth_or_the_fifth():
    assert planned(date(2026, 3, 31), every="month", weekday=4, nth=5) == ["2026-01-30", "2026-02-27", "2026-03-27"]


def test_it_starts_and_ends_on_its_days_and_skips_others():
    fields = {"weekday": 1, "first_day": date(2026, 1, 13), "last_day": date(2026, 2, 3), "skipped": ["2026-01-20"]}
    assert planned(**fields) == ["2026-01-13", "2026-01-27", "2026-02-03"]


@pytest.mark.parametrize(
    ("zone", "day", "hour", "expected"),
    [
        ("Europe/Berlin", date(2026, 3, 24), 19, datetime(2026, 3, 24, 18, tzinfo=UTC)),
        ("Europe/Berlin", date(2026, 3, 31), 19, datetime(2026, 3, 31, 17, tzinfo=UTC)),
        ("America/Toronto", date(2026, 3, 3), 19, datetime(2026, 3, 4, 0, tzinfo=UTC)),
        ("America/Toronto", date(2026, 3, 10), 19, datetime(2026, 3, 10, 23, tzinfo=UTC)),
        ("Asia/Kolkata", date(2026, 3, 10), 19, datetime(2026, 3, 10, 13, 30, tzinfo=UTC)),
        # 02:00 does not exist on this day; it is 03:00, as clocks are put forward.
        ("Europe/Berlin", date(2026, 3, 29), 2, datetime(2026, 3, 29, 1, tzinfo=UTC)),
        # 02:00 is shown twice on this day; the first one counts.
        ("Europe/Berlin", date(2026, 10, 25), 2, datetime(2026, 10, 25, 0, tzinfo=UTC)),
    ],
)
def test_the_time_is_that_of_the_clubs_clock(zone, day, hour, expected):
    assert days.moment(ZoneInfo(zone), day, time(hour)) == expected


# Adding the next ones


def test_the_next_five_weeks_are_added_once(club, owner, now):
    add(club, owner)
    assert [repeating.add_due(NOW) for _ in range(3)] == [5, 0, 0]
    meetings_added = Meeting.objects.filter(club=club)
    assert [each.day.isoformat() for each in meetings_added] == [
        "2026-11-03",
        "2026-11-10",
        "2026-11-17",
        "2026-11-24",
        "2026-12-01",
    ]
    assert {each.starts_at.astimezone(club.zone).time() for each in meetings_added} == {time(19)}
    assert Question.objects.filter(meeting__in=meetings_added).count() == 5
    assert Act.objects.filter(kind="repeating_added").count() == 1


def test_a_week_later_one_more_is_added(club, owner, now):
    add(club, owner)
    repeating.add_due(NOW)
    assert repeating.add_due(NOW + timedelta(days=7)) == 1
    assert Meeting.objects.filter(club=club).count() == 6


def test_the_next_one_is_added_even_if_it_is_far_away(club, owner, now):
    add(club, owner, every="month", weekday="1", nth="1", first_day="2027-01-01")
    assert repeating.add_due(NOW) == 1
    assert repeating.add_due(NOW) == 0
    assert Meeting.objects.get().day == date(2027, 1, 5)


def test_the_hour_stays_when_clocks_change(club, owner):
    with time_machine.travel(datetime(2027, 3, 15, 12, tzinfo=UTC), tick=False):
        add(club, owner, first_day="2027-03-15")
        repeating.add_due()
    utc = [f"{each.starts_at:%m-%d %H}" for each in Meeting.objects.filter(club=club)]
    assert utc == ["03-16 18", "03-23 18", "03-30 17", "04-06 17", "04-13 17"]


@pytest.mark.parametrize(
    ("zone", "first"), [("Pacific/Auckland", "2026-11-03 06"), ("America/Los_Angeles", "2026-11-04 03")]
)
def test_other_clubs_have_other_clocks(staff, now, zone, first):
    club = make_club("Far away", owner=staff["owner"], time_zone=zone)
    add(club, staff["owner"])
    repeating.add_due(NOW)
    assert f"{Meeting.objects.filter(club=club).first().starts_at:%Y-%m-%d %H}" == first


def test_a_deleted_meeting_is_not_added_again(club, owner, now):
    add(club, owner)
    repeating.add_due(NOW)
    meetings.delete(Meeting.objects.get(day=date(2026, 11, 10)).pk, owner)
    assert repeating.add_due(NOW) == 0
    assert not Meeting.objects.filter(day=date(2026, 11, 10)).exists()


def test_what_was_added_can_be_undone_and_stays_so(club, owner, now):
    add(club, owner)
    repeating.add_due(NOW)
    history.undo(Act.objects.get(kind="repeating_added").pk, by=owner)
    assert (Meeting.objects.count(), Question.objects.count(), repeating.add_due(NOW)) == (0, 0, 0)


def test_a_skipped_day_has_no_meeting_and_one_that_was_added_is_cancelled(club, owner, now):
    row = add(club, owner)
    repeating.skip(row.pk, owner, day=date(2026, 11, 10))
    repeating.add_due(NOW)
    repeating.skip(row.pk, owner, day=date(2026, 11, 17))
    states = dict(Meeting.objects.filter(club=club).values_list("day", "is_called_off"))
    assert date(2026, 11, 10) not in states
    assert [day.day for day, is_off in states.items() if is_off] == [17]
    repeating.skip(row.pk, owner, day=date(2026, 11, 17), is_off=False)
    repeating.skip(row.pk, owner, day=date(2026, 11, 10), is_off=False)
    assert set(Meeting.objects.filter(is_called_off=False).values_list("day", flat=True)) == {
        date(2026, 11, day) for day in (3, 10, 17, 24)
    } | {date(2026, 12, 1)}


def test_only_its_own_days_can_be_skipped(club, owner, now, refuses):
    row = add(club, owner)
    with refuses("not_its_day"):
        repeating.skip(row.pk, owner, day=date(2026, 11, 11))


@pytest.mark.parametrize("day", [date(9999, 12, 31), date(1, 1, 1)])
def test_days_beyond_all_calendars_are_refused(club, owner, now, refuses, day):
    row = add(club, owner, every="month")
    with refuses("bad_day"):
        repeating.skip(row.pk, owner, day=day)
    with refuses("bad_day"):
        repeating.end(row.pk, owner, last_day=day)
    with refuses("bad_day"):
        repeating.save(club.pk, owner, values=VALUES | {"first_day": day})


def test_after_its_end_nothing_is_left(club, owner, now):
    row = add(club, owner)
    repeating.add_due(NOW)
    repeating.end(row.pk, owner, last_day=date(2026, 11, 10))
    assert [each.day.day for each in Meeting.objects.filter(club=club)] == [3, 10]
    assert repeating.add_due(NOW + timedelta(days=30)) == 0


def test_an_event_is_created_by_its_template_eight_days_before(club, owner, now):
    add(club, owner, starter="club_night")
    for _ in range(2):
        repeating.add_due(NOW)
    assert Tournament.objects.count() == 1
    repeating.add_due(NOW + timedelta(days=1))
    events = Tournament.objects.filter(circle=club.circle).order_by("pk")
    assert [(event.name, event.status, event.meeting.day.day) for event in events] == [
        ("Club night, 3 Nov 2026", "open", 3),
        ("Club night, 10 Nov 2026", "open", 10),
    ]
    assert [event.starts_at for event in events] == [event.meeting.starts_at for event in events]


def test_an_archived_club_gets_no_meetings(club, owner, now):
    add(club, owner)
    type(club).objects.update(archived_at=timezone.now())
    assert repeating.add_due(NOW) == 0


@pytest.mark.django_db(transaction=True)
def test_several_sweepers_at_once_add_each_once(transactional_db):
    club = make_club("Harbour", time_zone="Europe/Berlin")
    RepeatingMeeting.objects.create(
        club=club, title="Club night", weekday=1, starts_at=time(19), first_day=date(2026, 11, 1)
    )
    at_once(*[lambda: repeating.add_due(NOW)] * 4)
    assert Meeting.objects.count() == 5


# Forms


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"title": " "}, "no_title"),
        ({"title": "x" * 121}, "too_long"),
        ({"starts_at": "25:99"}, "no_time"),
        ({"first_day": "2026-02-30"}, "bad_day"),
        ({"first_day": ""}, "no_day"),
        ({"last_day": "2026-10-01"}, "bad_end"),
        ({"weekday": "7"}, "bad_number"),
        ({"nth": "0"}, "bad_number"),
        ({"minutes": "١٢٠"}, "bad_number"),
        ({"starter": "nonsense"}, "no_such_starter"),
        ({"every": "year"}, "bad_every"),
        ({"least": "-1"}, "bad_number"),
    ],
)
def test_what_cannot_be_is_refused(club, owner, refuses, wrong, code):
    with refuses(code):
        repeating.save(club.pk, owner, values=VALUES | wrong)
    assert not RepeatingMeeting.objects.exists()


def test_its_page_adds_changes_and_ends_it(club, staff, browser_of, now):
    desk = browser_of(staff["organiser"])
    page = "/clubs/harbour/dates/repeating/"
    desk.submit(page, "add", title="Club night", starts_at="19:00", first_day="2026-11-01")
    row = RepeatingMeeting.objects.get()
    assert "every Tuesday at 19:00" in desk.get(page)
    desk.submit(f"{page}{row.pk}/", "save", minutes="240")
    desk.submit(f"{page}{row.pk}/", "skip", day="2026-11-10")
    assert "Tue 10 Nov 2026" in desk.get(f"{page}{row.pk}/")
    desk.submit(f"{page}{row.pk}/", "end-it", end="2026-12-01")
    row.refresh_from_db()
    assert (row.minutes, row.skipped, row.last_day) == (240, ["2026-11-10"], date(2026, 12, 1))


def test_a_refused_form_keeps_what_was_typed(club, staff, browser_of):
    answer = browser_of(staff["organiser"]).press("/clubs/harbour/dates/repeating/", "add", title="Our night")
    content = answer.content.decode()
    assert (answer.status_code, "Our night" in content, "Choose the day of the first meeting." in content) == (
        422,
        True,
        True,
    )
