"""Which of the slow tests are run today: some eight hundred of them take longer than the ten thousand others together.

Tests with the mark `slow` take turns: each day one in fourteen of them is run, beside all others. Every one is run with
`--whole`, as CI does, and wherever paths, `-k` or `-m` say which tests are wanted.
"""

from __future__ import annotations

from datetime import date

import pytest

DAYS = 14
"""A fortnight, after which the turns begin anew."""
ALL = -1
"""In place of a day: no test is left for another."""


def pytest_addoption(parser):
    group = parser.getgroup("rota", "slow tests, which take turns")
    group.addoption("--whole", action="store_true", help="run every slow test")
    group.addoption("--day", type=int, choices=range(DAYS), help="run the slow tests of this day of the fortnight")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes turns with others from day to day, unless --whole")
    if hasattr(config, "workerinput"):
        config.option.day = config.workerinput["day"]
    elif config.option.day is None:
        named = config.args_source is config.ArgsSource.ARGS or config.option.keyword or config.option.markexpr
        config.option.day = ALL if named or config.option.whole else date.today().toordinal() % DAYS


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """One process decides for all of xdist's, or at midnight they would not agree."""
    node.workerinput["day"] = node.config.option.day


def left_for_others(slow, day):
    """Those of the slow tests that are not run on this day. Neighbours, which are often alike, are on days that follow."""
    return [] if day == ALL else [item for number, item in enumerate(slow) if number % DAYS != day]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    slow = [item for item in items if item.get_closest_marker("slow")]
    left = set(left_for_others(slow, config.option.day))
    config.hook.pytest_deselected(items=list(left))
    items[:] = [item for item in items if item not in left]


def pytest_report_header(config):
    if config.option.day == ALL:
        return "slow tests: all of them"
    return f"slow tests: one in {DAYS} of them, those of --day {config.option.day}; --whole runs all"


def pytest_terminal_summary(terminalreporter, config):
    """Say it at the end too, where the numbers are."""
    if config.option.day != ALL:
        words = "Most slow tests (every address, a browser, other processes) were left for other days of the fortnight"
        terminalreporter.write_line(f"{words}: --whole runs them all, as CI does.")
