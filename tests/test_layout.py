"""Promises of the whole tree."""

import fnmatch
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
IGNORED = [".git/", *(ROOT / ".gitignore").read_text().splitlines()]


def is_ignored(path, mark=""):
    """Whether .gitignore names a file, or a folder where the mark is a slash."""
    names = f"{path.name}{mark}", f"/{path.relative_to(ROOT).as_posix()}{mark}"
    return any(fnmatch.fnmatch(name, pattern) for name in names for pattern in IGNORED)


def project_files():
    """Files that .gitignore does not name, also by their folder; a checkout without git has the same."""
    for folder, names, files in os.walk(ROOT):
        names[:] = [name for name in names if not is_ignored(Path(folder, name), "/")]
        paths = (Path(folder, file) for file in files if file != ".git")
        yield from (path for path in paths if not is_ignored(path))


def test_files_that_are_not_kept_are_not_looked_at():
    paths = [
        ".coverage",
        ".coverage.host.123",
        ".env",
        "sub/.env",
        ".coveragerc",
        ".env.example",
        "tests/test_layout.py",
    ]
    assert [path for path in paths if is_ignored(ROOT / path)] == [".coverage", ".coverage.host.123", ".env"]


@pytest.mark.parametrize(
    "name",
    [
        ".ci/run",
        ".editorconfig",
        ".gitignore",
        "LICENSE",
        "README.md",
        "bin/serve",
        "bin/test",
        "manage.py",
        "pyproject.toml",
        "requirements-bench.txt",
        "requirements-dev.txt",
        "requirements.txt",
    ],
)
def test_promised_file_exists(name):
    assert (ROOT / name).is_file()


@pytest.mark.parametrize(
    "path",
    [*(path for path in (ROOT / "bin").iterdir() if path.is_file()), ROOT / ".ci/run", ROOT / "manage.py"],
    ids=lambda p: p.name,
)
def test_command_is_executable(path):
    assert os.access(path, os.X_OK)


def test_every_command_the_readme_names_exists():
    commands = set(re.findall(r"(?<![\w/.])bin/[\w-]+", (ROOT / "README.md").read_text()))
    assert {name for name in commands if not (ROOT / name).is_file()} == set()


def test_no_file_names_a_folder_of_one_machine():
    # Put together here, or this file would be the first to offend.
    machine_paths = [b"/wo" + b"rk/", b"/ro" + b"ot/"]
    offenders = {
        str(path.relative_to(ROOT))
        for path in project_files()
        for machine_path in machine_paths
        if machine_path in path.read_bytes()
    }
    assert offenders == set()


def requirements(name):
    """The entries of a requirements file, each on one line, without comments."""
    lines = (ROOT / name).read_text().replace("\\\n", " ").splitlines()
    return [line for line in lines if line and not line.lstrip().startswith("#")]


@pytest.mark.parametrize(
    "name", ["requirements.txt", "requirements-dev.txt", "requirements-bench.txt", "requirements-mcp.txt"]
)
def test_requirements_are_pinned_with_hashes_and_name_no_index(name):
    entries = requirements(name)
    assert entries
    for entry in entries:
        assert re.match(r"[\w.-]+(\[[\w, -]+\])?==[\w.]+ ", entry), entry
        assert " --hash=sha256:" in entry, entry
    assert "://" not in (ROOT / name).read_text()


@pytest.mark.parametrize("path", sorted(ROOT.glob("requirements*.txt")), ids=lambda path: path.name)
def test_locks_name_extras_without_which_pip_looks_for_newer_releases(path):
    assert " --no-strip-extras " in path.read_text().split("\n", 2)[1]


def test_tests_run_with_the_pins_of_production():
    assert set(requirements("requirements.txt")) <= set(requirements("requirements-dev.txt"))


def test_play_and_bots_need_the_standard_library_only():
    import_all = """
import importlib, pathlib, sys
sys.path.insert(0, "")
files = sorted(file for part in ("play", "bots") for file in pathlib.Path("engine", part).rglob("*.py"))
for file in files:
    importlib.import_module(".".join(file.with_suffix("").parts).removesuffix(".__init__"))
assert files
"""
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", import_all], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
