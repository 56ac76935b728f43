"""Run rule vectors against the engine: one line for each case, `ok NAME` or `FAIL NAME: expected ..., found ...`.

A vector file is a JSON list of cases: a position, moves and the expected state after them. The file of a published
ruleset has its own among its data. All files are read before anything runs.

exit status: 0 every case holds; 1 some fail; 2 a file, or a case in one, cannot be read
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.cli.files import label, read_json
from engine.cli.text import plain
from engine.errors import BadInput
from engine.play.vectors import Failure, check_case


class Checked(NamedTuple):
    """A case with its failure, if it failed; without a name, the reason why it cannot be run."""

    file: str
    name: str | None
    failure: Failure | None
    fault: str = ""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a vector file, or - for standard input")
    parser.add_argument("--json", action="store_true", help="write one JSON object instead of lines")


def run(arguments: Namespace) -> int:
    """Check the files; the exit status."""
    files = [(name, _read_cases(name)) for name in arguments.files]
    checked = []
    for case in _check_all(files):
        checked.append(case)
        if case.name is None:
            print(f"engine: {plain(case.fault)}", file=sys.stderr)
        elif not arguments.json:
            print(_line(case))
    failed = sum(1 for case in checked if case.failure)
    unread = sum(1 for case in checked if case.name is None)
    passed = len(checked) - failed - unread
    if arguments.json:
        print(json.dumps({"passed": passed, "failed": failed, "not_read": unread, "cases": _to_json(checked)}))
    else:
        print(f"{passed} passed, {failed} failed" + (f", {unread} not read" if unread else ""))
    return 2 if unread else 1 if failed else 0


def _read_cases(name: str) -> list[Any]:
    cases = read_json(name)
    if isinstance(cases, dict) and "cases" in cases:
        cases = cases["cases"]
    if not isinstance(cases, list):
        raise BadInput(f"{label(name)}: a vector file is a JSON list of cases.")
    return cases


def _check_all(files: list[tuple[str, list[Any]]]) -> Iterator[Checked]:
    """Every case of every file; one that cannot be read does not stop the others."""
    for file, cases in files:
        for number, case in enumerate(cases, start=1):
            try:
                failure = check_case(case, number)
            except BadInput as error:
                yield Checked(file, None, None, f"{label(file)}: {error.sentence}")
            else:
                yield Checked(file, case["name"], failure)


def _line(case: Checked) -> str:
    name = plain(case.name or "")
    return f"ok {name}" if case.failure is None else f"FAIL {name}: {plain(str(case.failure))}"


def _to_json(checked: list[Checked]) -> list[dict[str, Any]]:
    return [
        {"file": case.file, "name": case.name, "ok": case.failure is None}
        | ({} if case.failure is None else {"expected": case.failure.expected, "found": case.failure.found})
        for case in checked
        if case.name is not None
    ]
