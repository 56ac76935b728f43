"""Ties at a cut: one rule for all of them, chosen before the start, then the decisions of an organiser.

A cut is wherever a place decides: who goes through from a table, a group or a stage, who is promoted, who is first.
Order of entry never separates anyone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import Any, Final

from engine.compete.records import Played

ASK: Final = "tiebreaks"
"""Nothing more is chosen: an organiser is asked."""
RULES: Final = (ASK, "total", "books", "between", "playoff", "share", "all", "lot")
"""Rules by name: ask, total card points, most books, the result between them, a deciding deal, a share of the place,
everyone goes through, a lot."""

SEPARATING: Final = ("total", "books", "between", "lot")
"""Rules that separate tied entries by themselves."""

Groups = tuple[tuple[int, ...], ...]
"""Entries, the best first; those of one group are still tied."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Answer of an organiser to a tie: the groups, and how it came about (`playoff`, `lot`, `share` or `all`)."""

    groups: Groups
    by: str


@dataclass(frozen=True, slots=True)
class Settled:
    """A tie after the rule: its groups, and for each border between two of them what separated these."""

    groups: Groups
    by: tuple[str, ...] = ()
    shared: str = ""
    """`share` or `all` if a rule or an organiser says that the whole tie stays: they share the place, or all go on."""

    @property
    def order(self) -> tuple[int, ...]:
        """All entries, the best first."""
        return tuple(entry for group in self.groups for entry in group)

    def reasons(self) -> dict[int, str]:
        """By entry of a group that is ahead of the next one, what put it there."""
        return {entry: by for group, by in zip(self.groups, self.by, strict=False) for entry in group}

    def across(self, places: int) -> tuple[tuple[int, ...], int]:
        """The entries that are still tied across the line after so many places, and the places left for them.

        Nobody and 0 if none are.
        """
        at = 0
        for group in self.groups:
            if at < places < at + len(group):
                return group, places - at
            at += len(group)
        return (), 0


def settle(
    tied: Sequence[int],
    rule: str,
    tables: Iterable[Played] = (),
    *,
    lot: Callable[[int], Any] | None = None,
    decisions: Mapping[frozenset[int], Decision] | None = None,
) -> Settled:
    """Separate tied entries by a rule of `RULES`, and what it leaves by the decisions of organisers, by entries.

    `tables` are those that count for total card points, books and the result between them; `lot` is the key of a
    drawn lot, the lowest first, and is left out until it may be drawn.
    """
    if len(tied) < 2:
        return Settled((tuple(tied),) if tied else ())
    parts = _by_rule(tied, rule, tables, lot)
    groups: list[tuple[int, ...]] = []
    borders: list[str] = []
    shared = rule if rule in ("share", "all") else ""
    for at, part in enumerate(parts):
        decision = (decisions or {}).get(frozenset(part)) if len(part) > 1 else None
        inner = decision.groups if decision else (part,)
        if decision and decision.by in ("share", "all"):
            shared = decision.by
        borders += [rule] * (at > 0) + [decision.by if decision else ""] * (len(inner) - 1)
        groups += inner
    return Settled(tuple(groups), tuple(borders), shared)


def _by_rule(
    tied: Sequence[int], rule: str, tables: Iterable[Played], lot: Callable[[int], Any] | None
) -> Sequence[tuple[int, ...]]:
    if rule == "lot" and lot is not None:
        return [(entry,) for entry in sorted(tied, key=lot)]
    values: Mapping[int, int] = {}
    if rule in ("total", "books"):
        values = _added(tables, "scores" if rule == "total" else "books")
    elif rule == "between":
        values = _between(tied, tables)
    return [tuple(part) for _, part in groupby(sorted(tied, key=lambda entry: -values.get(entry, 0)),
                                               key=lambda entry: values.get(entry, 0))]  # fmt: skip


def _added(tables: Iterable[Played], name: str) -> dict[int, int]:
    """A figure of every entry, added up over its tables."""
    sums: dict[int, int] = {}
    for table in tables:
        for entry, value in zip(table.entries, getattr(table, name), strict=False):
            sums[entry] = sums.get(entry, 0) + value
    return sums


def _between(tied: Sequence[int], tables: Iterable[Played]) -> dict[int, int]:
    """Tables won against each other, less those lost; nothing unless all of them met."""
    balance: dict[int, int] = dict.fromkeys(tied, 0)
    met = set()
    for table in tables:
        results = dict(zip(table.entries, zip(table.points, table.scores or table.points, strict=True), strict=True))
        for first, second in combinations([entry for entry in tied if entry in results], 2):
            met.add(frozenset((first, second)))
            ahead = (results[first] > results[second]) - (results[first] < results[second])
            balance[first] += ahead
            balance[second] -= ahead
    return balance if len(met) == len(tied) * (len(tied) - 1) // 2 else {}
