"""Rows as plain data with numbers in place of ids, and back."""

from datetime import UTC, datetime

import pytest

from clubs.models import Club, Meeting, Membership
from tests.makers import make_club
from web.database.row_transfer import Carried, Damaged, Numbers, Reserved, act_changes, from_data, save, to_data

pytestmark = pytest.mark.django_db
CLUB = Carried(Club, frozenset({"created_by", "join_token"}))
MEETING = Carried(Meeting)
MEMBER = Carried(Membership, frozenset({"user", "claim_token", "letters_token"}))


@pytest.fixture
def club():
    return make_club("Harbour")


def numbers_for(club, *meetings):
    numbers = Numbers()
    numbers.give("clubs.club", [club.pk])
    numbers.give("clubs.meeting", [meeting.pk for meeting in meetings])
    return numbers


def test_a_row_is_the_same_after_a_journey(club):
    at = datetime(2026, 11, 21, 10, 0, 0, 123, tzinfo=UTC)
    meeting = Meeting.objects.create(club=club, title="Club night", starts_at=at)
    written = to_data(MEETING, meeting, numbers_for(club, meeting))
    assert (written["id"], written["club_id"], written["starts_at"]) == (1, 1, "2026-11-21T10:00:00.000123Z")
    reserved = Reserved()
    reserved.reserve(CLUB, 1, 1)
    reserved.reserve(MEETING, 1, 1)
    copy = from_data(MEETING, written, reserved)
    assert (copy.title, copy.starts_at, copy.ends_at) == ("Club night", at, None)
    assert copy.pk > meeting.pk
    assert copy.club_id > club.pk


def test_reserved_ids_are_given_to_nobody_else(club):
    Meeting.objects.create(club=club, title="Before", starts_at=datetime.now(UTC))
    reserved = Reserved()
    reserved.reserve(MEETING, 2, 5)
    ids = [reserved.any("clubs.meeting", number) for number in range(1, 6)]
    later = [Meeting.objects.create(club=club, title="Later", starts_at=datetime.now(UTC)).pk for _ in range(3)]
    assert len({*ids, *later}) == 8
    assert ids == sorted(ids)
    assert min(later) > max(ids)


def test_times_of_making_stay(club):
    at = datetime(2001, 1, 1, tzinfo=UTC)
    member = Membership(pk=10_001, club=club, name="Ann", joined_at=at)
    save(MEMBER, [member])
    member.refresh_from_db()
    assert member.joined_at == at


def test_a_number_of_no_row_is_refused(club):
    reserved = Reserved()
    reserved.reserve(CLUB, 1, 2)
    assert reserved.any("clubs.club", 2)
    for number in (0, 2, -1):
        with pytest.raises(Damaged):
            reserved.living("clubs.club", number)
    for ask in (reserved.living, reserved.any):
        with pytest.raises(Damaged):
            ask("clubs.team", 1)


def test_changes_of_rows_that_are_not_carried_stay_behind(club):
    within, check = act_changes("clubs", lambda: {"clubs.club": CLUB})
    ids = {club.pk: 1, 77: 2}
    changes = [
        {"model": "joinrequest", "pk": 5, "was": None, "is": {"id": 5, "user_id": 3}},
        {"model": "club", "pk": club.pk, "was": {"name": "A"}, "is": {"name": "B", "created_by_id": 3}},
        {"model": "club", "pk": 77, "was": {"id": 77, "name": "Gone"}, "is": None},
    ]
    data = within(changes, lambda label, pk: ids[pk])
    assert data == [
        {"model": "club", "pk": 1, "was": {"name": "A"}, "is": {"name": "B"}},
        {"model": "club", "pk": 2, "was": {"id": 2, "name": "Gone"}, "is": None},
    ]
    check(data)
    for wrong in (changes, [{}], [{**data[0], "more": 1}], [{**data[0], "pk": "x"}], [{**data[0], "is": {"name": 5}}]):
        with pytest.raises((Damaged, KeyError)):
            check(wrong)
