"""A PostgreSQL and a Redis of one's own: to stop, to start, to kill, and to reach at an address of one's own."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from tests.sites import PATIENCE, kill, wait_for

SETTINGS = "-c fsync=off -c shared_buffers=16MB -c max_connections=120"
QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.STDOUT}


def binaries():
    """Folder of initdb and its like: the newest version installed, or None."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    return programs[-1].parent if programs else None


def free_port(host):
    with socket.create_server((host, 0)) as free:
        return free.getsockname()[1]


class Cluster:
    """A server with its data in a folder; run by the user `postgres` if the tests run as root."""

    def __init__(self, folder, host):
        self.folder, self.host, self.port = folder, host, free_port(host)
        self.url = f"postgres://postgres@{host}:{self.port}/postgres"

    def run(self, program, *arguments):
        user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
        command = [binaries() / program, "-D", self.folder / "data", *arguments]
        subprocess.run(command, check=True, timeout=PATIENCE, cwd=self.folder, **QUIET, **user)

    def make(self):
        self.run("initdb", "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")
        with (self.folder / "data/pg_hba.conf").open("a") as file:
            file.write("host all all samenet trust\n")

    def control(self, *arguments):
        settings = f"-p {self.port} -k {self.folder} -c listen_addresses={self.host} {SETTINGS}"
        self.run("pg_ctl", "-w", "-l", self.folder / "log", "-o", settings, *arguments)

    def copy(self, url):
        """Fill the database with what another server's holds."""
        dump = subprocess.run([binaries() / "pg_dump", url], check=True, capture_output=True, timeout=PATIENCE)
        command = [binaries() / "psql", "-q", "-v", "ON_ERROR_STOP=1", "-o", os.devnull, self.url]
        subprocess.run(command, input=dump.stdout, check=True, timeout=PATIENCE)


@contextmanager
def running_cluster(host="127.0.0.1"):
    """A server that runs, and is gone at the end with its data."""
    # Not below pytest's folder, which only its own user may enter.
    folder = Path(tempfile.mkdtemp(prefix="foothold-postgres-"))
    if os.geteuid() == 0:
        shutil.chown(folder, *pwd.getpwnam("postgres")[2:4])
    try:
        server = Cluster(folder, host)
        server.make()
        server.control("start")
        try:
            yield server
        finally:
            server.control("-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


class Redis:
    """A Redis of one's own, which keeps nothing."""

    def __init__(self, folder, host="127.0.0.1"):
        self.folder, self.host, self.port, self.process = folder, host, free_port(host), None
        self.url = f"redis://{host}:{self.port}/0"

    def start(self):
        command = ["redis-server", "--bind", self.host, "--port", str(self.port), "--save", "", "--appendonly", "no"]
        # Only who shares the machine, or the network that a test made, can reach it.
        command += ["--protected-mode", "no", "--dir", str(self.folder)]
        self.process = subprocess.Popen(command, process_group=0, **QUIET)
        wait_for(self.answers, "Redis")

    def answers(self):
        import redis

        with closing(redis.Redis(self.host, self.port)) as server, suppress(redis.RedisError):
            return server.ping()

    def stop(self):
        """End it without a word, with all that it held."""
        if self.process is not None:
            kill(self.process)
            self.process = None


@contextmanager
def running_redis(folder, host="127.0.0.1"):
    server = Redis(folder, host)
    server.start()
    try:
        yield server
    finally:
        server.stop()
