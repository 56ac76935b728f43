"""Cost of a turn through the whole stack, as a ratio to a bare view in the same run on the same server.

    bin/bench turn [--seconds 20] [--rounds 20] [--rate 50] [--clients 4] [--json] [--small]

Plays real deals of four people at many tables over HTTP: sign-in, CSRF, rules, log, snapshot, notices, and the page's
new parts as the browser would get them. Against it, on the same server, a bare Django view that locks a row,
inserts one and updates one. First each in a closed loop (the cost of one), by turns in short rounds, so that other
work of the machine hits both alike; then turns offered at a fixed rate whether or not the server keeps up (how long
people wait, measured from when each was due). DATABASE_URL chooses the database.
"""

import argparse
import contextlib
import json
import os
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from collections import deque
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from benchmarks.lifted import lift_budgets
from benchmarks.small import parsed

SEATS = 4
TOKEN = "0" * 32


class Act(NamedTuple):
    """A POST of a player: the session, the number of moves that the page had shown, and the new moves."""

    session: str
    seen: int
    moves: str


class Script:
    """A table and the acts of its first deal, in order: only one can be under way at a time."""

    def __init__(self, pk: int, slug: str, acts: list[Act]) -> None:
        self.pk, self.slug, self.acts = pk, slug, deque(acts)
        self.lock = threading.Lock()
        self.address = "127.0.0.1"
        """From which its players ask."""


class Sample(NamedTuple):
    """Milliseconds that each answered request took, what failed, and the seconds that all of it took."""

    times: list[float]
    failures: list[str]
    seconds: float
    sizes: list[int]

    @property
    def rate(self) -> float:
        return len(self.times) / self.seconds

    def percentile(self, share: int) -> float:
        return statistics.quantiles(self.times, n=100)[share - 1] if len(self.times) > 1 else 0.0


def together(samples: list[Sample]) -> Sample:
    """Several samples of the same as one."""
    return Sample(
        [time for sample in samples for time in sample.times],
        [failure for sample in samples for failure in sample.failures],
        sum(sample.seconds for sample in samples),
        [size for sample in samples for size in sample.sizes],
    )


class Results(NamedTuple):
    """Bare views and turns in the closed loops, turns as they were offered, and each round's cost of a turn."""

    bare: Sample
    turn: Sample
    offered: Sample
    ratios: list[float]


# Setting up


def set_up(tables: int) -> list[Script]:
    """Make people, sessions and tables that are begun, and work out one whole deal of each by a bot's advice."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    lift_budgets()
    people = [make_person(number) for number in range(SEATS * 4)]
    scripts = [make_script(people[SEATS * (n % 4) :][:SEATS], n) for n in range(tables)]
    with connection.cursor() as cursor:  # as a database does by itself where it has been running for a while
        cursor.execute("ANALYZE")
    return scripts


def make_person(number: int) -> tuple[Any, str]:
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from accounts.models import User

    user = User.objects.create_user(username=f"bench-{secrets.token_hex(4)}", display_name=f"Player {number}")
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return user, str(session.session_key)


def make_script(people: list[tuple[Any, str]], number: int) -> Script:
    from engine.play.rules import Rules
    from gameplay.services import seating, tables
    from gameplay.snapshot import state_of

    table = tables.make_table(people[0][0], Rules.preset("standard"), name=f"Table {number}", seat_count=4, team_size=2)
    for user, _ in people[1:]:
        seating.join(table.pk, user)
    table = tables.start(table.pk, people[0][0]).table
    return Script(table.pk, table.slug, list(acts_of(state_of(table), [session for _, session in people])))


def acts_of(state: Any, sessions: list[str]) -> Iterator[Act]:
    """A deal as a player's page sends it: the draw as one act, the rest of the turn as another, or as two with the foot."""
    from engine.bots import make_bot
    from engine.play.game import apply
    from engine.play.moves import write_move
    from engine.play.view import view

    bot, seen = make_bot("club", seed=1), 0
    while state.phase != "over":
        actor, phase, moves = state.actor, state.phase, []
        while state.phase == phase and state.actor == actor and state.phase != "over":
            move = bot.choose(view(state, actor))
            moves.append(write_move(move))
            step = apply(state, move)
            state = step.state
            if any(event.kind == "foot_picked_up" for event in step.events):
                break
        yield Act(sessions[actor], seen, "\n".join(moves))
        seen += len(moves)


# Serving


@contextlib.contextmanager
def server(environment: dict[str, str]) -> Iterator[int]:
    """The site under gunicorn, two processes of four threads; its port."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "gunicorn", "-k", "gthread", "-w", "2", "--threads", "4", "--keep-alive", "60"]
    process = subprocess.Popen(
        [*command, "-b", f"127.0.0.1:{port}", "--log-level", "error", "benchmarks.turn_site:application"],
        cwd=ROOT,
        env=environment,
    )
    try:
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait()


class Client:
    """A connection that is kept open."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        self.connection = HTTPConnection("127.0.0.1", port, timeout=30, source_address=(address, 0))

    def bare(self, script: Script) -> tuple[str, int]:
        self.connection.request("POST", f"/bare/{script.pk}/", b"")
        return self._answer()

    def turn(self, script: Script) -> tuple[str, int]:
        act = script.acts.popleft()
        body = urllib.parse.urlencode({"moves": act.moves, "seen": act.seen, "key": secrets.token_hex(16)})
        headers = {
            "Cookie": f"sessionid={act.session}; csrftoken={TOKEN}",
            "X-CSRFToken": TOKEN,
            "HX-Request": "true",
            "Accept-Encoding": "gzip",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        self.connection.request("POST", f"/tables/{script.slug}/move/", body, headers)
        return self._answer()

    def _answer(self) -> tuple[str, int]:
        response = self.connection.getresponse()
        size = len(response.read())
        return ("" if response.status == 200 else f"{response.status}"), size


Ask = Callable[[Client, Script], tuple[str, int]]


# Measuring


def closed_loop(port: int, scripts: list[Script], ask: Ask, clients: int, seconds: float) -> Sample:
    """Each client asks again as soon as it is answered, each at tables of its own."""
    times: list[float] = []
    sizes: list[int] = []
    failures: list[str] = []
    began = time.perf_counter()

    def run(share: list[Script]) -> None:
        client = Client(port)
        while time.perf_counter() - began < seconds:
            for script in share:
                if not script.acts:
                    continue
                start = time.perf_counter()
                failure, size = ask(client, script)
                times.append((time.perf_counter() - start) * 1000)
                sizes.append(size)
                if failure:
                    failures.append(failure)

    _all([threading.Thread(target=run, args=(scripts[n::clients],)) for n in range(clients)])
    return Sample(times, failures, time.perf_counter() - began, sizes)


def open_loop(port: int, scripts: list[Script], ask: Ask, clients: int, seconds: float, rate: float) -> Sample:
    """Requests fall due at a fixed rate; the time counts from when one was due."""
    times: list[float] = []
    sizes: list[int] = []
    failures: list[str] = []
    due = deque(n / rate for n in range(int(seconds * rate)))
    began = time.perf_counter()

    def run(share: list[Script]) -> None:
        if not share:  # a small run has fewer tables than clients
            return
        client, turn = Client(port, share[0].address), 0
        while True:
            try:
                moment = began + due.popleft()
            except IndexError:
                return
            wait = moment - time.perf_counter()
            if wait > 0:
                time.sleep(wait)
            share[turn % len(share)].acts or share.remove(share[turn % len(share)])
            failure, size = ask(client, share[turn % len(share)])
            turn += 1
            times.append((time.perf_counter() - moment) * 1000)
            sizes.append(size)
            if failure:
                failures.append(failure)

    _all([threading.Thread(target=run, args=(scripts[n::clients],)) for n in range(clients)])
    return Sample(times, failures, time.perf_counter() - began, sizes)


def _all(threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def report(name: str, sample: Sample) -> None:
    size = statistics.median(sample.sizes) if sample.sizes else 0
    print(
        f"{name:34} {sample.rate:8.1f}/s   p50 {sample.percentile(50):6.1f} ms   p95 {sample.percentile(95):6.1f} ms"
        f"   {size:6,.0f} bytes   {len(sample.failures)} failed {sorted(set(sample.failures))}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=20, help="of each of the two loops, and of the offer")
    parser.add_argument("--rounds", type=int, default=20, help="into which each loop is divided")
    parser.add_argument("--rate", type=float, default=50, help="turns offered a second")
    parser.add_argument("--clients", type=int, default=4, help="connections of the closed loops")
    parser.add_argument("--tables", type=int, default=96)
    parser.add_argument("--json", action="store_true")
    options = parsed(parser, seconds=1, rounds=2, rate=5, clients=2, tables=24)
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update({"DATA_DIR": folder, "LOG_LEVEL": "ERROR", "CELERY_BROKER_URL": "memory://"})
        scripts = set_up(options.tables)
        with server(dict(os.environ)) as port:
            results = measure(port, scripts, options)
    bare, turn, offered, ratios = results
    ratio = bare.rate / turn.rate
    spread = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else [ratio] * 3
    for name, sample in zip(("bare view", "turn", "turns offered"), results[:3], strict=True):
        report(name, sample)
    print(
        f"a turn costs {ratio:.2f} bare views (half of the rounds from {spread[0]:.2f} to {spread[2]:.2f});"
        f" {options.rate:g} turns a second offered: p95 {offered.percentile(95):.1f} ms"
    )
    if options.json:
        print(json.dumps({"ratio": ratio, "p95_offered": offered.percentile(95), "failed": len(offered.failures)}))


def measure(port: int, scripts: list[Script], options: argparse.Namespace) -> Results:
    """Warm up, then bare views and turns by turns in rounds, then turns at the rate offered."""
    half = len(scripts) // 2
    closed_loop(port, scripts[:8], Client.bare, 4, 1)
    closed_loop(port, scripts[:8], Client.turn, 4, 1)
    bare, turn, length = [], [], options.seconds / options.rounds
    for _ in range(options.rounds):
        bare.append(closed_loop(port, scripts, Client.bare, options.clients, length))
        turn.append(closed_loop(port, scripts[8:half], Client.turn, options.clients, length))
    offered = open_loop(port, scripts[half:], Client.turn, 16, options.seconds, options.rate)
    ratios = [base.rate / sample.rate for base, sample in zip(bare, turn, strict=True)]
    return Results(together(bare), together(turn), offered, ratios)


if __name__ == "__main__":
    main()
