"""The page of a player: for whom there is one, what stands on it, and what is asked of the database."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.services import friends
from clubs.models import Membership
from tests.makers import finish_match, make_club, make_member, make_table
from tests.pages import squeezed

pytestmark = pytest.mark.django_db
RECORD = "Recent games"


@pytest.fixture
def match(four):
    return finish_match(make_table(four, watching="anybody"), [900, 500], [0])


def page_of(client, name, reader=None, status=200):
    client.logout()
    if reader is not None:
        client.force_login(reader)
    answer = client.get(f"/players/{name}/")
    assert answer.status_code == status
    return squeezed(answer)


def show(user, readers):
    User.objects.filter(pk=user.pk).update(record_for=readers)


def test_by_default_a_player_alone_sees_the_record_and_strangers_find_no_page(match, four, person, client):
    assert RECORD in page_of(client, "ann", four[0])
    assert RECORD not in page_of(client, "ann", four[1])
    page_of(client, "ann", person("Eve"), status=404)
    page_of(client, "ann", status=404)


def test_a_player_shows_it_to_friends_or_to_anyone(match, four, person, client):
    ann, eve = four[0], person("Eve")
    friends.ask(ann, "eve")
    show(ann, "friends")
    assert RECORD not in page_of(client, "ann", eve), "a request is no friendship"
    friends.accept(eve, "ann")
    assert RECORD in page_of(client, "ann", eve)
    assert RECORD not in page_of(client, "ann", four[1])
    show(ann, "anyone")
    page = page_of(client, "ann")
    assert RECORD in page
    assert "With Cem, against Ben and Dee" in page
    assert "Ask to be friends" not in page


def test_guests_former_members_and_unknown_names_have_no_page(person, client):
    person("Guest", is_guest=True, record_for="anyone")
    person("Gone", is_active=False, record_for="anyone")
    for name in ("guest", "gone", "nobody"):
        page_of(client, name, person(f"Reader-{name}"), status=404)


def test_the_page_offers_what_can_be_done_next(match, four, client):
    ann, ben, *_ = four
    page = page_of(client, "ann", ben)
    assert 'href="/tables/new/?with=ann"' in page
    assert '<button class="btn" name="act" value="ask">' in page
    friends.ask(ann, "ben")
    assert '<button class="btn" name="act" value="accept">' in page_of(client, "ann", ben)
    assert "You asked to be friends" in page_of(client, "ben", ann)
    friends.accept(ben, "ann")
    assert "Your friend" in page_of(client, "ann", ben)
    assert "with=ann" not in page_of(client, "ann", ann)


def test_clubs_are_those_of_the_directory_and_shared_ones(match, four, client):
    ann, ben, *_ = four
    show(ann, "anyone")
    harbour, hidden = make_club("Harbour"), make_club("Hidden")
    make_member(harbour, ann, is_listed=True)
    make_member(hidden, ann)
    make_member(hidden, ben)
    assert ("Harbour" in page_of(client, "ann"), "Hidden" in page_of(client, "ann")) == (True, False)
    assert "Hidden" in page_of(client, "ann", ben)
    Membership.objects.filter(user=ann, club=harbour).update(is_listed=False)
    assert "/clubs/harbour/" not in page_of(client, "ann")


def test_nothing_of_a_running_match_is_on_the_page(match, four, client):
    make_table(four, watching="anybody", name="Running four")
    show(four[0], "anyone")
    assert "Running four" not in page_of(client, "ann", four[1])


def test_the_page_takes_as_many_queries_for_three_matches_as_for_one(match, four, client):
    def queries():
        with CaptureQueriesContext(connection) as captured:
            assert client.get("/players/ann/").status_code == 200
        return len(captured)

    client.force_login(four[0])
    queries()
    before = queries()
    for _ in range(2):
        finish_match(make_table(four, watching="anybody"), [1, 2], [1])
    assert queries() == before
