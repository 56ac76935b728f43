"""Sessions: the cookie names a row, and an end of it is an end."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.urls import reverse
from django.utils import timezone

from accounts.sessions import SessionStore


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
