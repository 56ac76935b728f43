"""Contact details of members: who enters and sees them, consents, claims, forgetting, import."""

import json
from datetime import time

import pytest
from django.test import Client

from clubs.bring_in import texts
from clubs.exports import handbook_pdf, own
from clubs.models import Act, League, Membership, Season, Team
from clubs.public import handbook
from clubs.services import erasure, history, list_import
from clubs.services.members import contact_details, membership, name_claims
from tests.clubs import leagues
from tests.makers import make_member, make_person
from web.errors import Refused

pytestmark = pytest.mark.django_db
ALL = {
    "phone": "020 555 1234",
    "address": "1 Quay Street\nHarbour",
    "hears_by": "slip",
    "shows_email": True,
    "shows_phone": True,
    "shows_address": True,
}


@pytest.fixture
def edith(club):
    return Membership.objects.create(club=club, name="Edith Clark", email="edith@example.org")


def details_of(member):
    member.refresh_from_db()
    return {name: getattr(member, name) for name in contact_details.FIELDS}


def test_an_organiser_enters_what_a_person_without_account_said(edith, staff):
    act = membership.edit(edith.pk, staff["organiser"], name=edith.name, is_listed=True, details=ALL)
    assert details_of(edith) == ALL
    assert act.sentence == "The contact details of Edith Clark were changed."
    assert "020 555" not in act.sentence
    history.undo(act.pk, by=staff["organiser"])
    assert details_of(edith) == dict.fromkeys(("phone", "address", "hears_by"), "") | contact_details.NOTHING_SHOWN


def test_nobody_agrees_to_show_what_there_is_not(edith, staff):
    membership.edit(edith.pk, staff["owner"], name=edith.name, email="", details={**ALL, "phone": " ", "address": "\n"})
    assert details_of(edith) == {
        **{"phone": "", "address": "", "hears_by": "slip"},
        **{"shows_email": False, "shows_phone": False, "shows_address": False},
    }


@pytest.mark.parametrize(
    ("details", "field"),
    [({"address": "x\n" * 7}, "address"), ({"address": "x" * 301}, "address"), ({"hears_by": "pigeon"}, "hears_by")],
)
def test_odd_details_are_refused_in_a_sentence(edith, staff, details, field):
    with pytest.raises(Refused) as refused:
        membership.edit(edith.pk, staff["owner"], name=edith.name, details=details)
    assert refused.value.details["field"] == field


def test_an_organiser_does_not_change_the_details_of_an_account(club, staff):
    ann = make_member(club, make_person("Ann"))
    with pytest.raises(Refused) as refused:
        membership.edit(ann.pk, staff["owner"], name="Ann", details=ALL)
    assert refused.value.code == "has_account"
    membership.edit(ann.pk, staff["owner"], name="Ann", note="Treasurer")
    assert Membership.objects.get(pk=ann.pk).note == "Treasurer"


def test_a_claimed_name_keeps_its_details_which_are_the_persons_from_then_on(club, edith, staff):
    before = membership.edit(edith.pk, staff["owner"], name=edith.name, is_listed=True, details=ALL)
    user = make_person("Edith")
    name_claims.claim_by_link(edith.claim_token, user)
    assert details_of(edith) == ALL
    assert edith.is_listed
    assert contact_details.shown(edith) == {
        "email": "edith@example.org",
        "phone": ALL["phone"],
        "address": ALL["address"],
    }
    with pytest.raises(Refused) as refused:
        history.undo(before.pk, by=staff["owner"])
    assert refused.value.code == "has_account"
    profile = {"name": "Edith Clark", "contact": "", "is_listed": True, "wants_letters": False}
    membership.edit_own(club.pk, user, **profile, details={**ALL, "phone": "", "hears_by": "whatsapp"})
    assert contact_details.shown(Membership.objects.get(pk=edith.pk))["phone"] == ""


def test_consent_to_show_one_address_is_none_for_another(edith, staff):
    membership.edit(edith.pk, staff["owner"], name=edith.name, details=ALL)
    name_claims.claim_by_link(edith.claim_token, make_person("Zora"))
    assert contact_details.shown(Membership.objects.get(pk=edith.pk))["email"] == ""


def test_a_member_who_claims_a_name_besides_takes_over_what_they_have_not_entered(club, edith, staff):
    membership.edit(edith.pk, staff["owner"], name=edith.name, details=ALL)
    user = make_person("Ann")
    ann = make_member(club, user, phone="111", hears_by="email")
    act = name_claims.claim_by_link(edith.claim_token, user)
    assert details_of(ann) == {
        **{"phone": "111", "address": ALL["address"], "hears_by": "email"},
        **{"shows_email": False, "shows_phone": False, "shows_address": True},
    }
    history.undo(act.pk, by=staff["owner"])
    assert details_of(ann)["address"] == ""
    assert details_of(Membership.objects.get(name="Edith Clark"))["phone"] == ALL["phone"]


def enter(club, user, **details):
    profile = {"name": "Ann", "contact": "Knock twice", "is_listed": True, "wants_letters": False}
    membership.edit_own(club.pk, user, **profile, details={**ALL, "hears_by": "text", **details})


@pytest.mark.parametrize("known", [{"hears_by": "slip"}, ALL])
def test_an_undone_claim_leaves_nothing_that_the_claimer_entered(club, edith, staff, known):
    membership.edit(edith.pk, staff["owner"], name=edith.name, details=known)
    before = details_of(edith)
    user = make_person("Ann")
    act = name_claims.claim_by_link(edith.claim_token, user)
    enter(club, user, phone="0999", address="9 Far Lane")
    history.undo(act.pk, by=staff["owner"])
    assert details_of(edith) == before
    assert (edith.user, edith.email, edith.contact, edith.is_listed) == (None, "edith@example.org", "", False)
    assert "0999" not in json.dumps(list(Act.objects.values_list("changes", flat=True)))


def test_a_member_keeps_what_they_entered_after_a_claim_that_is_undone(club, edith, staff):
    membership.edit(edith.pk, staff["owner"], name=edith.name, details={**ALL, "shows_address": False})
    user = make_person("Ann")
    ann = make_member(club, user)
    act = name_claims.claim_by_link(edith.claim_token, user)
    enter(club, user, phone="0999")
    history.undo(act.pk, by=staff["owner"])
    assert details_of(ann) == {
        **{"phone": "0999", "address": "", "hears_by": "text"},
        **{"shows_email": True, "shows_phone": True, "shows_address": False},
    }
    assert details_of(Membership.objects.get(name="Edith Clark"))["address"] == ALL["address"]


def test_leaving_ends_the_consents(edith, staff):
    membership.edit(edith.pk, staff["owner"], name=edith.name, is_listed=True, details=ALL)
    membership.remove(edith.pk, staff["owner"])
    membership.restore(edith.pk, staff["owner"])
    assert contact_details.shown(Membership.objects.get(pk=edith.pk)) == {"email": "", "phone": "", "address": ""}


def test_forgetting_leaves_nothing_of_them_in_the_history_either(club, edith, staff):
    membership.edit(edith.pk, staff["owner"], name=edith.name, note="Lives in Quay House", details=ALL)
    erasure.forget_name(club, Membership.objects.get(pk=edith.pk))
    assert details_of(edith) == contact_details.FORGOTTEN
    text = json.dumps(list(Act.objects.filter(club=club).values_list("changes", "sentence")))
    assert "555" not in text
    assert "Quay" not in text


def test_they_are_in_the_personal_data(club):
    user = make_person("Ann")
    make_member(club, user, **ALL)
    row = own.personal_data(user)["memberships"][0]
    assert row["address"] == ALL["address"]
    assert row["hears_by"] == "slip"
    assert row["phone_in_handbook"] is True


def test_only_organisers_see_them_on_the_page_of_a_person(club, edith, staff):
    membership.edit(edith.pk, staff["owner"], name=edith.name, details={**ALL, "shows_phone": False})
    path = f"/clubs/{club.slug}/people/{edith.pk}/"
    for role, status in (("owner", 200), ("organiser", 200), ("scorer", 403), ("member", 403)):
        response = client_of(staff[role]).get(path)
        assert response.status_code == status
        assert ("020 555 1234" in response.content.decode()) == (status == 200)


def client_of(user):
    client = Client()
    client.force_login(user)
    return client


def test_the_form_of_a_person_saves_all_of_it_and_loses_nothing_when_refused(club, edith, staff):
    client, path = client_of(staff["owner"]), f"/clubs/{club.slug}/people/{edith.pk}/"
    sent = {
        **{"act": "edit", "name": "Edith Clark", "email": "edith@example.org", "note": "", "is_listed": "on"},
        **{"phone": "020 555", "address": "1 Quay Street", "hears_by": "text", "shows_phone": "on"},
    }
    refused = client.post(path, {**sent, "address": "Lane\n" * 7})
    assert refused.status_code == 422
    assert "An address can have at most 6 lines." in refused.content.decode()
    assert 'value="020 555"' in refused.content.decode()
    assert client.post(path, sent).status_code == 302
    edith.refresh_from_db()
    assert (edith.phone, edith.address, edith.hears_by) == ("020 555", "1 Quay Street", "text")
    assert (edith.is_listed, edith.shows_phone, edith.shows_address, edith.shows_email) == (True, True, False, False)


def test_the_own_profile_saves_all_of_it(club):
    user = make_person("Ann")
    ann = make_member(club, user)
    sent = {"name": "Ann", "contact": "", "phone": "1", "address": "2", "hears_by": "slip", "shows_email": "on"}
    assert client_of(user).post(f"/clubs/{club.slug}/me/", sent).status_code == 302
    assert details_of(ann) == {
        **{"phone": "1", "address": "2", "hears_by": "slip"},
        **{"shows_email": True, "shows_phone": False, "shows_address": False},
    }


# The handbook


def test_the_handbook_shows_what_each_allows_by_name(club, staff):
    rows = [("Zoe Hall", {"shows_phone": True}), ("Ann Lee", {"shows_address": True}), ("Bo", {"is_listed": False})]
    for name, fields in rows:
        Membership.objects.create(
            **{"club": club, "name": name, "is_listed": True, "phone": f"1-{name}", "address": f"2-{name}", **fields}
        )
    lines = handbook.handbook(club).members
    assert [(line.name, dict(line.details)) for line in lines] == [
        ("Ann Lee", {"address": "2-Ann Lee"}),
        ("Zoe Hall", {"phone": "1-Zoe Hall"}),
    ]


def test_the_handbook_has_the_time_of_a_matchday(club, staff):
    with leagues.september():
        season = leagues.make_season(club, staff["owner"], plays_at=time(19, 30))
        leagues.draw(season, staff["owner"])
        days = handbook.handbook(club).days
        assert days[0].when == "Mon 7 Sep 2026, 19:30"
        Season.objects.update(plays_at=None)
        assert handbook.handbook(club).days[0].when == "Mon 7 Sep 2026"


def test_only_members_open_the_handbook(club, staff):
    Membership.objects.create(club=club, name="Zoe", is_listed=True, phone="020 555", shows_phone=True)
    for file in ("members/handbook/", "members/handbook.pdf"):
        path = f"/clubs/{club.slug}/{file}"
        assert Client().get(path).status_code in (302, 403)
        assert client_of(make_person(f"Stranger{len(file)}")).get(path).status_code == 403
        response = client_of(staff["member"]).get(path)
        assert response.status_code == 200
        assert response["Cache-Control"] == "max-age=0, no-cache, no-store, must-revalidate, private"
    assert "020 555" in client_of(staff["member"]).get(f"/clubs/{club.slug}/members/handbook/").content.decode()


def test_a_club_without_directory_has_no_names_in_its_handbook(club, staff):
    Membership.objects.create(club=club, name="Zoe", is_listed=True)
    club.has_directory = False
    club.save()
    assert handbook.handbook(club).members == ()


# Lists


def read_list(club, text, **choices):
    return list_import.read(club, texts.split(text), "members", list_import.Choices(**choices))


def test_a_list_fills_the_postal_address_from_one_column_or_several(club):
    text = "Name;Street;Postcode;Town\nAnn Lee;1 Quay Street;AB1 2CD;Harbour\nBo Berg;2 Quay Street;;Harbour\n"
    people = read_list(club, text).people
    assert [person.address for person in people] == ["1 Quay Street\nAB1 2CD Harbour", "2 Quay Street\nHarbour"]


def test_a_list_adds_an_address_only_where_there_is_none_and_shows_it_to_nobody(club, staff):
    ann = Membership.objects.create(club=club, name="Ann Lee", shows_address=True)
    bo = Membership.objects.create(club=club, name="Bo Berg", address="Old", shows_address=True)
    text = "Name\tAddress\nAnn Lee\t1 Quay Street, Harbour\nBo Berg\tNew\n"
    book = texts.split(text)
    list_import.import_members(club.pk, staff["owner"], book=book, choices=list_import.Choices())
    ann.refresh_from_db()
    bo.refresh_from_db()
    assert (ann.address, ann.shows_address) == ("1 Quay Street, Harbour", False)
    assert (bo.address, bo.shows_address) == ("Old", True)


def test_a_list_leaves_the_contact_details_of_accounts_to_them(club, staff):
    ann = make_member(club, make_person("Ann Lee"))
    bo = Membership.objects.create(club=club, name="Bo Berg", shows_email=True)
    head = "Name\tEmail\tPhone\tAddress\tNote"
    rows = ["Ann Lee\tann@example.org\t020 555\t1 Quay Street\tTreasurer", "Bo Berg\tbo@example.org\t\t\t"]
    book = texts.split("\n".join([head, *rows]))
    list_import.import_members(club.pk, staff["owner"], book=book, choices=list_import.Choices())
    ann.refresh_from_db()
    bo.refresh_from_db()
    assert (ann.email, ann.phone, ann.address, ann.note) == ("", "", "", "Treasurer")
    assert (bo.email, bo.shows_email) == ("bo@example.org", False)


def test_the_pdf_has_teams_under_their_leagues_as_the_page_has(club):
    for name in ("Monday League", "Cup"):
        league = League.objects.create(club=club, name=name, slug=name[:3].lower())
        Team.objects.create(league=league, club=club, name=f"Foxes of {name}", number=1)
    blocks = [[text for text, _, _ in block] for block in handbook_pdf._blocks(handbook.handbook(club))]
    assert [block[:2] for block in blocks] == [["Cup", "Foxes of Cup"], ["Monday League", "Foxes of Monday League"]]


def test_the_page_of_all_members_is_the_directory_and_only_the_organisers_list_is_called_members(club, staff):
    client = client_of(staff["owner"])
    directory, handbook_page, people = (
        client.get(f"/clubs/{club.slug}/{path}").content.decode()
        for path in ("members/", "members/handbook/", "people/")
    )
    assert "<h1>Directory</h1>" in directory
    assert f'<a href="/clubs/{club.slug}/members/">Directory</a>' in handbook_page
    assert "<h1>Members</h1>" in people
    assert ">Members</a>" not in directory
