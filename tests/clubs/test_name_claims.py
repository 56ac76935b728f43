"""Names without an account become people with one, and have their results from then on."""

import pytest
from django.urls import reverse

from clubs.models import Appearance, Invitation, JoinRequest, League, Membership, Team, TeamMember
from clubs.services import history
from clubs.services.members import joining, member_invitations, membership, name_claims
from tests.makers import make_club, make_event
from tournaments.models import Act as EventAct
from tournaments.models import Member
from tournaments.services.entries import enrolment
from web.errors import NotAllowed

pytestmark = pytest.mark.django_db


@pytest.fixture
def mia(person):
    return person("Mia")


@pytest.fixture
def name(club, staff):
    """A name of the club that nobody has claimed."""
    membership.add_names(club.pk, staff["owner"], lines=["Mia Ek <mia@example.org>"])
    return Membership.objects.get(name="Mia Ek")


@pytest.fixture
def played(club, staff):
    """Enter a name of the club in an event of the club: `played(name)` gives the member of the entry."""

    def play(name, event=None):
        event = event or make_event(staff["owner"], entries=0, status="open")
        entry = enrolment.enter_for(event.pk, staff["owner"], members=[name.name])
        member = entry.members.get()
        Appearance.objects.create(membership=name, member=member)
        return member

    return play


def test_the_link_gives_the_name_and_what_was_played(club, name, mia, played, browser_of, client):
    member = played(name)
    path = reverse("clubs:claim", args=[name.claim_token])
    assert "Are you" in client.get(path).content.decode()
    page = browser_of(mia)
    page.get(path)
    name.refresh_from_db()
    assert name.user is None
    page.submit(path, "yes")
    name.refresh_from_db()
    member.refresh_from_db()
    assert (name.user, name.name, name.email) == (mia, "Mia Ek", "")
    assert member.user == mia
    act = EventAct.objects.filter(kind="claim").get()
    assert act.sentence == "Mia Ek plays with the account Mia from now on."
    assert "This link has expired" in page.get(path, status=422)


def test_a_new_link_ends_the_old(club, staff, name, mia, browser_of, refuses):
    old = name.claim_token
    browser_of(staff["owner"]).submit(f"/clubs/harbour/people/{name.pk}/", "link")
    with refuses("link_ended"):
        name_claims.claim_by_link(old, mia)


def test_guests_claim_nothing(name, person, refuses):
    with refuses("guest"):
        name_claims.claim_by_link(name.claim_token, person("Gus", is_guest=True))


def test_an_invitation_asks_to_claim(club, staff, name, mia, browser_of):
    member_invitations.invite(club.pk, staff["owner"], addresses="Mia@Example.org")
    letter = Invitation.objects.get()
    assert letter.membership == name
    path = reverse("clubs:invitation", args=[letter.token])
    page = browser_of(mia)
    assert "Are you" in page.get(path)
    page.submit(path, "yes")
    name.refresh_from_db()
    letter.refresh_from_db()
    assert name.user == mia
    assert letter.accepted_at is not None


def test_an_address_of_two_names_asks_for_neither(club, staff, name):
    membership.add_names(club.pk, staff["owner"], lines=["Bo Ek <mia@example.org>"])
    member_invitations.invite(club.pk, staff["owner"], addresses="mia@example.org")
    assert Invitation.objects.get().membership is None


def test_an_invitation_for_a_name_that_has_been_claimed_still_admits(club, staff, name, mia, person):
    member_invitations.invite_name(name.pk, staff["owner"])
    token = Invitation.objects.get().token
    bo = person("Bo")
    Membership.objects.filter(pk=name.pk).update(user=bo)
    member_invitations.accept(token, mia)
    assert Membership.objects.get(user=mia).name == "Mia"
    name.refresh_from_db()
    assert name.user == bo


# By asking


def test_who_asks_under_a_name_is_given_it_by_an_organiser(club, staff, name, mia, played, browser_of):
    member = played(name)
    browser_of(mia).submit("/clubs/harbour/join/", "ask", name="mia ek")
    request = JoinRequest.objects.get()
    assert request.membership == name
    browser_of(staff["organiser"]).submit("/clubs/harbour/run/", f"yes-{request.pk}")
    name.refresh_from_db()
    member.refresh_from_db()
    request.refresh_from_db()
    assert (name.user, member.user, request.status) == (mia, mia, "accepted")


def test_whether_the_club_knows_a_name_shows_in_nothing(club, name, mia, person, browser_of):
    known = browser_of(mia).press("/clubs/harbour/join/", "ask", name="Mia Ek")
    unknown = browser_of(person("Eve")).press("/clubs/harbour/join/", "ask", name="Bo Unknown")
    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    pages = [browser_of(request.user).get("/clubs/harbour/join/") for request in JoinRequest.objects.order_by("pk")]
    assert ["has the name" in page.lower() for page in pages] == [False, False]


def test_an_organiser_may_choose_otherwise(club, staff, name, mia, browser_of):
    browser_of(mia).submit("/clubs/harbour/join/", "ask", name="Mia Ek")
    request = JoinRequest.objects.get()
    browser_of(staff["organiser"]).submit("/clubs/harbour/run/", f"yes-{request.pk}", membership="")
    name.refresh_from_db()
    assert name.user is None
    assert Membership.objects.get(user=mia).name == "Mia"


def test_a_name_of_another_club_is_not_given(club, staff, mia, person, refuses):
    eve = person("Eve")
    other = make_club("Other", owner=eve)
    membership.add_names(other.pk, eve, lines=["Ann"])
    joining.ask(club.pk, mia)
    with refuses("no_such_row"):
        joining.accept(
            JoinRequest.objects.get().pk, staff["owner"], membership_id=Membership.objects.get(name="Ann").pk
        )


# Members already


@pytest.fixture
def team(club):
    league = League.objects.create(club=club, name="League", slug="league")
    return Team.objects.create(league=league, club=club, name="Foxes", number=1)


def test_a_member_who_claims_a_name_has_both_rows_made_one(club, name, team, played, in_club):
    mia = in_club(club, "Mia", is_listed=True)
    own_name = Membership.objects.get(user=mia)
    member = played(name)
    place = TeamMember.objects.create(team=team, membership=name)
    name_claims.claim_by_link(name.claim_token, mia)
    assert not Membership.objects.filter(pk=name.pk).exists()
    own_name.refresh_from_db()
    member.refresh_from_db()
    place.refresh_from_db()
    assert (own_name.name, own_name.is_listed) == ("Mia", True)
    assert (member.user, member.appearance.membership, place.membership) == (mia, own_name, own_name)


def test_two_places_in_one_team_become_one(club, name, team, in_club):
    mia = in_club(club, "Mia")
    own_name = Membership.objects.get(user=mia)
    for member in (own_name, name):
        TeamMember.objects.create(team=team, membership=member)
    name_claims.claim_by_link(name.claim_token, mia)
    assert TeamMember.objects.get().membership == own_name


def test_nobody_is_in_one_event_twice(club, staff, name, mia, played):
    event = make_event(staff["owner"], entries=0, status="open")
    enrolment.enter(event.pk, mia)
    member = played(name, event)
    name_claims.claim_by_link(name.claim_token, mia)
    member.refresh_from_db()
    name.refresh_from_db()
    assert (member.user, name.user) == (None, mia)


# Undoing


def test_a_claim_is_undone_with_its_results(club, staff, name, mia, played):
    member = played(name)
    old = name.claim_token
    act = name_claims.claim_by_link(old, mia)
    with pytest.raises(NotAllowed):
        history.undo(act.pk, by=mia)
    history.undo(act.pk, by=staff["organiser"])
    name.refresh_from_db()
    member.refresh_from_db()
    assert (name.user, name.email, member.user) == (None, "mia@example.org", None)
    assert name.claim_token != old


def test_a_merge_is_undone(club, staff, name, team, played, in_club):
    mia = in_club(club, "Mia")
    own_name = Membership.objects.get(user=mia)
    before, own_member = played(name), played(own_name)
    Member.objects.filter(pk=own_member.pk).update(user=mia)
    place = TeamMember.objects.create(team=team, membership=name)
    old = name.claim_token
    act = name_claims.claim_by_link(old, mia)
    history.undo(act.pk, by=staff["owner"])
    back = Membership.objects.get(pk=name.pk)
    before.refresh_from_db()
    own_member.refresh_from_db()
    place.refresh_from_db()
    assert (back.name, back.user, place.membership) == ("Mia Ek", None, back)
    assert (before.user, own_member.user) == (None, mia)
    assert (before.appearance.membership, back.claim_token != old) == (back, True)


def test_a_role_given_since_keeps_the_claim(club, staff, name, mia, refuses):
    act = name_claims.claim_by_link(name.claim_token, mia)
    membership.give_role(name.pk, staff["owner"], role="scorer")
    with refuses("has_role"):
        history.undo(act.pk, by=staff["owner"])
