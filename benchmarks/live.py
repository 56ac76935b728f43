"""Cost of idle live connections in one process: memory, threads and database connections, and the delay of news.

    bin/bench live [--streams 500] [--tables 3] [--json] [--small]

Opens that many streams of a signed-in player to the embedded server, each for several tables, and
leaves them idle. Then one table changes ten times, and every stream must hear of each. DATABASE_URL chooses the
database, which is changed by this; on PostgreSQL its connections are counted.
"""

import argparse
import asyncio
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from benchmarks.lifted import lift_budgets
from benchmarks.small import parsed

MOST_KB = 100
EVENT = re.compile(rb"data: (\w+) (\d+)\n")


class Stream:
    """A client: how it was answered, the versions it heard of, by table, and when it heard of the newest one."""

    def __init__(self) -> None:
        self.status = ""
        self.versions: dict[str, int] = {}
        self.heard_at: dict[tuple[str, int], float] = {}

    async def read(self, port: int, path: str, cookie: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nCookie: sessionid={cookie}\r\n\r\n"
        writer.write(head.encode())
        try:
            self.status = (await reader.readline()).decode().strip()
            while data := await reader.read(65536):
                for slug, version in EVENT.findall(data):
                    self.versions[slug.decode()] = int(version)
                    self.heard_at[slug.decode(), int(version)] = time.perf_counter()
        finally:
            writer.close()


def set_up(count: int) -> tuple[list[int], list[str], str]:
    """Make a player with tables that nobody else may see: the tables' ids and slugs, and the player's session."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.test import Client

    from accounts.models import User
    from engine.play.rules import Rules
    from gameplay.models import Table
    from gameplay.services.tables import make_table

    call_command("migrate", verbosity=0)
    lift_budgets()
    user = User.objects.create_user(username=f"bench-{time.time_ns()}")
    terms = {"watching": Table.Watching.NOBODY, "joining": Table.Joining.INVITED}
    tables = [
        make_table(user, Rules.make("standard"), name="Bench", seat_count=4, team_size=2, terms=terms)
        for _ in range(count)
    ]
    client = Client()
    client.force_login(user)
    return [table.pk for table in tables], [table.slug for table in tables], client.cookies["sessionid"].value


def change(table_id: int) -> int:
    """Change something at the table; its version now."""
    from django.db import transaction

    from gameplay.services.sitting import save, sit_down

    with transaction.atomic():
        sitting = sit_down(table_id)
        save(sitting)
        return sitting.table.version


def database_connections() -> tuple[int, int] | None:
    """Connections of the server to this database, those of the pages' pool and those that listen.

    `None` where it is no PostgreSQL.
    """
    from django.db import connection

    from gameplay.live import APPLICATION

    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FILTER (WHERE application_name = 'bench'),"
            " count(*) FILTER (WHERE application_name = %s)"
            " FROM pg_stat_activity WHERE datname = current_database()",
            [APPLICATION],
        )
        pool, listening = cursor.fetchone()
        return pool, listening


def memory(process: int) -> tuple[int, int]:
    """Resident kilobytes and threads of a process."""
    status = Path(f"/proc/{process}/status").read_text()
    resident, threads = re.search(r"VmRSS:\s+(\d+)", status), re.search(r"Threads:\s+(\d+)", status)
    return (int(resident[1]), int(threads[1])) if resident and threads else (0, 0)


async def measure(process: int, port: int, streams: int, tables: tuple[list[int], list[str], str]) -> dict[str, Any]:
    ids, slugs, cookie = tables
    path = f"/live/?tables={','.join(slugs)}"
    first = Stream()
    tasks = [asyncio.create_task(first.read(port, path, cookie))]
    await until(lambda: len(first.versions) == len(slugs), [first])
    before = memory(process)
    listeners = [Stream() for _ in range(streams)]
    began = time.perf_counter()
    for start in range(0, streams, 20):  # browsers do not all come at once either
        batch = listeners[start : start + 20]
        tasks += [asyncio.create_task(stream.read(port, path, cookie)) for stream in batch]
        await until(lambda batch=batch: all(len(stream.versions) == len(slugs) for stream in batch), batch)
    opened = time.perf_counter() - began
    await asyncio.sleep(2)
    idle, connections = memory(process), await asyncio.to_thread(database_connections)
    delays = await news(ids[0], slugs[0], listeners)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(2)
    return {
        "streams": streams,
        "tables each": len(slugs),
        "opened per second": round(streams / opened),
        "KB per stream": round((idle[0] - before[0]) / streams, 1),
        "threads more": idle[1] - before[1],
        **({} if connections is None else {"connections in the pool": connections[0], "that listen": connections[1]}),
        "news p50 ms": round(statistics.median(delays) * 1000, 1),
        "news p95 ms": round(statistics.quantiles(delays, n=20)[18] * 1000, 1),
        "threads after": memory(process)[1],
    }


async def news(table_id: int, slug: str, streams: list[Stream]) -> list[float]:
    """Change the table ten times; the seconds until each stream has heard of each change."""
    delays: list[float] = []
    for _ in range(10):
        began = time.perf_counter()
        version = await asyncio.to_thread(change, table_id)
        await until(lambda version=version: all(stream.versions[slug] >= version for stream in streams), streams)
        delays += [stream.heard_at[slug, version] - began for stream in streams]
        await asyncio.sleep(0.1)
    return delays


async def until(is_done: Callable[[], bool], streams: Sequence[Stream], seconds: float = 60) -> None:
    """Wait for what these streams should hear; ends the run, saying how they were answered, where they do not."""
    end = time.monotonic() + seconds
    while not is_done():
        if time.monotonic() > end or any(stream.status and " 200 " not in stream.status for stream in streams):
            raise SystemExit(f"{len(streams)} live connections {failure_text(streams)}")
        await asyncio.sleep(0.01)


def failure_text(streams: Sequence[Stream]) -> str:
    """Reason why there is nothing to measure, as the end of a sentence."""
    answers = sorted({stream.status for stream in streams if stream.status and " 200 " not in stream.status})
    return f"were answered with {', '.join(answers)}." if answers else "did not hear what they should in time."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--streams", type=int, default=500)
    parser.add_argument("--tables", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parsed(parser, streams=20, tables=2)
    tables = set_up(options.tables)
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listening:
        port = listening.getsockname()[1]
        command = [sys.executable, "-m", "benchmarks.live_server", str(listening.fileno())]
        server = subprocess.Popen(
            command, cwd=ROOT, pass_fds=[listening.fileno()], env={**os.environ, "PGAPPNAME": "bench"}
        )
        try:
            stats = asyncio.run(measure(server.pid, port, options.streams, tables))
        finally:
            server.terminate()
            server.wait()
    print(json.dumps(stats) if options.json else "\n".join(f"{name:32}{value!s:>10}" for name, value in stats.items()))
    good = stats["KB per stream"] < MOST_KB and stats.get("that listen", 1) == 1
    if not options.json and not options.small:
        print("within the target" if good else f"NOT within {MOST_KB} KB a stream and one listening connection")
    return 0 if good or options.small else 1


if __name__ == "__main__":
    raise SystemExit(main())
