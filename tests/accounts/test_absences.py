"""Being away: whole days of the own clock, within a yearly allowance."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine

from accounts.services import absences
from accounts.signals import free_time_changed
from web.errors import NotAllowed, Refused

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 5, 6, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def away(user, first, last, now=NOW):
    """Announce an absence from the first to the last day, given as (month, day)."""
    year = now.year
    start, end = (absences.midnight(user, date(year, *day)) for day in (first, last))
    return absences.add(user, start, absences.midnight(user, date(year, *last) + DAY) if end else end, now)


@pytest.fixture
def heard():
    """Users whose absences changed, as the apps above hear it."""
    people = []

    def hear(sender, user, **kwargs):
        people.append(str(user))

    free_time_changed.connect(hear)
    yield people
    free_time_changed.disconnect(hear)


def test_an_announced_absence_lasts_whole_days_and_is_told(ann, heard, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        absence = away(ann, (6, 1), (6, 3))
    assert (absence.starts_at, absence.ends_at) == (datetime(2026, 6, 1, tzinfo=UTC), datetime(2026, 6, 4, tzinfo=UTC))
    assert absences.days_used(ann, 2026) == 3
    assert heard == ["Ann"]


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Asia/Kolkata", "America/St_Johns", "Australia/Lord_Howe"])
@pytest.mark.parametrize("month", [3, 4, 10, 11])
def test_a_change_of_clocks_costs_no_day(person, zone, month):
    ann = person(time_zone=zone)
    away(ann, (month, 1), (month, 28), now=datetime(2026, 1, 5, tzinfo=UTC))
    assert absences.days_used(ann, 2026) == 28


def test_it_begins_now_at_the_earliest(ann):
    assert away(ann, (5, 6), (5, 7)).starts_at == NOW
    with pytest.raises(Refused) as refused:
        away(ann, (5, 1), (5, 5))
    assert refused.value.code == "absence_past"


def test_absences_that_touch_are_joined(ann):
    away(ann, (6, 1), (6, 3))
    away(ann, (6, 6), (6, 7))
    joined = away(ann, (6, 4), (6, 6))
    assert list(ann.absences.all()) == [joined]
    assert absences.days_used(ann, 2026) == 7


def test_more_than_the_allowance_is_refused_with_what_is_left(ann):
    away(ann, (6, 1), (6, 28))
    with pytest.raises(Refused) as refused:
        away(ann, (8, 1), (8, 3))
    assert refused.value.sentence == "That would use 3 days in 2026. Of 30 a year, you have 2 days left."
    assert ann.absences.count() == 1
    assert absences.days_left(ann, 2026) == 2


def test_extending_an_absence_counts_each_day_once(ann):
    away(ann, (6, 1), (6, 20))
    away(ann, (6, 15), (6, 30))
    assert absences.days_used(ann, 2026) == 30


def test_each_year_has_its_own_allowance(ann):
    now = datetime(2026, 12, 1, tzinfo=UTC)
    absences.add(ann, datetime(2026, 12, 22, tzinfo=UTC), datetime(2027, 1, 11, tzinfo=UTC), now)
    assert (absences.days_used(ann, 2026), absences.days_used(ann, 2027)) == (10, 10)


def test_more_than_a_year_ahead_is_refused(ann):
    with pytest.raises(Refused) as refused:
        absences.add(ann, NOW, NOW + timedelta(days=500), NOW)
    assert refused.value.code == "absence_far"


def test_cancelled_before_it_starts_it_is_gone(ann):
    absence = away(ann, (6, 1), (6, 3))
    absences.cancel(ann, absence.pk, NOW)
    absences.cancel(ann, absence.pk, NOW)
    assert absences.days_used(ann, 2026) == 0


def test_cancelled_while_it_runs_it_ends_and_has_been_used(ann):
    absence = away(ann, (6, 1), (6, 10))
    absences.cancel(ann, absence.pk, datetime(2026, 6, 2, 15, tzinfo=UTC))
    assert absences.days_used(ann, 2026) == 2
    assert not ann.absences.get().covers(datetime(2026, 6, 2, 15, tzinfo=UTC))


def test_it_can_be_shortened_but_not_lengthened_or_moved_to_the_past(ann):
    absence = away(ann, (6, 1), (6, 10))
    absences.shorten(ann, absence.pk, datetime(2026, 6, 5, tzinfo=UTC), NOW)
    assert absences.days_used(ann, 2026) == 4
    for end in (datetime(2026, 6, 6, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC)):
        with pytest.raises(Refused):
            absences.shorten(ann, absence.pk, end, NOW)


def test_nobody_shortens_or_cancels_anothers(ann, person):
    absence = away(ann, (6, 1), (6, 10))
    ben = person("Ben")
    absences.cancel(ben, absence.pk, NOW)
    with pytest.raises(NotAllowed):
        absences.shorten(ben, absence.pk, datetime(2026, 6, 5, tzinfo=UTC), NOW)
    assert absences.days_used(ann, 2026) == 10


def test_time_out_begins_one_within_what_is_left(ann):
    away(ann, (6, 1), (6, 27))
    absence = absences.start_automatic(ann, NOW, 7)
    assert (absence.ends_at, absence.is_automatic) == (NOW + 3 * DAY, True)
    assert absences.start_automatic(ann, NOW + DAY, 7) == absence
    assert absences.start_automatic(ann, NOW + 4 * DAY, 7) is None


def test_time_out_stops_where_an_announced_absence_begins(ann):
    away(ann, (5, 8), (5, 10))
    absence = absences.start_automatic(ann, NOW, 7)
    assert absence.ends_at == datetime(2026, 5, 8, tzinfo=UTC)


class TestPages:
    @pytest.fixture(autouse=True)
    def _in_may(self):
        with time_machine.travel(NOW, tick=False):
            yield

    def test_announce(self, signed_in, ann):
        response = signed_in.post("/you/absences/", {"first": "2026-06-01", "last": "2026-06-03"})
        assert response.status_code == 302
        assert absences.days_used(ann, 2026) == 3
        page = signed_in.get("/you/absences/").content.decode()
        assert "27 of 30 days left in 2026" in page
        assert "1 June 2026 to 3 June 2026" in page

    def test_days_are_those_of_the_own_clock(self, client, person):
        ann = person(time_zone="Asia/Kolkata")
        client.force_login(ann)
        client.post("/you/absences/", {"first": "2026-06-01", "last": "2026-06-03"})
        assert ann.absences.get().starts_at == datetime(2026, 5, 31, 18, 30, tzinfo=UTC)
        assert "1 June 2026 to 3 June 2026" in client.get("/you/absences/").content.decode()

    @pytest.mark.parametrize(
        ("first", "last", "sentence"),
        [
            ("2026-06-03", "2026-06-01", "The last day is before the first. Choose a later one."),
            ("2026-06-01", "2026-08-01", "That would use 62 days in 2026. Of 30 a year, you have 30 days left."),
            ("2026-05-01", "2026-05-02", "An absence must end after it starts, and not in the past."),
            ("9999-12-31", "9999-12-31", "Choose a day in the coming year."),
            ("soon", "", "Enter a valid date."),
        ],
    )
    def test_a_refusal_is_a_sentence_and_keeps_what_was_typed(self, signed_in, first, last, sentence):
        response = signed_in.post("/you/absences/", {"first": first, "last": last})
        assert response.status_code == 422
        assert sentence in response.content.decode()
        assert f'value="{first}"' in response.content.decode()

    def test_shorten_and_cancel(self, signed_in, ann):
        absence = away(ann, (6, 1), (6, 10))
        signed_in.post(f"/you/absences/{absence.pk}/shorten/", {"last": "2026-06-04"})
        assert absences.days_used(ann, 2026) == 4
        assert signed_in.post(f"/you/absences/{absence.pk}/shorten/", {"last": "2026-07-04"}).status_code == 422
        assert signed_in.post(f"/you/absences/{absence.pk}/cancel/").status_code == 302
        assert ann.absences.count() == 0

    @pytest.mark.parametrize("act", ["shorten", "cancel"])
    def test_doors(self, client, ann, person, act):
        absence = away(ann, (6, 1), (6, 10))
        address = f"/you/absences/{absence.pk}/{act}/"
        assert client.post(address).url == f"/accounts/login/?next={address}"
        client.force_login(person("Ben"))
        assert client.get(address).status_code == 405
        assert client.post(address, {"last": "2026-06-02"}).status_code == 404
        assert absences.days_used(ann, 2026) == 10
