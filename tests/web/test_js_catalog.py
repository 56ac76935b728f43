"""The sentences of scripts: where a page finds them, and how long a browser keeps them."""

import re

import pytest

pytestmark = pytest.mark.django_db

GERMAN = {"Accept-Language": "de"}


def scripts(page):
    return re.findall(r'<script src="([^"]*)" defer>', page.content.decode())


def test_english_costs_no_request(client):
    assert not [src for src in scripts(client.get("/help/")) if "catalogue" in src]


def test_another_language_comes_before_every_script_of_ours(client):
    sources = [src for src in scripts(client.get("/help/", headers=GERMAN)) if "htmx" not in src]
    assert re.fullmatch(r"/catalogue/de/[0-9a-f]{16}\.js", sources[0])


def test_it_is_kept_for_a_year_by_every_reader(client, admin_client):
    address = next(src for src in scripts(client.get("/help/", headers=GERMAN)) if "catalogue" in src)
    for browser in (client, admin_client):
        answer = browser.get(address, headers={"Accept-Language": "fr"})
        assert answer["Content-Type"] == "text/javascript; charset=utf-8"
        assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
        assert "Cookie" not in answer["Vary"]
        assert "Accept-Language" not in answer["Vary"]
        assert "Keine Verbindung." in answer.content.decode()
        assert "Django" not in answer.content.decode()


def test_a_page_of_another_release_is_answered_for_once(client):
    answer = client.get("/catalogue/de/0123456789abcdef.js")
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "no-cache"


def test_a_language_that_is_not_spoken_has_none(client):
    assert client.get("/catalogue/fr/0123456789abcdef.js").status_code == 404
    assert client.post("/catalogue/de/0123456789abcdef.js").status_code == 405
