"""Say which published ruleset house rules are nearest to, what differs in a line each, and what contradicts.

FILE holds house rules: a name, {"base": NAME, "set": {OPTION: VALUE, ...}}, a whole ruleset, or a file of house
rules from a club's page. Without it ten questions are asked; an empty answer leaves the rules as they are, and
`done` ends the questions.

Exit status: 0 the rules can be played, 1 they contradict each other, 2 they cannot be read.
"""

from __future__ import annotations

import contextlib
import json
import sys
from argparse import ArgumentParser, Namespace
from typing import Any

from engine.cli.console import Console, Left
from engine.cli.rules import summary
from engine.cli.ruleset import add_set_argument, read_draft
from engine.cli.text import plain, wrap
from engine.errors import BadInput
from engine.play.rule_sheet.nearest import Fit, fit_rules, fit_to_json, state_differences
from engine.play.rule_sheet.questions import QUESTIONS, Question
from engine.play.rules import Rules, every_contradiction
from engine.play.rulesets import PRESETS
from engine.words import say


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="house rules; - is standard input")
    add_set_argument(parser)
    parser.add_argument("--json", action="store_true", help="write the comparison as JSON")


def run(arguments: Namespace) -> int:
    """Compare; the exit status."""
    if arguments.file is None:
        # Questions are not part of the JSON that another program reads.
        with contextlib.redirect_stdout(sys.stderr if arguments.json else sys.stdout):
            fit = fit_rules(Interview(Console(), dict(arguments.set)).ask_all())
    else:
        fit = fit_rules(read_draft(arguments.file, arguments))
    if arguments.json:
        print(json.dumps(fit_to_json(fit)))
    else:
        print("\n".join(write_fit(fit)))
    return 1 if fit.contradictions else 0


def write_fit(fit: Fit) -> list[str]:
    """The comparison in lines of text."""
    lines = [wrap(plain(fit.summary))]
    if fit.differences:
        lines += ["", *(wrap(plain(difference.line), "- ") for difference in fit.differences)]
    if fit.contradictions:
        lines += ["", "These rules cannot be played, because they contradict each other:"]
        lines += ["", *(wrap(plain(clash.text), "- ") for clash in fit.contradictions)]
    return lines


class Interview:
    """The ten questions, asked in a terminal. `changes` are options that the command line sets already."""

    def __init__(self, console: Console, changes: dict[str, Any]) -> None:
        self.console, self.changes = console, changes

    def ask_all(self) -> Rules:
        """The rules after all answers."""
        rules = Rules.make("standard", self.changes, is_draft=True)
        try:
            rules = self.ask_base(rules)
            for number, question in enumerate(QUESTIONS, start=1):
                rules = self.ask(number, question, rules)
        except Left:
            pass
        self.console.say()
        return rules

    def ask_base(self, rules: Rules) -> Rules:
        """The published rules to start from."""
        self.console.say("Which published rules come nearest to yours?")
        width = max(map(len, PRESETS))
        for name in PRESETS:
            self.console.show(wrap(f"{name:{width}}  {summary(Rules.preset(name))}", "  ", " " * (width + 4)))
        while name := self.read_line():
            if name in PRESETS:
                return Rules.make(name, self.changes, is_draft=True)
            self.console.say(f"Enter one of these names: {', '.join(PRESETS)}.")
        return rules

    def ask(self, number: int, question: Question, rules: Rules) -> Rules:
        """The rules after the answer to a question."""
        self.console.say()
        hint = f" {say(question.hint)}" if question.hint else ""
        self.console.say(f"{number}. {say(question.text)}{hint}")
        for sentence in question.state(rules):
            self.console.show(wrap(f"Now: {sentence}", "   "))
        for place, choice in enumerate(question.choices, start=1):
            label = say(choice.label) + (f" ({choice.example})" if choice.example else "")
            self.console.show(wrap(label, f"   {place}  " if len(question.choices) > 1 else "   "))
        while text := self.read_line():
            try:
                answered = question.answer(rules, text)
            except BadInput as error:
                self.console.say(error.sentence)
                continue
            self.show_changes(rules, answered)
            return answered
        return rules

    def read_line(self) -> str:
        """The next answer, empty to change nothing. Raises `Left` when nothing more will be answered."""
        line = self.console.ask()
        if line.lower() == "done":
            raise Left
        return line

    def show_changes(self, before: Rules, after: Rules) -> None:
        """Write what an answer changes in the rule sheet, and which contradictions it brings."""
        for difference in state_differences(before, after):
            self.console.show(wrap(difference.line, "   > "))
        known = set(every_contradiction(before))
        for clash in every_contradiction(after):
            if clash not in known:
                self.console.show(wrap(clash.text, "   ! "))
