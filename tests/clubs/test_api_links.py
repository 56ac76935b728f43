"""Links by program: their targets, using them, and declining; each once, however often it is asked."""

import pytest

from clubs.models import Act, Invitation, Membership
from clubs.services.members import member_invitations

pytestmark = pytest.mark.django_db


@pytest.fixture
def letter(club, staff):
    member_invitations.invite(club.pk, staff["owner"], addresses="eve@example.org")
    return Invitation.objects.get()


@pytest.fixture
def eve(program, person):
    return program(person("Eve"))


def test_a_link_says_where_it_leads(eve, club, letter):
    name = Membership.objects.create(club=club, name="Zoe Day")
    before = Act.objects.count()
    common = {"club": "harbour", "club_name": "Harbour Hand and Foot"}
    assert eve.post("club-links/look/", kind="join", token=club.join_token) == {
        **common, "kind": "join", "name": None, "by": "", "sent_to": "",
    }  # fmt: skip
    assert eve.post("club-links/look/", kind="claim", token=name.claim_token)["name"] == "Zoe Day"
    assert eve.post("club-links/look/", kind="letter", token=letter.token)["by"] == "Owner"
    assert eve.post("club-links/look/", 422, kind="letter", token=club.join_token)["code"] == "invitation_ended"
    assert eve.post("club-links/look/", 422, kind="claim", token="x")["code"] == "link_ended"
    assert Act.objects.count() == before


def test_an_invitation_is_declined_once(eve, club, letter, program, staff):
    assert eve.post("club-links/decline-letter/", token=letter.token, preview=True)["act"] is None
    letter.refresh_from_db()
    assert letter.revoked_at is None
    answer = eve.post("club-links/decline-letter/", token=letter.token, key="no")
    assert answer["sentence"] == "An invitation was declined."
    assert eve.post("club-links/decline-letter/", token=letter.token, key="no")["act"] == answer["act"]
    letter.refresh_from_db()
    assert (letter.revoked_at is not None, letter.accepted_at) == (True, None)
    assert eve.post("club-links/decline-letter/", 422, token=letter.token)["code"] == "invitation_ended"
    assert eve.post("club-links/letter/", 422, token=letter.token)["code"] == "invitation_ended"
    assert program(staff["owner"]).get("clubs/harbour/waiting/")["letters"] == []
    assert not Membership.objects.filter(user__username="eve").exists()


def test_an_invitation_is_accepted_once_however_often_it_is_asked(eve, club, letter):
    answer = eve.post("club-links/letter/", token=letter.token, key="yes")
    assert eve.post("club-links/letter/", token=letter.token, key="yes") == answer
    assert Membership.objects.get(user__username="eve").role == "member"
    assert eve.post("club-links/decline-letter/", 422, token=letter.token)["code"] == "invitation_ended"
    assert eve.post("club-links/decline-letter/", 422, token=letter.token, key="yes")["code"] == "key_used"


def test_a_name_is_claimed_once_however_often_it_is_asked(eve, club):
    name = Membership.objects.create(club=club, name="Zoe Day")
    answer = eve.post("club-links/claim/", token=name.claim_token, key="mine")
    assert eve.post("club-links/claim/", token=name.claim_token, key="mine") == answer
    assert eve.post("club-links/claim/", 422, token=name.claim_token)["code"] == "link_ended"


def test_what_one_has_asked_is_told(eve, program, club):
    assert eve.get("clubs/harbour/")["your_request"] is None
    eve.post("clubs/harbour/ask/", words="Mondays.")
    assert eve.get("clubs/harbour/")["your_request"]["words"] == "Mondays."
    assert program().get("clubs/harbour/")["your_request"] is None
    eve.post("clubs/harbour/withdraw/")
    assert eve.get("clubs/harbour/")["your_request"] is None


def test_a_table_of_people_is_looked_at(eve, program, staff, club):
    table = "Name;E-mail;Colour\nZoe Day;zoe@example.org;red\nOwner;;\nMax;nonsense;\n"
    before = Membership.objects.count()
    preview = program(staff["owner"]).post("clubs/harbour/look-at-people/", table=table)
    assert [(line["line"], line["name"], line["fate"]) for line in preview["lines"]] == [
        (2, "Zoe Day", "add"), (3, "Owner", "known"), (4, "Max", "wrong"),
    ]  # fmt: skip
    assert (preview["letters"], preview["unused"]) == (1, ["Colour"])
    assert Membership.objects.count() == before
    assert eve.post("clubs/harbour/look-at-people/", 403, table=table)["code"] == "not_of_club"
    refused = program(staff["owner"]).post("clubs/harbour/look-at-people/", 422, table="E-mail\nzoe@example.org\n")
    assert refused["code"] == "no_names"


def test_a_long_table_is_imported(program, staff, club):
    padded = "\n".join(f"Player {number};{'x' * 150}" for number in range(450))
    answer = program(staff["owner"]).post("clubs/harbour/bring-in/", table=f"Name;Note\n{padded}\n")
    assert "450 names" in answer["sentence"]
    long = program(staff["owner"]).post("clubs/harbour/write-news/", 413, title="T", body="x" * 70_000)
    assert long["code"] == "too_large"
