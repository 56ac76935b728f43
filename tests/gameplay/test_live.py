"""Live events over a real server: uvicorn in a thread, streams read as a client reads them."""

import asyncio
import http.client
import itertools
import re
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
import uvicorn
from django.core.asgi import get_asgi_application
from django.db import connection
from django.test import Client

from accounts.services import tokens
from engine.play.moves import DRAW
from gameplay import live, presence
from gameplay.models import Table
from gameplay.services import play
from gameplay.views import live as live_view
from tests.makers import make_table
from tests.sites import PATIENCE
from web.server.asgi import with_events

pytestmark = pytest.mark.django_db(transaction=True)
SESSION_BACKEND = "accounts.backends.Backend"


@pytest.fixture
def server():
    """The site's ASGI side on a free port; the port."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listening:
        config = uvicorn.Config(
            with_events(get_asgi_application()),
            lifespan="off",
            log_level="error",
            timeout_graceful_shutdown=1,
            ws="none",
        )
        served = uvicorn.Server(config)
        thread = threading.Thread(target=served.run, kwargs={"sockets": [listening]})
        thread.start()
        until(lambda: served.started)
        yield listening.getsockname()[1]
        served.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive()


@pytest.fixture
def listen(server):
    """Open streams; they are closed at the end."""
    opened = []

    def start(*tables, **headers):
        client = http.client.HTTPConnection("127.0.0.1", server, timeout=PATIENCE)
        path = "/live/?tables=" + ",".join(table if isinstance(table, str) else table.slug for table in tables)
        client.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = client.getresponse()
        opened.append(client)
        return SimpleNamespace(
            response=response,
            status=response.status,
            headers=response.headers,
            next=lambda: next_event(response),
            close=lambda: (response.close(), client.close()),
        )

    yield start
    for client in opened:
        client.close()


def next_event(response):
    """The slug and version of the next event of a stream."""
    lines = iter(response.readline, b"")
    for line in lines:
        if line == b"event: table\n":
            _, slug, version = next(lines).split()
            return slug.decode(), int(version)
    raise EOFError


def until(condition):
    """Wait for something that another thread is about to do."""
    give_up = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < give_up
        threading.Event().wait(0.01)


def session_of(user):
    client = Client()
    client.force_login(user, backend=SESSION_BACKEND)
    return {"Cookie": f"sessionid={client.cookies['sessionid'].value}"}


def token_of(user, *scopes):
    return {"Authorization": f"Bearer {tokens.create(user, name='bot', scopes=list(scopes), days=None)[1]}"}


def readers():
    return [row_id for hub in list(live._hubs.values()) for _, ids in hub.watched_rows() for row_id in ids]


def move(table):
    """The player to act draws; the table as it is then."""
    table.refresh_from_db()
    play.play(table.pk, table.seats.get(number=table.seat_to_act).user, [DRAW], seen=table.move_count)
    table.refresh_from_db()
    return table


def test_a_stream_says_how_things_stand_and_then_what_changes(seated, listen):
    table = seated()
    stream = listen(table, **session_of(table.creator))
    assert (stream.status, stream.headers["Content-Type"]) == (200, "text/event-stream")
    assert stream.headers["Cache-Control"] == "no-cache, no-store"
    assert stream.headers["X-Accel-Buffering"] == "no"
    assert stream.next() == (table.slug, table.version)
    move(table)
    assert stream.next() == (table.slug, table.version)


def test_a_stream_is_sent_as_it_is_to_who_could_unpack_it(seated, listen):
    table = seated()
    stream = listen(table, Accept_Encoding="gzip", **session_of(table.creator))
    assert stream.headers["Content-Encoding"] is None
    assert stream.next() == (table.slug, table.version)


def test_several_tables_come_in_one_stream(seated, listen):
    table = seated()
    other = Table.objects.create(name="Other", rules_json=table.rules_json, seat_count=4, team_size=2, version=7)
    stream = listen(table, other, table, "nosuchtable", **session_of(table.creator))
    assert {stream.next(), stream.next()} == {(table.slug, table.version), (other.slug, 7)}
    move(table)
    assert stream.next() == (table.slug, table.version)


@pytest.mark.parametrize("ref", ["", "nosuchtable", ",,,", "x" * 3000])
def test_where_nothing_can_be_seen_there_is_no_stream(listen, ref):
    assert listen(ref).status == 404


def test_tables_that_are_not_to_be_watched_are_left_out(seated, person, listen):
    table = seated(watching=Table.Watching.NOBODY)
    open_one = Table.objects.create(name="Open", rules_json=table.rules_json, seat_count=4, team_size=2)
    assert listen(table, **session_of(person("Eve"))).status == 404
    assert listen(table).status == 404
    stream = listen(table, open_one)
    assert stream.next() == (open_one.slug, 0)
    assert readers() == [open_one.pk]


def test_a_token_that_may_read_opens_a_stream(seated, listen):
    table = seated(watching=Table.Watching.NOBODY)
    assert listen(table, **token_of(table.creator, "read")).next() == (table.slug, table.version)
    assert listen(table, **token_of(table.creator, "play")).status == 403
    assert listen(table, Authorization="Bearer " + "0" * 64).status == 401
    assert listen(table, Authorization="Bearer \xff\xfe").status == 401


def check_one_listens():
    """On PostgreSQL, streams share one connection that listens, and hold no other."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FILTER (WHERE application_name = %s), count(*) FROM pg_stat_activity"
                " WHERE datname = current_database()",
                [live.APPLICATION],
            )
            listening, everything = cursor.fetchone()
        assert listening == 1
        assert everything <= 1 + connection.settings_dict["OPTIONS"]["pool"]["max_size"]


def test_many_streams_share_one_listening_connection_and_hold_no_other(seated, listen):
    table = seated()
    cookie = session_of(table.creator)
    streams = [listen(table, **cookie) for _ in range(30)]
    assert [stream.next() for stream in streams] == [(table.slug, table.version)] * 30
    move(table)
    assert [stream.next() for stream in streams] == [(table.slug, table.version)] * 30
    check_one_listens()


def test_who_goes_away_leaves_nothing_behind(seated, listen):
    table = seated()
    streams = [listen(table, **session_of(table.creator)) for _ in range(3)]
    for stream in streams:
        stream.next()
    assert readers() == [table.pk]
    threads = [thread for thread in threading.enumerate() if thread.name.startswith("ThreadPoolExecutor")]
    assert len(threads) < 3
    for stream in streams:
        stream.close()
    until(lambda: not readers())
    assert [hub.task for hub in live._hubs.values() if hub.task is not None] == []


def test_a_stream_ends_one_day_so_that_what_may_be_seen_is_looked_at_again(seated, listen, monkeypatch):
    monkeypatch.setattr(live_view, "LIFE", 0)
    table = seated()
    assert listen(table).response.read() == b"retry: 2000\n\n"
    until(lambda: not readers())


def test_a_silent_stream_says_that_it_is_there(seated, listen, monkeypatch):
    monkeypatch.setattr(live_view, "KEEP_ALIVE", 0.01)
    stream = listen(seated())
    stream.next()
    assert b": here\n" in itertools.islice(iter(stream.response.readline, b""), 10)


def test_after_a_broken_connection_everyone_hears_the_present_state(seated, listen, monkeypatch):
    if connection.vendor != "postgresql":
        pytest.skip("PostgreSQL has the connection that can break")
    monkeypatch.setattr(live, "FIRST_PAUSE", 0.01)
    table = seated()
    stream = listen(table)
    stream.next()
    move(table)
    assert stream.next() == (table.slug, table.version)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s", [live.APPLICATION]
        )
    table.bump()
    table.save()  # without a call: only who looks can find it
    assert stream.next() == (table.slug, table.version)


def test_a_server_without_streams_says_so_and_holds_no_thread(client, seated):
    response = client.get("/live/", {"tables": seated().slug})
    assert response.status_code == 503
    assert response.json()["code"] == "no_stream"
    assert response["Retry-After"] == "60"


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "head"])
def test_a_stream_is_only_read(client, method):
    assert getattr(client, method)("/live/").status_code == 405


async def newest(*versions):
    reader = live.Reader({1: "one", 2: "two"})
    for table_id, version in versions:
        reader.tell(table_id, version)
    return [await reader.news(within=0.01), await reader.news(within=0.01)]


def test_of_several_versions_only_the_newest_is_told_and_once():
    assert asyncio.run(newest((1, 4), (1, 6), (1, 5), (2, 0))) == [[("one", 6), ("two", 0)], []]
    assert asyncio.run(newest()) == [[], []]


def bot_of_the_docs():
    page = Path(__file__).parents[2].joinpath("docs", "api.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    return code


def test_the_bot_of_the_docs_is_short():
    assert len(bot_of_the_docs().splitlines()) <= 60


@pytest.mark.slow
def test_two_strangers_play_a_deal_with_the_bot_of_the_docs(server, person, tmp_path):
    people = [person("Ann"), person("Ben")]
    table = make_table(people, options={"length": {"deals": 1}}, seats=2, team_size=1)
    program = tmp_path / "bot.py"
    program.write_text(bot_of_the_docs())
    site = {"FOOTHOLD_SITE": f"http://127.0.0.1:{server}", "PATH": ""}
    bots = [
        subprocess.Popen(
            [sys.executable, str(program), table.slug],
            env={**site, "FOOTHOLD_TOKEN": tokens.create(user, name="b", scopes=["read", "play"], days=None)[1]},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for user in people
    ]
    try:
        outputs = [bot.communicate(timeout=120)[0] for bot in bots]
    finally:
        for bot in bots:
            bot.kill()
    table.refresh_from_db()
    assert (table.status, table.result["reason"]) == (Table.Status.OVER, "played"), outputs
    assert [text.splitlines()[-1] for text in outputs] == [f"The match is over: {table.result}"] * 2
    assert all(table.moves.filter(seat=seat, by="player").exists() for seat in (0, 1))


def test_a_stream_of_a_spectators_page_counts_until_it_ends_and_a_players_never(seated, four, listen, monkeypatch):
    monkeypatch.setattr("accounts.budgets._held_windows", lambda budget, now: [f"{budget.name}:1", f"{budget.name}:2"])
    table = seated()
    at_table = f"{table.slug}&at={table.slug}"
    watching, elsewhere, player = listen(at_table), listen(table), listen(at_table, **session_of(four[0]))
    assert [stream.next() for stream in (watching, elsewhere, player)] == [(table.slug, table.version)] * 3
    assert presence.watching(table) == 1
    watching.close()
    until(lambda: presence.watching(table) == 0)
