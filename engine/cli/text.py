"""Text for a terminal of 80 columns: nothing that could steer it, nothing wider than it."""

from __future__ import annotations

import textwrap

WIDTH = 80


def plain(text: str) -> str:
    """The text on one line, with everything that is no printable character escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else "\\n" if c == "\n" else repr(c)[1:-1] for c in text)


def wrap(text: str, first: str = "", rest: str | None = None) -> str:
    """The text in lines of at most 80 columns; `first` begins the first one, `rest` the others."""
    rest = " " * len(first) if rest is None else rest
    return textwrap.fill(text, WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


def shorten(text: str, width: int) -> str:
    """The text, cut to a width where it is longer."""
    return text if len(text) <= width else text[: width - 1] + "…"
