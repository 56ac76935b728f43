"""Many processes and threads write at once to a database that allows one writer at a time."""

import pytest

from tests.poster import FOUR, OUT_OF_STEP
from tests.sites import PATIENCE, postgres

PROCESSES, THREADS, MOVES = 4, 8, 6

WRITER = """
import sys, threading, time
from pathlib import Path
import django
django.setup()
from django.db import connections
from engine.bots import make_bot
from gameplay.models import Table
from gameplay.snapshot import view_of
from gameplay.services import play
folder, number, threads, moves = Path(sys.argv[1]), *map(int, sys.argv[2:])
failed = []

def play_on(table):
    users, bot = {seat.number: seat.user for seat in table.seats.select_related("user")}, make_bot("novice")
    try:
        for _ in range(moves):
            move = bot.choose(view_of(table, table.seat_to_act))
            play.play(table.pk, users[table.seat_to_act], [move], seen=table.move_count)
            table.refresh_from_db()
    except Exception as error:
        failed.append(f"{type(error).__name__}: {error}")
    finally:
        connections.close_all()

tables = Table.objects.order_by("pk")[number * threads : (number + 1) * threads]
players = [threading.Thread(target=play_on, args=[table]) for table in tables]
(folder / f"ready {number}").touch()
while not (folder / "go").exists():
    time.sleep(0.01)
for player in players:
    player.start()
for player in players:
    player.join()
sys.exit("; ".join(failed) or 0)
"""
"""Plays at its share of the tables, each in a thread of its own, once the file `go` is there."""


@pytest.mark.skipif(bool(postgres()), reason="About SQLite; PostgreSQL lets many write at once.")
def test_nobody_finds_the_database_locked(make_site, wait_for):
    """A writer that began as a reader would be turned away at once, however long it would wait for its turn. That is
    longer here than on a site: how soon 32 writers have theirs is a matter of the machine.
    """
    site = make_site("memory://")
    site.environment["DATABASE_URL"] = f"sqlite:///{site.folder / 'db.sqlite3'}?timeout={PATIENCE}"
    site.run(FOUR, PROCESSES * THREADS)
    arguments = [["-c", WRITER, str(site.folder), str(n), str(THREADS), str(MOVES)] for n in range(PROCESSES)]
    writers = [site.start(*each, DJANGO_SETTINGS_MODULE="config.settings") for each in arguments]
    wait_for(lambda: len(list(site.folder.glob("ready *"))) == PROCESSES, "every process to be ready", site)
    (site.folder / "go").touch()
    assert [writer.wait(PATIENCE) for writer in writers] == [0] * PROCESSES, site.output()
    assert site.number("SELECT count(*) FROM gameplay_move") == PROCESSES * THREADS * MOVES
    assert site.rows(OUT_OF_STEP) == []
