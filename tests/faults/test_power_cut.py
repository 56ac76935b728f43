"""The power goes while moves are made on SQLite: what never reached the disk is lost, and no acknowledged move is."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.poster import FOUR, OUT_OF_STEP, Poster
from tests.sites import kill, postgres

pytestmark = [
    pytest.mark.skipif(postgres() is not None, reason="PostgreSQL syncs its log by itself; this is about SQLite."),
    pytest.mark.skipif(shutil.which("cc") is None, reason="Needs a C compiler, to see what a process syncs."),
]
MOVES = 12
NUMBERS = "SELECT number FROM gameplay_move ORDER BY number"


@pytest.fixture
def disk(make_site, tmp_path):
    """A site whose disk is known: what of its files would still be there if the power went."""
    library, copies = tmp_path / "synced_copy.so", tmp_path / "disk"
    source = Path(__file__).with_name("synced_copy.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    copies.mkdir()
    site = make_site("memory://")
    (table,) = site.run(FOUR, 1)
    # All of it is on the disk before the web server starts.
    shutil.copy(site.folder / "db.sqlite3", copies)
    site.environment |= {"LD_PRELOAD": str(library), "SYNCED_FROM": str(site.folder), "SYNCED_TO": str(copies)}
    site.table, site.copies = table, copies
    return site


def moves_after_power_cut(site):
    """Numbers of the moves that are there after so many were acknowledged, and then the power went."""
    poster = Poster(site.web(), **site.table)
    while len(poster.acknowledged) < MOVES:
        poster.move()
    for process in site.started:
        kill(process)
    for file in site.folder.glob("db.sqlite3*"):
        file.unlink()
    for file in site.copies.glob("db.sqlite3*"):
        if not file.name.endswith("-shm"):
            shutil.copy(file, site.folder)
    return [number for (number,) in site.rows(NUMBERS)]


def test_no_acknowledged_move_is_lost_when_the_power_goes(disk):
    assert moves_after_power_cut(disk) == list(range(1, MOVES + 1))
    assert disk.rows("PRAGMA integrity_check") == [("ok",)]
    assert disk.rows(OUT_OF_STEP) == []


def test_moves_would_be_lost_if_commits_did_not_wait_for_the_disk(disk):
    careless = "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;"
    disk.environment["DATABASE_URL"] = f"sqlite:///{disk.folder / 'db.sqlite3'}?init_command={careless}"
    assert len(moves_after_power_cut(disk)) < MOVES
