"""Why one entry is ahead of its neighbour, in words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.compete import explain
from engine.compete.standings import DIRECT_ENCOUNTER, Row
from engine.compete.tiebreaks import NAMES
from tournaments.load import StageState, TableState
from tournaments.public.names import Entrant, by_position
from web.words import number


@dataclass(frozen=True)
class Why:
    """Why one of two neighbours with the same points is ahead of the other."""

    letter: str
    upper: Entrant
    lower: Entrant
    words: str
    """`on Buchholz, 14 to 12½`; empty where they are level in everything."""
    points: str
    """What they both have: `16 points`."""
    entries: tuple[int, int]
    """Their positions in the stage."""


def whys(state: StageState, rows: Sequence[Row], entrants: Mapping[int, Entrant]) -> tuple[Why, ...]:
    """A sentence for each pair of neighbours that have the same points, in the order of the standings."""
    names, met = by_position(state, entrants), _meetings(state)
    level = [
        pair for pair in pairwise(rows) if pair[0].points == pair[1].points and not any(one.is_removed for one in pair)
    ]
    return tuple(
        Why(
            letter=letters(at),
            upper=names[upper.entry],
            lower=names[lower.entry],
            words=_words(upper, lower, state.plan.tiebreaks, met),
            points=f"{explain.value(upper.points)} {'point' if upper.points == 1 else 'points'}",
            entries=(upper.entry, lower.entry),
        )
        for at, (upper, lower) in enumerate(level)
    )


def _words(upper: Row, lower: Row, tiebreaks: Sequence[str], met: _Met) -> str:
    words = explain.why_ahead(upper, lower, tiebreaks)
    if words == explain.LEVEL:
        return ""
    if words.startswith(_ON_ENCOUNTER):
        words += _result_of(met, upper.entry, lower.entry)
    return _LONG.sub(lambda digits: number(int(digits[0])), words.removeprefix("ahead "))


_ON_ENCOUNTER = f"ahead on {NAMES[DIRECT_ENCOUNTER][0].lower()}"


def letters(at: int) -> str:
    """`a`, `b`, … `z`, `aa`, …"""
    return (letters(at // 26 - 1) if at >= 26 else "") + chr(97 + at % 26)


_LONG = re.compile(r"(?<![\d.,])\d{4,}")
"""A whole number that wants its thousands apart."""

_Met = Mapping[frozenset[int], list[tuple[str, TableState]]]
"""Matches of two that were played, each with the name of its round, by who met."""


def _meetings(state: StageState) -> _Met:
    """Matches of two that were played, by who met."""
    met: dict[frozenset[int], list[tuple[str, TableState]]] = defaultdict(list)
    for one in state.rounds:
        for table in one.tables:
            if table.is_decided and len(table.known) == 2:
                met[frozenset(table.known)].append((one.row.name, table))
    return met


def _result_of(met: _Met, one: int, other: int) -> str:
    """What came of the only match of two entries, the first one's points first."""
    found = met.get(frozenset((one, other)), [])
    if len(found) != 1:
        return ""
    name, table = found[0]
    score = {at: place.score for at, place in zip(table.entries, table.places, strict=True)}
    if score[one] is None or score[other] is None:
        return f": by walkover in {name.lower()}"
    return f": {number(score[one] or 0)} – {number(score[other] or 0)} in {name.lower()}"
