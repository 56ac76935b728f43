"""Friends: asked, accepted and ended; each act may be sent twice, and cross with another."""

import pytest

from accounts import privacy
from accounts.models import Friendship, Notice
from accounts.services import friends

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(person):
    return person("Ann"), person("Ben")


def titles(user):
    return list(Notice.objects.filter(user=user).order_by("pk").values_list("title", flat=True))


def test_two_people_are_friends_once_the_asked_one_accepts(people):
    ann, ben = people
    friends.ask(ann, "BEN")
    assert not friends.are_friends(ann, ben)
    assert titles(ben) == ["Ann wants to be your friend"]
    friends.accept(ben, "ann")
    assert friends.are_friends(ann, ben)
    assert friends.are_friends(ben, ann)
    assert titles(ann) == ["Ben is your friend now"]


def test_a_request_sent_twice_is_one_and_one_that_crosses_accepts(people):
    ann, ben = people
    assert friends.ask(ann, "ben") == friends.ask(ann, "ben")
    assert friends.ask(ben, "ann").accepted_at is not None
    friends.accept(ben, "ann")
    assert Friendship.objects.count() == 1
    assert (titles(ann), titles(ben)) == (["Ben is your friend now"], ["Ann wants to be your friend"])


def test_nobody_accepts_the_own_request_or_one_that_was_cancelled(people, refuses):
    ann, ben = people
    friends.ask(ann, "ben")
    with refuses("no_request"):
        friends.accept(ann, "ben")
    friends.end(ann, "ben")
    with refuses("no_request"):
        friends.accept(ben, "ann")
    with refuses("no_request"):
        friends.end(ben, "nobody")


def test_who_declines_is_not_told_again_of_the_next_request(people):
    ann, ben = people
    for _ in range(2):
        friends.ask(ann, "ben")
        friends.end(ben, "ann")
    assert titles(ben) == ["Ann wants to be your friend"]
    assert titles(ann) == []
    friends.end(ben, "ann")


def test_oneself_strangers_and_guests_are_refused(people, person, refuses):
    ann, _ = people
    person("Guest", is_guest=True)
    person("Gone", is_active=False)
    for name, code in (("ann", "oneself"), ("", "nobody"), ("guest", "nobody"), ("gone", "nobody")):
        with refuses(code):
            friends.ask(ann, name)
    assert not Friendship.objects.exists()


def test_requests_have_a_limit_and_a_budget(people, person, refuses, monkeypatch, limited):
    from accounts.budgets import INVITATIONS

    ann, _ = people
    person("Cem")
    friends.ask(ann, "ben")
    monkeypatch.setattr(friends, "MOST", 1)
    with refuses("too_many"):
        friends.ask(ann, "cem")
    monkeypatch.setattr(friends, "MOST", 9)
    limited(INVITATIONS, person=1)
    with refuses("too_much"):
        friends.ask(ann, "cem")


def test_friends_are_exported_and_go_with_the_account(people, gone):
    ann, ben = people
    friends.ask(ann, "ben")
    (line,) = privacy.export(ben)["friends"]
    assert (line["name"], line["was"], line["accepted_at"]) == ("Ann", "received", None)
    assert privacy.export(ann)["friends"][0]["was"] == "asked"
    gone(ann)
    assert not Friendship.objects.exists()
    assert titles(ben) == []
