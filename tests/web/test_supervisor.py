"""Processes run as one, with small ones in place of the site's."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from web.server import supervisor
from web.server.supervisor import Child

ROOT = Path(__file__).parents[2]
PATIENCE = 60

CHILDREN = {
    "steady": "import time\nprint('steady', flush=True)\nwhile True: time.sleep(60)",
    "deaf": """
        import signal, time
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print("deaf", flush=True)
        while True: time.sleep(60)
    """,
    "parent": """
        import subprocess, sys, time
        print("parent", subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]).pid, flush=True)
        while True: time.sleep(60)
    """,
    "failing": "print('failing', flush=True)\nraise SystemExit(3)",
}
RUN = """
import sys
from contextlib import suppress
from web.server.supervisor import Child, Supervisor
with suppress(KeyboardInterrupt), Supervisor() as supervisor:
    for name in sys.argv[1:]:
        supervisor.add(Child(name, [name]))
        print("started", supervisor.children[-1].process.pid, flush=True)
    supervisor.run()
"""


@pytest.fixture
def run(tmp_path):
    """Start a supervisor of these children; a child's pid is read from its `started` line."""
    for name, code in CHILDREN.items():
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(code))
    running = []

    def start(*names):
        process = subprocess.Popen(
            [sys.executable, "-c", RUN, *names],
            env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        running.append(process)
        return process

    yield start
    for process in running:
        process.kill()
        process.communicate()


def lines(process, count):
    return sorted(process.stdout.readline().split() for _ in range(count))


def is_alive(pid):
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    return True


def wait_until_gone(*pids):
    end = time.monotonic() + PATIENCE
    while any(is_alive(pid) for pid in pids) and time.monotonic() < end:
        time.sleep(0.02)
    assert [pid for pid in pids if is_alive(pid)] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["steady", "deaf", "parent"])
def test_a_signal_ends_children_and_what_they_started(run, name):
    process = run(name)
    pids = [line[1] for line in lines(process, 2) if len(line) > 1]
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 0
    wait_until_gone(*pids)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["steady", "deaf", "parent"])
def test_children_end_with_a_supervisor_that_is_killed(run, name):
    process = run(name)
    pids = [line[1] for line in lines(process, 2) if len(line) > 1]
    process.kill()
    process.wait()
    wait_until_gone(*pids)


@pytest.mark.slow
def test_a_child_that_dies_is_started_again_until_it_stays(run):
    process = run("failing")
    assert lines(process, 4)[:3] == [["failing"]] * 3


def test_each_early_death_doubles_the_wait(monkeypatch):
    clock = 1000.0
    monkeypatch.setattr(supervisor.time, "monotonic", lambda: clock)
    child, waits = Child("x", []), []
    for _ in range(9):
        child.process, child.begun_at = subprocess.Popen([sys.executable, "-c", ""], process_group=0), clock
        child.process.wait()
        child.bury()
        waits.append(child.due_at - clock)
    assert waits == [0.5, 1, 2, 4, 8, 16, 30, 30, 30]
    child.process, child.begun_at = subprocess.Popen([sys.executable, "-c", ""], process_group=0), clock
    child.process.wait()
    clock += 21
    child.bury()
    assert child.due_at == clock
