"""Web servers exchanged under load, as deploy.md has it: every request is answered, streams end and reconnect."""

import http.client
import json
import signal
import threading
from pathlib import Path

import pytest

from tests.config.deployed import HOST, event
from tests.config.test_deployed import Machine
from tests.faults.test_database import each_move_is_kept_once, post_until, wait_for_moves
from tests.poster import FOUR, OUT_OF_STEP, Poster
from tests.sites import PATIENCE

TABLES = 2


class Once(Poster):
    """Sends each request once, like the proxy, on a connection of its own: no answer is a fault."""

    def __init__(self, port, slug, tokens):
        super().__init__("", slug, tokens)
        self.port, self.faults = port, []

    def headers(self, seat):
        headers = {"Host": HOST, "X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "https"}
        return {**headers, "Authorization": f"Bearer {self.tokens[seat]}", "Content-Type": "application/json"}

    def ask(self, path, seat, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(
                "POST" if body else "GET", self.table + path, body and json.dumps(body), self.headers(seat)
            )
            answer = connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.faults.append(f"{path or 'table'}: {error!r}")
            raise
        finally:
            connection.close()
        if answer.status != 200:
            self.faults.append(f"{path or 'table'}: {answer.status} {text[:200]}")
            raise AssertionError(self.faults[-1])
        return json.loads(text)

    def stream(self, port):
        """The live events of this table."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        connection.request("GET", f"/live/?tables={self.slug}", headers=self.headers(0))
        return connection.getresponse()

    @property
    def slug(self):
        return self.table.split("/")[-2]


@pytest.fixture
def machine(site, broker, tmp_path, collected):
    running = Machine(site, broker, tmp_path / "machine", collected)
    running.environment["WEB_CONCURRENCY"] = "1"
    return running


def test_no_request_is_lost_while_servers_are_exchanged(site, machine, wait_for):
    web, live = machine.start("web"), machine.start("live")
    posters = [Once(machine.port("web"), **table) for table in site.run(FOUR, TABLES)]
    is_over = threading.Event()
    threads = [threading.Thread(target=post_until, args=(poster, is_over)) for poster in posters]
    stream = posters[0].stream(machine.port("live"))
    assert event(stream).startswith(f"{posters[0].slug} ")
    for thread in threads:
        thread.start()
    try:
        wait_for_moves(posters, 2, wait_for, site)
        # New processes under the same master, like `systemctl reload`.
        before = set(processes_of(web))
        web.send_signal(signal.SIGHUP)
        wait_for(lambda: (now := set(processes_of(web))) and not now & before, "other processes", site)
        wait_for_moves(posters, 2, wait_for, site)
        # One service in the place of the other, while requests wait in the socket.
        web.send_signal(signal.SIGTERM)
        assert web.wait(PATIENCE) == 0
        machine.start("web")
        live.send_signal(signal.SIGTERM)
        assert live.wait(PATIENCE) in (0, -signal.SIGTERM)
        while event(stream):
            pass  # what was sent before is read, and then the stream is at its end
        machine.start("live")
        stream = posters[0].stream(machine.port("live"))
        wait_for_moves(posters, 2, wait_for, site)
    finally:
        is_over.set()
        for thread in threads:
            thread.join()
    assert [fault for poster in posters for fault in poster.faults] == []
    each_move_is_kept_once(site, posters)
    assert site.rows(OUT_OF_STEP) == []
    # Readers who reconnect get the current state, whatever they missed.
    version = site.number(f"SELECT version FROM gameplay_table WHERE slug = '{posters[0].slug}'")
    assert any(event(stream) == f"{posters[0].slug} {version}" for _ in range(200))


def processes_of(master):
    """The ids of the processes that this one started."""
    return [int(pid) for pid in Path(f"/proc/{master.pid}/task/{master.pid}/children").read_text().split()]
