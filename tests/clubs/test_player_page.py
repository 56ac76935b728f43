"""The page of a player: for whom there is one, what stands on it, and what is asked of the database."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.services import friends
from clubs.models import Membership
from tests.makers import finish_match, make_club, make_member, make_table
from tests.pages import squeezed
from tournaments import player_links
from tournaments.models import Member
from tournaments.tasks import sweep_ratings

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


# By the API


def test_a_program_sees_what_the_page_shows_the_same_reader(match, four, person, client, program):
    ann, ben, *_ = four
    make_member(make_club("Harbour"), ann, is_listed=True)
    eve = person("Eve")
    show(ann, "friends")
    friends.ask(ann, "eve")
    assert program(eve).get("players/ann/")["record"] is None
    friends.accept(eve, "ann")
    answer = program(eve).get("players/ann/")
    assert (answer["name"], answer["is_friend"], answer["is_here"]) == ("Ann", True, False)
    record = answer["record"]
    assert (record["matches"], record["won"], record["in_a_row"]) == (1, 1, 1)
    assert record["partners"] == [{"people": [{"name": "Cem", "username": "cem"}], "matches": 1, "won": 1}]
    game = record["games"][0]
    assert (game["table"], game["partners"], game["opponents"]) == (match.slug, ["Cem"], [["Ben", "Dee"]])
    assert (game["is_won"], game["points"]) == (True, [900, 500])
    assert answer["clubs"] == [{"slug": "harbour", "name": "Harbour"}]
    hidden = program(ben).get("players/ann/")
    assert (hidden["record"], hidden["clubs"], hidden["titles"]) == (None, [], [])


def test_a_program_finds_nobody_where_there_is_no_page(match, four, person, program):
    person("Guest", is_guest=True, record_for="anyone")
    for reader, name in ((person("Eve"), "ann"), (None, "ann"), (four[0], "guest"), (four[0], "nobody")):
        assert (program(reader) if reader else program()).get(f"players/{name}/", 404)["code"] == "not_found"
    show(four[0], "anyone")
    assert program().get("players/ann/")["record"]["matches"] == 1


def test_a_program_gets_each_rating_with_its_curve(match, four, program):
    for days in range(5, 0, -1):
        finish_match(make_table(four, watching="anybody", is_rated=True), [900, 500], [0], days_ago=days)
    sweep_ratings()
    rating = program().get("players/ann/")["ratings"][0]
    assert (rating["ruleset"], rating["matches"], len(rating["curve"])) == ("standard", 5, 5)
    assert rating["curve"][-1]["rating"] == rating["rating"]
    assert rating["change"] == rating["rating"] - rating["curve"][-2]["rating"]
    assert [moment["at"] for moment in rating["curve"]] == sorted(moment["at"] for moment in rating["curve"])


# Links to it


def test_a_link_leads_only_to_pages_that_open(match, four, person, client):
    ann, ben, *_ = four
    olga, shown, eve = person("Asked"), person("Shown", record_for="anyone"), person("Eve")
    people = [ann, ben, olga, shown, eve, person("Guest", is_guest=True), person("Gone", is_active=False)]
    make_table([eve, olga], seats=2, team_size=1, begun=False)
    friends.ask(olga, "ann")
    for reader in (*people[:5], person("Nobody-met"), AnonymousUser()):
        linked = player_links.usernames([each.pk for each in people], reader)
        opened = {}
        for each in people:
            client.logout()
            if reader.pk:
                client.force_login(reader)
            if client.get(f"/players/{each.username}/").status_code == 200:
                opened[each.pk] = each.username
        assert linked == opened, str(reader)
    assert set(player_links.usernames([each.pk for each in people], ann).values()) == {"ann", "ben", "asked", "shown"}


def test_the_directory_links_members_with_a_page(match, four, person, client):
    ann, ben, *_ = four
    club = make_club("Harbour")
    for each in (ann, ben, person("Eve")):
        make_member(club, each, is_listed=True)
    client.force_login(ben)
    page = squeezed(client.get("/clubs/harbour/members/"))
    assert ("/players/ann/" in page, "/players/eve/" in page, "<bdi>Eve</bdi>" in page) == (True, False, True)


def test_an_entry_links_its_people_with_a_page(match, four, new_event, client):
    event = new_event("swiss", 4)
    member = Member.objects.filter(entry__tournament=event).select_related("entry").first()
    Member.objects.filter(pk=member.pk).update(user=four[0])
    address = f"/events/{event.slug}/entries/{member.entry.number}/"
    assert "/players/ann/" not in client.get(address).text
    show(four[0], "anyone")
    assert "/players/ann/" in client.get(address).text


def test_chairs_link_the_others_for_players_and_for_spectators_if_shown(four, person, client):
    table = make_table(four[:2], seats=2, team_size=1, watching="anybody")
    client.force_login(four[0])
    page = client.get(table.get_absolute_url()).text
    assert re.findall(r'class="who"><a href="([^"]*)"', page) == ["/players/ben/"]
    client.force_login(person("Eve"))
    assert 'href="/players/' not in client.get(table.get_absolute_url()).text
    show(four[1], "anyone")
    page = client.get(table.get_absolute_url()).text
    assert re.findall(r'class="who"><a href="([^"]*)"', page) == ["/players/ben/"]
