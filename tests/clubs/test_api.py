"""Running a club by program, from nothing to the next season: every answer as the pages would have it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from clubs.models import Act, Club, Membership, RulesVersion
from tests.clubs import leagues as makers

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(staff, program):
    return program(staff["owner"])


def test_a_club_is_made_found_and_changed(program, person):
    ann = program(person("Ann"))
    club = ann.post("clubs/", 201, name="Quay Club", line="Mondays", key="one")
    assert (club["slug"], club["your_role"], "roles" in club["you_may"]) == ("quay-club", "owner", True)
    assert ann.post("clubs/", 201, name="Quay Club", line="Mondays", key="one")["slug"] == club["slug"]
    assert Club.objects.count() == 1
    answer = ann.post("clubs/quay-club/settings/", colour="red", seen=club["version"])
    assert answer["version"] == club["version"] + 1
    assert ann.post("clubs/quay-club/settings/", 409, colour="plum", seen=club["version"])["code"] == "stale"
    nobody = program()
    assert [club["slug"] for club in nobody.get("clubs/", name="quay")["clubs"]] == ["quay-club"]
    assert nobody.get("clubs/quay-club/")["colour"] == "red"
    assert [club["slug"] for club in ann.get("clubs/", which="mine")["clubs"]] == ["quay-club"]
    assert ann.post("clubs/quay-club/archive/")["sentence"]
    assert nobody.get("clubs/", name="quay")["clubs"] == []
    refused = ann.post("clubs/quay-club/write-news/", 422, title="Late", body="Too late.")
    assert refused["code"] == "archived"
    ann.post("clubs/quay-club/bring-back/")


def test_the_table_of_roles_is_the_one_that_is_checked(program, club):
    from clubs.roles import ACTS, ROLES

    answer = program().get("clubs/harbour/roles/")
    assert {role["role"]: frozenset(role["may"]) for role in answer["roles"]} == ROLES
    assert {act["act"]: act["words"] for act in answer["acts"]} == ACTS


def test_people_are_added_named_and_removed(owner, club):
    before = Act.objects.count()
    preview = owner.post("clubs/harbour/add-people/", names=["Ann Lee", "Ben Ode"], preview=True)
    assert (preview["act"], preview["sentence"], Act.objects.count()) == (None, "2 names were added.", before)
    answer = owner.post("clubs/harbour/add-people/", names=["Ann Lee", "Ben Ode"], key="k")
    assert owner.post("clubs/harbour/add-people/", names=["Ann Lee", "Ben Ode"], key="k")["act"] == answer["act"]
    assert owner.post("clubs/harbour/add-people/", 422, names=["Cem"], key="k")["code"] == "key_used"
    ann = next(person for person in owner.get("clubs/harbour/people/")["people"] if person["name"] == "Ann Lee")
    owner.post(f"clubs/harbour/people/{ann['id']}/edit/", name="Ann Leigh", email="ann@example.org")
    owner.post(f"clubs/harbour/people/{ann['id']}/role/", role="guest")
    owner.post(f"clubs/harbour/people/{ann['id']}/remove/")
    member = Membership.objects.get(pk=ann["id"])
    assert (member.name, member.role, member.email, member.is_here) == ("Ann Leigh", "guest", "ann@example.org", False)
    owner.post(f"clubs/harbour/people/{ann['id']}/bring-back/")
    acts = owner.get("clubs/harbour/history/", limit=2)
    assert acts["more"]
    assert acts["acts"][0]["can_undo"]
    owner.post(f"clubs/harbour/history/{acts['acts'][0]['id']}/undo/")
    assert not Membership.objects.get(pk=ann["id"]).is_here


def test_people_are_imported_from_a_table(owner, club):
    answer = owner.post("clubs/harbour/bring-in/", table="Name;E-mail\nZoë Öde;zoe@example.org\n")
    assert answer["act"]
    assert Membership.objects.get(name="Zoë Öde").email == "zoe@example.org"


def test_a_person_asks_is_accepted_changes_their_profile_and_leaves(owner, program, person, club):
    eve = program(person("Eve"))
    assert eve.get("clubs/harbour/own/", 403)["code"] == "not_of_club"
    eve.post("clubs/harbour/ask/", words="I play on Mondays.")
    (request,) = owner.get("clubs/harbour/waiting/")["requests"]
    assert (request["person"], request["words"]) == ("Eve", "I play on Mondays.")
    owner.post(f"clubs/harbour/requests/{request['id']}/accept/")
    eve.post("clubs/harbour/change-own/", contact="At the quay", is_listed=True)
    assert [member["contact"] for member in eve.get("clubs/harbour/directory/")["members"]] == ["At the quay"]
    profile = eve.get("clubs/harbour/own/")
    assert (profile["name"], profile["is_listed"], profile["wants_letters"]) == ("Eve", True, False)
    eve.post("clubs/harbour/leave/")
    assert eve.get("clubs/harbour/own/", 403)["code"] == "not_of_club"


def test_links_let_in_once_and_end_when_they_are_renewed(owner, program, person, club):
    old = owner.get("clubs/harbour/join-link/")["url"].rstrip("/").rsplit("/", 1)[1]
    owner.post("clubs/harbour/renew-link/")
    new = owner.get("clubs/harbour/join-link/")["url"].rstrip("/").rsplit("/", 1)[1]
    eve = program(person("Eve"))
    assert eve.post("club-links/join/", token=old, expected=422)["sentence"]
    eve.post("club-links/join/", token=new)
    assert eve.get("clubs/harbour/")["your_role"] == "member"
    owner.post("clubs/harbour/add-people/", names=["Fay Day"])
    fay = Membership.objects.get(name="Fay Day")
    link = owner.get(f"clubs/harbour/people/{fay.pk}/claim-link/")["url"].rstrip("/").rsplit("/", 1)[1]
    other = program(person("Fay"))
    other.post("club-links/claim/", token=link)
    fay.refresh_from_db()
    assert str(fay.user) == "Fay"
    assert program(person("Gus")).post("club-links/claim/", token=link, expected=422)["sentence"]


def test_news_and_dates(owner, program, club):
    owner.post("clubs/harbour/write-news/", title="Spring", body="We begin again.")
    (news,) = program().get("clubs/harbour/news/")["news"]
    assert (news["title"], news["by"]) == ("Spring", "Owner")
    owner.post(f"clubs/harbour/news/{news['id']}/edit/", title="Spring!", body="We begin again.")
    owner.post(f"clubs/harbour/news/{news['id']}/pin/")
    assert program().get(f"clubs/harbour/news/{news['id']}/")["is_pinned"]
    owner.post(f"clubs/harbour/news/{news['id']}/delete/")
    assert program().get("clubs/harbour/news/")["news"] == []
    at = (timezone.now() + timedelta(days=2)).isoformat()
    owner.post("clubs/harbour/add-date/", title="Club night", starts_at=at, weeks=3)
    dates = program().get("clubs/harbour/dates/")["dates"]
    assert [meeting["title"] for meeting in dates] == ["Club night"] * 3
    owner.post(f"clubs/harbour/dates/{dates[0]['id']}/call-off/")
    owner.post(f"clubs/harbour/dates/{dates[1]['id']}/delete/")
    assert [meeting["is_called_off"] for meeting in program().get("clubs/harbour/dates/")["dates"]] == [True, False]
    refused = owner.post("clubs/harbour/add-date/", 400, title="Club night", starts_at="soon")
    assert "starts_at" in refused["fields"]


def test_house_rules_are_kept_version_by_version(owner, program, club):
    owner.post("clubs/harbour/make-rules/", name="Harbour rules", ruleset="family")
    owner.post("clubs/harbour/rules/harbour-rules/save/", ruleset="standard", note="Back to it.", newest=1)
    stale = owner.post("clubs/harbour/rules/harbour-rules/save/", 409, ruleset="family", newest=1)
    assert stale["code"] == "newer_version"
    answer = program().get("clubs/harbour/rules/harbour-rules/")
    assert [version["number"] for version in answer["versions"]] == [1, 2]
    first = program().get("clubs/harbour/rules/harbour-rules/versions/1/")
    assert first["rules"] == RulesVersion.objects.get(number=1).rules_json
    token = first["shared"].rstrip("/").rsplit("/", 1)[1]
    assert program().get(f"shared-rules/{token}/")["id"] == first["id"]
    owner.post("clubs/harbour/copy-rules/", token=token, name="As of old")
    owner.post("clubs/harbour/rules/as-of-old/rename/", name="Of old")
    owner.post("clubs/harbour/rules/as-of-old/archive/")
    names = {rules["name"]: rules["is_archived"] for rules in program().get("clubs/harbour/rules/")["rules"]}
    assert names == {"Harbour rules": False, "Of old": True}
    refused = owner.post("clubs/harbour/make-rules/", 422, name="Odd", ruleset="standard", options={"no_such": 1})
    assert refused["sentence"]


def test_a_season_from_nothing_to_the_next_one(owner, program, staff, club):
    people = [f"{name} {number}" for number in range(1, 5) for name in ("Ann", "Ben")]
    owner.post("clubs/harbour/add-people/", names=people)
    ids = {person["name"]: person["id"] for person in owner.get("clubs/harbour/people/")["people"]}
    at = "clubs/harbour/leagues"
    league = owner.post("clubs/harbour/make-league/", name="Monday League")["made"]
    assert league["slug"] == "monday-league"
    for number in range(1, 5):
        pair = [ids[f"Ann {number}"], ids[f"Ben {number}"]]
        team = owner.post(f"{at}/monday-league/add-team/", members=pair, name=f"Pair {number}")["made"]
        assert (team["number"], team["name"]) == (number, f"Pair {number}")
    first = (timezone.localdate() + timedelta(days=7)).isoformat()
    divisions = [{"name": "Premier", "size": 4}]
    owner.post(f"{at}/monday-league/make-season/", name="Spring", starts_on=first, divisions=divisions)
    season = f"{at}/monday-league/seasons/spring"
    assert program().get(f"{season}/", 404)["code"] == "not_found"
    division = owner.get(f"{season}/")["divisions"][0]["id"]
    assert not owner.get(f"{season}/draw-outlook/")["can_do"]
    owner.post(f"{season}/places/", divisions=[{"division": division, "teams": [1, 2, 3, 4]}])
    assert owner.get(f"{season}/draw-outlook/")["can_do"]
    assert owner.post(f"{season}/draw/", preview=True)["act"] is None
    assert owner.get(f"{season}/")["status"] == "draft"
    owner.post(f"{season}/draw/")

    days = program().get(f"{season}/fixtures/")["matchdays"]
    assert [len(day["matches"]) for day in days] == [2, 2, 2]
    match = days[0]["matches"][0]
    when = (timezone.now() + timedelta(days=8)).isoformat()
    path = f"{at}/monday-league/matches/{match['id']}"
    proposal = owner.post(f"{path}/propose/", team=match["home"]["team"], starts_at=when, words="Later?")["made"]
    assert program().get(f"{path}/")["proposal"]["words"] == "Later?"
    owner.post(f"{path}/proposals/{proposal['id']}/accept/")
    answer = program().get(f"{path}/")
    assert (answer["is_rearranged"], answer["proposal"]) == (True, None)

    from clubs.models import Season

    spring = Season.objects.get(slug="spring")
    makers.play_out(spring, staff["owner"])
    (table,) = program().get(f"{season}/tables/")["tables"]
    assert [(line["name"], line["won"], line["lost"]) for line in table["rows"]] == [
        ("Pair 1", 3, 0), ("Pair 2", 2, 1), ("Pair 3", 1, 2), ("Pair 4", 0, 3),
    ]  # fmt: skip
    assert table["is_over"]
    assert len(program().get(f"{at}/monday-league/teams/1/fixtures/")["matches"]) == 3
    assert owner.get(f"{season}/close-outlook/")["can_do"]
    owner.post(f"{season}/close/")
    (champion, *_) = program().get(f"{at}/monday-league/")["honours"]
    assert champion["name"] == "Pair 1"
    later = (timezone.localdate() + timedelta(days=60)).isoformat()
    following = owner.post(f"{season}/make-next/", name="Autumn", starts_on=later)["made"]
    assert (following["slug"], following["number"]) == ("autumn", 2)
    owner.post(f"{season}/undo-next/")
    owner.post(f"{season}/undo-close/")
    assert program().get(f"{season}/")["status"] == "running"


def test_no_field_is_silently_ignored(owner, club):
    for path, form in {
        "settings": {"name": "H", "join_token": "x", "archived_at": None},
        "change-own": {"role": "owner", "user": 1, "left_at": None},
        "write-news": {"title": "T", "body": "B", "by": 1, "club": 2},
    }.items():
        refused = owner.post(f"clubs/harbour/{path}/", 400, **form)
        assert refused["code"] == "invalid", path
