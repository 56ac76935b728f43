"""Space of deleted rows: SQLite’s file gives it back in small steps. PostgreSQL reuses its own by autovacuum.

SQLite can do so only if its file was made for it, before the first table: `migrate` sees to that (`prepare`). A file
from earlier is written once by `compact`, while the site is stopped.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from django.db import connection, connections
from django.db.models.signals import pre_migrate

STEP = 1000
"""Pages given back in one go, 4 MB: the write lock is held for about 30 ms."""
PAUSE = 0.1
"""Seconds between two steps, in which others write."""
_INCREMENTAL = 2


@dataclass(frozen=True)
class Size:
    """Bytes of the database, and how many of them are free for new rows; `None` if unknown."""

    total: int
    free: int | None = None


def connect() -> None:
    """Prepare new databases when they are migrated."""
    pre_migrate.connect(_prepare, dispatch_uid="web.database.free_space")


def _prepare(*, using: str, **_: Any) -> None:
    """Let the file of a database without tables give back space. Called for each app; the first does it."""
    new = connections[using]
    if new.vendor == "sqlite" and not new.introspection.table_names() and not gives_back():
        _rewrite(new)


def gives_back() -> bool:
    """Whether the database gives back space without further ado."""
    return connection.vendor != "sqlite" or _pragma("auto_vacuum") == _INCREMENTAL


def give_back() -> None:
    """Give all free space of the file back, in steps between which others write; nothing within a transaction."""
    if connection.vendor != "sqlite" or connection.in_atomic_block or not gives_back():
        return
    while before := _pragma("freelist_count"):
        # By a script, because an ordinary query would end after the first page.
        connection.connection.executescript(f"PRAGMA incremental_vacuum({STEP})")
        if _pragma("freelist_count") >= before:
            return
        time.sleep(PAUSE)


def compact() -> None:
    """Write SQLite’s file again without free space, so that it gives back space from now on. Nobody can write then."""
    if connection.vendor == "sqlite":
        _rewrite(connection)


def size() -> Size:
    """The size of the database, indexes included; quick."""
    if connection.vendor == "sqlite":
        page = _pragma("page_size")
        return Size(_pragma("page_count") * page, _pragma("freelist_count") * page)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return Size(cursor.fetchone()[0])


def table_sizes() -> dict[str, int]:
    """Bytes by table with its indexes; empty on SQLite, which would have to read its whole file."""
    if connection.vendor == "sqlite":
        return {}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, pg_total_relation_size(oid) FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
        )
        return dict(cursor.fetchall())


def _rewrite(database: Any) -> None:
    with database.cursor() as cursor:
        cursor.execute("PRAGMA auto_vacuum = INCREMENTAL")
        cursor.execute("VACUUM")


def _pragma(name: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {name}")
        return int(cursor.fetchone()[0])
