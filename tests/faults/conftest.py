"""Servers and a disk of the tests' own: to stop, to start, to kill, to fill up."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.sites import PATIENCE, kill, wait_for

SETTINGS = "-c fsync=off -c shared_buffers=16MB -c max_connections=60 -c listen_addresses=127.0.0.1"


def binaries():
    """Folder of initdb and its like: the newest version installed, or None."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    return programs[-1].parent if programs else None


class Cluster:
    """A server with its data in a folder; run by the user `postgres` if the tests run as root."""

    def __init__(self, folder, port):
        self.folder, self.port = folder, port
        self.url = f"postgres://postgres@127.0.0.1:{port}/postgres"

    def run(self, program, *arguments):
        user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
        command = [binaries() / program, "-D", self.folder / "data", *arguments]
        output = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.STDOUT}
        subprocess.run(command, check=True, timeout=PATIENCE, cwd=self.folder, **output, **user)

    def control(self, *arguments):
        self.run(
            "pg_ctl", "-w", "-l", self.folder / "log", "-o", f"-p {self.port} -k {self.folder} {SETTINGS}", *arguments
        )

    def copy(self, url):
        """Fill the database with what another server's holds."""
        dump = subprocess.run([binaries() / "pg_dump", url], check=True, capture_output=True, timeout=PATIENCE)
        command = [binaries() / "psql", "-q", "-v", "ON_ERROR_STOP=1", "-o", os.devnull, self.url]
        subprocess.run(command, input=dump.stdout, check=True, timeout=PATIENCE)


@pytest.fixture
def cluster():
    """A server that runs; skips where none can be made."""
    if binaries() is None:
        pytest.skip("Needs PostgreSQL's own programs, in /usr/lib/postgresql, to start a server that may be stopped.")
    # Not below pytest's folder, which only its own user may enter.
    folder = Path(tempfile.mkdtemp(prefix="foothold-postgres-"))
    if os.geteuid() == 0:
        shutil.chown(folder, *pwd.getpwnam("postgres")[2:4])
    with socket.create_server(("127.0.0.1", 0)) as free:
        server = Cluster(folder, free.getsockname()[1])
    server.run("initdb", "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")
    server.control("start")
    yield server
    server.control("-m", "immediate", "stop")
    shutil.rmtree(folder)


class Redis:
    """A Redis of the test's own, which keeps nothing."""

    def __init__(self, folder, port):
        self.folder, self.port, self.process = folder, port, None
        self.url = f"redis://127.0.0.1:{port}/0"

    def start(self):
        command = ["redis-server", "--bind", "127.0.0.1", "--port", str(self.port), "--save", "", "--appendonly", "no"]
        output = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.STDOUT}
        self.process = subprocess.Popen([*command, "--dir", str(self.folder)], process_group=0, **output)
        wait_for(self.answers, "Redis")

    def answers(self):
        import redis

        with closing(redis.Redis(port=self.port)) as server, suppress(redis.RedisError):
            return server.ping()

    def stop(self):
        """End it without a word, with all that it held."""
        if self.process is not None:
            kill(self.process)
            self.process = None


@pytest.fixture
def own_redis(tmp_path):
    """A Redis that runs; skips where none is installed."""
    if shutil.which("redis-server") is None:
        pytest.skip("Needs redis-server, to start one that may be stopped.")
    with socket.create_server(("127.0.0.1", 0)) as free:
        server = Redis(tmp_path, free.getsockname()[1])
    server.start()
    yield server
    server.stop()


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
