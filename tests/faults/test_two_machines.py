"""Two machines serve one site, and one of them dies in the middle of an evening."""

import http.client
import json
import re
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.conf import settings

from tests.config import deployed
from tests.config.deployed import HOST, event
from tests.config.test_deploy_files import NGINX
from tests.faults.network import Network, can_be_made
from tests.faults.test_database import each_move_is_kept_once, post_until
from tests.faults.test_restarts import TWICE, WITH_BOTS, wait_for_bots
from tests.poster import OUT_OF_STEP, Poster
from tests.servers import binaries, running_cluster, running_redis
from tests.sites import PATIENCE, kill, postgres

pytestmark = [
    pytest.mark.skipif(not postgres(), reason="Machines share a PostgreSQL: set DATABASE_URL to a server."),
    pytest.mark.skipif(binaries() is None, reason="Needs PostgreSQL's own programs, in /usr/lib/postgresql."),
]
TABLES = 3
SERVICES = {"web": "8000", "live": "8001", **{f"worker-{lane}": None for lane in settings.LANES}, "beat": None}
CONNECT = int(re.search(r"proxy_connect_timeout (\d+)s;", NGINX)[1])
"""Seconds after which the proxy asks the other machine."""
MOST = 5
"""Seconds within which each page answers."""
THINKS = 0.5
"""Seconds before each move: a program may not ask as fast as it can."""
PAGES = ["/", "/tables/", "/rules/standard/", "/play/", "/clubs/"]

EVENING = """
from accounts.services import tokens
from tests.journeys.conftest import session_key
from tests.makers import make_person, make_table
tables = []
for number in range(int(sys.argv[1])):
    people = [make_person(f"p{4 * number + seat}") for seat in range(4)]
    texts = [tokens.create(user, name="t", scopes=["read", "play"], days=None)[1] for user in people]
    tables.append({"slug": make_table(people, name=f"T{number}").slug, "tokens": texts})
print(json.dumps([session_key(people[0]), tables]))
"""
"""Tables of four people each: a session of one, and the arguments of a `Person` for each table."""

HOLDS = """
import os, sys, threading
import django
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
django.setup()
from django.db import transaction
from gameplay.models import Table
with transaction.atomic():
    Table.objects.select_for_update().get(slug=sys.argv[1])
    print("It holds the table.", flush=True)
    threading.Event().wait()
"""
"""A move that is cut off in its transaction, while it holds the lock of the table."""

OVERDUE = """
from datetime import timedelta
from django.db.models.functions import Now
from accounts.models import User
from gameplay.models import Table
from tests.makers import make_table
table = make_table(list(User.objects.order_by("username")[:4]), allows_absences=False, name="Overdue")
Table.objects.filter(pk=table.pk).update(
    clock_started_at=Now() - timedelta(hours=49), deadline_at=Now() - timedelta(hours=1), remind_at=None
)
"""
MISSED = """
SELECT count(*) FROM gameplay_happening h JOIN gameplay_table t ON t.id = h.table_id
WHERE t.name = 'Overdue' AND h.kind = 'missed'
"""


class Box:
    """A machine with the services of a site, each by the command that compose.yaml has for it."""

    def __init__(self, site, namespace, folder, environment):
        self.site, self.namespace, self.address = site, namespace, namespace.address
        self.environment = {**environment, "DATA_DIR": str(folder / namespace.name)}
        self.beat = f"--schedule={folder / namespace.name}.beat"

    def start(self, *words):
        command = self.namespace.command(str(Path(sys.executable).with_name(words[0])), *words[1:])
        run = "import os, sys; os.execvp(sys.argv[1], sys.argv[1:])"
        return self.site.start("-c", run, *command, **self.environment)

    def serve(self):
        for name in SERVICES:
            words = deployed.ours()[name]["command"]
            self.start(*(self.beat if word.startswith("--schedule=") else word for word in words))


class Balancer:
    """A proxy before several machines: one that cannot be reached is not asked for a while, and another is.

    A request that a machine took with it is lost, as nobody knows what became of it; `faults` are all others that got no
    answer in time, or one that is none.
    """

    def __init__(self, boxes):
        self.boxes, self.faults, self.away, self.at = boxes, [], {}, 0
        self.most, self.dead, self.died_at = PATIENCE, None, None

    def ask(self, port, method, path, body=None, headers=()):
        """The answer, or None where the request went down with its machine."""
        headers = {"Host": HOST, "X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "https", **dict(headers)}
        began = time.monotonic()
        box, connection = self.connect(port)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as error:
            if box is self.dead and began < self.died_at:
                return None
            return self.fault(f"{method} {path}: {error!r}")
        finally:
            connection.close()
        return text if answer.status == 200 else self.fault(f"{method} {path}: {answer.status} {text[:200]}")

    def fault(self, words):
        self.faults.append(words)
        raise AssertionError(words)

    def connect(self, port):
        """A machine in its turn that takes connections, and one of them."""
        for _ in range(2 * len(self.boxes)):
            self.at += 1
            box = self.boxes[self.at % len(self.boxes)]
            if self.away.get(box, 0) > time.monotonic():
                continue
            connection = http.client.HTTPConnection(box.address, port, timeout=CONNECT)
            try:
                connection.connect()
            except OSError:
                self.away[box] = time.monotonic() + 10
                continue
            connection.sock.settimeout(self.most)
            return box, connection
        return self.fault("No machine can be reached.")


class Person(Poster):
    """Plays through the proxy; what got no answer because a machine died is sent again, with the same key."""

    def __init__(self, balancer, is_over, slug, tokens):
        super().__init__("", slug, tokens)
        self.balancer, self.is_over, self.slug = balancer, is_over, slug

    def move(self):
        self.is_over.wait(THINKS)
        return super().move()

    def headers(self, seat):
        return {"Authorization": f"Bearer {self.tokens[seat]}", "Content-Type": "application/json"}

    def ask(self, path, seat, body=None):
        request = ("POST" if body else "GET", self.table + path, body and json.dumps(body), self.headers(seat))
        while (text := self.balancer.ask(8000, *request)) is None:
            pass
        return json.loads(text)

    def stream(self, box):
        """The live events of this table, as one machine sends them."""
        connection = http.client.HTTPConnection(box.address, 8001, timeout=PATIENCE)
        headers = {"Host": HOST, "X-Forwarded-Proto": "https", **self.headers(0)}
        connection.request("GET", f"/live/?tables={self.slug}", headers=headers)
        return connection.getresponse()


def read(balancer, cookie):
    """Read the pages of somebody signed in, one after the other."""
    for page in PAGES:
        balancer.ask(8000, "GET", page, headers={"Cookie": f"__Host-sessionid={cookie}"})


def read_until(balancer, cookie, is_over):
    while not is_over.wait(THINKS):
        read(balancer, cookie)


@pytest.fixture
def network():
    if not can_be_made():
        pytest.skip("Needs root and `ip netns`, for two machines with a network of their own.")
    network = Network()
    try:
        network.make()
        yield network
    finally:
        network.remove()


@pytest.fixture
def site(network, make_site, tmp_path):
    """A site whose PostgreSQL and Redis both machines reach."""
    with running_cluster(network.address) as cluster, running_redis(tmp_path, network.address) as redis:
        site = make_site(redis.url)
        cluster.copy(site.environment["DATABASE_URL"])
        site.environment["DATABASE_URL"] = cluster.url
        yield site
        for process in site.started:
            kill(process)


@pytest.fixture
def boxes(site, network, tmp_path, collected):
    broker = site.environment["CELERY_BROKER_URL"]
    shared = {"DATABASE_URL": site.environment["DATABASE_URL"], "CELERY_BROKER_URL": broker}
    shared |= {"CACHE_URL": broker.removesuffix("0") + "1", "STATIC_DIR": str(collected / "static")}
    environment = {**deployed.in_containers(), **shared, "WEB_CONCURRENCY": "2"}
    # What is prepared from outside is signed with the same key.
    site.environment |= {name: environment[name] for name in ("SECRET_KEY", "SITE_URL", "PROXY_COUNT")}
    return [Box(site, network.add(), tmp_path, environment) for _ in range(2)]


def test_nothing_is_lost_and_all_goes_on_when_one_of_two_machines_dies(site, boxes, wait_for):
    first, second = boxes
    cookie, tables = site.run(EVENING, TABLES + 1)
    for box in boxes:
        box.serve()
    for box in boxes:
        wait_for(lambda box=box: is_ready(box), "every service", site)
    balancer, is_over = Balancer(boxes), threading.Event()
    *people, locked = [Person(balancer, is_over, **table) for table in tables]
    warm_up(balancer, people[0], cookie)
    threads = [threading.Thread(target=post_until, args=(person, is_over)) for person in people]
    threads.append(threading.Thread(target=read_until, args=(balancer, cookie, is_over)))
    stream = people[0].stream(first)
    assert event(stream).startswith(f"{people[0].slug} ")
    for thread in threads:
        thread.start()
    try:
        wait_for_moves(people, 3, wait_for)
        first.start("python", "-c", HOLDS, locked.slug)
        wait_for(lambda: "It holds the table." in site.output(), "a transaction on the first machine", site)
        first.namespace.die()
        balancer.dead, balancer.died_at = first, time.monotonic()
        wait_for_moves(people, 5, wait_for)
        # Bots and deadlines go on, and readers hear of moves from the other machine.
        site.run(WITH_BOTS, 1)
        wait_for_bots(site, 10, wait_for)
        site.run(OVERDUE)
        wait_for(lambda: site.number(MISSED) == 1, "the deadline to be acted on", site)
        stream = people[0].stream(second)
        version = int(event(stream).split()[1])
        wait_for_moves(people, 1, wait_for)
        assert int(event(stream).split()[1]) > version
        # The database notices that the transaction which held this table has nobody left.
        wait_for(lambda: not holds(site), "the lock to be given back", site)
        assert locked.move()["move_count"] == 1
    finally:
        is_over.set()
        for thread in threads:
            thread.join()
    assert balancer.faults == []
    each_move_is_kept_once(site, [*people, locked])
    assert site.rows(OUT_OF_STEP) == site.rows(TWICE) == []


def warm_up(balancer, person, cookie):
    """Have each process load what its first page needs, as long as that takes; from then on time is limited."""
    with ThreadPoolExecutor(16) as pool:
        for answer in [pool.submit(read, balancer, cookie) for _ in range(32)]:
            answer.result()
        for answer in [pool.submit(person.ask, "legal-moves/", 0) for _ in range(32)]:
            answer.result()
    balancer.most = MOST


def wait_for_moves(people, more, wait_for):
    """Wait until so many more moves are acknowledged at every table, or a fault."""
    faults, targets = people[0].balancer.faults, [len(person.acknowledged) + more for person in people]
    wait_for(
        lambda: faults or all(len(each.acknowledged) >= count for each, count in zip(people, targets, strict=True)),
        "moves at every table",
    )
    assert faults == []


def is_ready(box):
    """Whether its pages and its live events answer, and workers and beat were active."""
    answers = []
    for port, path in ((8000, "/readyz"), (8001, "/healthz")):
        connection = http.client.HTTPConnection(box.address, port, timeout=PATIENCE)
        try:
            connection.request("GET", path, headers={"Host": "localhost"})
            answers.append(connection.getresponse().status)
        except OSError:
            return False
        finally:
            connection.close()
    return answers == [200, 200]


def holds(site):
    """How many sessions are in a transaction and wait for what their machine asks next."""
    return site.number("SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction'")
