"""The daily clearing: by the rules, in small batches, once a day, and told to the operator."""

from datetime import date, datetime, timedelta
from functools import partial

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts import retention, tasks
from accounts.models import Absence, ApiToken, Clearing, Notice
from accounts.services import clearing, tokens
from tests.accounts.conftest import NOON
from tests.at_once import at_once

pytestmark = pytest.mark.django_db


def ago(**time):
    return timezone.now() - timedelta(**time)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    """Nobody else writes, so no pause is needed."""
    monkeypatch.setattr(clearing, "PAUSE", 0)


@pytest.fixture
def in_twos(monkeypatch):
    """Sessions go in batches of two; returns the sizes of the batches, as they are deleted."""
    sizes, (rule,) = [], [rule for rule in retention.rules() if rule.name == "sessions"]

    def remove(keys, now):
        sizes.append(len(keys))
        Session.objects.filter(pk__in=keys).delete()

    parts = {field: getattr(rule, field) for field in rule.__dataclass_fields__}
    monkeypatch.setitem(retention._rules, "sessions", retention.Rule(**parts | {"batch": 2, "remove": remove}))
    return sizes


def sessions(*ages):
    """Sessions that expired so many minutes ago, by their keys."""
    for minutes in ages:
        Session.objects.create(session_key=f"{minutes}", session_data="", expire_date=ago(minutes=minutes))


# What goes


def test_sessions_go_when_they_expire():
    sessions(1, -1)
    clearing.clear()
    assert list(Session.objects.values_list("pk", flat=True)) == ["-1"]


def test_the_address_of_a_session_goes_with_it(ann):
    sessions(-1)
    for key in ("-1", "gone", "new"):
        UserSession.objects.create(user=ann, session_key=key, ip="192.0.2.1")
    UserSession.objects.exclude(session_key="new").update(last_seen_at=ago(days=2))
    clearing.clear()
    assert set(UserSession.objects.values_list("session_key", flat=True)) == {"-1", "new"}


def test_tokens_go_thirty_days_after_they_expired(ann, settings):
    settings.API_TOKEN_MOST_DAYS = 0
    for name, days in (("old", 31), ("recent", 29)):
        tokens.create(ann, name=name, scopes=["read"])
        ApiToken.objects.filter(name=name).update(expiry=ago(days=days))
    tokens.create(ann, name="for ever", scopes=["read"], days=tokens.NEVER)
    clearing.clear()
    assert set(ApiToken.objects.values_list("name", flat=True)) == {"recent", "for ever"}


def test_notices_go_after_90_days_if_read_and_180_if_not(ann, tell):
    for number, (read, created) in enumerate([(91, 100), (89, 200), (None, 181), (None, 179)]):
        notice = tell(ann, number)
        read_at = None if read is None else ago(days=read)
        Notice.objects.filter(pk=notice.pk).update(read_at=read_at, created_at=ago(days=created))
    clearing.clear()
    assert set(Notice.objects.values_list("subject", flat=True)) == {"table:1", "table:3"}


def test_absences_go_after_two_years(ann):
    for days in (731, 729):
        Absence.objects.create(user=ann, starts_at=ago(days=800), ends_at=ago(days=days))
    clearing.clear()
    assert Absence.objects.get().ends_at > ago(days=730)


def test_what_is_no_older_than_its_age_stays(ann, tell):
    tell(ann)
    clearing.clear()
    assert Notice.objects.count() == 1


# How it goes


def test_the_oldest_go_first_in_small_batches(in_twos):
    sessions(1, 5, 3, 4, 2)
    clearing.clear()
    assert in_twos == [2, 2, 1]


def test_a_run_that_takes_too_long_stops_and_the_next_goes_on(in_twos, monkeypatch):
    sessions(1, 2, 3, 4, 5)
    monkeypatch.setattr(clearing, "LONGEST", timedelta(0))
    today = clearing.clear()
    assert (today.ended_at, Session.objects.count()) == (None, 5)
    monkeypatch.undo()
    monkeypatch.setattr(clearing, "PAUSE", 0)
    tasks.clear_old()
    assert not Session.objects.exists()
    assert Clearing.objects.get().ended_at is not None


def test_a_batch_that_fails_stops_no_other_and_is_tried_again(in_twos, monkeypatch, caplog):
    sessions(1, 2, 3)
    rule = retention._rules["sessions"]

    def stumble(keys, now):
        if "3" in keys:
            raise LookupError("a secret")
        rule.remove(keys, now)

    parts = {field: getattr(rule, field) for field in rule.__dataclass_fields__}
    monkeypatch.setitem(retention._rules, "sessions", retention.Rule(**parts | {"remove": stumble, "batch": 1}))
    today = clearing.clear()
    assert set(Session.objects.values_list("pk", flat=True)) == {"3"}
    assert (today.ended_at, today.counts) == (None, {"sessions": 2})
    assert "Rows of “sessions” could not be cleared: LookupError" in caplog.text
    assert "a secret" not in caplog.text


def test_it_says_what_it_deleted(ann, tell, caplog):
    sessions(1, 2)
    tell(ann)
    Notice.objects.update(created_at=ago(days=200))
    with caplog.at_level("INFO"):
        today = clearing.clear()
    assert today.counts == {"sessions": 2, "unread_notices": 1}
    assert "Cleared today: sessions 2, unread_notices 1." in caplog.text
    assert today.day == timezone.now().date()


def test_the_task_clears_once_a_day():
    tasks.clear_old()
    sessions(1)
    tasks.clear_old()
    assert Session.objects.count() == 1
    Clearing.objects.update(day=date(2026, 5, 5))
    tasks.clear_old()
    assert not Session.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_ten_at_once_delete_and_count_everything_once(in_twos):
    sessions(*range(1, 8))
    assert at_once(*[partial(tasks.clear_old)] * 10) == [None] * 10
    assert not Session.objects.exists()
    assert Clearing.objects.get().counts == {"sessions": 7}


# What is overdue


def test_rows_are_overdue_two_days_past_their_age():
    sessions(2 * 24 * 60 - 1)
    assert clearing.overdue() == []
    sessions(2 * 24 * 60 + 1)
    assert [(rule.name, count) for rule, count in clearing.overdue()] == [("sessions", 1)]


def test_the_last_clearing_is_the_last_that_was_finished():
    assert clearing.last() is None
    Clearing.objects.create(day=date(2026, 5, 5), ended_at=NOON)
    Clearing.objects.create(day=date(2026, 5, 6))
    assert clearing.last().day == date(2026, 5, 5)
    assert isinstance(clearing.last().ended_at, datetime)
