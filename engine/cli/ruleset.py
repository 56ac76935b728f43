"""Rules and tables as words on the command line, the same for every command that takes them."""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import Any

from engine.cli.files import parse_json, read_json
from engine.errors import BadInput
from engine.play.options import Shape
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS

RULES_HELP = f"a ruleset ({', '.join(PRESETS)}), or a JSON file with house rules"


def add_table_arguments(parser: ArgumentParser) -> None:
    """`--set`, `--seats` and `--team-size`."""
    add_set_argument(parser)
    parser.add_argument("--seats", type=count, metavar="N", help="number of players")
    parser.add_argument("--team-size", type=count, metavar="N", help="players in each team")


def add_set_argument(parser: ArgumentParser) -> None:
    """`--set`."""
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        type=_setting,
        metavar="OPTION=JSON",
        help="change one option, as in --set pile_take=3 (can be repeated)",
    )


def count(text: str) -> int:
    """A whole number, 1 or more."""
    if not (text.isascii() and text.isdigit() and 0 < len(text) <= 9 and int(text) > 0):
        raise ArgumentTypeError(f"{text!r:.30} is not a whole number above 0")
    return int(text)


def seconds(text: str) -> float:
    """A number of seconds, more than none."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e6:
        raise ArgumentTypeError(f"{text!r:.30} is not a number of seconds above 0")
    return value


def read_rules(name: str, arguments: Namespace | None = None) -> Rules:
    """The ruleset of that name or in that file, with what `--set` changes."""
    return _read_rules(name, arguments, is_draft=False)


def read_draft(name: str, arguments: Namespace | None = None) -> Rules:
    """The same, although its options may contradict each other."""
    return _read_rules(name, arguments, is_draft=True)


def _read_rules(name: str, arguments: Namespace | None, *, is_draft: bool) -> Rules:
    changes: dict[str, Any] = dict(arguments.set) if arguments else {}
    if name in PRESETS:
        return Rules.make(name, changes, is_draft=is_draft)
    if "/" not in name and not name.endswith(".json") and name != "-" and not Path(name).is_file():
        raise BadInput(f"ruleset or file {name!r:.40} not found. The rulesets are {', '.join(PRESETS)}.")
    data = read_json(name)
    if isinstance(data, dict) and "rules" in data:  # a file of house rules from a club's page
        data = data["rules"]
    try:
        rules = Rules.read(data, is_draft=is_draft)
    except BadInput as error:
        raise BadInput(f"{name}: {error.sentence}") from None
    return Rules.make(rules, changes, is_draft=is_draft)


def read_shape(rules: Rules, arguments: Namespace) -> Shape:
    """The shape of table that is asked for, or the first that the ruleset allows."""
    return rules.shape(arguments.seats, arguments.team_size)


def _setting(text: str) -> tuple[str, Any]:
    """`OPTION=JSON`; a bare word needs no quotes."""
    name, equals, value = text.partition("=")
    if not equals or not value:
        raise ArgumentTypeError(f"{text!r:.60} is not OPTION=JSON")
    if value.isidentifier() and value not in ("true", "false", "null"):
        value = json.dumps(value)
    try:
        return name.strip(), parse_json(value)
    except BadInput as error:
        raise ArgumentTypeError(f"the value of {name.strip()!r:.40}: {error.sentence}") from None
