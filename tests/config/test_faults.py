"""Due work happens once, even if worker, clock, broker, queue or the sender of moves dies."""

import os
import shutil
import signal
import socket
import threading

import pytest
import redis
from django.conf import settings

from tests.poster import FOUR, OUT_OF_STEP, Poster
from tests.sites import PATIENCE

BOTS = """
from gameplay.services import tables
from tests.makers import make_person, make_table
user = make_person("Ann")
for number in range(int(sys.argv[1])):
    table = make_table([user], begun=False, name=f"Table {number}")
    table.seats.update(user=None, bot="random", name="Bot")
    tables.start(table.pk, user)
"""
"""Tables at which only bots sit, each with a wake-up call in the queue."""

PERSON = """
from accounts.models import User
from engine.bots import make_bot
from engine.play.rules import Rules
from gameplay.models import Table
from gameplay.snapshot import view_of
from gameplay.services import play, tables
from tests.sites import PATIENCE
from tests.turns import play_bots

user, _ = User.objects.get_or_create(username="ann", email="ann@example.org")
table = Table.objects.first() or tables.make_practice(user, Rules.make("standard"), level="random")

def move():
    advice = make_bot("random", seed=table.move_count).choose(view_of(table, 0))
    play.play(table.pk, user, [advice], seen=table.move_count)
    table.refresh_from_db()
"""
"""A person at a practice table, who follows a bot’s advice."""

ONE_TURN = f"""{PERSON}
play_bots(table.pk)
table.refresh_from_db()
while table.seat_to_act == 0 and not table.is_between_deals:
    move()
print(json.dumps(table.move_count))
"""

NO_WORKER = "memory://"

ENDED = "SELECT count(*) FROM gameplay_happening WHERE sentence LIKE 'Deal 1 ended.%'"
TWICE = "SELECT table_id FROM gameplay_happening WHERE sentence LIKE 'Deal 1 ended.%' GROUP BY 1 HAVING count(*) > 1"
MOVES = "SELECT count(*) FROM gameplay_move"


def all_ended_once(site, tables, wait_for):
    wait_for(lambda: site.number(ENDED) == tables, "every deal to end", site)
    assert site.rows(TWICE) == []
    assert site.rows(OUT_OF_STEP) == []


def test_worker_killed_at_work(site, kill, wait_for):
    site.run(BOTS, 3)
    site.beat()
    worker = site.worker()
    wait_for(lambda: site.number(MOVES) > 50, "the bots to be at it", site)
    kill(worker)
    assert site.number(ENDED) < 3
    site.worker()
    all_ended_once(site, 3, wait_for)


def test_worker_stopped_at_work_loses_nothing_from_its_queue(site, wait_for):
    site.run(BOTS, 3)
    worker = site.worker()
    wait_for(lambda: site.number(MOVES) > 20, "the bots to be at it", site)
    os.killpg(worker.pid, signal.SIGTERM)
    assert worker.wait(PATIENCE) == 0
    site.worker()
    all_ended_once(site, 3, wait_for)


def test_the_broker_in_files_gives_a_killed_workers_tasks_to_the_next(make_site, kill, wait_for):
    site = make_site("fsx://")
    site.run(BOTS, 3)
    worker = site.worker()
    wait_for(lambda: site.number(MOVES) > 50, "the bots to be at it", site)
    kill(worker)
    site.worker()
    site.beat()
    all_ended_once(site, 3, wait_for)
    # A message that the worker was writing when it was killed, with a dot in front, was never sent.
    wait_for(lambda: not list((site.folder / "queue").rglob("[!.]*.msg")), "an empty queue", site)


def test_clock_killed_and_two_of_them_at_once(site, kill, wait_for):
    site.run(BOTS, 2, CELERY_BROKER_URL=NO_WORKER)
    first = site.beat("first")
    kill(first)
    site.beat("first")
    site.beat("second")
    site.worker()
    site.worker()
    all_ended_once(site, 2, wait_for)


OVERDUE = """
from datetime import timedelta
from django.db.models.functions import Now
from gameplay.models import Heartbeat, Table
from tests.makers import make_person, make_table
people = [make_person(f"p{n}") for n in range(4)]
for number in range(5):
    make_table(people, allows_absences=False)
hours = timedelta(hours=49)
Table.objects.update(clock_started_at=Now() - hours, deadline_at=Now() - timedelta(hours=1), remind_at=None)
Heartbeat.objects.update_or_create(name="deadlines", defaults={"at": Now()})
from gameplay.tasks import sweep_deadlines
for _ in range(10):
    sweep_deadlines.delay()
"""


def test_each_deadline_is_acted_on_once_however_often_it_is_looked_for(site, wait_for):
    site.run(OVERDUE)
    site.worker()
    site.worker()
    missed = "SELECT count(*), count(DISTINCT table_id) FROM gameplay_happening WHERE kind = 'missed'"
    wait_for(lambda: site.rows(missed) == [(5, 5)], "five deadlines to be acted on", site)
    wait_for(lambda: left_in_queue(site) == 0, "the other calls to be dealt with", site)
    assert site.rows(missed) == [(5, 5)]
    assert site.rows(OUT_OF_STEP) == []


def left_in_queue(site):
    url = site.environment["CELERY_BROKER_URL"]
    if url.startswith("redis"):
        server = redis.Redis.from_url(url)
        return sum(server.llen(lane) for lane in settings.LANES) + server.hlen("unacked")
    return len(list((site.folder / "queue").rglob("[!.]*.msg")))


def test_every_move_that_was_acknowledged_is_there_once_though_the_web_server_is_killed(served):
    (table,) = served.run(FOUR, 1)
    poster, kills = Poster(served.address, **table), 0
    while len(poster.acknowledged) < 40:
        if len(poster.acknowledged) >= 10 * (kills + 1):
            kills += 1
            killing = threading.Timer(0.005 * kills, os.killpg, [served.child("web.server"), signal.SIGKILL])
            killing.start()
        poster.move()
    assert kills == 3
    assert poster.acknowledged == list(range(1, 41))
    assert served.rows("SELECT number FROM gameplay_move ORDER BY number") == [(n,) for n in range(1, 41)]
    assert served.rows(OUT_OF_STEP) == []


@pytest.fixture
def hanging():
    """A server that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"


@pytest.fixture
def refusing():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    return f"redis://127.0.0.1:{port}/0"


@pytest.mark.parametrize("fault", ["refusing", "hanging"])
def test_a_move_is_stored_while_the_broker_is_away_and_the_bots_follow_later(site, fault, request, wait_for):
    away = request.getfixturevalue(fault)
    # It comes back at all only because the call to the broker is given up: the hanging one hangs until the test ends.
    moves = site.run(ONE_TURN, CELERY_BROKER_URL=away)
    assert site.number(MOVES) == moves
    assert site.rows("SELECT seat_to_act FROM gameplay_table WHERE bot_due_at IS NOT NULL") == [(1,)]
    site.beat()
    site.worker()
    wait_for(lambda: site.rows("SELECT seat_to_act FROM gameplay_table") == [(0,)], "the bots to play", site)
    assert site.rows(OUT_OF_STEP) == []


def test_a_queue_that_was_wiped_is_filled_again(site, wait_for):
    site.run(BOTS, 2)
    url = site.environment["CELERY_BROKER_URL"]
    if url.startswith("redis"):
        redis.Redis.from_url(url).flushdb()
    else:
        shutil.rmtree(site.folder / "queue")
    site.beat()
    site.worker()
    all_ended_once(site, 2, wait_for)


UNKNOWN = """
from config.celery import app
app.send_task("nobody.knows.this")
app.send_task("gameplay.tasks.play_bots", args=["x" * 10_000_000])
app.send_task("gameplay.tasks.play_bots", args=["no number"])
app.send_task("gameplay.tasks.play_bots", kwargs={"odd": 1})
"""


def test_spoilt_messages_do_not_stop_the_worker(make_site, wait_for):
    site = make_site("fsx://")
    site.run(UNKNOWN)
    waiting = site.folder / "queue" / "waiting"
    (waiting / "0.celery.msg").write_bytes(b"")
    (waiting / "1.celery.msg").write_bytes(b"no message")
    (waiting / "2.celery.msg").write_bytes(b"{}")
    worker = site.worker()
    site.run(BOTS, 1)
    all_ended_once(site, 1, wait_for)
    assert worker.poll() is None
    spoilt = list((site.folder / "queue" / "spoilt").iterdir())
    assert len(spoilt) == 5
    assert "x" * 100 not in site.output()
