"""Selection of tests: the ordinary ones, all of them, or those that a change can reach.

The mark `slow` is for tests with a browser, with other processes, or that ask every address there is. They are run
with `--whole`, as CI does, and if paths, `-k` or `-m` choose the tests. They come last: where `--minutes` ends a run,
it is them that are left out.
"""

import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path
from time import perf_counter

import pytest

STARTED = perf_counter()
TOO_LATE = "too late for the minutes of this run"
ROOT = Path(__file__).parents[1]
BROWSER = "tests/journeys"
"""A folder whose tests are all slow, so that they need not be read unless asked for."""
OF_THE_SITE = {"tests/assistants", "tests/config", "tests/faults", "tests/journeys", "tests/security"}
"""Folders of tests that go through all apps."""
QUICK_TO_ASK = {f"tests/{path.name}" for path in (ROOT / "tests").glob("test_*.py")}
"""Run after every change, because they read the whole tree."""
WITHOUT_CODE = {
    "assistants": {"tests/assistants"},
    "docs": set(),
    "benchmarks": set(),
    "bin": {"tests/config"},
    "deploy": {"tests/config"},
}
"""Folders without modules of the site, and the tests that read them in addition to the quick ones."""
NAMED = re.compile(r'from (tests[\w.]*) import (\([^)]*\)|.*)|import (tests[\w.]+)|"(tests\.[\w.]+)"')
"""Imports of test modules: the package and the names, the module, or the plugin."""
DATA = {"tests/golden": {"tests/engine"}, "tests/sheets": {"tests/engine"}, "tests/vectors": {"tests/engine"}}


def pytest_addoption(parser):
    group = parser.getgroup("chosen", "which tests are run")
    group.addoption("--whole", action="store_true", help="run those with the mark `slow` too")
    group.addoption(
        "--changed",
        action="store_true",
        help="run what the change since origin/main, or main, can reach; what is not committed counts too",
    )
    group.addoption("--minutes", type=float, default=None, help="leave out what would start later, and count it")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: a browser, other processes, or every address; run with --whole")
    is_chosen = config.args_source is config.ArgsSource.ARGS or config.option.keyword or config.option.markexpr
    config.option.whole = bool(config.option.whole or is_chosen)
    # One process decides for all of xdist's, or a file saved during the run would make them differ.
    reached = getattr(config, "workerinput", {}).get("reached", None)
    config.reached = reached or (sorted(reached_by(changes())) if config.option.changed else None)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    node.workerinput["reached"] = node.config.reached


def pytest_ignore_collect(collection_path, config):
    path = collection_path.relative_to(ROOT).as_posix() if collection_path.is_relative_to(ROOT) else ""
    if path == BROWSER and not config.option.whole:
        return True
    if config.reached is not None and collection_path.name.startswith("test_"):
        return True if not any(path == each or path.startswith(f"{each}/") for each in config.reached) else None
    return None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    if not config.option.whole:
        config.hook.pytest_deselected(items=[item for item in items if is_slow(item)])
        items[:] = [item for item in items if not is_slow(item)]
    items.sort(key=is_slow)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    minutes = item.config.option.minutes
    if minutes is not None and perf_counter() - STARTED > 60 * minutes:
        pytest.skip(TOO_LATE)


def is_slow(item):
    """Whether it has the mark, or starts an installation of its own with processes to kill."""
    return item.get_closest_marker("slow") is not None or "make_site" in item.fixturenames


def pytest_report_header(config):
    if config.reached is not None:
        return f"changed: {', '.join(config.reached) or 'nothing that tests could notice'}"
    return None


def pytest_terminal_summary(terminalreporter, config):
    """Say it at the end too, where the numbers are."""
    late = sum(TOO_LATE in str(report.longrepr) for report in terminalreporter.stats.get("skipped", []))
    if late:
        terminalreporter.write_line(f"Left out: {late} tests, {TOO_LATE}.", yellow=True)
    if not config.option.whole:
        words = "Left out: tests with a browser or other processes, and those that ask every address"
        terminalreporter.write_line(f"{words}. --whole runs them all, as CI does.")


# What a change can reach


def git(*arguments):
    process = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return process.stdout.splitlines() if process.returncode == 0 else []


def changes():
    """Paths of all files that differ from where this branch left `main`, were added or are gone."""
    base = next((commit for name in ("origin/main", "main") if (commit := git("merge-base", name, "HEAD"))), ["HEAD"])
    return {*git("diff", "--name-only", "--no-renames", base[0]), *git("ls-files", "--others", "--exclude-standard")}


@cache
def layers():
    """The apps, the highest first, as the import contract has them; those of one layer together."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    return [re.findall(r"\w+", layer) for layer in contracts[0]["layers"]]


@cache
def imports():
    """The import graph of all apps, imports within functions included."""
    import grimp

    return grimp.build_graph(
        *(app for layer in layers() for app in layer), cache_dir=str(ROOT / ".import_linter_cache")
    )


def reached_by(paths):
    """The folders and files of tests that a change of these paths can reach."""
    tests = set(QUICK_TO_ASK) if paths else set()
    for path in paths:
        tests |= reached_by_one(path)
    return {"tests"} if "tests" in tests else tests


def reached_by_one(path):
    parts = Path(path).parts
    apps = {app for layer in layers() for app in layer}
    if parts[0] in apps and path.endswith(".py") and "migrations" not in parts:
        module = ".".join(Path(path).with_suffix("").parts).removesuffix(".__init__")
        # Users of a deleted module are unknown.
        if module in imports().modules:
            users = imports().find_downstream_modules(module) | {module}
            return folders({user.split(".")[0] for user in users})
    if parts[0] in apps:
        return folders(above(parts[0]))
    if parts[0] == "templates" and parts[1] in apps:
        return folders(above(parts[1]))
    if parts[0] in {"templates", "static", "locale"}:
        return folders(above("web"))
    if parts[0] == "tests":
        return reached_in_tests(path)
    if parts[0] in WITHOUT_CODE:
        return WITHOUT_CODE[parts[0]]
    # A page for readers or a file of the deployment does not reach the code; other files at the top may.
    return {"tests/config"} if path.endswith((".md", "Dockerfile", "compose.yaml")) or parts[0] == ".ci" else {"tests"}


def above(app):
    """An app and all that may import it; the engine's tests need no app."""
    place = next(number for number, layer in enumerate(layers()) if app in layer)
    return {app, *(other for layer in layers()[:place] for other in layer)}


def folders(apps):
    """The tests of these apps; what reaches a page or a service reaches the tests that go through all of them."""
    return {f"tests/{app}" for app in apps} | (OF_THE_SITE if apps != {"engine"} else set())


def reached_in_tests(path):
    """A test alone; for a helper module, all tests that import it; for fixtures, the folder that has them."""
    if (data := "/".join(Path(path).parts[:2])) in DATA:
        return DATA[data]
    if path.endswith("conftest.py") or not path.endswith(".py"):
        return {str(Path(path).parent)}
    if Path(path).name.startswith("test_") and (ROOT / path).exists():
        return {path, *helped_by(path)}
    return helped_by(path) or {"tests"}


def helped_by(path):
    """The test files that import this module of tests, by way of others too; with fixtures, the folder that has them."""
    tests, waiting, visited = set(), [path], {path}
    while waiting:
        for other in users().get(waiting.pop(), set()) - visited:
            visited.add(other)
            waiting.append(other)
            if other.endswith("conftest.py"):
                tests.add(str(Path(other).parent))
            elif Path(other).name.startswith("test_"):
                tests.add(other)
    return tests


@cache
def users():
    """Of each module of tests, which others name it: both by their paths."""
    by_module = {}
    for path in (ROOT / "tests").glob("**/*.py"):
        for folder, names, module, quoted in NAMED.findall(path.read_text()):
            modules = [folder, *(f"{folder}.{name}" for name in re.findall(r"\w+", names)), module, quoted]
            for used in {f"{name.replace('.', '/')}.py" for name in modules if name}:
                by_module.setdefault(used, set()).add(path.relative_to(ROOT).as_posix())
    return by_module
