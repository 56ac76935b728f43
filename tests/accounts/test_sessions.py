"""Sessions: the cookie names a row, and an end of it is an end."""

from datetime import datetime, timedelta

import pytest
import time_machine
from django.conf import settings
from django.contrib.sessions.models import Session
from django.urls import reverse
from django.utils import timezone

from accounts.sessions import MOST_DAYS, SIGNED_IN_AT, SessionStore


def is_signed_in(client):
    return client.get(reverse("gameplay:turns")).status_code == 200


@pytest.fixture
def ann(client, person):
    client.force_login(person("Ann"))
    return client


def test_a_session_is_found_by_its_key(ann):
    assert is_signed_in(ann)
    store = SessionStore(ann.cookies[settings.SESSION_COOKIE_NAME].value)
    assert store["_auth_user_backend"] == "accounts.backends.Backend"


def test_one_that_has_expired_is_none(ann):
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert not is_signed_in(ann)


def test_no_session_outlasts_its_last_day(ann):
    start = timezone.now()
    for day in range(10, 100, 10):
        with time_machine.travel(start + timedelta(days=day, minutes=-1)):
            assert is_signed_in(ann), day
            session = ann.session  # whatever writes it, such as a message for the next page
            session["seen"] = day
            session.save()
    with time_machine.travel(start + timedelta(days=MOST_DAYS, minutes=1)):
        assert not is_signed_in(ann)


def test_signing_in_once_more_starts_again(ann, client):
    from accounts.models import User

    start = timezone.now()
    user = User.objects.get(display_name="Ann")
    with time_machine.travel(start + timedelta(days=13)):
        client.force_login(user)
    expiry = Session.objects.get(session_key=client.session.session_key).expire_date
    session = client.session
    assert datetime.fromisoformat(session[SIGNED_IN_AT]) >= start + timedelta(days=13)
    assert expiry > start + timedelta(days=26)


def test_a_guest_has_no_last_day(client, db):
    start = timezone.now()
    session = client.session
    session["guest"] = 1
    session.save()
    with time_machine.travel(start + timedelta(days=MOST_DAYS + 10)):
        session.save()
        assert Session.objects.get(session_key=session.session_key).expire_date > timezone.now()


def test_one_that_was_ended_is_none(ann):
    Session.objects.all().delete()
    assert not is_signed_in(ann)


def test_a_new_password_ends_the_others(ann, client):
    from accounts.models import User

    user = User.objects.get(display_name="Ann")
    user.set_password("another long phrase")
    user.save()
    assert not is_signed_in(ann)


@pytest.mark.parametrize("key", ["x" * 32, "\ue000value 0", "' OR ''='", "a\0b" * 8, ""])
def test_a_key_that_nobody_was_given_opens_nothing(db, key):
    store = SessionStore(key)
    assert dict(store.items()) == {}
    assert store.session_key is None


def test_asking_takes_one_query(ann, django_assert_num_queries):
    key = ann.cookies[settings.SESSION_COOKIE_NAME].value
    SessionStore(key).load()
    with django_assert_num_queries(1):
        SessionStore(key).load()
