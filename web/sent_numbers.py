"""Whole numbers that a form or an address sends as text."""

from collections.abc import Iterable


def read_whole(text: str, *, digits: int = 9) -> int | None:
    """A whole number of so many digits at most; `None` for any other text, so that no longer one reaches a query."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


def read_ids(texts: Iterable[str], *, digits: int = 9) -> list[int]:
    """The ids of ticked rows, in their order, without what is no id."""
    return [number for text in texts if (number := read_whole(text, digits=digits)) is not None]
