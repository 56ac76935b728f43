"""Space of deleted rows: SQLite’s file gives it back, from the first migration on or after `compact`."""

import os
import sqlite3
from contextlib import closing
from io import StringIO
from itertools import pairwise

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from web.database import free_space

pytestmark = pytest.mark.django_db(transaction=True)

on_sqlite = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL reuses space by itself")


@pytest.fixture
def filled(monkeypatch):
    """The database, after 5 MB were stored and deleted."""
    monkeypatch.setattr(free_space, "PAUSE", 0)
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE junk (text varchar(2000))")
        cursor.executemany("INSERT INTO junk VALUES (%s)", [("x" * 2000,)] * 2500)
        cursor.execute("DROP TABLE junk")
    return free_space.size()


def test_a_new_database_gives_back_space():
    assert free_space.gives_back()


@on_sqlite
def test_free_space_is_given_back_in_steps(filled, monkeypatch):
    steps, pause = [], lambda seconds: steps.append(free_space.size().free)
    assert filled.free > 4_000_000
    monkeypatch.setattr(free_space, "STEP", 500)
    monkeypatch.setattr(free_space.time, "sleep", pause)
    free_space.give_back()
    size = free_space.size()
    assert (size.free, steps[-1]) == (0, 0)
    assert size.total <= filled.total - filled.free
    assert {before - after for before, after in pairwise(steps[:-1])} == {500 * 4096}


@on_sqlite
def test_within_a_transaction_nothing_is_given_back_nor_committed(filled):
    with transaction.atomic():
        free_space.give_back()
        assert connection.in_atomic_block
    assert free_space.size().free == filled.free


@on_sqlite
def test_a_file_from_earlier_is_compacted_once(tmp_path, monkeypatch):
    path = tmp_path / "old.sqlite3"
    with closing(sqlite3.connect(path)) as old:
        old.execute("CREATE TABLE junk (text)")
        old.executemany("INSERT INTO junk VALUES (?)", [("x" * 2000,)] * 1000)
        old.commit()
        old.execute("DELETE FROM junk")
        old.commit()
    large, former, out = os.path.getsize(path), connection.settings_dict["NAME"], StringIO()
    connection.close()
    connection.settings_dict["NAME"] = str(path)
    try:
        assert not free_space.gives_back()
        free_space.give_back()
        assert free_space.size().total == large
        call_command("compact", stdout=out)
        assert free_space.gives_back()
        assert free_space.size().total < large / 10
    finally:
        connection.close()
        connection.settings_dict["NAME"] = former
    assert out.getvalue() == f"The database had {large:,} bytes and has 12,288 now.\n"


def test_on_postgresql_compacting_has_nothing_to_do(monkeypatch):
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has something to do")
    out = StringIO()
    call_command("compact", stdout=out)
    assert out.getvalue() == "Nothing to do. PostgreSQL reuses the space of deleted rows by itself.\n"
    assert free_space.size().free is None
    assert free_space.table_sizes()["accounts_user"] > 0
