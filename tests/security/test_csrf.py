"""Requests from other sites change nothing: every unsafe method at every address, as generated."""

import re

import pytest
from django.test import Client

from tests.security.site_map import digest, paths

pytestmark = pytest.mark.django_db

METHODS = ("post", "put", "patch", "delete")
WITHOUT_TOKEN = {"accounts:stop", "clubs:stop_letters", "clubs:stop_questions", "apple_callback"}
"""Mail programs, and Apple, post here without a page of ours; a secret in what they send decides what it may do."""


def browser(user=None):
    """A browser that is held to the rules about tokens, as those of people are."""
    client = Client(enforce_csrf_checks=True)
    if user is not None:
        client.force_login(user)
    return client


def unsafe_doors(site):
    return sorted({each for table in site.tables[:2] for each in paths(site, table, skip=WITHOUT_TOKEN)})


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_without_the_token_of_a_page_nothing_is_done_anywhere(site, method):
    site = site()
    client, before = browser(site.users["Ann"]), digest()
    for name, path in unsafe_doors(site):
        kind = "application/json" if name.startswith("api:") else "application/x-www-form-urlencoded"
        status = getattr(client, method)(path, "", content_type=kind).status_code
        assert status == 403 or (name.startswith("api:") and status == 405), path
    assert digest() == before


@pytest.mark.slow
def test_a_form_on_another_site_is_refused_although_it_knows_the_token(site):
    site = site()
    client, before = browser(site.users["Ann"]), digest()
    token = token_of(client, "/tables/new/")
    for name, path in paths(site, site.gathering, skip=WITHOUT_TOKEN):
        if not name.startswith("api:"):
            data = {"csrfmiddlewaretoken": token}
            answer = client.post(path, data, headers={"Origin": "https://evil.example"})
            assert answer.status_code == 403, path
            assert client.post(path, data, headers={"Origin": "null"}).status_code == 403, path
    assert digest() == before


def token_of(client, path):
    return re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', client.get(path).content.decode())[1]


def test_with_the_token_it_is_done(site):
    site = site()
    client = browser(site.users["Ann"])
    token = token_of(client, "/tables/new/")
    path = f"/tables/{site.gathering.slug}/phrase/"
    answer = client.post(path, {"csrfmiddlewaretoken": token, "phrase": "sea"})
    assert (answer.status_code, answer.url) == (302, site.gathering.get_absolute_url())
    assert client.post(path, {"phrase": "air"}, headers={"X-CSRFToken": token}).status_code == 302
    assert site.gathering.deals.get().phrases[0] == "air"


def test_the_token_of_one_browser_is_no_good_in_another(site):
    site = site()
    ann, eve = browser(site.users["Ann"]), browser(site.users["Eve"])
    token_of(ann, "/tables/new/")
    foreign = token_of(eve, "/tables/new/")
    path = f"/tables/{site.gathering.slug}/phrase/"
    assert ann.post(path, {"csrfmiddlewaretoken": foreign, "phrase": "sea"}).status_code == 403


def test_a_program_with_a_token_needs_none_of_a_page_and_a_session_does(site):
    site = site()
    path = f"/api/v1/tables/{site.gathering.slug}/join/"
    by_session = browser(site.users["Ann"]).post(path, {}, content_type="application/json")
    assert (by_session.status_code, by_session.json()["code"]) == (403, "permission_denied")
    bearer = {"Authorization": f"Bearer {site.bearer}"}
    assert browser().post(path, {}, content_type="application/json", headers=bearer).status_code == 200


def test_the_link_that_stops_letters_does_so_for_one_person_and_only_when_posted(site):
    site = site()
    path = f"/you/stop/{site.stop_token}/"
    assert browser().get(path).status_code == 200
    assert type(site.users["Ann"]).objects.filter(notice_email=False).count() == 0
    assert browser().post(path, headers={"Origin": "https://evil.example"}).status_code == 200
    assert list(type(site.users["Ann"]).objects.filter(notice_email=False)) == [site.users["Ann"]]
    assert browser().post(path[:-2] + "/").status_code == 404


def test_cookies_are_not_sent_along_from_other_sites_nor_read_by_scripts(settings):
    client = browser()
    client.post("/practice/", {"csrfmiddlewaretoken": token_of(client, "/")})
    assert {name: cookie["samesite"] for name, cookie in client.cookies.items()} == dict.fromkeys(
        (settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME), "Lax"
    )
    for cookie in client.cookies.values():
        assert (cookie["httponly"], cookie["path"], cookie["domain"]) == (True, "/", ""), cookie.key
