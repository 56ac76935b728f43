"""Addresses of a table's links: worked out once for each table, because every part of its page uses some."""

from functools import lru_cache
from typing import NamedTuple

from django.urls import reverse


class Links(NamedTuple):
    """Paths on this site."""

    table: str
    move: str
    rules: str
    standing: str
    scores: str
    log: str
    notes: str
    chat: str
    turns: str
    """All tables of the reader."""


@lru_cache(maxsize=4096)
def links_of(slug: str) -> Links:
    """The links of the table with this slug."""
    of_table = {name: reverse(f"gameplay:{name}", args=[slug]) for name in Links._fields[:-1]}
    return Links(**of_table, turns=reverse("gameplay:turns"))
