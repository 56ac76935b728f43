"""A PostgreSQL server of the tests' own, to stop and start."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.sites import PATIENCE

SETTINGS = "-c fsync=off -c shared_buffers=16MB -c max_connections=60 -c listen_addresses=127.0.0.1"


def binaries():
    """Where initdb and its like are: the newest version installed, or None."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    return found[-1].parent if found else None


class Cluster:
    """One server with its data in a folder; run by the user `postgres` where the tests run as root."""

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
        made = Cluster(folder, free.getsockname()[1])
    made.run("initdb", "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")
    made.control("start")
    yield made
    made.control("-m", "immediate", "stop")
    shutil.rmtree(folder)
