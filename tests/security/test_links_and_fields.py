"""Fields that nobody asked for, at every door of clubs; and links that were changed, have ended, or were used before."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.scopes import SCOPES
from accounts.services import tokens
from clubs.models import Invitation, JoinRequest, Membership
from clubs.services import settings as club_settings
from clubs.services.members import member_invitations, membership
from tests.security.clubs import API_ACTS, ask, club_addresses, path_of
from tests.security.histories import rows, rows_after
from tests.security.site_map import STREAMS, addresses, digest, paths, written
from tests.security.swaps import make_clubs
from tests.security.test_clubs_forms import EXTRA
from tests.security.test_histories import with_rows
from tests.security.test_swapped_ids import sent_by_pages

pytestmark = pytest.mark.django_db

KEPT = ("user_id", "club_id", "left_at", "archived_at", "by_id", "created_by_id", "league_id", "kind", "role", "status")
"""Fields of rows that say whose they are and what may be done with them."""


def program(user):
    client = APIClient()
    token = tokens.create(user, name="bot", scopes=list(SCOPES), days=None)[1]
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    client.get("/api/v1/me/")  # which notes when the token was used
    return client


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.slow
def test_no_door_of_the_api_takes_more_than_it_asks_for(harbour, person):
    Membership.objects.create(club=harbour.club, name="Nobody")
    client, by_name = program(harbour.owner), club_addresses("clubs_api")
    ask(harbour, person("Ferrier"))
    before = digest()
    for name in sorted(name for names in API_ACTS.values() for name in names):
        answer = client.post(path_of(by_name[name], harbour), {"surprise": 1, "club_id": 1}, format="json")
        assert answer.status_code == 400, (name, answer.content)
        assert set(answer.json()["fields"]) >= {"surprise", "club_id"}, name
    assert digest() == before


NOT_OF_A_SEASON = [
    {"settings": {"circle": "club:2"}}, {"settings": {"created_by": 1}}, {"settings": {"status": "over"}},
    {"settings": {"visibility": "link"}}, {"plan": {"format": "swiss"}}, {"plan": {"by_hand": True}},
    {"settings": {"terms": {"rules_ref": "rules:2"}}}, {"settings": {"terms": {"audience": "club:2"}}},
]  # fmt: skip


def test_a_season_takes_no_setting_that_is_not_its_own(harbour):
    client, by_name = program(harbour.owner), club_addresses("clubs_api")
    path = path_of(by_name["season_change"], harbour, season=harbour.arguments["season_setup", "season"])
    before = digest()
    for settings in NOT_OF_A_SEASON:
        answer = client.post(path, settings, format="json")
        assert answer.status_code in (400, 422), (settings, answer.content)
        assert digest() == before, settings


@pytest.mark.slow
def test_fields_that_no_form_has_do_nothing_at_any_page(made_once):
    clubs = made_once(make_clubs)
    client, wrong, tried, before = signed_in(clubs.harbour.owner), [], 0, rows("clubs", besides=("Act",))
    for view, request in list(sent_by_pages(clubs, client)):
        data, after = with_rows(clubs, view, request), []
        extra = {name: value for name, value in EXTRA.items() if name not in request.names and name != "version"}
        for more in ({}, extra):
            with transaction.atomic(), written() as touched:
                client.post(request.action, {**more, **data})
                after.append(rows_after(before, "clubs", touched - {"clubs_act"}))
                transaction.set_rollback(True)
        for key in after[0].keys() & after[1].keys():
            fields = [name for name in KEPT if shown_value(after[0][key], name) != shown_value(after[1][key], name)]
            wrong += [(view, request.act, key, fields)] if fields else []
        wrong += [(view, request.act, "rows")] if len(after[0]) != len(after[1]) else []
        tried += bool(extra)
    assert not wrong, "\n".join(map(str, wrong))
    assert tried > 60


def shown_value(row, name):
    """The value of a field in a row; for times only whether there is one."""
    return bool(row.get(name)) if name.endswith("_at") else row.get(name)


# Links


@pytest.mark.slow
def test_a_link_that_was_changed_leads_nowhere_on_the_whole_site(site):
    site = site()
    client, tried = site.clients["Eve"], 0
    before = digest()
    by_name = dict(paths(site, site.gathering))
    for address in addresses():
        if "token" not in address.arguments or address.name in STREAMS:
            continue
        path = by_name[address.name]
        token = max(path.strip("/").split("/"), key=len)
        for wrong in (token[:-2] + ("AA" if not token.endswith("AA") else "BB"), token[1:], token.swapcase(), "x" * 32):
            for send in (client.get, client.post):
                cache.clear()  # guessing is limited, which is not what is asked here
                answer = send(path.replace(token, wrong))
                assert answer.status_code in (302, 403, 404, 405, 410, 422), (address.name, wrong, answer.status_code)
                if answer.status_code == 302:
                    assert answer["Location"].startswith("/accounts/login/"), address.name
        tried += 1
    assert tried > 10
    assert digest() == before


@pytest.fixture
def letter(harbour):
    return harbour.rows["invitation"]


def ended(client, path):
    """Whether a link leads to nothing and does nothing any more."""
    before = digest()
    page, sent = client.get(path), client.post(path, {"answer": "yes"})
    assert page.status_code in (404, 410, 422), page.status_code
    assert sent.status_code in (404, 410, 422), sent.status_code
    return digest() == before


def test_a_letter_is_good_for_one_answer(harbour, letter, person):
    path = club_addresses()["invitation"].path({"token": letter.token})
    assert signed_in(person("Eve")).post(path, {"answer": "yes"}).status_code == 302
    assert Membership.objects.filter(club=harbour.club, user__username="eve").exists()
    assert ended(signed_in(person("Fay")), path)
    answer = program(person("Gus")).post("/api/v1/club-links/letter/", {"token": letter.token}, format="json")
    assert answer.status_code in (404, 410, 422)
    assert not Membership.objects.filter(user__username__in=["fay", "gus"]).exists()


def test_a_letter_ends_in_time_and_when_it_is_taken_back(harbour, letter, person):
    path = club_addresses()["invitation"].path({"token": letter.token})
    expired_at = timezone.now() - member_invitations.LASTS - timedelta(minutes=1)
    eve = signed_in(person("Eve"))
    Invitation.objects.filter(pk=letter.pk).update(created_at=expired_at)
    assert ended(eve, path)
    Invitation.objects.filter(pk=letter.pk).update(created_at=timezone.now())
    assert eve.get(path).status_code == 200
    member_invitations.revoke(letter.pk, harbour.owner)
    assert ended(eve, path)


def test_a_link_to_join_ends_when_there_is_a_new_one_and_with_the_club(harbour, person):
    eve, path = signed_in(person("Eve")), club_addresses()["join_by_link"].path({"token": harbour.club.join_token})
    assert eve.get(path).status_code == 200
    club_settings.renew_link(harbour.club.pk, harbour.owner)
    assert ended(eve, path)
    harbour.club.refresh_from_db()
    path = club_addresses()["join_by_link"].path({"token": harbour.club.join_token})
    type(harbour.club).objects.filter(pk=harbour.club.pk).update(archived_at=timezone.now())
    assert ended(eve, path)


def test_a_link_to_a_name_ends_when_there_is_a_new_one_and_when_the_name_has_left(harbour, person):
    member, eve = harbour.rows["letters"], signed_in(person("Eve"))
    path = club_addresses()["claim"].path({"token": member.claim_token})
    assert eve.get(path).status_code == 200
    membership.renew_claim_link(member.pk, harbour.owner)
    assert ended(eve, path)
    member.refresh_from_db()
    path = club_addresses()["claim"].path({"token": member.claim_token})
    membership.remove(member.pk, harbour.owner)
    assert ended(eve, path)


def test_a_link_that_stops_letters_may_be_used_twice_and_is_gone_with_the_person(harbour):
    member = harbour.rows["letters"]
    Membership.objects.filter(pk=member.pk).update(wants_letters=True)
    path, client = club_addresses()["stop_letters"].path({"token": member.letters_token}), Client()
    assert client.get(path).status_code == 200
    assert Membership.objects.get(pk=member.pk).wants_letters
    for _ in range(2):
        assert client.post(path).status_code in (200, 302)
        assert not Membership.objects.get(pk=member.pk).wants_letters
    assert Membership.objects.filter(club=harbour.club, wants_letters=True).count() == 0
    assert JoinRequest.objects.filter(club=harbour.club).count() == 1
