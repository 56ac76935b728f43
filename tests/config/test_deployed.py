"""A deployment as the units have it, in real processes: on several machines at once, and exchanged under requests.

A machine is a data folder that does not exist yet. The test takes the place of the proxy.
"""

import os
import re
import signal
import socket
import sys
from pathlib import Path

import pytest
from django.conf import settings

from tests.config import deployed
from tests.config.deployed import Browser, event
from tests.config.test_deploy_files import unit
from tests.sites import PATIENCE

WITH_SOCKET = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())}
os.execv(sys.argv[2], sys.argv[2:])
"""
"""Run a program as systemd does: with a socket that listens as its third descriptor."""

PEOPLE_AT_A_TABLE = """
from tests.makers import make_person, make_table
table = make_table([make_person("Ann"), make_person("Ben")], seats=2, team_size=1)
user = table.seats.get(number=table.seat_to_act).user
user.set_password("a quiet evening")
user.save()
print(json.dumps({"slug": table.slug, "version": table.version, "email": user.email}))
"""


def command_of(name):
    """The command of a unit, such as `web` or `worker@bots`, with the programs of this environment."""
    name, at, instance = name.partition("@")
    words = unit(f"foothold-{name}{at}.service")["Service"]["ExecStart"].replace("%i", instance).split()
    return [str(Path(sys.executable).with_name(words[0].rpartition("/")[2])), *words[1:]]


class Machine:
    """A machine among several that serve a site."""

    def __init__(self, site, broker, folder, collected):
        shared = site.folder / "cache"
        self.site, self.data, self.held = site, folder, {}
        self.environment = deployed.by_units() | {
            "DATA_DIR": str(folder),
            "STATIC_DIR": str(collected / "static"),
            "DATABASE_URL": site.environment.get("DATABASE_URL") or f"sqlite:///{site.folder / 'db.sqlite3'}",
            "CELERY_BROKER_URL": broker if broker.startswith("redis") else "memory://",
            "CACHE_URL": broker if broker.startswith("redis") else f"filecache://{shared}",
            "WEB_CONCURRENCY": "2",
        }

    def start(self, name):
        """Start a service; where it answers on, the socket is held, as systemd does."""
        if name not in ("web", "live"):
            return self.site.start(
                "-c", "import os, sys; os.execv(sys.argv[1], sys.argv[1:])", *command_of(name), **self.environment
            )
        if name not in self.held:
            self.held[name] = socket.create_server(("127.0.0.1", 0))
        listener = self.held[name].fileno()
        arguments = ["-c", WITH_SOCKET, str(listener), *command_of(name)]
        return self.site.start(*arguments, pass_fds=(listener,), **self.environment)

    def port(self, name):
        return self.held[name].getsockname()[1]


@pytest.fixture
def machines(site, broker, tmp_path, collected):
    return [Machine(site, broker, tmp_path / f"machine{number}", collected) for number in (1, 2)]


def test_nothing_that_one_machine_needs_is_on_another(site, machines):
    table = site.run(PEOPLE_AT_A_TABLE)
    first, second = machines
    for machine, name in ((first, "web"), (second, "web"), (second, "live")):
        machine.start(name)
    browser, sign_in = Browser(), {"login": table["email"], "password": "a quiet evening"}
    assert browser.ask(first.port("web"), "/accounts/login/")[0] == 200
    assert browser.ask(second.port("web"), "/accounts/login/", sign_in)[0] == 302
    status, page = browser.ask(first.port("web"), f"/tables/{table['slug']}/")
    assert status == 200
    sheet = re.search(r'"(/static/css/tokens\.\w+\.css)"', page)[1]
    assert browser.ask(second.port("web"), sheet)[0] == 200

    stream = browser.begin(second.port("live"), f"/live/?tables={table['slug']}").getresponse()
    assert event(stream) == f"{table['slug']} {table['version']}"
    assert browser.ask(first.port("web"), f"/tables/{table['slug']}/move/", {"moves": "draw", "seen": 0})[0] == 302
    assert event(stream) == f"{table['slug']} {table['version'] + 1}"

    # Each machine counts what the other has seen.
    stranger, wrong = Browser(), {**sign_in, "password": "wrong"}
    stranger.ask(first.port("web"), "/accounts/login/")
    for machine in (first, second, first, second, first):
        assert stranger.ask(machine.port("web"), "/accounts/login/", wrong)[0] == 200
    assert stranger.ask(second.port("web"), "/accounts/login/", sign_in)[0] == 429

    assert [machine.data.exists() for machine in machines] == [False, False]


@pytest.mark.skipif(
    not os.environ.get("CELERY_BROKER_URL", "").startswith("redis"),
    reason="machines need a broker that is not a folder",
)
def test_worker_and_clock_may_be_on_other_machines(site, machines, tmp_path, wait_for):
    first, second = machines
    first.start("web")
    for lane in settings.LANES:
        first.start(f"worker@{lane}")
    beat = [word for word in command_of("beat") if not word.startswith("--schedule=")]
    second.site.start(
        "-c",
        "import os, sys; os.execv(sys.argv[1], sys.argv[1:])",
        *beat,
        f"--schedule={tmp_path / 'beat'}",
        **second.environment,
    )
    wait_for(lambda: Browser().ask(first.port("web"), "/readyz")[0] == 200, "the worker", site)
    assert [machine.data.exists() for machine in machines] == [False, False]


@pytest.mark.parametrize("name", ["web", "live"])
def test_requests_wait_while_a_service_is_exchanged(machines, name):
    machine = machines[0]
    old = machine.start(name)
    assert Browser().ask(machine.port(name), "/healthz") == (200, "ok")
    old.send_signal(signal.SIGTERM)
    assert old.wait(PATIENCE) in (0, -signal.SIGTERM)
    # Nobody is there; the socket is.
    waiting = Browser().begin(machine.port(name), "/healthz")
    machine.start(name)
    assert waiting.getresponse().read() == b"ok"
