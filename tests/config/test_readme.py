"""The commands of the README in a clean clone: the site is served and stopped, and a file of tests runs.

Those of the engine are run in `tests/engine/cli/test_main.py`.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from filecmp import cmp
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.sites import PATIENCE, ROOT

pytestmark = pytest.mark.slow

LOCK = "requirements-dev.txt"
COMMANDS = {"bin/serve", "bin/test"}
"""Commands of the README that a test here runs."""
OTHERWHERE = {"DATABASE_URL", "CELERY_BROKER_URL", "CACHE_URL", "DJANGO_SETTINGS_MODULE", "PYTEST_ADDOPTS"}
"""Variables of these tests that somebody with a clean clone does not have."""


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A clean clone with the libraries of these tests, which are those of its lock."""
    folder = tmp_path_factory.mktemp("clone") / "foothold"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True, timeout=PATIENCE)
    installed = Path(sys.prefix) / LOCK
    if not installed.exists() or not cmp(installed, folder / LOCK, shallow=False):
        pytest.skip("Its commands would install other libraries: run bin/test once, and commit the lock.")
    (folder / ".venv").symlink_to(sys.prefix)
    yield folder
    shutil.rmtree(folder)


def environment(**more):
    """The variables of these processes, but for those of tests, and with more."""
    of_tests = {name for name in os.environ if name in OTHERWHERE or name.startswith("PYTEST_XDIST")}
    return {name: value for name, value in os.environ.items() if name not in of_tests} | more


def status(address):
    """The status of a page; 0 if nobody answers yet."""
    try:
        with urlopen(address, timeout=PATIENCE) as answer:
            return answer.status
    except URLError as error:
        return getattr(error, "code", 0)
    except ConnectionError:
        return 0


def processes_with(variable):
    """The processes that have this variable in their environment, by number."""
    numbers = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if variable.encode() in (folder / "environ").read_bytes().split(b"\0"):
                numbers.append(int(folder.name))
    return numbers


def test_every_command_of_the_readme_is_run():
    assert set(re.findall(r"(?<![\w/.])bin/[\w-]+", (ROOT / "README.md").read_text())) == COMMANDS


def test_the_site_is_served_with_its_docs_until_ctrl_c(clone, tmp_path, wait_for):
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = str(probe.getsockname()[1])
    output = tmp_path / "output"
    mark = f"DATA_DIR={tmp_path / 'data'}"
    with output.open("wb") as written:
        serving = subprocess.Popen(
            ["bin/serve"],
            cwd=clone,
            env=environment(DATA_DIR=str(tmp_path / "data"), PORT=port, PYTHONUNBUFFERED="1"),
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=subprocess.STDOUT,
            process_group=0,
        )
    try:
        wait_for(lambda: status(f"http://127.0.0.1:{port}/") == 200, "the site")
        wait_for(lambda: status(f"http://127.0.0.1:{port}/docs/") == 200, "the docs")
        wait_for(lambda: "Sign in" in output.read_text(), "how to sign in")
        # As Ctrl-C does: to all of the group.
        os.killpg(serving.pid, signal.SIGINT)
        assert serving.wait(PATIENCE) == 0, output.read_text()
        wait_for(lambda: processes_with(mark) == [], "all processes to end")
        assert output.read_text().endswith("Stopped.\n")
    finally:
        for pid in processes_with(mark):
            os.kill(pid, signal.SIGKILL)


def test_a_file_of_tests_runs(clone, tmp_path):
    ran = subprocess.run(
        ["bin/test", "tests/engine/play/test_rules_scoring.py"],
        cwd=clone,
        env=environment(DATA_DIR=str(tmp_path)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert re.search(r"\d+ passed", ran.stdout)
    assert "Installing" not in ran.stdout
