"""The one command that runs the whole site: pages, an orderly end, and restarts of parts."""

import os
import re
import signal
import socket
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

from tests.sites import PATIENCE


def is_alive(pid):
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def get(url):
    with urllib.request.urlopen(url, timeout=PATIENCE) as response:
        return response.status, response.headers, response.read().decode()


def can_listen(port):
    """Whether nobody holds the port. A killed process holds it until its last thread is gone, a little after its first."""
    with suppress(OSError), socket.create_server(("127.0.0.1", port)):
        return True
    return False


def test_it_serves_pages_and_static_files(served):
    assert get(f"{served.address}/healthz")[2] == "ok"
    status, _, page = get(f"{served.address}/")
    assert status == 200
    sheet = re.search(r'href="(/static/css/site\.[0-9a-f]+\.css)"', page)
    assert sheet
    assert "immutable" in get(f"{served.address}{sheet[1]}")[1]["Cache-Control"]
    assert sorted(served.children) == ["beat", "bots", "clocks", "letters", "web.server"]


def test_the_first_visitor_of_a_new_site_gets_a_whole_page(site, wait_for):
    """The web server is loaded during the migration and waits for it, and for the static files."""
    site.empty()
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    site.start("manage.py", "serve", PORT=str(port))
    wait_for(lambda: not can_listen(port), "the port", site)
    status, _, page = get(f"http://127.0.0.1:{port}/")
    assert status == 200
    assert re.search(r'href="/static/css/site\.[0-9a-f]+\.css"', page)
    assert site.number("SELECT count(*) FROM django_migrations WHERE app = 'clubs'") > 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_one_signal_ends_all_of_it(served, number, wait_for):
    served.supervisor.send_signal(number)
    assert served.supervisor.wait(PATIENCE) == 0
    assert [name for name, pid in served.children.items() if is_alive(pid)] == []
    wait_for(lambda: can_listen(served.port), "the port", served)
    assert served.output().endswith("Stopped.\n")


def test_a_killed_supervisor_leaves_no_orphan(served, wait_for):
    served.supervisor.kill()
    served.supervisor.wait()
    wait_for(lambda: not any(is_alive(pid) for pid in served.children.values()), "all to end", served)
    wait_for(lambda: can_listen(served.port), "the port", served)


def test_who_dies_is_started_again(served, wait_for):
    for pid in served.children.values():
        os.killpg(pid, signal.SIGKILL)
    # The supervisor holds the port: requests wait, and are not refused.
    assert get(f"{served.address}/healthz")[2] == "ok"
    old = set(served.children.values())
    wait_for(lambda: len(set(served.children_now().values()) - old) == 5, "five new processes", served)
    assert served.supervisor.poll() is None


def test_a_port_that_is_taken_is_told_plainly(site):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        assert site.start("manage.py", "serve", PORT=port).wait(PATIENCE) == 1
    assert f"Cannot listen at 127.0.0.1, port {port}:" in site.output()
    assert "Traceback" not in site.output()
