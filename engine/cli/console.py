"""Lines to and from a person."""

from __future__ import annotations

import contextlib
import sys

from engine.cli.text import WIDTH, plain, shorten, wrap


class Left(Exception):
    """The person has left: by `quit`, or because the input has ended."""


class Console:
    """Standard input and output. Unless the input is a terminal, lines read are repeated, as in a transcript."""

    def __init__(self) -> None:
        self.typed = sys.stdin is not None and sys.stdin.isatty()
        if self.typed:
            with contextlib.suppress(ImportError):
                # Not every Python has it, and loading it changes `input`: line editing and a history.
                import readline  # noqa: F401

    def say(self, text: str = "") -> None:
        """Write a line, wrapped."""
        print(wrap(text) if text else "")

    def show(self, text: str) -> None:
        """Write lines that are laid out already."""
        print(text)

    def ask(self) -> str:
        """The next line, without the blanks around it. Raises `Left` at the end of the input."""
        if sys.stdin is None:
            raise Left
        try:
            line = input("> ") if self.typed else input()
        except EOFError:
            raise Left from None
        if not self.typed:
            print(shorten(f"> {plain(line)}", WIDTH))
        return line.strip()
