"""The language of the site: chosen by whom and how, and its readers."""

import json
import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client
from django.utils import translation

from accounts.models import User
from accounts.services import mail as letters
from accounts.services import push
from tests.accounts.conftest import NOON, PASSWORD
from tests.pages import squeezed
from web import text

pytestmark = pytest.mark.django_db

CHOOSE = "/you/language/"
GERMAN = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}


def html_lang(answer):
    return re.search(r'<html lang="([^"]*)"', answer.content.decode())[1]


# Sources of the language


def test_a_visitor_reads_the_language_that_the_browser_asks_for(client):
    assert html_lang(client.get("/help/")) == "en"
    answer = client.get("/help/", headers=GERMAN)
    assert html_lang(answer) == "de"
    assert "<h1>Hilfe</h1>" in answer.content.decode()
    assert html_lang(client.get("/help/", headers={"Accept-Language": "fr,ja;q=0.5"})) == "en"


def test_caches_between_are_told_what_a_page_follows(client):
    assert {"Accept-Language", "Cookie"} <= {name.strip() for name in client.get("/help/")["Vary"].split(",")}


def test_a_visitors_choice_is_kept_on_the_device(client):
    answer = client.post(CHOOSE, {"language": "de", "next": "/help/"})
    assert answer.url == "/help/"
    cookie = answer.cookies[settings.LANGUAGE_COOKIE_NAME]
    assert (cookie.value, cookie["samesite"], cookie["httponly"]) == ("de", "Lax", True)
    assert html_lang(client.get("/help/")) == "de"
    client.post(CHOOSE, {"language": "en"})
    assert html_lang(client.get("/help/", headers=GERMAN)) == "en"


def test_a_members_choice_is_theirs_wherever_they_sign_in(signed_in, ann):
    signed_in.post(CHOOSE, {"language": "de", "next": "/you/"})
    ann.refresh_from_db()
    assert ann.language == "de"
    elsewhere = Client()
    assert html_lang(elsewhere.get("/help/")) == "en"
    elsewhere.force_login(ann)
    assert html_lang(elsewhere.get("/help/")) == "de"
    assert html_lang(elsewhere.get("/help/", headers={"Accept-Language": "en"})) == "de"


def test_the_profile_is_another_door_to_the_same(signed_in, ann):
    data = {"display_name": "Ann", "time_zone": "UTC", "language": "de", "hand_order": "low"}
    answer = signed_in.post("/you/", data, follow=True)
    assert html_lang(answer) == "de"
    assert "Profil gespeichert." in answer.content.decode()


# The page


def test_the_page_names_each_language_in_itself_and_marks_ones_own(client):
    page = squeezed(client.get(CHOOSE, headers=GERMAN))
    buttons = re.findall(r'<button[^>]*value="(\w+)" lang="(\w+)"([^>]*)>(\w+)</button>', page)
    assert buttons == [("en", "en", "", "English"), ("de", "de", ' aria-current="true"', "Deutsch")]


def test_every_page_leads_to_it_and_back(client):
    foot = squeezed(client.get("/help/?x=1"))
    assert 'href="/you/language/?next=%2Fhelp%2F%3Fx%3D1" lang="de" hreflang="de"' in foot
    assert 'name="next" value="/help/?x=1"' in client.get(f"{CHOOSE}?next=/help/%3Fx%3D1").content.decode()


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "18446744073709551616", ""]
)
def test_it_leads_to_no_other_site(client, target):
    assert 'name="next" value="/"' in client.get(CHOOSE, {"next": target}).content.decode()
    assert client.post(CHOOSE, {"language": "de", "next": target}).url in ("/", "18446744073709551616")
    assert client.post(CHOOSE, {"language": "xx", "next": target}).url == "/"


@pytest.mark.parametrize("language", ["fr", "xx", "", "de\r\nX: y", "x" * 500])
def test_a_language_that_is_not_spoken_changes_nothing(signed_in, ann, language):
    answer = signed_in.post(CHOOSE, {"language": language})
    assert settings.LANGUAGE_COOKIE_NAME not in answer.cookies
    ann.refresh_from_db()
    assert ann.language == "en"
    assert html_lang(signed_in.get("/help/")) == "en"


def test_looking_at_it_chooses_nothing(signed_in, ann):
    signed_in.get(CHOOSE, {"language": "de"})
    ann.refresh_from_db()
    assert ann.language == "en"
    assert signed_in.put(CHOOSE).status_code == 405


def test_a_profile_with_a_language_that_is_gone_reads_on(signed_in, ann):
    User.objects.update(language="fr")
    assert html_lang(signed_in.get("/help/")) == "en"


# Accounts


def test_who_joins_keeps_the_language_of_the_form(client):
    fields = {"display_name": "Resi", "email": "resi@example.org", "password1": PASSWORD}
    client.post("/accounts/signup/", fields, headers=GERMAN)
    assert User.objects.get(email="resi@example.org").language == "de"
    assert mail.outbox[0].subject == "Willkommen bei Foothold: Bestätige deine E-Mail-Adresse"
    assert "Bitte bestätige hier deine Adresse" in mail.outbox[0].body


def test_who_signs_in_keeps_their_own(client, ann):
    client.post("/accounts/login/", {"login": ann.email, "password": PASSWORD}, headers=GERMAN)
    ann.refresh_from_db()
    assert ann.language == "en"
    assert html_lang(client.get("/help/", headers=GERMAN)) == "en"


# Emails and notifications


@pytest.fixture
def resi(person):
    return person("Resi", language="de")


def test_an_email_about_an_account_is_in_the_language_of_its_owner(client, resi):
    client.post("/accounts/password/reset/", {"email": resi.email})
    assert mail.outbox[0].subject == "Neues Passwort wählen"
    assert mail.outbox[0].body.startswith("Hallo,\n\njemand, wahrscheinlich du,")


def test_an_address_without_an_account_is_written_to_as_the_form_was_read(client):
    client.post("/accounts/login/code/", {"email": "nobody@example.org"}, headers=GERMAN)
    assert mail.outbox[0].subject == "Kein Konto bei Foothold"


def test_notices_are_counted_and_greeted_in_the_readers_language(resi, tell):
    both = [tell(resi, 1), tell(resi, 2)]
    letters.send_notices(resi, both)
    letters.send_digest(resi, both)
    notices, digest = mail.outbox
    assert notices.subject == "2 Sachen warten auf dich"
    assert notices.body.startswith("Hallo Resi,\n\ndiese 2 Sachen warten bei Foothold auf dich:\n")
    assert "Alle Mitteilungen abbestellen: http" in notices.body
    assert digest.subject == "Dein Tag bei Foothold: 2 Sachen warten"
    assert digest.body.startswith("Guten Morgen Resi,")


def test_devices_are_told_in_the_readers_language(resi, tell, monkeypatch):
    sent = []
    monkeypatch.setattr(push, "_send_to", lambda subscription, message: sent.append(message))
    resi.push_subscriptions.create(endpoint="https://push.example.org/1", p256dh="k", auth="a")
    push.send(resi, [tell(resi, 1), tell(resi, 2)])
    assert sent[0].title == "2 Sachen warten auf dich"


def test_the_senders_language_is_back_afterwards(resi, ann, tell):
    letters.send_notices(resi, [tell(resi, due_at=NOON)])
    assert translation.get_language() == "en"
    with translation.override("de"), letters.as_read_by(ann):
        assert translation.get_language() == "en"


# Parts beside pages


def test_a_fault_is_told_in_the_readers_language(client):
    assert "<h1>Seite nicht gefunden</h1>" in client.get("/nowhere/", headers=GERMAN).content.decode()


def test_the_installed_site_and_its_page_for_no_network_are_in_it_too(client):
    manifest = json.loads(client.get("/manifest.webmanifest", headers=GERMAN).content)
    assert (manifest["lang"], manifest["description"]) == ("de", "Hand and Foot mit Freunden, Zug um Zug über Tage")
    page = client.get("/offline/", headers=GERMAN)
    assert html_lang(page) == "de"
    assert "Du bist offline" in page.content.decode()


def test_scripts_and_pages_have_the_same_words_for_what_is_left(client):
    with translation.override("de"):
        assert text.duration(timedelta(days=2, hours=6)) == "2 T 6 h"
    script = client.get("/catalogue/de/0.js").content.decode()
    assert '"days, in short\\u0004d": "T"' in script
