"""Deleted accounts: results stay, under “former member”."""

import json

import pytest

from clubs.models import Act, Appearance, JoinRequest, League, Membership, News, Team, TeamMember
from clubs.services import erasure
from clubs.services.members import joining, membership
from clubs.services.publications import news
from tests.makers import make_event
from tournaments.models import Member

pytestmark = pytest.mark.django_db


def everything(club):
    """Everything in the club’s rows, as text."""
    parts = [
        Membership.objects.filter(club=club).values(),
        Act.objects.filter(club=club).values("sentence", "reason", "name", "changes"),
        News.objects.filter(club=club).values(),
        Team.objects.filter(club=club).values("name"),
        JoinRequest.objects.filter(club=club).values("words"),
    ]
    return json.dumps([list(part) for part in parts], default=str)


def test_names_go_and_results_stay(club, staff, in_club, gone):
    zora = in_club(club, "Zora", is_listed=True, contact="Quay 7")
    member = Membership.objects.get(user=zora)
    team = Team.objects.create(
        league=League.objects.create(club=club, name="L", slug="l"), club=club, name="Zora / Bo", number=1
    )
    TeamMember.objects.create(team=team, membership=member)
    membership.edit(member.pk, staff["owner"], name="Zora Blix")
    membership.give_role(member.pk, staff["owner"], role="organiser")
    news.write(club.pk, zora, title="Zora Blix tells", body="By Zora Blix")
    gone(zora)
    assert "Zora" not in everything(club)
    assert "Quay 7" not in everything(club)
    member.refresh_from_db()
    assert (member.name, member.left_at is not None, member.is_listed) == ("former member", True, False)
    assert team.roster.get().membership == member
    before = everything(club)
    erasure.forget(zora.pk)
    assert json.loads(before)[1] == json.loads(everything(club))[1]


def test_others_longer_names_stay(club, staff, in_club, gone):
    in_club(club, "Zora")
    membership.add_names(club.pk, staff["owner"], lines=["Zora Lund"])
    gone(Membership.objects.get(name="Zora").user)
    assert Membership.objects.filter(name="Zora Lund").exists()
    assert "Zora Lund was added." in Act.objects.values_list("sentence", flat=True)


def test_the_club_has_another_owner(club, staff, gone):
    gone(staff["owner"])
    assert Membership.objects.get(user=staff["organiser"]).role == "owner"


def test_a_request_is_withdrawn(club, person, gone):
    mia = person("Mia")
    joining.ask(club.pk, mia, words="I am Mia")
    gone(mia)
    request = JoinRequest.objects.get()
    assert (request.status, request.words) == ("withdrawn", "")


def test_appearances_stay(club, in_club, gone, olga):
    cup = make_event(olga, started=True)
    mia = in_club(club, "Mia")
    member = Member.objects.create(entry=cup.entries.first(), tournament=cup, name="Mia", user=mia)
    Appearance.objects.create(membership=Membership.objects.get(user=mia), member=member)
    gone(mia)
    assert Appearance.objects.get().member == member
