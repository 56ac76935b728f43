"""Every address is read once by each of its readers, for all rules that answers must keep."""

import re
from dataclasses import dataclass
from html import unescape
from types import SimpleNamespace

import pytest
from django.db import transaction
from django.test import Client

from engine.play.deal import deal_seed
from gameplay.models import Invitation, Seat
from tests.security.conftest import make_quietly, meet_no_budget, site_of, with_browsers
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
class Answer:
    """An address’s answer to a reader."""

    reader: str
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
        return f"{self.reader or 'nobody'} at {self.path} ({self.name}): {self.status}"

    @property
    def is_page(self):
        return self.headers.get("Content-Type", "").startswith("text/html")

    @property
    def page(self):
        return Page(self.body.decode())


def fetch(client, reader, name, path, query=None, **how):
    with written() as tables, read_of_queries() as read:
        answer = client.get(path, query, **how)
        body = body_of(answer)
    where = f"{path}?{answer.request['QUERY_STRING']}" if query else path
    return Answer(reader, name, where, answer.status_code, dict(answer.headers), body, set(tables), set(read))


def fetch_everywhere(site):
    """Answers of every address to everyone; again with a query, if the page reads one; and to a program."""
    places = {path: name for table in site.tables for name, path in paths(site, table)}
    for reader, client in site.clients.items():
        for path, name in places.items():
            yield (plain := fetch(client, reader, name, path))
            if plain.read & set(QUERY):
                yield fetch(client, reader, name, path, QUERY)
            if "replay" in path:
                yield from (fetch(client, reader, name, path, {"step": step}) for step in ("0", "5"))
    for path, name in places.items():
        if path.startswith("/api/"):
            yield fetch(Client(), PROGRAM, name, path, headers={"Authorization": f"Bearer {site.bearer}"})


@pytest.fixture(scope="module")
def answers(django_db_setup, django_db_blocker):
    """`answers.all` are all answers, `answers.site` is the site, `answers.log` everything logged by then."""
    meet_no_budget()
    with django_db_blocker.unblock(), transaction.atomic():
        site = with_browsers(make_quietly(site_of, TEXT, 20))
        deal, letters = site.playing.deals.get(), [str(invitation.token) for invitation in Invitation.objects.all()]
        Seat.objects.update(unread=0)  # the one thing that looking changes: who opens the chat has read it
        before = digest()
        with all_that_is_logged() as log:
            answers = list(fetch_everywhere(site))
            Client().get("/you/stop/no-such-token-1234567890/?email=olga@example.org")
            logged = log()
        type(site.api_token).objects.filter(pk=site.api_token.pk).update(last_used_at=None, last_used_from=None)
        is_same = digest() == before
        is_in = {name: site.clients[name].get("/you/").status_code == 200 for name in ("Ann", "Eve")}
        transaction.set_rollback(True)
    return SimpleNamespace(all=answers, site=site, deal=deal, letters=letters, log=logged, is_same=is_same, is_in=is_in)


def all_pass(answers, check):
    """Assert a check for all answers; names all that fail, their reader, and the reason."""
    wrong = []
    for answer in answers:
        try:
            check(answer)
        except AssertionError as problem:
            wrong.append(f"{answer}: {str(problem).partition(chr(10))[0]}")
    assert not wrong, "\n".join(wrong)


def test_everybody_is_shown_something_of_everything(answers):
    """Else the other tests of this file would prove little."""
    readers = (*answers.site.clients, PROGRAM)
    by_reader = {reader: [answer.status for answer in answers.all if answer.reader == reader] for reader in readers}
    assert len(by_reader) == 5
    for reader, statuses in by_reader.items():
        assert statuses.count(200) > (30 if reader == PROGRAM else 200), reader
        assert not {429, 500} & set(statuses), reader
    assert sum(TEXT[:20] in unescape(page.body.decode(errors="replace")) for page in answers.all if page.is_page) > 40
    assert {answer.name for answer in answers.all} >= {"gameplay:move", "accounts:profile", "account_login"}
    assert {answer.name for answer in answers.all if "?" in answer.path} >= {"gameplay:replay", "gameplay:lobby"}


def test_every_answer_forbids_inline_script_eval_framing_and_guessing_of_types(answers):
    def check(answer):
        check_kind(answer.headers, answer.status)
        if "/embed/" in answer.path and answer.status == 200:  # for others' pages to frame, and without any form
            check_headers(answer.headers, frame_ancestors=["*"], form_action=["'none'"])
            assert "X-Frame-Options" not in answer.headers
        else:
            check_headers(answer.headers)
            assert answer.headers["X-Frame-Options"] == "DENY"

    all_pass(answers.all, check)
    allowed = {(page.path.rpartition("/")[2], page.headers.get("Access-Control-Allow-Origin")) for page in answers.all}
    assert {each for each in allowed if each[1]} == {("table.json", "*")}  # scripts of others may read a league's table


def test_pages_of_players_are_stored_nowhere(answers):
    def check(answer):
        assert "no-store" in answer.headers.get("Cache-Control", "") or not answer.is_page or answer.path == "/offline/"

    all_pass([answer for answer in answers.all if answer.reader in answers.site.users], check)


def test_no_page_holds_inline_script_style_or_handlers(answers):
    def check(answer):
        assert inline_parts(answer.page) == []

    all_pass([answer for answer in answers.all if answer.is_page], check)


def test_hostile_text_stays_text_for_every_reader(answers):
    def check(answer):
        assert signs_of_injection(answer.page) == []

    all_pass([answer for answer in answers.all if answer.is_page], check)


def test_who_watches_is_sent_no_hand_by_any_page(answers):
    def check(answer):
        elements = [attrs for _, attrs in answer.page.elements]
        assert not any("data-held" in attrs or attrs.get("id") in ("hand", "tray") for attrs in elements)

    slug = answers.site.playing.slug
    watching = [page for page in answers.all if page.reader in ("Eve", "") and page.is_page and slug in page.path]
    assert len(watching) > 10
    all_pass(watching, check)


def test_no_door_tells_the_key_or_the_seed_of_a_deal_under_way(answers):
    key = answers.deal.key
    seed = deal_seed(bytes.fromhex(key), tuple(answers.deal.phrases)).hex()
    secrets = [key, key.upper(), seed, str(int(key, 16)), bytes.fromhex(key).decode("latin-1")]

    def check(answer):
        assert tells(answer.body.decode("utf-8", "replace"), secrets) == []

    assert sum("step=5" in answer.path for answer in answers.all) >= len(answers.site.clients)
    all_pass(answers.all, check)


def test_looking_stores_nothing_whoever_looks_and_signs_nobody_out(answers):
    def check(answer):
        assert answer.written <= ({"accounts_apitoken"} if answer.reader == PROGRAM else SESSION)

    all_pass(answers.all, check)
    assert {table for each in answers.all for table in each.written if each.reader == PROGRAM} == {"accounts_apitoken"}
    assert answers.is_same
    assert answers.is_in == {"Ann": True, "Eve": True}


def test_no_address_of_the_site_puts_a_token_a_slug_or_an_e_mail_address_into_the_log(answers):
    site = answers.site
    secrets = [site.token, site.stop_token, site.bearer, *(str(site.event[name]) for name in ("asked", "card"))]
    secrets += answers.letters
    secrets += [client.cookies["sessionid"].value for client in site.clients.values() if "sessionid" in client.cookies]
    secrets += [table.slug for table in site.tables]
    secrets += [user.email for user in site.users.values()] + ["guest@example.org", "olga@example.org", "127.0.0.1"]
    assert not tells(answers.log, secrets)
    assert answers.log.count('"logger": "web.monitoring.request_logging"') > len(answers.all)


def test_every_field_of_a_form_is_in_the_list(answers):
    names = set()
    for answer in answers.all:
        if answer.is_page:
            controls = [
                field for tag, field in answer.page.elements if tag in ("input", "select", "textarea", "button")
            ]
            names |= {control["name"] for control in controls if "name" in control}
    rules = {name for name in names if name.startswith(("rule-", "answer-", "answered-"))}
    # These bear ids of entries and matches, which grow with what tests before this one stored.
    places = {
        name
        for name in names
        if re.fullmatch(r"(place|here|v|was)-\d+|(t|mine-)\d+-\d+|(order|place|seed|was)_\d+", name)
    }
    assert names - rules - places - set(FIELDS) - {"csrfmiddlewaretoken"} == set()
    assert places
