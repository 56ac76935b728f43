"""Counts by member in windows of time, the same for all processes: in Redis if that is the cache, else in a file.

A window is a name, such as that of a budget and a minute; it is forgotten some time after it was last added to. Limits
are looked at and counts added in one step, so that no two processes both take the last that is left. While the shared
place is away, each process counts for itself.
"""

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

T = TypeVar("T")
MOST_MEMBERS = 50_000
"""Members that are counted in a window; beyond it, the least counted are forgotten."""
PATIENCE = 5.0
"""Seconds for which a shared place that failed is not asked again."""


class AwayError(Exception):
    """The counts cannot be reached."""


@dataclass(frozen=True)
class Addition:
    """An amount for a member, which the limit must have room for; `None` counts it in any case."""

    member: str
    amount: int
    limit: int | None = None


@dataclass(frozen=True)
class Full:
    """The member whose limit has no room, and its counts in the windows that were looked at."""

    member: str
    counts: tuple[int, ...]


class Counts(Protocol):
    """A place for counts. Every method raises `AwayError` if it cannot be reached."""

    def add(
        self, additions: Sequence[Addition], *, looked_at: Mapping[str, float], into: Sequence[str], keep: int
    ) -> Full | None:
        """Add the amounts to all windows in `into`, or to none: then the first member without room is returned.

        A limit has room if the counts in the windows `looked_at`, each times its weight, and the amount are within it.
        Windows are kept for so many seconds. Counts never fall below zero.
        """
        ...

    def read(self, windows: Sequence[str], member: str) -> tuple[int, ...]:
        """The counts of a member in windows."""
        ...

    def top(self, window: str, most: int) -> dict[str, int]:
        """The members counted most in a window, the first of them first."""
        ...

    def clear(self) -> None:
        """Forget everything."""
        ...


class RedisCounts:
    """Counts as sorted sets in the Redis of a cache."""

    # KEYS: the windows looked at, then those added to. ARGV: the number of the former, seconds to keep, most members,
    # the weights, then member, amount and limit of each addition, where -1 is no limit.
    _ADD = """
    local looked, keep, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
    local first = 4 + looked
    for at = first, #ARGV, 3 do
        local limit, used, full = tonumber(ARGV[at + 2]), tonumber(ARGV[at + 1]), {ARGV[at]}
        if limit >= 0 then
            for i = 1, looked do
                local count = tonumber(redis.call('ZSCORE', KEYS[i], ARGV[at]) or 0)
                used = used + count * tonumber(ARGV[3 + i])
                full[i + 1] = string.format('%d', count)
            end
            if used > limit then return full end
        end
    end
    for i = looked + 1, #KEYS do
        for at = first, #ARGV, 3 do
            if tonumber(redis.call('ZINCRBY', KEYS[i], ARGV[at + 1], ARGV[at])) <= 0 then
                redis.call('ZREM', KEYS[i], ARGV[at])
            end
        end
        redis.call('ZREMRANGEBYRANK', KEYS[i], 0, -most - 1)
        redis.call('EXPIRE', KEYS[i], keep)
    end
    return {}
    """

    def __init__(self, cache: RedisCache) -> None:
        self._cache = cache
        self._prefix = f"{cache.key_prefix}:counts:"
        self._script: Any = None

    def add(
        self, additions: Sequence[Addition], *, looked_at: Mapping[str, float], into: Sequence[str], keep: int
    ) -> Full | None:
        """Add in one step of Redis."""
        keys = [self._prefix + window for window in (*looked_at, *into)]
        args: list[object] = [len(looked_at), keep, MOST_MEMBERS, *looked_at.values()]
        for each in additions:
            args += [each.member, each.amount, -1 if each.limit is None else each.limit]
        answer = self._ask(lambda client: self._adding(client)(keys, args, client))
        return Full(answer[0].decode(), tuple(map(int, answer[1:]))) if answer else None

    def read(self, windows: Sequence[str], member: str) -> tuple[int, ...]:
        """Read in one round trip."""

        def ask(client: Any) -> list[float | None]:
            with client.pipeline(transaction=False) as pipeline:
                for window in windows:
                    pipeline.zscore(self._prefix + window, member)
                return cast("list[float | None]", pipeline.execute())

        return tuple(int(count or 0) for count in self._ask(ask))

    def top(self, window: str, most: int) -> dict[str, int]:
        """Read the end of a sorted set."""
        rows = self._ask(lambda client: client.zrevrange(self._prefix + window, 0, most - 1, withscores=True))
        return {member.decode(): int(count) for member, count in rows}

    def clear(self) -> None:
        """Delete all windows under the prefix of the cache."""

        def ask(client: Any) -> None:
            for key in client.scan_iter(f"{self._prefix}*"):
                client.delete(key)

        self._ask(ask)

    def _adding(self, client: Any) -> Any:
        self._script = self._script or client.register_script(self._ADD)
        return self._script

    def _ask(self, ask: Callable[[Any], T]) -> T:
        try:
            return ask(self._cache._cache.get_client(None, write=True))
        except RedisError as error:
            raise AwayError(type(error).__name__) from error


class FileCounts:
    """Counts in an SQLite file, or in the memory of this process at `:memory:`.

    Nothing waits for the disk: after a power cut counts start again, from an empty file if need be.
    """

    TIDY = 500
    """Additions after which expired windows and surplus members are deleted."""

    def __init__(self, path: str | Path) -> None:
        self._path = str(path)
        self._lock, self._additions = threading.Lock(), 0
        self._connection: sqlite3.Connection | None = None
        # Two processes must not share a connection; the file is the same.
        os.register_at_fork(after_in_child=self._forget_connection)

    def add(
        self, additions: Sequence[Addition], *, looked_at: Mapping[str, float], into: Sequence[str], keep: int
    ) -> Full | None:
        """Add in one transaction."""

        def ask(connection: sqlite3.Connection) -> Full | None:
            connection.execute("BEGIN IMMEDIATE" if into else "BEGIN")
            for each in additions:
                if each.limit is not None:
                    counts = _read(connection, looked_at, each.member)
                    used = sum(count * weight for count, weight in zip(counts, looked_at.values(), strict=True))
                    if used + each.amount > each.limit:
                        return Full(each.member, counts)
            until = time.time() + keep
            rows = [(window, each.member, each.amount, until) for window in into for each in additions]
            connection.executemany(
                "INSERT INTO counts VALUES (?1, ?2, max(?3, 0), ?4) ON CONFLICT DO UPDATE"
                " SET amount = max(amount + ?3, 0), until = ?4",
                rows,
            )
            self._additions += len(rows)
            if self._additions >= self.TIDY:
                self._additions = 0
                _tidy(connection)
            return None

        return self._ask(ask)

    def read(self, windows: Sequence[str], member: str) -> tuple[int, ...]:
        """Read the counts of a member."""
        return self._ask(lambda connection: _read(connection, windows, member))

    def top(self, window: str, most: int) -> dict[str, int]:
        """Read the largest counts."""
        sql = (
            "SELECT member, amount FROM counts WHERE window = ? AND amount > 0 AND until > ?"
            " ORDER BY amount DESC, member LIMIT ?"
        )
        return self._ask(lambda connection: dict(connection.execute(sql, (window, time.time(), most)).fetchall()))

    def clear(self) -> None:
        """Delete every row."""
        self._ask(lambda connection: connection.execute("DELETE FROM counts"))

    def _ask(self, ask: Callable[[sqlite3.Connection], T]) -> T:
        with self._lock:
            try:
                if self._connection is None:
                    self._connection = _open(self._path)
                with self._connection:  # commits, or rolls back
                    return ask(self._connection)
            except (OSError, sqlite3.OperationalError) as error:
                # OSError: there is no folder for it, or a full disk.
                raise AwayError(str(error)) from error
            except sqlite3.DatabaseError as error:
                self._start_again()
                raise AwayError(str(error)) from error

    def _start_again(self) -> None:
        """Delete a broken file."""
        self._connection = None
        for suffix in ("", "-wal", "-shm"):
            with suppress(OSError):
                Path(self._path + suffix).unlink()

    def _forget_connection(self) -> None:
        self._lock, self._connection = threading.Lock(), None


def _open(path: str) -> sqlite3.Connection:
    if path != ":memory:":
        # It holds network addresses.
        Path(path).touch(mode=0o600)
    connection = sqlite3.connect(path, timeout=0.5, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS counts (window TEXT, member TEXT, amount INTEGER, until REAL,"
        " PRIMARY KEY (window, member)) WITHOUT ROWID"
    )
    return connection


def _read(connection: sqlite3.Connection, windows: Iterable[str], member: str) -> tuple[int, ...]:
    sql, now = "SELECT amount FROM counts WHERE window = ? AND member = ? AND until > ?", time.time()
    rows = (connection.execute(sql, (window, member, now)).fetchone() for window in windows)
    return tuple(row[0] if row else 0 for row in rows)


def _tidy(connection: sqlite3.Connection) -> None:
    """Delete expired windows, and of each larger than `MOST_MEMBERS` the members counted least."""
    connection.execute("DELETE FROM counts WHERE until <= ? OR amount = 0", (time.time(),))
    large = connection.execute(
        "SELECT window, count(*) - ?1 FROM counts GROUP BY window HAVING count(*) > ?1", (MOST_MEMBERS,)
    )
    for window, surplus in large.fetchall():
        connection.execute(
            "DELETE FROM counts WHERE window = ?1 AND member IN"
            " (SELECT member FROM counts WHERE window = ?1 ORDER BY amount LIMIT ?2)",
            (window, surplus),
        )


class CountsWithStandIn:
    """Shared counts, and those of this process to stand in while they are away."""

    def __init__(self, shared: Counts) -> None:
        self.shared, self.process = shared, FileCounts(":memory:")
        self._away_until = 0.0

    def ask(self, ask: Callable[[Counts], T]) -> T:
        """The answer of the shared counts, or else of those of this process."""
        if time.monotonic() >= self._away_until:
            try:
                return ask(self.shared)
            except AwayError as error:
                self._away_until = time.monotonic() + PATIENCE
                log.warning("The shared counts are away (%s), so this process counts for itself.", error)
        return ask(self.process)

    def clear(self) -> None:
        """Forget everything, also that the shared counts were away."""
        self._away_until = 0.0
        self.ask(lambda counts: counts.clear())
        self.process.clear()


def counts_of(cache: BaseCache, path: str | Path) -> CountsWithStandIn:
    """The counts of a site with this cache: in the cache if that is a Redis, else in the file."""
    return CountsWithStandIn(RedisCounts(cache) if isinstance(cache, RedisCache) else FileCounts(path))
