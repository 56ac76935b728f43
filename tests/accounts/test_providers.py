"""Signing in with accounts elsewhere: a provider of OpenID Connect that answers in this process, and no network."""

import logging
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.contrib.sessions.models import Session
from django.core import mail as outbox

from accounts import privacy, sign_in_limits
from accounts.adapter import AccountAdapter
from accounts.attempts import Limit
from accounts.models import User
from accounts.providers.adapter import Adapter
from accounts.providers.openid import OpenId
from config.providers import providers
from tests.accounts.club_id import ENVIRONMENT, NELL, offer
from tests.accounts.conftest import PASSWORD
from tests.accounts.test_signing_in import be_guest

pytestmark = pytest.mark.django_db

START, BACK, JOIN = "/accounts/with/openid/", "/accounts/with/openid/callback/", "/accounts/with/signup/"
OTHER_START = "/accounts/with/openid-2/"
INDEX = "/accounts/2fa/"


@pytest.fixture
def club_id(settings, monkeypatch):
    return offer(settings, monkeypatch)


def way_there(client, start=START, **fields):
    """The query of the address that one is sent to; the provider remembers its nonce."""
    page = client.post(start, fields).content.decode()
    address = re.search(r'href="(https://(?:id|town)\.example/in\?[^"]+)"', page)[1]
    query = parse_qs(urlsplit(address.replace("&amp;", "&")).query)
    Adapter().get_requests_session().nonce = query["nonce"][0]
    return query


def come(client, start=START, **fields):
    """Go there and come back: the answer of the site."""
    return client.get(f"{start}callback/", {"code": "c", "state": way_there(client, start, **fields)["state"][0]})


def is_signed_in(client):
    return client.get("/you/").status_code == 200


def connect(user):
    """An account elsewhere as Nell’s, connected to this person’s."""
    club = OpenId(None, app=Adapter().list_apps(None, "openid")[0])
    return SocialAccount.objects.create(user=user, provider="openid", uid=club.extract_uid({"userinfo": NELL}))


def prove(client):
    assert client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": INDEX}).status_code == 302


@pytest.mark.parametrize("path", ["/accounts/login/", "/accounts/signup/", INDEX])
def test_without_settings_there_is_no_button_no_page_and_no_query(
    signed_in, client, path, django_assert_max_num_queries
):
    if path != INDEX:
        client.logout()
    page = client.get(path).content.decode()
    assert "/accounts/with/" not in page
    assert client.post(START).status_code == client.get(BACK).status_code == 404
    with django_assert_max_num_queries(0):
        assert Adapter().list_apps(None) == []


def test_a_new_person_names_themself_and_is_signed_in(client, club_id, rf):
    guest = be_guest(client, rf)
    query = way_there(client, next="/clubs/")
    assert query["redirect_uri"] == ["http://testserver" + BACK]
    assert query["code_challenge_method"] == ["S256"]
    answer = client.get(BACK, {"code": "c", "state": query["state"][0]})
    assert (answer.status_code, answer.url) == (302, JOIN)
    assert "code_verifier" in club_id.exchanged[0]
    page = client.get(JOIN).content.decode()
    assert 'value="Nell"' in page
    assert 'value="nell@example.org"' in page
    assert "secret-of-the-provider" not in str([row.get_decoded() for row in Session.objects.all()])
    assert client.post(JOIN, {"display_name": "", "email": "nell@example.org"}).status_code == 200
    assert client.post(JOIN, {"display_name": "Nell G", "email": "nell@example.org"}).url == "/clubs/"
    user = User.objects.get(email="nell@example.org")
    assert (user.display_name, user.first_name, user.has_usable_password()) == ("Nell G", "", False)
    assert EmailAddress.objects.get(user=user).verified
    assert not User.objects.filter(pk=guest.pk).exists(), "what the guest played is theirs"
    assert SocialAccount.objects.get().extra_data == {"email": "nell@example.org"}
    assert not SocialToken.objects.exists()
    client.logout()
    assert come(client).url == "/play/"
    assert is_signed_in(client)


@pytest.mark.parametrize("is_verified", [False, "false", None])
def test_an_address_that_the_provider_has_not_verified_is_not_verified_here(client, club_id, is_verified):
    club_id.person = {**NELL, "email_verified": is_verified}
    come(client)
    client.post(JOIN, {"display_name": "Nell", "email": "nell@example.org"})
    assert not EmailAddress.objects.get().verified
    assert outbox.outbox[0].to == ["nell@example.org"]


def test_nor_is_another_one_that_was_typed(client, club_id):
    come(client)
    client.post(JOIN, {"display_name": "Nell", "email": "other@example.org"})
    assert list(EmailAddress.objects.values_list("email", "verified")) == [("other@example.org", False)]


@pytest.mark.parametrize("is_verified_here", [True, False])
def test_an_account_with_the_address_is_not_taken_over(client, club_id, person, is_verified_here):
    nell = person("Nell")
    EmailAddress.objects.update(verified=is_verified_here)
    answer = come(client)
    assert answer.status_code == 409
    assert "/accounts/login/?next=/accounts/2fa/" in answer.content.decode()
    assert not is_signed_in(client)
    assert not SocialAccount.objects.exists()
    nell.refresh_from_db()
    assert nell.check_password(PASSWORD)


def test_nor_by_an_address_that_the_provider_has_not_verified(client, club_id, person):
    person("Nell")
    club_id.person = {**NELL, "email_verified": False}
    come(client)
    page = client.post(JOIN, {"display_name": "Nell", "email": "nell@example.org"}).content.decode()
    assert "connect Club ID" in page
    assert User.objects.count() == 1
    assert not is_signed_in(client)


def test_it_is_connected_after_fresh_proof_and_signs_in_then(signed_in, client, ann, club_id):
    again = client.post(START).url
    assert again.startswith("/accounts/reauthenticate/")
    page = client.post(again, {"password": PASSWORD, "next": START}).content.decode()
    assert "https://id.example/in?" in page, "the proof leads on to the provider"
    with_key = client.cookies["sessionid"].value
    assert come(client).url == INDEX
    assert client.cookies["sessionid"].value != with_key, "the session has another key"
    assert "Club ID" in outbox.outbox[-1].subject
    assert outbox.outbox[-1].to == [ann.email]
    assert "nell@example.org" in client.get(INDEX).content.decode()
    assert privacy.export(ann)["accounts_elsewhere"][0]["email"] == "nell@example.org"
    client.logout()
    come(client)
    assert client.get("/you/").wsgi_request.user == ann
    privacy.delete_account(ann)
    assert not SocialAccount.objects.exists()


def test_an_account_without_a_password_proves_itself_by_a_code(signed_in, client, ann, club_id):
    ann.set_unusable_password()
    ann.save()
    client.force_login(ann)
    assert client.post(START).url == f"/accounts/login/code/?next={INDEX.replace('/', '%2F')}"


def test_what_somebody_else_has_connected_stays_theirs(signed_in, client, person, club_id):
    ben = person("Ben")
    connect(ben)
    prove(client)
    assert come(client).url == INDEX
    assert SocialAccount.objects.get().user == ben


def test_the_second_step_is_still_needed(client, ann, club_id):
    TOTP.activate(ann, "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
    connect(ann)
    assert come(client).url == "/accounts/2fa/authenticate/"
    assert not is_signed_in(client)


def test_disconnecting_is_confirmed_and_emailed(signed_in, client, ann, club_id):
    address = f"/accounts/with/connected/{connect(ann).pk}/disconnect/"
    assert client.post(address).url.startswith("/accounts/reauthenticate/")
    prove(client)
    assert client.get(address).status_code == 200
    assert client.post(address).url == INDEX
    assert not SocialAccount.objects.exists()
    assert "Club ID" in outbox.outbox[-1].subject


def test_the_only_way_to_sign_in_is_not_disconnected(client, ann, club_id):
    ann.set_unusable_password()
    ann.save()
    EmailAddress.objects.update(verified=False)
    row = connect(ann)
    come(client)
    address = f"/accounts/with/connected/{row.pk}/disconnect/"
    assert client.post(address).status_code == 409
    assert SocialAccount.objects.exists()
    EmailAddress.objects.update(verified=True)
    assert client.post(address).status_code == 302


def test_nobody_disconnects_anothers(signed_in, client, person, club_id):
    row = connect(person("Ben"))
    prove(client)
    assert client.post(f"/accounts/with/connected/{row.pk}/disconnect/").status_code == 404


def test_closed_sign_up_is_closed_here_too(client, ann, club_id, monkeypatch):
    monkeypatch.setattr(AccountAdapter, "is_open_for_signup", lambda self, request: False)
    assert "Sign-up is closed" in come(client).content.decode()
    assert User.objects.count() == 1
    connect(ann)
    come(client)
    assert is_signed_in(client)


def test_sign_in_begins_by_a_form_alone(client, club_id):
    assert client.get(START).status_code == 405


def test_an_answer_that_nobody_waits_for_signs_nobody_in(client, club_id, caplog):
    with caplog.at_level(logging.WARNING):
        assert client.get(BACK, {"code": "c", "state": "made up"}).status_code == 401
    assert "Somebody unknown was refused: openid." in caplog.text
    state = way_there(client)["state"][0]
    client.get(BACK, {"code": "c", "state": state})
    assert client.get(BACK, {"code": "c", "state": state}).status_code == 401, "each works once"
    assert len(club_id.exchanged) == 1


def test_one_can_go_back(client, club_id):
    state = way_there(client)["state"][0]
    answer = client.get(BACK, {"error": "access_denied", "state": state})
    assert (answer.status_code, "Nothing has changed" in answer.content.decode()) == (200, True)


def test_a_provider_that_is_away_or_answers_nonsense_is_told_of_calmly(client, club_id):
    club_id.person = {"email": "nell@example.org"}
    assert come(client).status_code == 401
    club_id.is_away = True
    assert client.post(START).status_code == 401


@pytest.mark.parametrize("issuer", ["https://town.example", "https://id.example/realm", "http://id.example"])
def test_a_configuration_of_another_issuer_is_refused_on_the_way_there_and_back(client, club_id, caplog, issuer):
    state = way_there(client)["state"][0]
    club_id.issuer = issuer
    assert "id.example/in" not in client.post(START).content.decode()
    assert client.get(BACK, {"code": "c", "state": state}).status_code == 401
    assert not is_signed_in(client)
    assert not club_id.exchanged, "a server of another issuer got a code"
    assert f"The issuer of openid is '{issuer}', and not https://id.example." in caplog.text


def test_an_issuer_may_end_with_a_slash(client, club_id):
    club_id.issuer = "https://id.example/"
    assert way_there(client)["client_id"] == ["us"]


@pytest.mark.parametrize("url", ["https://id.example", "https://id.example/", "https://id.example/realm//"])
def test_the_configuration_is_asked_for_without_a_double_slash(club_id, settings, url):
    settings.SOCIALACCOUNT_PROVIDERS = providers(ENVIRONMENT | {"OIDC_URL": url})
    address = OpenId(None, app=Adapter().list_apps(None, "openid")[0]).server_url
    assert address == f"{url.rstrip('/')}/.well-known/openid-configuration"


def test_an_issuer_with_a_slash_in_the_settings_is_the_same_server(client, club_id, settings):
    settings.SOCIALACCOUNT_PROVIDERS = providers(ENVIRONMENT | {"OIDC_URL": "https://id.example/"})
    assert way_there(client)["client_id"] == ["us"]


def test_ways_there_and_back_are_limited(client, club_id, monkeypatch):
    monkeypatch.setattr(sign_in_limits, "PROVIDERS_HERE", Limit("provider_here", 2, 60))
    come(client)
    assert client.get(BACK).status_code == client.post(START).status_code == 429


def test_the_form_of_apple_goes_on_without_a_cookie_of_its_own(client, club_id):
    answer = client.post("/accounts/with/apple/callback/", {"code": "c", "state": "s", "id_token": "not passed on"})
    assert answer.url == "/accounts/with/apple/finish/?code=c&state=s"
    assert not answer.cookies
    page = client.post("/accounts/with/apple/").content.decode()
    assert "response_mode=form_post" in page
    assert "scope=email" in page


def test_another_server_has_other_people(club_id, ann, settings):
    uid = connect(ann).uid
    settings.SOCIALACCOUNT_PROVIDERS = providers(ENVIRONMENT | {"OIDC_URL": "https://other.example"})
    assert connect(ann).uid != uid


# Two providers of one kind


@pytest.mark.parametrize("path", ["/accounts/login/", "/accounts/signup/"])
def test_each_provider_has_its_button(client, club_id, path):
    page = client.get(path).content.decode()
    assert [name in page for name in ("Continue with Club ID", "Continue with Town ID")] == [True, True]
    assert f'action="{START}"' in page
    assert f'action="{OTHER_START}"' in page


def test_the_same_number_at_another_provider_is_another_person(client, ann, club_id):
    connect(ann)
    answer = come(client, OTHER_START)
    assert (answer.status_code, answer.url) == (302, JOIN)
    assert not is_signed_in(client)
    come(client)
    assert client.get("/you/").wsgi_request.user == ann


def test_a_new_person_of_the_second_one_signs_up_with_it(client, club_id):
    come(client, OTHER_START)
    client.post(JOIN, {"display_name": "Nell", "email": "nell@example.org"})
    assert SocialAccount.objects.get().provider == "openid-2"
    assert is_signed_in(client)


def test_both_are_connected_and_disconnected_each_by_itself(signed_in, client, ann, club_id):
    prove(client)
    assert come(client).url == come(client, OTHER_START).url == INDEX
    rows = {row.provider: row for row in SocialAccount.objects.filter(user=ann)}
    assert set(rows) == {"openid", "openid-2"}
    assert rows["openid"].uid != rows["openid-2"].uid
    page = client.get(INDEX).content.decode()
    assert "Club ID" in page
    assert "Town ID" in page
    assert client.post(f"/accounts/with/connected/{rows['openid'].pk}/disconnect/").url == INDEX
    assert SocialAccount.objects.get().provider == "openid-2"
    client.logout()
    come(client, OTHER_START)
    assert client.get("/you/").wsgi_request.user == ann


def test_an_answer_for_one_provider_is_none_for_another(client, ann, club_id):
    connect(ann)
    state = way_there(client, OTHER_START)["state"][0]
    assert client.get(BACK, {"code": "c", "state": state}).status_code == 401
    assert club_id.exchanged == []


@pytest.mark.parametrize("nonce", ["", "of another sign-in", None])
def test_a_token_of_another_sign_in_is_refused(client, ann, club_id, nonce):
    connect(ann)
    state = way_there(client)["state"][0]
    club_id.nonce = nonce
    assert client.get(BACK, {"code": "c", "state": state}).status_code == 401
    assert not is_signed_in(client)


def test_each_sign_in_has_another_nonce(client, club_id):
    queries = [way_there(client) for _ in range(2)]
    assert queries[0]["nonce"] != queries[1]["nonce"]
    assert {query["nonce"][0] for query in queries}.isdisjoint(query["code_challenge"][0] for query in queries)
