"""Pages of events for a signed-in reader: entering, own entry, next matches."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.tournaments import driving
from tournaments.models import Entry, Member, Pairing, Round, Tournament
from tournaments.public import listing, overview
from tournaments.services.matches import results


@pytest.fixture
def reader(client):
    """Signs a user in and reads pages."""

    def read(user, path):
        client.force_login(user)
        return client.get(path).content.decode()

    return read


def test_who_is_not_signed_in_is_asked_to(client):
    answer = client.get("/events/mine/")
    assert (answer.status_code, answer.url) == (302, "/accounts/login/?next=/events/mine/")


def test_ones_next_matches_over_all_events(new_event, players, olga, reader):
    first = new_event("swiss", 8, started=True, name="First Cup")
    second = new_event("round_robin", 4, started=True, name="Second Cup")
    user = players(1)[0]
    Round.objects.filter(stage__tournament=second, number=1).update(deadline_at=timezone.now() + timedelta(hours=5))
    matches = listing.own_matches(user)
    called = [match for match in matches if listing.is_called(match)]
    assert [(row.event.name, row.round) for row in called] == [("Second Cup", "round 1"), ("First Cup", "round 1")]
    assert called[1].against == "Player 5"
    assert called[1].until is None
    grouped = listing.grouped(matches)
    assert [len(grouped[name]) for name in ("now", "reported", "to_come")] == [2, 0, 2]
    markup = reader(user, "/events/mine/")
    assert "Against <bdi>Player 5</bdi>" in markup
    assert markup.index("To play now") < markup.index("First Cup") < markup.index("Upcoming")
    driving.play_out(first, olga)
    assert all(match.event == second for match in listing.own_matches(user))


def test_a_result_that_waits_stands_apart(new_event, players):
    event = new_event("swiss", 4, started=True)
    user = players(1)[0]
    (own_match,) = listing.own_matches(user)
    places = list(own_match.match.pairing.places.all())
    lines = [{"entry": place.entry_id, "score": 5000 + place.number} for place in places]
    results.report(own_match.match.pairing.pk, lines, by=user)
    grouped = listing.grouped(listing.own_matches(user))
    assert [len(grouped[name]) for name in ("now", "reported", "to_come")] == [0, 1, 0]
    assert grouped["reported"][0].event == event


def test_partners_of_the_match_are_named(new_event, players):
    new_event("rotating_partners", 4, started=True)
    matches = listing.own_matches(players(1)[0])
    assert {match.partner for match in matches} == {"Player 2", "Player 3", "Player 4"}
    assert all(" / " in match.against for match in matches)


def test_whoever_left_or_never_said_yes_has_no_matches(new_event, players):
    new_event("swiss", 4, started=True)
    user = players(1)[0]
    Member.objects.filter(user=user).update(answer="invited")
    assert listing.own_matches(user) == []
    Member.objects.filter(user=user).update(answer="accepted", left_at=timezone.now())
    assert listing.own_matches(user) == []


def test_the_number_of_queries_does_not_depend_on_matches(new_event, players, django_assert_num_queries):
    new_event("swiss", 4, started=True)
    user = players(1)[0]
    for _ in range(2):
        with django_assert_num_queries(3):  # their entries, matches, places
            listing.own_matches(user)
        new_event("round_robin", 6, started=True)


def test_an_open_event_has_a_way_in(new_event, person):
    event = new_event("swiss", 4)
    eve = person("Eve")
    assert overview.acts(event, eve).may_enter
    event.entries_close_at = timezone.now() - timedelta(minutes=1)
    assert not overview.acts(event, eve).may_enter
    event.entries_close_at, event.status = None, Tournament.Status.CLOSED
    assert not overview.acts(event, eve).may_enter


def test_a_visitor_is_told_the_way_in_while_an_event_is_open(new_event, client):
    event = new_event("swiss", 4)
    words, way = "You need an account to enter.", f"/accounts/signup/?next=/events/{event.slug}/enter/"

    def markup():
        return client.get(event.get_absolute_url()).content.decode()

    assert words in markup()
    assert f'href="{way}"' in markup()
    Tournament.objects.filter(pk=event.pk).update(entries_close_at=timezone.now() - timedelta(minutes=1))
    assert words not in markup()
    Tournament.objects.filter(pk=event.pk).update(entries_close_at=None, status=Tournament.Status.CLOSED)
    assert words not in markup()


def test_a_guest_needs_an_account_to_enter(new_event, person):
    acts = overview.acts(new_event("swiss", 4), person("Guest", is_guest=True))
    assert (acts.may_enter, acts.needs_account) == (False, True)


def test_ones_entry_and_check_in(new_event, players, reader):
    now = timezone.now()
    event = new_event(
        "swiss", 4, has_check_in=True, check_in_from=now - timedelta(hours=1), check_in_until=now + timedelta(hours=1)
    )
    user = players(1)[0]
    acts = overview.acts(event, user)
    assert (str(acts.entry), acts.may_enter, acts.may_check_in) == ("Player 1", False, False)
    Entry.objects.filter(number=1).update(is_here=None)
    assert overview.acts(event, user).may_check_in
    event.check_in_until = now
    assert not overview.acts(event, user).may_check_in
    assert "You play as Player 1" in reader(user, event.get_absolute_url())


def test_who_was_asked_is_told_so(new_event, players, reader):
    event = new_event("swiss", 2, kind="partnership")
    user = players(2)[1]
    Member.objects.filter(user=user).update(answer="invited")
    acts = overview.acts(event, user)
    assert (acts.entry, acts.is_invited, acts.may_enter) == (None, True, False)
    assert "Invitations" in reader(user, event.get_absolute_url())


def test_the_next_match_stands_on_the_events_page(new_event, players, reader, client):
    event = new_event("swiss", 4, started=True)
    markup = reader(players(1)[0], event.get_absolute_url())
    pairing = Pairing.objects.get(places__entry__number=1)
    assert f'id="own-{pairing.pk}" href="/events/{event.slug}/1/{pairing.name}/"' in markup
    client.logout()
    assert "own-" not in client.get(event.get_absolute_url()).content.decode()
