"""Access to an event and its actions."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import Http404

from clubs.models import Club
from tests.makers import make_club, make_member
from tournaments import access, roles
from tournaments.models import Act, Organiser
from tournaments.services import history
from tournaments.services.entries import enrolment
from web.errors import NotAllowed

pytestmark = pytest.mark.django_db


@pytest.fixture
def stranger(person):
    return person("Eve")


@pytest.fixture
def club_event(new_event):
    """An event of a club, and one of its members."""

    def make(member):
        club = Club.objects.first() or make_club("Harbour")
        make_member(club, member)
        return new_event(entries=2, visibility="circle", circle=f"club:{club.pk}")

    return make


def sees(player, tournament):
    try:
        return access.open_event(player, tournament.slug) == tournament
    except Http404:
        return False


def test_public_events_and_those_with_a_link_are_open_to_anybody(new_event, stranger):
    for visibility in ("public", "link"):
        cup = new_event(visibility=visibility)
        assert sees(AnonymousUser(), cup)
        assert sees(stranger, cup)


@pytest.mark.parametrize("visibility", ["public", "link", "circle"])
def test_a_draft_is_seen_by_its_organisers_only(new_event, olga, stranger, entry, user_of, visibility):
    cup = new_event(entries=1, status="draft", visibility=visibility)
    assert sees(olga, cup)
    for player in (AnonymousUser(), stranger, user_of(entry(cup, 1))):
        assert not sees(player, cup)


def test_an_event_of_a_club_is_seen_by_members_players_and_organisers(
    club_event, olga, person, stranger, entry, user_of
):
    mia = person("Mia")
    cup = club_event(mia)
    for player in (mia, olga, user_of(entry(cup, 1))):
        assert sees(player, cup)
    for player in (AnonymousUser(), stranger, person("Guest", is_guest=True)):
        assert not sees(player, cup)


def test_who_was_asked_to_play_in_it_sees_it(new_event, olga, stranger):
    club = make_club("Harbour")
    cup = new_event(entries=0, kind="partnership", visibility="circle", circle=f"club:{club.pk}", setting="online")
    enrolment.enter_for(cup.pk, olga, members=[stranger])
    assert sees(stranger, cup)


def test_there_is_no_other_event(stranger):
    with pytest.raises(Http404):
        access.open_event(stranger, "nothing")


def test_events_are_listed_for_those_they_are_for(new_event, club_event, olga, person, stranger, entry, user_of):
    mia = person("Mia")
    public, linked, of_club = new_event(), new_event(entries=1, visibility="link"), club_event(mia)
    draft = new_event(status="draft")

    def events_for(player):
        return set(access.list_events(player))

    assert events_for(AnonymousUser()) == events_for(stranger) == {public}
    assert events_for(mia) == {public, of_club}
    assert events_for(olga) == {public, linked, of_club, draft}
    assert events_for(user_of(entry(linked, 1))) == {public, linked, of_club}


@pytest.mark.parametrize("role", ["owner", "director", "scorer", ""])
def test_each_role_may_do_what_the_table_says(new_event, stranger, role):
    cup = new_event()
    if role:
        Organiser.objects.create(tournament=cup, user=stranger, role=role)
    for act in roles.ACTS:
        allowed = bool(role) and act in roles.ROLES[role]
        assert access.may(stranger, cup, act) == allowed
        if allowed:
            assert access.organiser(stranger, cup.slug, act) == cup
        else:
            with pytest.raises(NotAllowed):
                access.organiser(stranger, cup.slug, act)


def test_nobody_organises_without_signing_in(new_event):
    cup = new_event()
    with pytest.raises(NotAllowed, match="Only the organisers of the event"):
        access.organiser(AnonymousUser(), cup.slug)
    with pytest.raises(Http404):
        access.organiser(AnonymousUser(), new_event(status="draft").slug)


def test_a_scorer_undoes_their_own_results_only(new_event, olga, stranger):
    cup = new_event()
    Organiser.objects.create(tournament=cup, user=stranger, role="scorer")

    changes = [{"model": "tournament", "pk": cup.pk, "was": {"about": ""}, "is": {"about": ""}}]

    def act(kind, by):
        return Act.objects.create(
            tournament=cup, at=cup.created_at, kind=kind, sentence="Something.", by=by, changes=changes
        )

    def may_undo(player, act):
        return history.may_undo(player, act, access.role_of(player, cup))

    assert may_undo(stranger, act("result", stranger))
    assert not may_undo(stranger, act("result", olga))
    assert not may_undo(stranger, act("withdraw", stranger))
    assert may_undo(olga, act("settings", stranger))
    Organiser.objects.filter(user=stranger).update(role="director")
    assert may_undo(stranger, act("result", olga))
    assert may_undo(stranger, act("withdraw", olga))
    assert not may_undo(stranger, act("settings", olga))
    assert not may_undo(AnonymousUser(), act("result", olga))


def test_ones_own_entry(new_event, entry, user_of, stranger):
    cup = new_event(entries=2, kind="partnership")
    first = entry(cup, 1)
    for member in first.members.all():
        assert access.own_entry(member.user, cup.slug) == (cup, first)
    for player in (stranger, AnonymousUser()):
        with pytest.raises(NotAllowed):
            access.own_entry(player, cup.slug)


def test_both_of_a_pair_act_for_it_and_of_a_team_the_captain(new_event, entry):
    for kind, expected in (("partnership", [True, True]), ("team", [True, False])):
        first = entry(new_event(entries=2, kind=kind), 1)
        assert [access.acts_for(member.user, first) for member in first.members.all()] == expected


def test_who_left_does_not_act_any_more(new_event, entry, user_of):
    first = entry(new_event(entries=1), 1)
    user = user_of(first)
    first.members.update(left_at=first.entered_at)
    assert not access.acts_for(user, first)
    with pytest.raises(NotAllowed):
        access.check_entry(user, first)
