"""List the rulesets, or write the rule sheet of one: how it is played, in plain English.

NAME is a ruleset, or a JSON file with house rules: a name, {"base": NAME, "set": {OPTION: VALUE, ...}}, or whole.
"""

from __future__ import annotations

import json
import shutil
import sys
from argparse import ArgumentParser, Namespace
from typing import Any

from engine.cli.ruleset import RULES_HELP, add_table_arguments, read_rules, read_shape
from engine.cli.text import WIDTH, plain
from engine.errors import BadInput
from engine.play.options import Shape
from engine.play.rule_sheet import sheet
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("name", nargs="?", metavar="NAME", help=RULES_HELP)
    add_table_arguments(parser)
    parser.add_argument("--from", dest="base", metavar="NAME", help="write only how it differs from this ruleset")
    parser.add_argument("--options", action="store_true", help="write the options as JSON that can be read back")
    parser.add_argument("--json", action="store_true", help="write the list or the sheet as JSON")


def run(arguments: Namespace) -> int:
    """List or write; the exit status."""
    if arguments.name is None:
        _list(arguments)
        return 0
    rules = read_rules(arguments.name, arguments)
    has_shape = arguments.seats is not None or arguments.team_size is not None
    shape = read_shape(rules, arguments) if has_shape else None
    width = min(shutil.get_terminal_size((WIDTH, 24)).columns, 100) if sys.stdout.isatty() else WIDTH
    if arguments.options:
        print(json.dumps(rules.write(), indent=1))
    elif arguments.base is not None:
        base = read_rules(arguments.base)
        if arguments.json:
            items = [{"options": list(item.options), "text": item.text} for item in sheet.differences(rules, base)]
            print(json.dumps({"options": rules.differences(base), "sentences": items}))
        else:
            print(plain_lines(sheet.write_differences(rules, base, max(width, 40))))
    elif arguments.json:
        print(json.dumps(sheet.sheet_to_json(rules, shape)))
    else:
        print(plain_lines(sheet.write_sheet(rules, shape, max(width, 40))))
    return 0


def plain_lines(text: str) -> str:
    """Several lines, each made safe to print."""
    return "\n".join(map(plain, text.rstrip("\n").split("\n")))


def _list(arguments: Namespace) -> None:
    options = ("set", "seats", "team_size", "base", "options")
    if any(getattr(arguments, option) for option in options):
        raise BadInput("enter the ruleset for these options.")
    presets = [Rules.preset(name) for name in PRESETS]
    if arguments.json:
        print(json.dumps([_summary_to_json(rules) for rules in presets]))
        return
    width = max(map(len, PRESETS))
    for rules in presets:
        print(f"{rules.name:{width}}  {summary(rules)}")


_MOST_KINDS = 4
"""More kinds of book than these do not fit in a line."""


def summary(rules: Rules) -> str:
    """A ruleset in a line: players, cards, contract, and length of a match."""
    books = [f"{count} {kind}" for kind, count in rules.needed.items() if count]
    if len(books) > _MOST_KINDS:
        books = [f"{sum(rules.needed.values())} books of {len(books)} kinds"]
    length = rules.length
    match = f"to {length.number}" if length.by == "target" else f"{length.number} deal{'s' * (length.number > 1)}"
    players = _players(rules.shapes)
    return f"{players}; {'+'.join(map(str, rules.stacks))} cards; {' '.join(books) or 'no contract'}; {match}"


def _players(shapes: tuple[Shape, ...]) -> str:
    """`2-6 players, each alone`: how many may play, and whether there are no partners."""
    runs: list[list[int]] = []
    for count in sorted({shape.seats for shape in shapes}):
        if runs and count == runs[-1][-1] + 1:
            runs[-1].append(count)
        else:
            runs.append([count])
    numbers = " or ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
    return f"{numbers} players" + (", each alone" if all(shape.team_size == 1 for shape in shapes) else "")


def _summary_to_json(rules: Rules) -> dict[str, Any]:
    return {
        "name": rules.name,
        "title": rules.title,
        "summary": summary(rules),
        "shapes": [list(shape) for shape in rules.shapes],
    }
