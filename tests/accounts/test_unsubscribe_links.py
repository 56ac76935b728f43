"""Stop links work without signing in, only for the signed topic, and only when pressed."""

import pytest
from django.core import signing
from django.test import Client

from accounts import unsubscribe_links
from accounts.models import User

pytestmark = pytest.mark.django_db


def channels(user):
    return User.objects.values_list("notice_email", "notice_push", "notice_digest").get(pk=user.pk)


@pytest.fixture
def subscriber(person):
    return person(notice_digest=True)


def address(user, topic):
    return f"/you/stop/{unsubscribe_links.token(user, topic)}/"


@pytest.mark.parametrize(("topic", "expected"), [("email", (False, True, False)), ("all", (False, False, False))])
def test_the_button_stops_it_twice_does_no_harm(client, subscriber, topic, expected):
    for _ in range(2):
        response = client.post(address(subscriber, topic))
        assert response.status_code == 200
        assert f"Unsubscribed from {unsubscribe_links.WHAT[topic]}." in response.content.decode()
    assert channels(subscriber) == expected


def test_a_mail_programs_one_click_needs_no_page_of_ours(subscriber):
    program = Client(enforce_csrf_checks=True)
    response = program.post(address(subscriber, "email"), {"List-Unsubscribe": "One-Click"})
    assert response.status_code == 200
    assert channels(subscriber) == (False, True, False)


@pytest.mark.parametrize("method", ["get", "head"])
def test_looking_changes_nothing(client, subscriber, method):
    assert getattr(client, method)(address(subscriber, "all")).status_code == 200
    assert channels(subscriber) == (True, True, True)


def test_other_methods_are_refused(client, subscriber):
    assert client.put(address(subscriber, "all")).status_code == 405


@pytest.mark.parametrize(
    "spoil",
    [
        lambda token: token[:-1],
        lambda token: "x" + token,
        lambda token: signing.dumps([1, "all"], salt="other"),
        lambda token: "nonsense",
    ],
)
def test_what_was_not_signed_is_refused(client, subscriber, spoil):
    response = client.post(f"/you/stop/{spoil(unsubscribe_links.token(subscriber, 'all'))}/")
    assert response.status_code == 404
    assert channels(subscriber) == (True, True, True)


def test_the_link_of_one_person_is_not_that_of_another(client, subscriber, person):
    client.post(address(person("Ben"), "all"))
    assert channels(subscriber) == (True, True, True)


def test_after_the_account_is_gone_the_link_says_so(client, subscriber):
    link = address(subscriber, "all")
    User.objects.filter(pk=subscriber.pk).update(is_active=False)
    assert "no longer exists" in client.get(link).content.decode()
