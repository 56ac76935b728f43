"""A site for tests that start and kill real processes: a database, a queue, a folder, a port.

A plugin of `tests/conftest.py`. Django and drivers are imported late, because the engine’s tests run without.
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import uuid
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.databases import administer

ROOT = Path(__file__).parents[1]
PATIENCE = 300
"""Seconds after which a test gives up waiting; on a quiet machine all of it takes a few, on a busy one many."""


def postgres():
    """The PostgreSQL server of DATABASE_URL, or None."""
    url = os.environ.get("DATABASE_URL", "")
    return url if url.startswith("postgres") else None


@pytest.fixture(scope="session")
def collected(tmp_path_factory):
    """A data folder with the static files collected, to share."""
    from web.management.commands.serve import static_stamp

    folder = tmp_path_factory.mktemp("collected")
    manage("collectstatic", "--no-input", DATA_DIR=str(folder))
    (folder / "static.stamp").write_text(static_stamp())
    return folder


def manage(*arguments, **environment):
    command = [sys.executable, "manage.py", *arguments, "--verbosity=0"]
    subprocess.run(command, cwd=ROOT, env=os.environ | environment, check=True, timeout=PATIENCE)


class Site:
    """An installation. Its processes run in process groups of their own and are killed at the end."""

    def __init__(self, folder, template, broker):
        self.folder, self.started = folder, []
        self.environment = {
            # Servers find their settings alone, as where they are deployed.
            **{name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"},
            "DATA_DIR": str(folder),
            "CELERY_BROKER_URL": broker,
            "DEMO": "no",
            "PORT": "0",
            "PYTHONUNBUFFERED": "1",
        }
        self.database = None
        if postgres():
            self.database = f"foothold_{uuid.uuid4().hex}"
            administer(f"CREATE DATABASE {self.database} TEMPLATE {template}")
            self.environment["DATABASE_URL"] = urlsplit(postgres())._replace(path=f"/{self.database}").geturl()
        else:
            (folder / "db.sqlite3").write_bytes(template.read_bytes())

    def empty(self):
        """Take the database back to before the first migration."""
        if self.database:
            administer(f"DROP DATABASE {self.database} WITH (FORCE)")
            administer(f"CREATE DATABASE {self.database}")
        else:
            (self.folder / "db.sqlite3").unlink()

    def start(self, *arguments, pass_fds=(), **environment):
        """Start `python …` with its output in `output`."""
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.environment | environment,
            stdin=subprocess.DEVNULL,
            stdout=(self.folder / "output").open("ab"),
            stderr=subprocess.STDOUT,
            process_group=0,
            pass_fds=pass_fds,
        )
        self.started.append(process)
        return process

    def worker(self, *lanes):
        """Start a worker of all lanes, or of these."""
        from web.management.commands.serve import CELERY, WORKER

        return self.start("-m", *CELERY, *WORKER, *([f"--queues={','.join(lanes)}"] if lanes else []))

    def beat(self, name="beat"):
        from web.management.commands.serve import CELERY

        return self.start("-m", *CELERY, "beat", "--pidfile=", f"--schedule={self.folder / name}")

    def web(self):
        """Start the web server alone; its address."""
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.web_on(listener)
            return f"http://127.0.0.1:{listener.getsockname()[1]}"

    def web_on(self, listener):
        """Start a web server on a socket that may have others; its process."""
        descriptor = listener.fileno()
        return self.start("-m", "web.server", str(descriptor), pass_fds=(descriptor,))

    def run(self, code, *arguments, timeout=PATIENCE, **environment):
        """The JSON that a piece of Python prints within this site’s Django."""
        process = subprocess.run(
            [sys.executable, "-c", f"import json, sys, django\ndjango.setup()\n{code}", *map(str, arguments)],
            cwd=ROOT,
            env=self.environment | {"DJANGO_SETTINGS_MODULE": "config.settings"} | environment,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        assert process.returncode == 0, process.stderr
        return json.loads(process.stdout) if process.stdout else None

    def rows(self, query):
        """The rows of a query, read while everything runs."""
        if self.database:
            import psycopg

            with closing(psycopg.connect(self.environment["DATABASE_URL"])) as connection:
                return connection.execute(query).fetchall()
        import sqlite3

        with closing(sqlite3.connect(self.folder / "db.sqlite3", timeout=PATIENCE)) as connection:
            return connection.execute(query).fetchall()

    def number(self, query):
        return self.rows(query)[0][0]

    def output(self):
        return (self.folder / "output").read_text()

    def children_now(self):
        """The supervisor's processes: ids by `web.server`, `beat` and the lane of a worker, as in `clocks`."""
        return children(self.supervisor.pid)

    def child(self, name):
        return wait_for(lambda: self.children_now().get(name), name, self)

    def close(self):
        for process in self.started:
            kill(process)
        if self.database:
            administer(f"DROP DATABASE {self.database} WITH (FORCE)")


def children(pid):
    """Ids of the processes that this one started, by the words that tell them apart."""
    by_parent = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if int((entry / "stat").read_text().rpartition(")")[2].split()[1]) == pid:
                words = (entry / "cmdline").read_bytes().decode().split("\0")
                lanes = [word.removeprefix("--queues=") for word in words if word.startswith("--queues=")]
                names = [*lanes, *(word for word in ("web.server", "worker", "beat") if word in words), words[0]]
                by_parent[names[0]] = int(entry.name)
    return by_parent


def kill(process):
    """End a process and its group without a word, as a crash would."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def wait_for(condition, awaited, site=None):
    """The first true value of `condition()`; fails, with the site's output, when it takes far too long."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.05)
    pytest.fail(f"Waited in vain for {awaited}.\n{site.output() if site else ''}")


@pytest.fixture
def broker():
    """The broker's address: that of the environment, each test process with a database of its own, or files."""
    url = os.environ.get("CELERY_BROKER_URL", "")
    if not url.startswith("redis"):
        return "fsx://"
    import redis

    number = 1 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 15
    url = urlsplit(url)._replace(path=f"/{number}").geturl()
    redis.Redis.from_url(url).flushdb()
    return url


@pytest.fixture
def make_site(tmp_path, template):
    sites = []

    def make(broker_url):
        folder = tmp_path / f"site{len(sites)}"
        folder.mkdir()
        sites.append(Site(folder, template, broker_url))
        return sites[-1]

    yield make
    for site in sites:
        site.close()


@pytest.fixture
def site(make_site, broker):
    return make_site(broker)


@pytest.fixture
def served(site, collected):
    """A site that serves: its supervisor, its address, its port and its five processes."""
    return serve(site, collected)


def serve(site, collected):
    """Start a site, as the fixture `served` has it."""
    (site.folder / "static").symlink_to(collected / "static")
    (site.folder / "static.stamp").write_text((collected / "static.stamp").read_text())
    site.supervisor = site.start("manage.py", "serve")
    match = wait_for(lambda: re.search(r"Foothold is at (http://localhost:(\d+)) ", site.output()), "the address", site)
    site.address, site.port = match[1], int(match[2])
    site.children = wait_for(lambda: len(children := site.children_now()) == 5 and children, "all", site)
    return site


@pytest.fixture(name="kill")
def kill_fixture():
    return kill


@pytest.fixture(name="wait_for")
def wait_for_fixture():
    return wait_for
