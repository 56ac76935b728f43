"""The command line: one module a command, loaded when it is called, so that a quick one starts quickly.

Exit status, everywhere: 0 it is as it should be; 1 a check failed (a failed case, a tampered record); 2 the input or
the options cannot be read, with one sentence on standard error; 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import importlib
import sys
import textwrap
from argparse import ArgumentParser, HelpFormatter
from typing import NoReturn

from engine.cli.text import WIDTH, plain
from engine.errors import EngineError

COMMANDS = {
    "rules": "list the rulesets, or write the rule sheet of one",
    "fits": "say which published ruleset house rules are nearest to, and what differs",
    "check": "run rule vectors against the engine",
    "replay": "replay a game record, check it, and print its scores",
    "verify": "check that the deals of a game record were fair",
    "score": "work out the scores of a deal from its score sheet",
    "simulate": "play matches between bots and count the wins",
    "play": "play in the terminal against bots",
    "compete": "simulate a competition, or work out standings",
}
"""Every command with a summary. `engine.cli.NAME` has `add_arguments(parser)` and `run(arguments)`."""


class UsageError(EngineError):
    """Words on the command line that mean nothing."""

    code = "usage"


class Parser(ArgumentParser):
    """An argument parser that reports a fault in one sentence and leaves the exit to `main`."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message[:1].lower()}{message[1:].rstrip('.')}. See `{self.prog} --help`.")


class Help(HelpFormatter):
    """Help of at most 80 columns that keeps the paragraphs as they are written."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]
        return "\n\n".join(textwrap.fill(paragraph, min(width, WIDTH - 2)) for paragraph in paragraphs)


def main(words: list[str] | None = None) -> int:
    """Run one command on the words of a command line (the process's own unless given); the exit status."""
    words = sys.argv[1:] if words is None else words
    try:
        return _dispatch(words)
    except SystemExit as ended:  # argparse has printed the help that was asked for
        return ended.code if isinstance(ended.code, int) else 0
    except EngineError as error:
        return _complain(error.sentence)
    except BrokenPipeError:
        raise
    except RecursionError:
        return _complain("the input is nested too deeply.")
    except KeyboardInterrupt:
        _complain("stopped.")
        return 130


def _dispatch(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        print(overview())
        return 0
    name = words[0]
    if name not in COMMANDS:
        kind = "option" if name.startswith("-") else "command"
        raise UsageError(f"unknown {kind} {name!r:.60}. The commands are {', '.join(COMMANDS)}.")
    module = importlib.import_module(f"engine.cli.{name}")
    parser = Parser(
        prog=f"python -m engine {name}", description=module.__doc__, formatter_class=Help, allow_abbrev=False
    )
    module.add_arguments(parser)
    status: int = module.run(parser.parse_args(words[1:]))
    return status


def overview() -> str:
    """Summary of all commands."""
    width = max(map(len, COMMANDS))
    lines = ["Hand and Foot, from the command line.", "", "usage: python -m engine COMMAND ...", ""]
    lines += [f"  {name:{width}}  {summary}" for name, summary in COMMANDS.items()]
    return "\n".join([*lines, "", "Each command has --help."])


def _complain(sentence: str) -> int:
    """Write the fault on standard error, in one line."""
    print(f"engine: {plain(sentence)}", file=sys.stderr)
    return 2
