"""A mixed day on a large site, over HTTP: costs of turns, pages and sweeps against a bare view, and their growth.

    bin/bench load [--tables 1000 10000] [--moves 225] [--seconds 30] [--rate 40] [--streams 200] [--json] [--small]

A few matches are played by bots and copied within the database until so many tables, with so many moves each, are
stored; a fifth of them are under way, with deadlines spread over two weeks. The site is served as docs/deploy.md has it:
gunicorn for pages, a process of its own for live connections. At each size, in the same run: turns and bare views by
turns in a closed loop; then a day in an open loop, in which turns, pages of tables, lists, replays and public league
tables fall due at a fixed rate whether or not the server keeps up, while live connections are open and hear of news;
then every sweep, with fifty deadlines passed and fifty reminders due. Runs on a fresh SQLite database in a temporary
folder; if DATABASE_URL names a PostgreSQL server, on a database of its own there, which is dropped at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import random
import re
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import clubs, live, turn
from benchmarks.lifted import lift_budgets
from benchmarks.small import parsed

TABLES_OF_ONE = 20
"""Tables that each of the copied players sits at, a fifth of them under way. Visitors of pages are some of them."""
ORIGINALS = 5
"""Matches that are played and then copied; one of them is left under way."""
FIRST_COPY = 1_000_000
"""The id of the first copied table."""
DUE = 50
"""Deadlines that have passed, and reminders that are due, when the sweeps are timed."""

DAY = {
    "turn": 30,
    "table page": 20,
    "new parts of a table": 20,
    "own tables": 8,
    "replay": 5,
    "lobby": 5,
    "league table": 10,
    "bare view": 2,
}
"""Requests of a day by kind, in hundredths."""


class Latency(NamedTuple):
    """Milliseconds: half, 95 and 99 of a hundred answers came within these; and how many answers failed."""

    p50: float
    p95: float
    p99: float
    requests: int
    failed: int


class Size(NamedTuple):
    """Measurements at one size of the site."""

    tables: int
    moves: int
    stored: float
    """Megabytes of the database, indexes included."""
    bare: float
    turns: float
    ratio: float
    day: dict[str, Latency]
    news: float
    megabytes: dict[str, float]
    sweeps: dict[str, float]


# The stored site


def prepare(folder: str) -> str:
    """Django, on an empty database of its own; the name of a PostgreSQL database that is to be dropped, or nothing."""
    url, name = os.environ.get("DATABASE_URL", ""), ""
    if url:
        name = f"foothold_load_{secrets.token_hex(4)}"
        admin(url, f"CREATE DATABASE {name}")
        os.environ["DATABASE_URL"] = urlsplit(url)._replace(path=f"/{name}").geturl()
    os.environ |= {"DATA_DIR": folder, "CELERY_BROKER_URL": "memory://", "LOG_LEVEL": "ERROR"}
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    lift_budgets()
    return name


def admin(url: str, statement: str) -> None:
    import psycopg

    with contextlib.closing(psycopg.connect(url, autocommit=True)) as connection:
        connection.execute(statement.encode())


def make_players(tables: int) -> tuple[int, list[str]]:
    """The first id of the players of so many tables, whose ids follow one another, and a session of each."""
    people = [turn.make_person(number) for number in range(max(turn.SEATS, tables * turn.SEATS // TABLES_OF_ONE))]
    first = min(user.pk for user, _ in people)
    return first, [session for _, session in people]


def play_originals(moves: int) -> list[int]:
    """The ids of matches that bots have played: all but the last are over after so many moves, the last is half there."""
    from engine.bots import make_bot
    from engine.play.rules import Rules
    from gameplay.models import Table
    from gameplay.services import pauses, play, seating, tables
    from gameplay.snapshot import view_of

    ids = []
    for number in range(ORIGINALS):
        people = [turn.make_person(seat)[0] for seat in range(turn.SEATS)]
        terms = {"watching": Table.Watching.ANYBODY}
        created = tables.make_table(
            people[0], Rules.preset("standard"), name=f"Evening {number}", seat_count=4, team_size=2, terms=terms
        )
        for user in people[1:]:
            seating.join(created.pk, user)
        tables.start(created.pk, people[0])
        is_last = number == ORIGINALS - 1
        table = Table.objects.get(pk=created.pk)
        while table.move_count < (moves // 2 if is_last else moves):
            if table.is_between_deals:
                for user in people:
                    play.ready_for_next_deal(table.pk, user, deal=table.deal_number)
            else:
                seat = table.seats.get(number=table.seat_to_act)
                move = make_bot("club", seed=table.move_count).choose(view_of(table, seat.number))
                play.play(table.pk, people[seat.number], [move], seen=table.move_count)
            table.refresh_from_db()
        if not is_last:
            pauses.offer_abandon(table.pk, people[0])
            for user in people[1:]:
                pauses.agree_abandon(table.pk, user)
        ids.append(table.pk)
    return ids


def copy_tables(originals: list[int], start: int, count: int, first_player: int) -> range:
    """Store that many copies of the originals, by turns, each with other, new players; the ids of the players."""
    from django.db import connection, transaction

    from gameplay.models import Deal, Happening, Move, Seat, Table

    top, table_columns = FIRST_COPY + start, {"id": "n.k", "slug": "'c' || n.k", "rematch_id": "NULL"}
    earlier, new = start * turn.SEATS // TABLES_OF_ONE, max(turn.SEATS, count * turn.SEATS // TABLES_OF_ONE)
    players = range(first_player + earlier, first_player + earlier + new)
    player = f"CASE WHEN t.user_id IS NULL THEN NULL ELSE {players[0]} + (n.k * 4 + t.number) %% {new} END"
    copied = [
        (Table, table_columns, "t.id"),
        (Seat, {"table_id": "n.k", "user_id": player}, "t.table_id"),
        *((model, {"table_id": "n.k"}, "t.table_id") for model in (Deal, Move, Happening)),
    ]
    with transaction.atomic(), connection.cursor() as cursor:
        for nth, original in enumerate(originals):
            for model, columns, of in copied:
                cursor.execute(copy_statement(model, columns, of), [top + nth, len(originals), top + count, original])
    spread_deadlines(top, count)
    settle()
    return players


def copy_statement(model: Any, replaced: dict[str, str], of: str) -> str:
    """The statement that copies rows once for each number n.k from a first one by steps to a last; `own` columns differ."""
    columns = [field.column for field in model._meta.concrete_fields if field.column != "id" or "id" in replaced]
    names = ", ".join(f'"{column}"' for column in columns)
    values = ", ".join(replaced.get(column, f't."{column}"') for column in columns)
    name = model._meta.db_table
    # Of names of our own only; PostgreSQL needs the type of the first number.
    return (
        f"INSERT INTO {name} ({names})"  # noqa: S608
        " WITH RECURSIVE n(k, step, stop) AS ("
        " SELECT CAST(%s AS bigint), CAST(%s AS bigint), CAST(%s AS bigint)"
        " UNION ALL SELECT k + step, step, stop FROM n WHERE k + step < stop)"
        f" SELECT {values} FROM {name} t CROSS JOIN n WHERE {of} = %s"
    )


def spread_deadlines(top: int, count: int) -> None:
    """Spread the deadlines of copies that are under way over the next two weeks, with a reminder before each."""
    from datetime import timedelta

    from django.utils import timezone

    from gameplay.models import Seat, Table

    now, dice = timezone.now(), random.Random(top)
    tables = list(Table.objects.running().filter(pk__gte=top, pk__lt=top + count))
    for table in tables:
        run_out(table, now + timedelta(hours=1, seconds=dice.randrange(14 * 86_400)))
    Table.objects.bulk_update(tables, CLOCK, batch_size=500)
    # A player looking at a table gets no reminder of it, and players of the originals looked just now.
    Seat.objects.filter(table__gte=top, table__lt=top + count).update(looked_at=now - timedelta(hours=1))


CLOCK = ["clock_started_at", "deadline_at", "remind_at"]


def run_out(table: Any, at: Any) -> None:
    """Move the deadline of the turn to a moment; a reminder is due when half of the time is gone."""
    length = table.deadline_at - table.clock_started_at
    table.clock_started_at, table.deadline_at, table.remind_at = at - length, at, at - length / 2


def settle() -> None:
    """Make the database finish its work on the new rows now, so that it does not do it during the measurement."""
    from django.db import connection

    statements = ["VACUUM ANALYZE", "CHECKPOINT"] if connection.vendor == "postgresql" else ["ANALYZE"]
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def stored() -> float:
    """Megabytes of the database."""
    from django.db import connection

    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_database_size(current_database())")
            return float(cursor.fetchone()[0]) / 2**20
    return Path(connection.settings_dict["NAME"]).stat().st_size / 2**20


# Serving


@contextlib.contextmanager
def live_server() -> Iterator[tuple[int, int]]:
    """A process for live connections; its id and port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        descriptor, port = listener.fileno(), listener.getsockname()[1]
        command = [sys.executable, "-m", "benchmarks.live_server", str(descriptor)]
        process = subprocess.Popen(command, cwd=ROOT, pass_fds=(descriptor,))
    try:
        yield process.pid, port
    finally:
        process.terminate()
        process.wait()


def megabytes(pid: int) -> float:
    """Megabytes of a process that it shares with no other."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return sum(int(kb) for kb in re.findall(r"Private_\w+:\s+(\d+) kB", text)) / 1024


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


class Visitor:
    """A connection that is kept open, and the pages that are asked for."""

    def __init__(self, port: int, seated: list[tuple[int, str]], league: str) -> None:
        self.client, self.connection = turn.Client(port), HTTPConnection("127.0.0.1", port, timeout=60)
        self.seated, self.league = seated, league
        self.dice = random.Random()

    def ask(self, kind: str, script: turn.Script) -> str:
        """Send a request of a kind; the fault of the answer, or empty."""
        if kind == "turn":
            return self.client.turn(script)[0]
        if kind == "bare view":
            return self.client.bare(script)[0]
        number, session = self.dice.choice(self.seated)
        path = {
            "table page": f"/tables/c{number}/",
            "new parts of a table": f"/tables/c{number}/parts/?seen=0",
            "own tables": "/play/",
            "replay": f"/tables/c{number}/replay/?step=40",
            "lobby": "/tables/",
            "league table": self.league,
        }[kind]
        headers = {"Accept-Encoding": "gzip"}
        if kind != "league table":
            headers["Cookie"] = f"sessionid={session}"
        self.connection.request("GET", path, headers=headers)
        response = self.connection.getresponse()
        response.read()
        return "" if response.status == 200 else f"{kind}: {response.status}"


# Measuring


def closed_loops(port: int, scripts: list[turn.Script], seconds: float) -> tuple[float, float, float]:
    """Bare views and turns a second, by turns in short rounds, and the median ratio of the rounds."""
    rates = defaultdict[str, list[float]](list)
    rounds = 10
    for _ in range(rounds):
        for name, ask in (("bare", turn.Client.bare), ("turn", turn.Client.turn)):
            sample = turn.closed_loop(port, scripts, ask, 4, seconds / rounds / 2)
            if sample.failures:
                raise SystemExit(f"{name}: {sample.failures[:3]}")
            rates[name].append(sample.rate)
    ratios = [bare / rate for bare, rate in zip(rates["bare"], rates["turn"], strict=True)]
    return statistics.mean(rates["bare"]), statistics.mean(rates["turn"]), statistics.median(ratios)


def day(make: Callable[[], Visitor], scripts: list[turn.Script], seconds: float, rate: float) -> dict[str, Latency]:
    """Requests of every kind fall due at a fixed rate; times count from when each was due."""
    dice, count = random.Random(1), int(seconds * rate)
    kinds = [*DAY, *dice.choices(list(DAY), list(DAY.values()), k=count)]
    due = deque((at / rate, kind) for at, kind in enumerate(kinds))
    times, failures = defaultdict[str, list[float]](list), defaultdict[str, list[str]](list)
    began, clients = time.perf_counter(), min(16, len(scripts))

    def run(share: list[turn.Script]) -> None:
        visitor, at = make(), 0
        while True:
            try:
                moment, kind = due.popleft()
            except IndexError:
                return
            time.sleep(max(0.0, began + moment - time.perf_counter()))
            script, at = share[at % len(share)], at + 1
            if kind == "turn" and not script.acts:
                continue
            if failure := visitor.ask(kind, script):
                failures[kind].append(failure)
            times[kind].append((time.perf_counter() - began - moment) * 1000)

    threads = [threading.Thread(target=run, args=(scripts[at::clients],)) for at in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {kind: latency(times[kind], len(failures[kind])) for kind in DAY if times[kind]}


def latency(times: list[float], failed: int) -> Latency:
    cuts = statistics.quantiles(times, n=100) if len(times) > 1 else times * 99
    return Latency(cuts[49], cuts[94], cuts[98], len(times), failed)


class Listening:
    """Live connections, kept open in a thread of their own during a day."""

    def __init__(self, port: int, streams: int, slugs: list[str], sessions: list[str]) -> None:
        self.streams = [live.Stream() for _ in range(streams)]
        self._ask = (port, f"/live/?tables={','.join(slugs)}")
        self._sessions = itertools.cycle(sessions)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Listening:
        self._thread.start()
        ask = asyncio.run_coroutine_threadsafe
        self._reading = [ask(stream.read(*self._ask, next(self._sessions)), self._loop) for stream in self.streams]
        deadline = time.monotonic() + 60
        while not all(stream.versions for stream in self.streams) and time.monotonic() < deadline:
            time.sleep(0.1)
        if silent := [stream for stream in self.streams if not stream.versions]:
            raise SystemExit(f"{len(silent)} of {len(self.streams)} live connections {live.failure_text(silent)}")
        return self

    def __exit__(self, *why: object) -> None:
        for reading in self._reading:
            reading.cancel()
        time.sleep(0.5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def heard_after(self, slug: str, version: int, changed: float) -> float:
        """Milliseconds until nineteen of twenty had heard of a version; waits for all."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and not all((slug, version) in stream.heard_at for stream in self.streams):
            time.sleep(0.02)
        delays = sorted(stream.heard_at.get((slug, version), changed + 30) - changed for stream in self.streams)
        return delays[int(len(delays) * 0.95)] * 1000


def sweeps() -> dict[str, float]:
    """Milliseconds of each sweep: with nothing due, and with fifty deadlines passed and fifty reminders due."""
    from datetime import timedelta

    from django.utils import timezone

    from accounts.models import Notice
    from accounts.services import notices
    from gameplay.models import Heartbeat, Table
    from gameplay.services import bot_queue, clocks
    from tournaments.services.matches import deadlines as events

    def timed(act: Callable[[], object]) -> float:
        start = time.perf_counter()
        act()
        return (time.perf_counter() - start) * 1000

    # As if they had run all the time: notifications left from the day before are settled.
    clocks.sweep()
    Notice.objects.filter(settled_at=None).update(settled_at=timezone.now())
    times = {"deadlines, nothing due": timed(clocks.sweep)}
    now = timezone.now()
    running = list(Table.objects.running().filter(pk__gte=FIRST_COPY).order_by("?")[: 2 * DUE])
    for nth, table in enumerate(running):
        is_over = nth < DUE
        half = (table.deadline_at - table.clock_started_at) / 2
        run_out(table, now - timedelta(seconds=5) + (timedelta() if is_over else half))
    Table.objects.bulk_update(running, CLOCK)
    Heartbeat.objects.update(at=now)
    times[f"deadlines, {DUE} passed and {DUE} reminders"] = timed(clocks.sweep)
    times["bots"] = timed(lambda: bot_queue.play_due(lambda: None))
    times["notices"] = timed(notices.send_due)
    times["notices, nothing due"] = timed(notices.send_due)
    times["events"] = timed(events.sweep)
    return times


def seated_sessions(sessions: dict[int, str]) -> list[tuple[int, str]]:
    """Tables by number, each with the session of a player who sits at it: a sample of all."""
    from gameplay.models import Seat

    seats = Seat.objects.filter(table__gte=FIRST_COPY, user__isnull=False).order_by("?")
    return [(table, sessions[user]) for table, user in seats.values_list("table_id", "user_id")[:20_000]]


def measure(
    tables: int, options: argparse.Namespace, sessions: dict[int, str], league: str, scripts: list[turn.Script]
) -> Size:
    """Serve the site as it is stored now, and measure everything; turns are played at the `scripts`."""
    from gameplay.models import Move, Table

    half = len(scripts) // 2
    watched = Table.objects.filter(pk__gte=FIRST_COPY).running().first()
    assert watched is not None  # noqa: S101  a fifth of them is
    seated = seated_sessions(sessions)
    with turn.server(dict(os.environ)) as port, live_server() as (live_pid, live_port):

        def visitor() -> Visitor:
            return Visitor(port, seated, league)

        turn.closed_loop(port, scripts[:8], turn.Client.bare, 4, 1)
        bare, turns, ratio = closed_loops(port, scripts[8:half], options.seconds)
        with Listening(live_port, options.streams, [watched.slug], [next(iter(sessions.values()))]) as listening:
            latencies = day(visitor, scripts[half:], options.seconds, options.rate)
            version, changed = live.change(watched.pk), time.perf_counter()
            news = listening.heard_after(watched.slug, version, changed)
            memory = {f"live, {options.streams} connections": megabytes(live_pid)}
        for at, pid in enumerate(page_processes(), 1):
            memory[f"pages, process {at}"] = megabytes(pid)
        return Size(tables, Move.objects.count(), stored(), bare, turns, ratio, latencies, news, memory, sweeps())


def people() -> list[tuple[Any, str]]:
    return [turn.make_person(number) for number in range(turn.SEATS)]


def page_processes() -> list[int]:
    """The processes that answer for pages: children of the gunicorn that we started."""
    parents = children(os.getpid())
    return [
        child for pid in parents for child in children(pid) if b"gunicorn" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]


def report(sizes: list[Size]) -> None:
    first, last = sizes[0], sizes[-1]
    for size in sizes:
        print(f"\n{size.tables:,} tables, {size.moves:,} moves, {size.stored:,.0f} MB stored")
        print(
            f"  closed loop: {size.bare:.0f} bare views or {size.turns:.0f} turns a second;"
            f" a turn costs {size.ratio:.2f} bare views"
        )
        floor = size.day["bare view"].p50
        for name, latency in size.day.items():
            print(
                f"  {name:22} p50 {latency.p50:7.1f}  p95 {latency.p95:7.1f}  p99 {latency.p99:7.1f} ms"
                f"   {latency.p50 / floor:5.1f} × bare   {latency.requests:5} asked, {latency.failed} failed"
            )
        print(f"  news on live connections: 95 % within {size.news:.0f} ms")
        for kind, figures in (("MB", size.megabytes), ("ms", size.sweeps)):
            for name, amount in figures.items():
                print(f"  {name:44} {amount:8.1f} {kind}")
    if first is not last:
        print(f"\nfrom {first.tables:,} to {last.tables:,} tables")
        print(f"  a turn in bare views: {last.ratio / first.ratio:.2f} times as much")
        for name, latency in last.day.items():
            print(f"  {name:22} p50 {latency.p50 / first.day[name].p50:5.2f} times as long")
        for name, amount in last.sweeps.items():
            print(f"  {name:44} {amount / first.sweeps[name]:5.2f} times as long")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tables", type=int, nargs="+", default=[1000, 10_000], help="sizes of the site, growing")
    parser.add_argument("--moves", type=int, default=225, help="of a match that is over; one under way has half")
    parser.add_argument("--seconds", type=float, default=30, help="of the closed loops, and of the day")
    parser.add_argument("--rate", type=float, default=40, help="requests of the day offered a second")
    parser.add_argument("--streams", type=int, default=200, help="live connections that stand open")
    parser.add_argument("--lines", type=int, default=96, help="fresh tables for turns, at each size")
    parser.add_argument("--json", action="store_true")
    options = parsed(parser, tables=[40, 60], moves=12, seconds=1, rate=10, streams=5, lines=24)
    url = os.environ.get("DATABASE_URL", "")
    with tempfile.TemporaryDirectory() as folder:
        name = prepare(folder)
        try:
            sizes = run(options)
        finally:
            if name:
                from django.db import connections

                connections.close_all()
                admin(url, f"DROP DATABASE {name} WITH (FORCE)")
    report(sizes)
    if options.json:
        print(json.dumps([size._asdict() for size in sizes]))


def run(options: argparse.Namespace) -> list[Size]:
    from accounts.models import User

    first, sessions = make_players(max(options.tables))
    league = clubs.make_season(User.objects.get(pk=first)).get_absolute_url()
    originals, sizes, stored = play_originals(options.moves), list[Size](), 0
    seated: dict[int, str] = {}
    # Made first, because the ids of the copies come after all others.
    scripts_by_size = [[turn.make_script(people(), number) for number in range(options.lines)] for _ in options.tables]
    for tables, scripts in zip(options.tables, scripts_by_size, strict=True):
        seated.update({pk: sessions[pk - first] for pk in copy_tables(originals, stored, tables - stored, first)})
        stored = tables
        sizes.append(measure(tables, options, seated, league, scripts))
    return sizes


if __name__ == "__main__":
    main()
