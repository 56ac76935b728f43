"""A league evening, undisturbed and then under attack: what others wait longer because of one hostile member.

    bin/bench hostile [--seconds 20] [--rate 50] [--tables 20] [--streams 80] [--json] [--small]

The site runs as `manage.py serve` has it. Four people each play at twenty tables, turns falling due at a fixed rate
whether or not the server keeps up; pages of these tables stand open; deadlines are looked for; and three other people
each practise against bots. The rate offered is at most half of what the machine carries in a closed loop, since all of
it shares the machine. First nobody disturbs them. Then, in processes of their own, a member with twenty tokens
creates and plays tables with the strongest bots, a guest practises and opens streams, an address sends slow bodies, asks
for emails and searches, and the owner of a club exports it and previews imports, each as fast as it is answered. Their
number of connections is fixed, and they speak to 127.0.0.1 alone, each kind from an address of its own.

The aim: turns of others, and rounds of their bots, take at most 1.5 times as long (p95). DATABASE_URL, CELERY_BROKER_URL
and CACHE_URL choose the services; a PostgreSQL server gets a database of its own, which is dropped at the end.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import secrets
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from collections import Counter
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from benchmarks import live, load, turn
from benchmarks.small import parsed

AIM = 1.5
TOKENS = 20
OTHERS = ("club", "club", "expert")
"""The bots of three people who practise during the evening."""
MOST_TABLES = 60
"""Tables that the hostile member tries to have at once."""
SOURCES = {"member": "127.0.0.61", "guest": "127.0.0.62", "address": "127.0.0.63", "owner": "127.0.0.64"}
"""The addresses of the attackers; everyone else has another."""
GENTLE = 10
"""Attackers leave the processor to the rest: elsewhere they would not share it at all."""


class Phase(NamedTuple):
    """Measurements of one phase: milliseconds of each turn and bot round, and the worst of the rest."""

    turns: list[float]
    failed: int
    rounds: list[float]
    news: float
    deadlines: float
    """The longest time, in seconds, since deadlines had been looked for."""
    megabytes: float
    processors: dict[str, float]
    """What each part of the site used of one processor."""


def p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[18] if len(times) > 1 else (times or [0.0])[0]


# The evening


class Evening:
    """The people, their tables and sessions, and what the attackers are given."""

    def __init__(self, options: argparse.Namespace) -> None:
        from accounts.budgets import PRACTICE_TABLES, TABLES, subject_of
        from accounts.models import BudgetLimit
        from accounts.scopes import SCOPES
        from accounts.services import tokens
        from clubs.services import club_lifecycle

        # Two phases and the probe, each with tables and people of its own.
        tables = range(2 * options.tables + 8)
        self.scripts = [turn.make_script([turn.make_person(seat) for seat in range(turn.SEATS)], n) for n in tables]
        for number, script in enumerate(self.scripts, 1):
            script.address = f"127.0.1.{number}"
        self.others = [turn.make_person(10 + number)[0] for number in range(len(OTHERS))]
        # They play faster than people do.
        limits = [(budget.name, str(subject_of(user))) for budget in (TABLES, PRACTICE_TABLES) for user in self.others]
        BudgetLimit.objects.bulk_create(BudgetLimit(budget=budget, subject=subject) for budget, subject in limits)
        member, session = turn.make_person(20)
        club = club_lifecycle.make_club(member, name="Harbour", slug="harbour", fields={})
        texts = [tokens.create(member, name=f"Token {n}", scopes=list(SCOPES))[1] for n in range(TOKENS)]
        self.spoils = {"tokens": texts, "session": session, "club": club.slug}


def phase(evening: Evening, port: int, scripts: list[turn.Script], pid: int, options: argparse.Namespace) -> Phase:
    """Play a part of the evening, and watch the site."""
    rounds: list[float] = []
    over = threading.Event()
    watched = Watch(pid, over)
    people = [
        threading.Thread(target=practise, args=(user, level, over, rounds))
        for user, level in zip(evening.others, OTHERS, strict=True)
    ]
    for thread in [*people, watched]:
        thread.start()
    sessions = sorted({act.session for act in scripts[0].acts})
    with load.Listening(port, options.streams, [scripts[0].slug], sessions) as listening:
        clients = len(scripts)
        sample = turn.open_loop(port, scripts, turn.Client.turn, clients, options.seconds, options.rate)
        version, changed = live.change(scripts[0].pk), time.perf_counter()
        news = listening.heard_after(scripts[0].slug, version, changed)
    over.set()
    for thread in [*people, watched]:
        thread.join()
    return Phase(
        sample.times, len(sample.failures), rounds, news, watched.deadlines, watched.megabytes, watched.processors
    )


def practise(user: Any, level: str, over: threading.Event, rounds: list[float]) -> None:
    """Play against three bots until the evening is over, and note how long a round of theirs takes."""
    from django.db import connections

    from engine.play.rules import Rules
    from gameplay.models import Table
    from gameplay.services import bots, play, tables
    from gameplay.snapshot import state_of
    from web.errors import Refused

    def is_own(table: Any) -> bool:
        table.refresh_from_db()
        return table.seat_to_act == 0 or table.status != Table.Status.PLAYING or table.is_between_deals

    try:
        table = tables.make_practice(user, Rules.preset("standard"), level=level)
        while not over.is_set():
            if not wait_until(lambda table=table: is_own(table), over):
                return
            if table.seat_to_act != 0:
                table = tables.make_practice(user, Rules.preset("standard"), level=level)
                continue
            with contextlib.suppress(Refused):
                for seen, move in enumerate(bots.think(state_of(table), "club"), table.move_count):
                    play.play(table.pk, user, [move], seen=seen)
            began = time.perf_counter()
            if wait_until(lambda table=table: is_own(table), over):
                rounds.append((time.perf_counter() - began) * 1000)
            over.wait(0.5)
    finally:
        connections.close_all()


def wait_until(is_done: Callable[[], bool], over: threading.Event) -> bool:
    while not is_done():
        if over.wait(0.02):
            return False
    return True


class Watch(threading.Thread):
    """Looks at the site every half second: memory of all its processes, and the age of the last look for deadlines."""

    def __init__(self, pid: int, over: threading.Event) -> None:
        super().__init__()
        self.pid, self.over = pid, over
        self.megabytes = self.deadlines = 0.0
        self.processors: dict[str, float] = {}

    def run(self) -> None:
        began, before = time.monotonic(), processor_times(self.pid)
        self._look()
        seconds = time.monotonic() - began
        self.processors = {
            part: (spent - before.get(part, 0.0)) / seconds for part, spent in processor_times(self.pid).items()
        }

    def _look(self) -> None:
        from django.db import connections
        from django.utils import timezone

        from gameplay.models import Heartbeat

        while not self.over.wait(0.5):
            pids = [self.pid, *load.children(self.pid)]
            self.megabytes = max(self.megabytes, sum(live.memory(pid)[0] for pid in pids if is_there(pid)) / 1024)
            for beat in Heartbeat.objects.filter(name="deadlines"):
                self.deadlines = max(self.deadlines, (timezone.now() - beat.at).total_seconds())
        connections.close_all()


def processor_times(pid: int) -> dict[str, float]:
    """Seconds of processor time of the parts of the site that run now, by name."""
    spent: Counter[str] = Counter()
    for child in load.children(pid):
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{child}/cmdline").read_text()
            queue = re.search(r"--queues=(\w+)", words)
            fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            part = queue[1] if queue else "pages" if "web.server\0" in words else "rest"
            spent[part] += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return dict(spent)


def is_there(pid: int) -> bool:
    return Path(f"/proc/{pid}/status").exists()


# Serving


@contextlib.contextmanager
def served() -> Iterator[tuple[int, int]]:
    """The site by its one command; its process and its port."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    environment = {**os.environ, "PORT": str(port), "DEMO": "no", "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        for line in process.stdout or ():
            if "Foothold is at" in line:
                break
        wait_for_workers()
        yield process.pid, port
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def wait_for_workers() -> None:
    from gameplay.models import Heartbeat
    from gameplay.monitoring import heartbeats

    end = time.monotonic() + 120
    while heartbeats.lanes_without_worker() or not Heartbeat.objects.exists():
        if time.monotonic() > end:
            raise SystemExit("The workers did not start.")
        time.sleep(0.2)


# The attack


@contextlib.contextmanager
def attacked(port: int, spoils: dict[str, Any]) -> Iterator[Counter[str]]:
    """Attackers at work; the number of their answers by kind and code, filled in at the end."""
    answers: Counter[str] = Counter()
    processes = [
        subprocess.Popen(
            [sys.executable, __file__, "--attack", kind, str(port), json.dumps(spoils)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        for kind in ATTACKS
    ]
    try:
        time.sleep(2)
        yield answers
    finally:
        for process in processes:
            process.send_signal(signal.SIGTERM)
        for process in processes:
            output, _ = process.communicate(timeout=60)
            answers.update(json.loads(output or "{}"))


class Attacker:
    """Connections to the site, each in a thread, and a count of the answers."""

    def __init__(self, port: int, source: str, spoils: dict[str, Any]) -> None:
        self.port, self.source, self.spoils = port, (source, 0), spoils
        self.answers: Counter[str] = Counter()

    def ask(self, kind: str, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes, str]:
        """A request and its answer: code, body and where it leads. 0 if the connection is shut."""
        if isinstance(body, dict) and "Authorization" in headers:
            body, headers["Content-Type"] = json.dumps(body), "application/json"
        elif isinstance(body, dict):
            body, headers["Content-Type"] = urllib.parse.urlencode(body), "application/x-www-form-urlencoded"
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20, source_address=self.source)
        try:
            connection.request(method, path, body, {"Host": "localhost", "X-CSRFToken": turn.TOKEN, **headers})
            response = connection.getresponse()
            answer = response.status, response.read(), response.getheader("Location", "")
        except (OSError, HTTPException):
            answer = 0, b"", ""
        finally:
            connection.close()
        self.answers[f"{kind} {answer[0] or 'shut'}"] += 1
        return answer

    def cookies(self, session: str = "") -> dict[str, str]:
        return {"Cookie": f"csrftoken={turn.TOKEN}; sessionid={session}", "Accept": "text/html"}

    # A member with twenty tokens

    def member(self) -> None:
        """Create tables with the strongest bots, and play on at them."""
        token = {"Authorization": f"Bearer {secrets.choice(self.spoils['tokens'])}"}
        slugs: list[str] = []
        while True:
            if len(slugs) < MOST_TABLES // 6 and (slug := self._table(token)):
                slugs.append(slug)
            for slug in slugs:
                self._play(token, slug)
            self.ask("API", "GET", "/api/v1/tables/?limit=50", **token)
            self.ask("API", "GET", "/api/v1/clubs/?search=a", **token)

    def _table(self, token: dict[str, str]) -> str:
        terms = {"name": "Bots", "is_practice": True, "clock": "none", "seat_count": 6, "team_size": 1}
        status, body, _ = self.ask("table", "POST", "/api/v1/tables/", terms, **token)
        if status != 201:
            return ""
        slug = str(json.loads(body)["slug"])
        for seat in range(1, 6):
            self.ask("bot", "POST", f"/api/v1/tables/{slug}/bot/", {"seat": seat, "level": "expert"}, **token)
        self.ask("start", "POST", f"/api/v1/tables/{slug}/start/", {}, **token)
        return slug

    def _play(self, token: dict[str, str], slug: str) -> None:
        for _ in range(8):
            status, body, _ = self.ask("look", "GET", f"/api/v1/tables/{slug}/legal-moves/", **token)
            choices = json.loads(body) if status == 200 else {}
            if not choices.get("moves"):
                return
            move = {"moves": [choices["moves"][-1]], "seen": choices["move_count"]}
            if self.ask("move", "POST", f"/api/v1/tables/{slug}/moves/", move, **token)[0] != 200:
                return

    # A guest

    def guest(self) -> None:
        """Practise against the strongest bots, again and again, and leave streams open."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20, source_address=self.source)
        form = urllib.parse.urlencode({"level": "expert", "ruleset": "standard"})
        head = {"Host": "localhost", "X-CSRFToken": turn.TOKEN, "Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", "/practice/", form, {**head, **self.cookies()})
        response = connection.getresponse()
        response.read()
        session = re.search(r"sessionid=(\w+)", response.getheader("Set-Cookie", ""))
        slug = re.search(r"/tables/(\w+)/", response.getheader("Location", ""))
        cookies = self.cookies(session[1] if session else "")
        streams = [self._stream(slug[1], cookies) for _ in range(100)] if slug else []
        while True:
            self.ask("practice", "POST", "/practice/", {"level": "expert", "ruleset": "standard"}, **cookies)
            streams = [stream for stream in streams if stream is not None]

    def _stream(self, slug: str, cookies: dict[str, str]) -> socket.socket | None:
        try:
            stream = socket.create_connection(("127.0.0.1", self.port), timeout=20, source_address=self.source)
            head = f"GET /live/?tables={slug} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookies['Cookie']}\r\n\r\n"
            stream.sendall(head.encode())
            self.answers[f"stream {stream.recv(12)[9:].decode() or 'shut'}"] += 1
        except OSError:
            self.answers["stream shut"] += 1
            return None
        return stream

    # An address

    def address(self) -> None:
        """Ask for emails and search, as fast as it is answered."""
        while True:
            reset = {"email": f"{secrets.token_hex(4)}@example.org"}
            self.ask("email", "POST", "/accounts/password/reset/", reset, **self.cookies())
            for path in ("/tables/", "/clubs/?q=a", "/events/?q=a", "/help/"):
                self.ask("search", "GET", path, **self.cookies())

    def bodies(self) -> None:
        """Promise bodies and send them a few bytes at a time, with many connections at once."""
        head = (
            "POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4000000\r\n\r\n"
        )
        open_ones: list[socket.socket] = []
        while True:
            if len(open_ones) < 100:
                with contextlib.suppress(OSError):
                    sender = socket.create_connection(("127.0.0.1", self.port), timeout=5, source_address=self.source)
                    sender.sendall(head.format("/api/v1/tables/").encode() + b"[" * 200_000)
                    open_ones.append(sender)
                    self.answers["slow body sent"] += 1
            for sender in list(open_ones):
                try:
                    sender.settimeout(0.01)
                    sender.sendall(b"[")
                except OSError:
                    open_ones.remove(sender)
                    self.answers["slow body ended"] += 1
            time.sleep(0.05)

    # The owner of a club

    def owner(self) -> None:
        """Export a club and preview imports, as fast as they are answered."""
        cookies, club = self.cookies(self.spoils["session"]), self.spoils["club"]
        table = "name,email\n" + "\n".join(f"Person {n},person{n}@example.org" for n in range(500))
        while True:
            self.ask("export", "GET", f"/clubs/{club}/data/club.zip", **cookies)
            self.ask("preview", "POST", f"/clubs/{club}/people/import/", {"table": table}, **cookies)


ATTACKS = {
    "member": [Attacker.member] * 6,
    "guest": [Attacker.guest] * 2,
    "address": [Attacker.address, Attacker.address, Attacker.bodies],
    "owner": [Attacker.owner] * 2,
}
"""Each a process, with a thread and a connection for each of these."""


def attack(kind: str, port: str, spoils: str) -> None:
    """Attack until SIGTERM, then print the answers."""
    os.nice(GENTLE)
    attacker, ended = Attacker(int(port), SOURCES[kind], json.loads(spoils)), threading.Event()
    signal.signal(signal.SIGTERM, lambda *args: ended.set())
    for act in ATTACKS[kind]:
        threading.Thread(target=act, args=(attacker,), daemon=True).start()
    ended.wait(600)
    print(json.dumps(dict(attacker.answers)), flush=True)
    os._exit(0)


# Reporting


def report(calm: Phase, busy: Phase, answers: Counter[str], offered: float, carried: float) -> dict[str, float]:
    print(f"{offered:.0f} turns a second offered; undisturbed, this machine carries {carried:.0f} in a closed loop")
    ratios = {}
    for name, before, after in (("turn", calm.turns, busy.turns), ("round of others’ bots", calm.rounds, busy.rounds)):
        ratios[name] = p95(after) / max(p95(before), 0.001)
        print(
            f"{name:24} p95 {p95(before):7.1f} ms undisturbed ({len(before)})   {p95(after):7.1f} ms under attack"
            f" ({len(after)})   {ratios[name]:5.2f} times   p50 {statistics.median(before or [0]):.1f}"
            f" and {statistics.median(after or [0]):.1f} ms"
        )
    print(f"turns that failed        {calm.failed} and {busy.failed}")
    print(f"live news, p95           {calm.news:.0f} ms and {busy.news:.0f} ms")
    print(f"deadlines looked for     at most {calm.deadlines:.0f} s and {busy.deadlines:.0f} s ago")
    print(f"memory of the site       {calm.megabytes:.0f} MB and {busy.megabytes:.0f} MB at most")
    for part in calm.processors:
        print(f"processor of {part:11} {calm.processors[part]:.0%} and {busy.processors.get(part, 0.0):.0%}")
    print("answers to the attackers", ", ".join(f"{name}: {count}" for name, count in sorted(answers.items())))
    return ratios


def main() -> int:
    if sys.argv[1:2] == ["--attack"]:
        attack(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20, help="of each phase")
    parser.add_argument("--rate", type=float, default=50, help="turns offered a second, at most")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--streams", type=int, default=80)
    parser.add_argument("--json", action="store_true")
    options = parsed(parser, seconds=3, rate=5, tables=4, streams=5)
    url = os.environ.get("DATABASE_URL", "")
    with tempfile.TemporaryDirectory() as folder:
        name = ""
        if url:
            name = f"foothold_hostile_{secrets.token_hex(4)}"
            load.admin(url, f"CREATE DATABASE {name}")
            os.environ["DATABASE_URL"] = urlsplit(url)._replace(path=f"/{name}").geturl()
        os.environ |= {"DATA_DIR": folder, "LOG_LEVEL": "CRITICAL"}
        try:
            ratios = run(options)
        finally:
            from django.db import connections

            connections.close_all()
            if name:
                load.admin(url, f"DROP DATABASE {name} WITH (FORCE)")
    good = all(ratio <= AIM for ratio in ratios.values())
    if not options.small:
        print("within the aim" if good else f"NOT within {AIM} times")
    return 0 if good or options.small else 1


def run(options: argparse.Namespace) -> dict[str, float]:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    evening = Evening(options)
    with served() as (pid, port):
        probe, rest = evening.scripts[:8], evening.scripts[8:]
        carried = turn.closed_loop(port, probe, turn.Client.turn, 4, min(3, options.seconds)).rate
        options.rate = min(options.rate, carried / 2)
        calm = phase(evening, port, rest[: options.tables], pid, options)
        with attacked(port, evening.spoils) as answers:
            busy = phase(evening, port, rest[options.tables :], pid, options)
    ratios = report(calm, busy, answers, options.rate, carried)
    if options.json:
        print(json.dumps({"ratios": ratios, "carried": carried, "answers": answers}))
    return ratios


if __name__ == "__main__":
    raise SystemExit(main())
