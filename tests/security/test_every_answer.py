"""Every address is looked at once by each of its readers, and whatever must hold of an answer is asked of that one.

The site is one whose people, tables, clubs and events all have a hostile name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client

from engine.play.deal import deal_seed
from gameplay.models import Invitation
from tests.security.conftest import made, site_of, with_browsers
from tests.security.site_map import Page, body_of, digest, paths, read_of_queries, written
from tests.security.test_headers import check_headers, check_kind, inline_parts
from tests.security.test_hostile_requests import FIELDS
from tests.security.test_hostile_text import HOSTILE, signs_of_injection
from tests.security.test_logs_tell_nothing import all_that_is_logged, tells
from tests.security.test_looking import QUERY, SESSION

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

TEXT = HOSTILE["an element"]
PROGRAM = "a program of Ann’s"


@dataclass(repr=False)
class Shown:
    """What an address showed to a reader."""

    who: str
    name: str
    path: str
    status: int
    headers: dict[str, str]
    body: bytes
    written: set[str]
    """Tables that statements wrote to."""
    read: set[str]
    """Fields of the query that were asked for."""

    def __repr__(self):
        return f"{self.who or 'nobody'} at {self.path} ({self.name}): {self.status}"

    @property
    def is_page(self):
        return self.headers.get("Content-Type", "").startswith("text/html")

    @property
    def page(self):
        return Page(self.body.decode())


def look(client, who, name, path, query=None, **how):
    with written() as tables, read_of_queries() as read:
        answer = client.get(path, query, **how)
        body = body_of(answer)
    where = f"{path}?{answer.request['QUERY_STRING']}" if query else path
    return Shown(who, name, where, answer.status_code, dict(answer.headers), body, set(tables), set(read))


def look_everywhere(site):
    """What every address shows to everybody; once more with a query, where it asks for one; and to a program."""
    places = {path: name for table in site.tables for name, path in paths(site, table)}
    for who, client in site.clients.items():
        for path, name in places.items():
            yield (plain := look(client, who, name, path))
            if plain.read & set(QUERY):
                yield look(client, who, name, path, QUERY)
            if "replay" in path:
                yield from (look(client, who, name, path, {"step": step}) for step in ("0", "5"))
    for path, name in places.items():
        if path.startswith("/api/"):
            yield look(Client(), PROGRAM, name, path, headers={"Authorization": f"Bearer {site.bearer}"})


@pytest.fixture(scope="module")
def shown(django_db_setup, django_db_blocker):
    """`shown.all` is what everybody was shown, `shown.site` the site, `shown.log` all that was logged meanwhile."""
    cache.clear()
    with django_db_blocker.unblock(), transaction.atomic():
        site = with_browsers(made(site_of, TEXT, 20))
        deal, letters = site.playing.deals.get(), [str(one.token) for one in Invitation.objects.all()]
        before = digest()
        with all_that_is_logged() as log:
            found = list(look_everywhere(site))
            Client().get("/you/stop/no-such-token-1234567890/?email=olga@example.org")
            said = log()
        type(site.api_token).objects.filter(pk=site.api_token.pk).update(last_used_at=None)
        is_same = digest() == before
        is_in = {name: site.clients[name].get("/you/").status_code == 200 for name in ("Ann", "Eve")}
        transaction.set_rollback(True)
    return SimpleNamespace(all=found, site=site, deal=deal, letters=letters, log=said, is_same=is_same, is_in=is_in)


def all_pass(shown, check):
    """Whether answers pass a check; of all that do not, who was shown which, and why."""
    wrong = []
    for one in shown:
        try:
            check(one)
        except AssertionError as problem:
            wrong.append(f"{one}: {str(problem).partition(chr(10))[0]}")
    assert not wrong, "\n".join(wrong)


def test_everybody_is_shown_something_of_everything(shown):
    """Else the other tests of this file would prove little."""
    by_reader = {who: [one.status for one in shown.all if one.who == who] for who in (*shown.site.clients, PROGRAM)}
    assert len(by_reader) == 5
    for who, statuses in by_reader.items():
        assert statuses.count(200) > (30 if who == PROGRAM else 200), who
        assert not {429, 500} & set(statuses), who
    assert sum(TEXT[:20] in unescape(one.body.decode(errors="replace")) for one in shown.all if one.is_page) > 40
    assert {one.name for one in shown.all} >= {"gameplay:move", "accounts:profile", "account_login"}
    assert {one.name for one in shown.all if "?" in one.path} >= {"gameplay:replay", "gameplay:lobby"}


def test_every_answer_forbids_inline_script_eval_framing_and_guessing_of_types(shown):
    def check(one):
        check_kind(one.headers, one.status)
        if "/embed/" in one.path and one.status == 200:  # for others' pages to frame, and without any script
            check_headers(one.headers, frame_ancestors=["*"], script_src=["'none'"])
            assert "X-Frame-Options" not in one.headers
        else:
            check_headers(one.headers)
            assert one.headers["X-Frame-Options"] == "DENY"

    all_pass(shown.all, check)
    allowed = {(one.path.rpartition("/")[2], one.headers.get("Access-Control-Allow-Origin")) for one in shown.all}
    assert {each for each in allowed if each[1]} == {("table.json", "*")}  # scripts of others may read a league's table


def test_pages_of_players_are_stored_nowhere(shown):
    def check(one):
        assert "no-store" in one.headers.get("Cache-Control", "") or not one.is_page or one.path == "/offline/"

    all_pass([one for one in shown.all if one.who in shown.site.users], check)


def test_no_page_holds_inline_script_style_or_handlers(shown):
    def check(one):
        assert inline_parts(one.page) == []

    all_pass([one for one in shown.all if one.is_page], check)


def test_hostile_text_stays_text_for_every_reader(shown):
    def check(one):
        assert signs_of_injection(one.page) == []

    all_pass([one for one in shown.all if one.is_page], check)


def test_who_watches_is_sent_no_hand_by_any_page(shown):
    def check(one):
        shows = [own for _, own in one.page.elements if "data-held" in own or own.get("id") in ("hand", "tray")]
        assert shows == []

    slug = shown.site.playing.slug
    watching = [one for one in shown.all if one.who in ("Eve", "") and one.is_page and slug in one.path]
    assert len(watching) > 10
    all_pass(watching, check)


def test_no_door_tells_the_key_or_the_seed_of_a_deal_under_way(shown):
    key = shown.deal.key
    seed = deal_seed(bytes.fromhex(key), tuple(shown.deal.phrases)).hex()
    secrets = [key, key.upper(), seed, str(int(key, 16)), bytes.fromhex(key).decode("latin-1")]

    def check(one):
        assert tells(one.body.decode("utf-8", "replace"), secrets) == []

    assert sum("step=5" in one.path for one in shown.all) >= len(shown.site.clients)
    all_pass(shown.all, check)


def test_looking_stores_nothing_whoever_looks_and_signs_nobody_out(shown):
    def check(one):
        assert one.written <= ({"accounts_apitoken"} if one.who == PROGRAM else SESSION)

    all_pass(shown.all, check)
    assert {table for one in shown.all for table in one.written if one.who == PROGRAM} == {"accounts_apitoken"}
    assert shown.is_same
    assert shown.is_in == {"Ann": True, "Eve": True}


def test_no_address_of_the_site_puts_a_token_a_slug_or_an_e_mail_address_into_the_log(shown):
    site = shown.site
    secrets = [site.token, site.stop_token, site.bearer, *(str(site.event[name]) for name in ("asked", "card"))]
    secrets += shown.letters
    secrets += [client.cookies["sessionid"].value for client in site.clients.values() if "sessionid" in client.cookies]
    secrets += [table.slug for table in site.tables]
    secrets += [user.email for user in site.users.values()] + ["guest@example.org", "olga@example.org", "127.0.0.1"]
    assert not tells(shown.log, secrets)
    assert shown.log.count('"logger": "web.monitoring.request_logging"') > len(shown.all)


def test_every_field_of_a_form_is_in_the_list(shown):
    found = set()
    for one in shown.all:
        if one.is_page:
            controls = [own for tag, own in one.page.elements if tag in ("input", "select", "textarea", "button")]
            found |= {own["name"] for own in controls if "name" in own}
    rules = {name for name in found if name.startswith("rule-")}
    # These bear ids of entries, which grow with what tests before this one stored.
    places = {name for name in found if re.fullmatch(r"place-\d+", name)}
    assert found - rules - places - set(FIELDS) - {"csrfmiddlewaretoken"} == set()
    assert places
