"""Live streams end with their session or token, and everyone has a limited number of them."""

import asyncio
from dataclasses import replace
from itertools import islice

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts import budgets, sign_ins
from accounts.models import ApiToken
from accounts.services import tokens
from accounts.sign_ins import SignIn
from gameplay import live_sign_ins
from gameplay.views import live as live_view
from tests.gameplay.test_live import listen, server, session_of, until  # noqa: F401

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "a quiet evening"


@pytest.fixture(autouse=True)
def _looks_often(monkeypatch):
    monkeypatch.setattr(live_sign_ins, "LOOK_EVERY", 0.01)


@pytest.fixture
def eve(person):
    return person("Eve", password=PASSWORD)


@pytest.fixture
def table(seated):
    return seated(watching="anybody")


def browser(user):
    """A browser in which somebody signed in as people do, so that the list of sessions has it."""
    client = Client()
    assert client.post("/accounts/login/", {"login": user.email, "password": PASSWORD}).status_code == 302
    return client


def cookie(client):
    return {"Cookie": f"sessionid={client.cookies['sessionid'].value}"}


def opened(listen, table, **headers):  # noqa: F811
    """A stream that has begun."""
    stream = listen(table, **headers)
    assert stream.next() == (table.slug, table.version)
    return stream


def ends(stream):
    """Whether a stream ends before it has said very often that it is there."""
    return sum(1 for _ in islice(iter(stream.response.readline, b""), 2000)) < 2000


def is_open(stream):
    """Whether a stream still says that it is there."""
    return any(line == b": here\n" for line in iter(stream.response.readline, b""))


def test_signing_out_everywhere_else_ends_the_streams_of_the_others(listen, table, eve, monkeypatch):  # noqa: F811
    monkeypatch.setattr(live_view, "KEEP_ALIVE", 0.05)
    here, there = browser(eve), browser(eve)
    mine, other = opened(listen, table, **cookie(here)), opened(listen, table, **cookie(there))
    assert here.post("/accounts/sessions/").status_code == 302
    assert ends(other)
    assert is_open(mine)


def test_a_new_password_ends_the_streams_of_other_sessions(listen, table, eve):  # noqa: F811
    stream = opened(listen, table, **cookie(browser(eve)))
    form = {"oldpassword": PASSWORD, "password1": "another quiet one", "password2": "another quiet one"}
    assert browser(eve).post("/accounts/password/change/", form).status_code == 302
    assert ends(stream)


def test_signing_out_ends_a_stream(listen, table, eve):  # noqa: F811
    client = browser(eve)
    stream = opened(listen, table, **cookie(client))
    client.post("/accounts/logout/")
    assert ends(stream)


def test_a_revoked_token_ends_its_stream_and_no_other(listen, table, eve, monkeypatch):  # noqa: F811
    monkeypatch.setattr(live_view, "KEEP_ALIVE", 0.05)
    created = [tokens.create(eve, name=name, scopes=["read"]) for name in ("a", "b")]
    first, other = [opened(listen, table, Authorization=f"Bearer {text}") for _, text in created]
    tokens.revoke(eve, created[0][0].token_key)
    assert ends(first)
    assert is_open(other)


def test_a_token_that_expires_ends_its_stream(listen, table, eve):  # noqa: F811
    token, text = tokens.create(eve, name="a", scopes=["read"])
    stream = opened(listen, table, Authorization=f"Bearer {text}")
    ApiToken.objects.filter(pk=token.pk).update(expiry=timezone.now())
    assert ends(stream)


def test_a_closed_account_ends_its_streams(listen, table, eve):  # noqa: F811
    stream = opened(listen, table, **session_of(eve))
    type(eve).objects.filter(pk=eve.pk).update(is_active=False)
    assert ends(stream)


def test_all_sign_ins_are_looked_at_with_three_queries(eve, django_assert_num_queries):
    client, (token, _) = browser(eve), tokens.create(eve, name="a", scopes=["read"])
    key, mark = client.session.session_key, client.session["_auth_user_hash"]
    valid = [SignIn(key, eve.pk, mark), SignIn(key), SignIn(token=token.pk)]
    wrong = [replace(valid[0], password_mark="x"), SignIn("no-such-session", eve.pk, mark), SignIn(token="no-such")]
    with django_assert_num_queries(3):
        assert sign_ins.ended([*valid, *wrong]) == set(wrong)
    Session.objects.update(expire_date=timezone.now())
    assert sign_ins.ended(valid) == {valid[0], valid[1]}


def test_a_stream_counts_for_its_person_until_it_ends(listen, table, eve, monkeypatch):  # noqa: F811
    monkeypatch.setattr(live_view, "STREAMS", replace(budgets.STREAMS, person=2))
    streams = [opened(listen, table, **session_of(eve)) for _ in range(2)]
    refused = listen(table, **session_of(eve))
    assert (refused.status, refused.headers["Retry-After"]) == (429, "30")
    assert b"Too many pages with live updates are open." in refused.response.read()
    streams[0].close()
    until(lambda: len(budgets._leases) == 1)
    opened(listen, table, **session_of(eve))


def test_a_club_of_sixty_with_three_pages_each_shares_an_address():
    assert budgets.STREAMS.address >= 60 * 3
    assert budgets.STREAMS.person >= 3


def test_a_process_has_so_many_streams_at_most(listen, table, monkeypatch):  # noqa: F811
    monkeypatch.setattr(live_view, "MOST_STREAMS", 1)
    opened(listen, table)
    refused = listen(table)
    assert (refused.status, refused.headers["Retry-After"]) == (503, "60")


def test_looking_ends_with_the_last_stream(listen, table, eve):  # noqa: F811
    stream = opened(listen, table, **session_of(eve))
    (watch,) = [watch for watch in live_sign_ins._watches.values() if watch.readers]
    stream.close()
    until(lambda: watch.task is None)


def test_an_error_of_the_database_ends_no_stream(monkeypatch):
    looks = []

    def fail(sign_ins):
        looks.append(sign_ins)
        raise OSError

    async def look():
        watch, reader = live_sign_ins.Watch(), live_sign_ins.Reader({})
        watch.join(SignIn("a"), reader)
        while len(looks) < 2:
            await asyncio.sleep(0)
        watch.leave(SignIn("a"), reader)
        return reader.is_over

    monkeypatch.setattr(live_sign_ins, "_ended", fail)
    assert asyncio.run(look()) is False
