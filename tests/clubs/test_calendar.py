"""Dates of a club, by its own clock, and as a calendar."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from icalendar import Calendar

from clubs.models import Meeting
from clubs.public import overview
from clubs.services import history
from clubs.services.publications import meetings
from tests.makers import make_event
from tests.tournaments.organising import refusal

pytestmark = pytest.mark.django_db

DATES = "/clubs/harbour/dates/"


def at(club, text):
    return meetings.read_moment(club, text, "starts_at")


@pytest.fixture
def night(club, staff):
    soon = timezone.now() + timedelta(days=3)
    meetings.add(club.pk, staff["owner"], title="Club night", starts_at=soon.replace(microsecond=0))
    return Meeting.objects.get()


def test_times_are_the_clubs_own(club, staff):
    meetings.add(
        club.pk,
        staff["owner"],
        title="Club night",
        starts_at=at(club, "2031-03-25T19:00"),
        ends_at=at(club, "2031-03-25T22:30"),
        weeks=2,
    )
    first, second = Meeting.objects.all()
    assert first.starts_at == datetime(2031, 3, 25, 18, 0, tzinfo=UTC)
    assert (second.starts_at, second.ends_at) == (
        datetime(2031, 4, 1, 17, 0, tzinfo=UTC),
        datetime(2031, 4, 1, 20, 30, tzinfo=UTC),
    )
    assert overview.date_of(club, second).clock == "19:00–22:30"


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("starts_at", "2031-03-30T02:30", "bad_time"),
        ("starts_at", "tomorrow", "bad_time"),
        ("starts_at", "1031-01-01T10:00", "bad_time"),
    ],
)
def test_times_that_are_none(club, refuses, field, value, code):
    with refuses(code):
        meetings.read_moment(club, value, field)


@pytest.mark.parametrize(
    ("typed", "at_field", "words"),
    [
        ({"title": ""}, "title", "Enter a title, for example Club night."),
        ({"starts_at": ""}, "starts_at", "Enter a start time."),
        ({"ends_at": "2031-01-01T18:00"}, "ends_at", "The end must be after the start"),
        ({"weeks": "99"}, "weeks", "Enter 1 to 53 weeks."),
        ({"weeks": "x"}, "weeks", "Enter a whole number"),
    ],
)
def test_a_refused_date_keeps_what_was_typed(club, staff, browser_of, typed, at_field, words):
    sent = {"title": "Night", "starts_at": "2031-01-01T19:00", "words": "Bring cards"} | typed
    answer = browser_of(staff["owner"]).press(DATES, "set", **sent)
    assert answer.status_code == 422
    assert words in refusal(answer)
    assert 'value="Bring cards"' in answer.content.decode()
    assert not Meeting.objects.exists()


def test_the_pages_set_change_call_off_and_delete(club, staff, browser_of, client):
    page = browser_of(staff["owner"])
    page.submit(DATES, "set", title="Club night", starts_at="2031-01-07T19:00", weeks="3", venue="Quay 3")
    first = Meeting.objects.all()[0]
    path = f"{DATES}{first.pk}/"
    page.submit(path, "save", title="New Year", ends_at="2031-01-07T23:00")
    page.submit(path, "off")
    first.refresh_from_db()
    assert (first.title, first.is_called_off) == ("New Year", True)
    markup = client.get("/clubs/harbour/").content.decode()
    assert "cancelled" in markup
    assert "Quay 3" in markup
    page.submit(path, "delete")
    assert Meeting.objects.count() == 2
    history.undo(club.acts.first().pk, by=staff["organiser"])
    assert Meeting.objects.count() == 3


def test_visitors_read_and_cannot_set(club, client, night):
    markup = client.get(DATES).content.decode()
    assert "Club night" in markup
    assert "Add a meeting" not in markup
    assert client.post(DATES, {"title": "x"}).status_code == 403
    assert client.get(f"{DATES}{night.pk}/").status_code == 403


def entries(answer):
    return {str(event["uid"]).partition("@")[0]: event for event in Calendar.from_ical(answer.content).walk("VEVENT")}


def test_the_calendar_has_meetings_and_public_events(club, staff, client, night):
    fields = {"circle": club.circle, "starts_at": timezone.now() + timedelta(days=5)}
    events = {
        name: make_event(staff["owner"], name=f"{name}, a\nb", status=status, visibility=visibility, **fields)
        for name, status, visibility in (
            ("open", "open", "public"),
            ("draft", "draft", "public"),
            ("inner", "open", "circle"),
            ("off", "cancelled", "public"),
        )
    }
    answer = client.get("/clubs/harbour/calendar.ics")
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    by_uid = entries(answer)
    assert set(by_uid) == {f"meeting-{night.pk}", f"event-{events['open'].pk}", f"event-{events['off'].pk}"}
    assert str(by_uid[f"meeting-{night.pk}"]["summary"]) == "Club night: Harbour Hand and Foot"
    assert by_uid[f"meeting-{night.pk}"]["dtstart"].dt == night.starts_at
    assert str(by_uid[f"event-{events['open'].pk}"]["summary"]) == "open, a b"
    assert by_uid[f"event-{events['off'].pk}"]["status"] == "CANCELLED"
    assert all(len(line) <= 75 for line in answer.content.split(b"\r\n"))


def test_the_calendar_keeps_its_names_when_dates_move(club, staff, client, night):
    before = entries(client.get("/clubs/harbour/calendar.ics"))
    meetings.edit(night.pk, staff["owner"], title="🂡 Night 🂱" * 8, starts_at=night.starts_at + timedelta(hours=1))
    after = entries(client.get("/clubs/harbour/calendar.ics"))
    assert set(before) == set(after)
    (entry,) = after.values()
    assert entry["sequence"] > next(iter(before.values()))["sequence"]


def test_the_calendar_is_not_sent_again(club, client, night):
    answer = client.get("/clubs/harbour/calendar.ics")
    repeat = client.get("/clubs/harbour/calendar.ics", headers={"If-None-Match": answer["ETag"]})
    assert repeat.status_code == 304
