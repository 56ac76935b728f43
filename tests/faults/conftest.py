"""Servers and a disk of the tests’ own: to stop, to start, to kill, to fill up."""

import os
import shutil
import subprocess
from contextlib import suppress

import pytest

from tests.servers import binaries, running_cluster, running_redis


@pytest.fixture
def cluster():
    """A server that runs; skips where none can be made."""
    if binaries() is None:
        pytest.skip("Needs PostgreSQL's own programs, in /usr/lib/postgresql, to start a server that may be stopped.")
    with running_cluster() as server:
        yield server


@pytest.fixture
def own_redis(tmp_path):
    """A Redis that runs; skips where none is installed."""
    if shutil.which("redis-server") is None:
        pytest.skip("Needs redis-server, to start one that may be stopped.")
    with running_redis(tmp_path) as server:
        yield server


class Disk:
    """A small file system at a folder, which keeps the files that were there."""

    def __init__(self, folder, megabytes):
        before = folder.with_name(f"{folder.name}-before")
        shutil.copytree(folder, before, symlinks=True)
        self.folder, self.ballast = folder, folder / "ballast"
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder], check=True)
        shutil.copytree(before, folder, symlinks=True, dirs_exist_ok=True)

    def fill(self):
        """Leave no room for another byte."""
        with self.ballast.open("ab", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(4096))

    def make_room(self):
        self.ballast.unlink()


def can_mount(folder):
    """Whether this user may mount a file system."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    tried = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], capture_output=True, check=False)
    if tried.returncode == 0:
        subprocess.run(["umount", folder], check=True)
    return tried.returncode == 0


@pytest.fixture
def small_disk(tmp_path):
    """Puts a folder on a small disk of its own; skips where nobody may mount one."""
    if not can_mount(tmp_path):
        pytest.skip("Needs root and the right to mount, for a small disk that can be filled up.")
    disks = []

    def put(folder, megabytes=32):
        disks.append(Disk(folder, megabytes))
        return disks[-1]

    yield put
    for disk in disks:
        # Whatever still runs there is killed later.
        subprocess.run(["umount", "--lazy", disk.folder], check=True)
