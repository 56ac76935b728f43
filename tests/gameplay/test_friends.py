"""The page of friends: who is here, requests, and its acts."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.services import friends
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(person, client):
    ann = person("Ann")
    client.force_login(ann)
    return ann


def befriend(asker, other):
    friends.ask(asker, other.username)
    friends.accept(other, asker.username)


def test_strangers_are_sent_to_sign_in(client):
    assert client.get("/friends/").status_code == 302
    assert client.post("/friends/", {"act": "ask", "who": "ann"}).status_code == 302


def test_a_request_is_sent_accepted_and_ended_on_the_page(ann, person, client):
    ben = person("Ben")
    answer = client.post("/friends/", {"act": "ask", "who": "ben"}, follow=True)
    assert "Request sent." in squeezed(answer)
    client.force_login(ben)
    page = squeezed(client.get("/friends/"))
    assert 'name="act" value="accept" aria-label="Accept: Ann">' in page
    assert client.post("/friends/", {"act": "accept", "who": "ann"}).status_code == 302
    assert friends.are_friends(ann, ben)
    assert client.post("/friends/", {"act": "end", "who": "ann"}).status_code == 302
    assert not friends.are_friends(ann, ben)


@pytest.mark.parametrize(
    ("act", "who"), [("ask", "nobody"), ("ask", "ann"), ("accept", "x"), ("dance", "ben"), ("", "")]
)
def test_a_refusal_says_why_and_keeps_what_was_typed(ann, client, act, who):
    answer = client.post("/friends/", {"act": act, "who": who})
    assert answer.status_code == 422
    assert f'value="{who}"' in answer.content.decode()


def test_friends_who_are_here_come_first_unless_they_hide_it(ann, person, client):
    ben, cem = person("Ben"), person("Cem")
    befriend(ann, ben)
    befriend(ann, cem)
    client.force_login(cem)
    client.get("/help/")
    client.force_login(ann)
    page = squeezed(client.get("/friends/"))
    assert page.index("/players/cem/") < page.index("/players/ben/")
    assert page.count("here now") == 1
    User.objects.filter(pk=cem.pk).update(shows_presence=False)
    page = squeezed(client.get("/friends/"))
    assert page.index("/players/ben/") < page.index("/players/cem/")
    assert "here now" not in page


def test_the_page_takes_as_many_queries_for_three_friends_as_for_one(ann, person, client):
    def queries():
        with CaptureQueriesContext(connection) as captured:
            assert client.get("/friends/").status_code == 200
        return len(captured)

    befriend(ann, person("Ben"))
    queries()
    before = queries()
    for name in ("Cem", "Dee"):
        befriend(ann, person(name))
    assert queries() == before
