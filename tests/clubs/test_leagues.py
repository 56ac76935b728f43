"""Leagues of a club, and other clubs in them."""

import pytest

from accounts.models import Notice
from clubs.models import League, LeagueClub, Team
from clubs.services import history
from clubs.services.leagues import leagues, teams
from clubs.services.seasons import season_setup
from tests.clubs import leagues as makers
from tests.makers import make_club
from web.errors import NotAllowed, Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def league(club, staff):
    return leagues.make(club.pk, staff["organiser"], name="Monday League")


@pytest.fixture
def quay(db):
    return make_club("Quay Cards", slug="quay")


@pytest.fixture
def uma(quay, in_club):
    """An organiser of the other club."""
    return in_club(quay, "Uma", "organiser")


def add_guest_club(league, quay, by, uma):
    invitation = leagues.invite_club(league.pk, by, club="quay")
    leagues.answer_club(invitation.pk, uma, agrees=True)
    return LeagueClub.objects.get(pk=invitation.pk)


def test_a_club_has_several_leagues_each_with_its_address(club, staff):
    league = leagues.make(club.pk, staff["owner"], name="Monday  League", kind="pair", about=" For all. ")
    other = leagues.make(club.pk, staff["organiser"], name="Monday, League!", kind="team")
    assert (league.name, league.slug, league.about) == ("Monday League", "monday-league", "For all.")
    assert (other.slug, other.kind) == ("monday-league-2", "team")


def test_the_same_form_sent_twice_makes_one_league(club, staff):
    first = leagues.make(club.pk, staff["owner"], name="Monday League", request_key="k")
    assert leagues.make(club.pk, staff["owner"], name="Monday League", request_key="k") == first
    assert League.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"name": "monday league"}, "name", "already"),
        ({"name": " "}, "name", r"Enter a name\."),
        ({"name": "Ladder", "kind": "crowd"}, "kind", "people, pairs or teams"),
        ({"name": "Ladder", "about": "x" * 2001}, "about", "2,000"),
    ],
)
def test_what_makes_no_league_is_refused_beside_its_field(league, club, staff, fields, field, words):
    with pytest.raises(Refused, match=words) as refused:
        leagues.make(club.pk, staff["owner"], **fields)
    assert refused.value.details["field"] == field


@pytest.mark.parametrize("role", ["scorer", "member", "guest"])
def test_only_owners_and_organisers_make_leagues(club, staff, role):
    with pytest.raises(NotAllowed):
        leagues.make(club.pk, staff[role], name="Mine")


def test_a_league_is_renamed_and_that_is_undone(league, staff):
    act = leagues.change(league.pk, staff["owner"], name="Tuesday League", about="")
    league.refresh_from_db()
    assert (league.name, league.slug) == ("Tuesday League", "monday-league")
    with pytest.raises(Refused, match="Nothing"):
        leagues.change(league.pk, staff["owner"], name="Tuesday League", about="")
    history.undo(act.pk, by=staff["owner"])
    league.refresh_from_db()
    assert league.name == "Monday League"


def test_an_archived_league_rests_until_it_is_brought_back(league, staff):
    owner = staff["owner"]
    leagues.archive(league.pk, owner)
    with pytest.raises(Refused, match="Restore it first"):
        makers.pair(League.objects.get(), owner, 1)
    with pytest.raises(Refused, match="is already archived"):
        leagues.archive(league.pk, owner)
    leagues.restore(league.pk, owner)
    makers.pair(League.objects.get(), owner, 2)


def test_a_league_is_not_archived_during_a_season(club, staff):
    season = makers.draw(makers.make_season(club, staff["owner"], (2,)), staff["owner"])
    with pytest.raises(Refused, match="under way"):
        leagues.archive(season.league_id, staff["owner"])


# Other clubs


def test_another_club_is_asked_agrees_and_has_teams_in_the_league(league, quay, staff, uma):
    invitation = leagues.invite_club(league.pk, staff["organiser"], club="Quay")
    assert (
        Notice.objects.get(user=uma).title
        == f"{league.club}: {league.club} invites Quay Cards to take part in {league}"
    )
    assert list(leagues.open_invitations(uma)) == [invitation]
    with pytest.raises(Refused, match="does not take part"):
        makers.pair(league, staff["owner"], 1, club=quay)
    leagues.answer_club(invitation.pk, uma, agrees=True)
    assert Notice.objects.filter(user=staff["organiser"], title__contains="Quay Cards takes part").exists()
    assert not leagues.open_invitations(uma).exists()
    assert {club.slug for club in leagues.clubs_of(league)} == {"harbour", "quay"}
    team = makers.pair(league, uma, 2, club=quay)
    assert (team.club, team.league) == (quay, league)
    makers.pair(league, staff["owner"], 3, club=quay)


def test_an_organiser_of_another_club_adds_teams_of_their_own_club_only(league, quay, staff, uma):
    add_guest_club(league, quay, staff["owner"], uma)
    with pytest.raises(NotAllowed):
        makers.pair(league, uma, 1)


def test_who_organises_nothing_answers_for_no_club(league, quay, staff, in_club):
    invitation = leagues.invite_club(league.pk, staff["owner"], club="quay")
    for somebody in (in_club(quay, "Mel", "member"), staff["owner"]):
        with pytest.raises(NotAllowed):
            leagues.answer_club(invitation.pk, somebody, agrees=True)


def test_a_club_that_declines_may_be_asked_again(league, quay, staff, uma):
    invitation = leagues.invite_club(league.pk, staff["owner"], club="quay")
    with pytest.raises(Refused, match="already been invited"):
        leagues.invite_club(league.pk, staff["owner"], club="quay")
    leagues.answer_club(invitation.pk, uma, agrees=False)
    assert not LeagueClub.objects.exists()
    leagues.invite_club(league.pk, staff["owner"], club="quay")


@pytest.mark.parametrize(("slug", "words"), [("nobody", "Club not found"), ("harbour", "runs this league itself")])
def test_no_club_and_the_own_one_are_not_asked(league, staff, slug, words):
    with pytest.raises(Refused, match=words):
        leagues.invite_club(league.pk, staff["owner"], club=slug)


def test_a_club_parts_with_a_league_and_its_teams_leave_it(league, quay, staff, uma):
    league_club = add_guest_club(league, quay, staff["owner"], uma)
    team = makers.pair(league, uma, 1, club=quay)
    with pytest.raises(NotAllowed):
        leagues.remove_club(league_club.pk, staff["member"])
    leagues.remove_club(league_club.pk, uma)
    assert Team.objects.get(pk=team.pk).left_at is not None
    with pytest.raises(Refused, match="no longer takes part"):
        teams.rejoin(team.pk, staff["owner"])


def test_a_club_does_not_part_during_a_season(club, quay, staff, uma):
    owner = staff["owner"]
    season = makers.make_season(club, owner, (2,))
    league_club = add_guest_club(season.league, quay, owner, uma)
    team = makers.pair(season.league, uma, 9, club=quay)
    season_setup.place(season.pk, owner, divisions={season.divisions.get().pk: [team.pk]})
    with pytest.raises(Refused, match="not closed"):
        leagues.remove_club(league_club.pk, uma)
