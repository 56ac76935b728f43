"""Live events: a table, or anything else with a version, has news; never its content.

The statement that changes a table includes `call`; other changes are announced with `call_out`. Each process has one
`Hub` that hears them and informs a `Reader` for each stream it serves. On PostgreSQL the hub is one connection that
listens; elsewhere one thread that looks at the versions asked for. Either only while anyone reads.
"""

import asyncio
import contextvars
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import psycopg
from django.db import connection, connections
from django.db.models import Model
from psycopg import sql

from gameplay.models import Table

log = logging.getLogger(__name__)

CHANNEL = "foothold_live"
APPLICATION = "foothold live"
"""Name of the listening connection in PostgreSQL's list of connections."""
POLL_EVERY = 0.3
"""Seconds between two looks at the versions, if the database cannot announce them."""
LOOK_AGAIN = 30.0
"""Seconds after which the versions are read again although nothing was heard; finds a dead connection, too."""
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds between two attempts to reach the database."""


@dataclass(frozen=True)
class Topic:
    """A kind of row to follow: its name in a stream, and the model, which has a `version`."""

    name: str
    model: type[Model]


TABLES = Topic("table", Table)


def call() -> str:
    """SQL for the statement that raises a table's version to return, so that every process hears of it at the commit.

    On PostgreSQL it is NOTIFY (`table:<id>:<version>`), without a statement of its own; elsewhere the processes look
    at `Table.version`.
    """
    if connection.vendor != "postgresql":
        return ""
    return f"pg_notify('{CHANNEL}', '{TABLES.name}:' || id || ':' || version)"


def call_out(topic: Topic, row_id: int, version: int) -> None:
    """Announce to every process at the commit that a row is at this version: a statement of its own on PostgreSQL."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{topic.name}:{row_id}:{version}"])


def versions_of(row_ids: Iterable[int], topic: Topic = TABLES) -> dict[int, int]:
    """The versions of these rows as they are now, by id."""
    ids, rows = list(row_ids), topic.model._default_manager
    versions: dict[int, int] = {}
    for start in range(0, len(ids), 500):  # SQLite takes only so many parameters
        versions |= dict(rows.filter(pk__in=ids[start : start + 500]).values_list("pk", "version"))
    return versions


class Reader:
    """A stream: the rows of a topic it follows, and the newest unsent version of each."""

    def __init__(self, slugs: Mapping[int, str], topic: Topic = TABLES) -> None:
        self.slugs, self.topic = dict(slugs), topic
        self._told: dict[int, int] = {}
        self._news: dict[int, int] = {}
        self._has_news = asyncio.Event()
        self.is_over = False

    def end(self) -> None:
        """End the stream at once."""
        self.is_over = True
        self._has_news.set()

    def tell(self, row_id: int, version: int) -> None:
        """Note that a row is at this version. Only the newest version is kept, and none twice."""
        newest = self._news.get(row_id, self._told.get(row_id, -1))
        if version > newest:
            self._news[row_id] = version
            self._has_news.set()

    async def news(self, within: float) -> list[tuple[str, int]]:
        """Slug and version of each row with something new; empty when nothing came within so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                await self._has_news.wait()
        news, self._news = self._news, {}
        self._has_news.clear()
        self._told |= news
        return [(self.slugs[row_id], version) for row_id, version in news.items()]


class Hub:
    """The readers of one event loop; hears from the database while there are any."""

    def __init__(self) -> None:
        self.readers: dict[str, dict[int, set[Reader]]] = {}
        """Readers by the name of a topic, then by row."""
        self.topics: dict[str, Topic] = {}
        self.task: asyncio.Task[None] | None = None
        self._pause = FIRST_PAUSE

    def join(self, reader: Reader) -> None:
        """Add a reader."""
        self.topics[reader.topic.name] = reader.topic
        by_row = self.readers.setdefault(reader.topic.name, {})
        for row_id in reader.slugs:
            by_row.setdefault(row_id, set()).add(reader)
        if self.task is None:
            # In a context of its own, or the first request's would live as long as the hub.
            self.task = asyncio.create_task(self._run(), context=contextvars.Context())

    def leave(self, reader: Reader) -> None:
        """Remove a reader; without readers the listening ends."""
        by_row = self.readers.get(reader.topic.name, {})
        for row_id in reader.slugs:
            readers = by_row.get(row_id, set())
            readers.discard(reader)
            if not readers:
                by_row.pop(row_id, None)
        if not by_row:
            self.readers.pop(reader.topic.name, None)
        if not self.readers and self.task is not None:
            self.task.cancel()
            self.task = None

    def watched_rows(self) -> list[tuple[Topic, list[int]]]:
        """The rows that are followed now."""
        return [(self.topics[name], list(by_row)) for name, by_row in self.readers.items()]

    def tell(self, name: str, versions: Mapping[int, int]) -> None:
        """Pass on what versions rows of a topic are at."""
        by_row = self.readers.get(name, {})
        for row_id, version in versions.items():
            for reader in by_row.get(row_id, ()):
                reader.tell(row_id, version)

    def works(self) -> None:
        """Reset the pause after reaching the database: the next failure is retried soon."""
        self._pause = FIRST_PAUSE

    async def _run(self) -> None:
        source: Callable[[Hub], Awaitable[None]] = _listen if connection.vendor == "postgresql" else _poll
        while True:
            try:
                await source(self)
            except Exception as error:
                # After any error, current readers must hear again later.
                log.warning("Live events stand still for %s s: %s", self._pause, type(error).__name__)
            await asyncio.sleep(self._pause)
            self._pause = min(self._pause * 2, LONGEST_PAUSE)


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def hub() -> Hub:
    """The hub of the running event loop: one a process."""
    return _hubs.setdefault(asyncio.get_running_loop(), Hub())


async def _listen(hub: Hub) -> None:
    """Hear announcements of PostgreSQL. After each new connection, everyone hears the current versions."""
    async with await psycopg.AsyncConnection.connect(**_address()) as listening:
        await listening.execute(f"LISTEN {CHANNEL}")
        hub.works()
        while True:
            for topic, ids in hub.watched_rows():
                rows = await listening.execute(_VERSIONS.format(sql.Identifier(topic.model._meta.db_table)), [ids])
                hub.tell(topic.name, dict(await rows.fetchall()))
            async for notice in listening.notifies(timeout=LOOK_AGAIN):
                name, row_id, version = notice.payload.split(":")
                hub.tell(name, {int(row_id): int(version)})


_VERSIONS = sql.SQL("SELECT id, version FROM {} WHERE id = ANY(%s)")


def _address() -> dict[str, Any]:
    """Parameters of the database for a connection that is not Django's."""
    parameters: dict[str, Any] = connection.get_connection_params()
    ours = {name: value for name, value in parameters.items() if name not in ("cursor_factory", "context")}
    return {**ours, "application_name": APPLICATION, "autocommit": True, "connect_timeout": 5}


async def _poll(hub: Hub) -> None:
    """Look at the versions again and again, in one thread with one connection of its own."""
    loop = asyncio.get_running_loop()
    thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="live")
    try:
        while True:
            for topic, ids in hub.watched_rows():
                hub.tell(topic.name, await loop.run_in_executor(thread, versions_of, ids, topic))
            hub.works()
            await asyncio.sleep(POLL_EVERY)
    finally:
        thread.submit(connections.close_all)
        thread.shutdown(wait=False)
