"""Reasons why one entry is ahead of its neighbour, as text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from django.utils.translation import gettext

from engine.compete import explain
from engine.compete.standings import DIRECT_ENCOUNTER, Row
from engine.compete.tiebreaks import NAMES
from tournaments import ties
from tournaments.public.names import Entrant, by_position
from tournaments.round_names import in_round
from tournaments.stage_state import StageState, TableState
from web.text import in_sentence, number, tenths


@dataclass(frozen=True)
class Why:
    """The reason why one of two neighbours with the same points is ahead of the other."""

    letter: str
    upper: Entrant
    lower: Entrant
    words: str
    """`on Buchholz, 14 to 12½`; empty if they are tied on every tie-break."""
    points: str
    """The points of both: `16 points`."""
    entries: tuple[int, int]
    """Their positions in the stage."""


def whys(state: StageState, rows: Sequence[Row], entrants: Mapping[int, Entrant]) -> tuple[Why, ...]:
    """A sentence for each pair of neighbours that have the same points, in the order of the standings."""
    names, met = by_position(state, entrants), _meetings(state)
    level = [
        pair for pair in pairwise(rows) if pair[0].points == pair[1].points and not any(row.is_removed for row in pair)
    ]
    return tuple(
        Why(
            letter=letters(at),
            upper=names[upper.entry],
            lower=names[lower.entry],
            words=_words(upper, lower, state.plan.tiebreaks, met),
            points=points_words(upper.points),
            entries=(upper.entry, lower.entry),
        )
        for at, (upper, lower) in enumerate(level)
    )


def points_words(points: Fraction | int) -> str:
    """Points with their noun: `16 points`."""
    words = total_words(Fraction(points))
    return gettext("1 point") if points == 1 else gettext("%(points)s points") % {"points": words}


def total_words(points: Fraction) -> str:
    """Points in all: `12½`, `4,210`; averages of card points to a tenth: `1,204.5`."""
    if points.denominator == 1 and abs(points) >= _OF_CARDS:
        return number(int(points))
    return tenths(points) if abs(points) >= _OF_CARDS else explain.value(points)


_OF_CARDS = 100
"""From here on points are usually card points."""


def _words(upper: Row, lower: Row, tiebreaks: Sequence[str], met: _Met) -> str:
    """The first tie-break that differs, as a part of a sentence: `on Buchholz, 14 to 12½`."""
    places = enumerate(zip(upper.places, lower.places, strict=True))
    step = next((at for at, (first, second) in places if first != second), None)
    if not step:
        return ""
    if step > len(tiebreaks):
        return ties.by_words(upper.by, ahead=False)
    name = tiebreaks[step - 1]
    if name == "lots":
        return gettext("by lot")
    title = gettext(NAMES[name][0])
    values = {"tiebreak": tiebreak_called(name, title)}
    if name == DIRECT_ENCOUNTER:
        return _encounter(values, _result_of(met, upper.entry, lower.entry))
    more, less = upper.values[name], lower.values[name]
    if more is None or less is None:
        return gettext("on %(tiebreak)s") % values
    return gettext("on %(tiebreak)s, %(more)s to %(less)s") % {**values, "more": _long(more), "less": _long(less)}


def tiebreak_called(name: str, title: str) -> str:
    """The title of a tie-break within a sentence: one that starts with a person’s name keeps its capital."""
    is_somebodys = "buchholz" in name or "sonneborn" in name or name == "koya"
    return title if is_somebodys else in_sentence(title)


def _encounter(values: Mapping[str, str], result: str) -> str:
    text = gettext("on %(tiebreak)s") % values
    return f"{text}: {result}" if result else text


def _long(value: Fraction | int) -> str:
    return _LONG.sub(lambda digits: number(int(digits[0])), explain.value(value))


def letters(at: int) -> str:
    """`a`, `b`, … `z`, `aa`, …"""
    return (letters(at // 26 - 1) if at >= 26 else "") + chr(97 + at % 26)


_LONG = re.compile(r"(?<![\d.,])\d{4,}")
"""A whole number long enough for a thousands separator."""

_Met = Mapping[frozenset[int], list[tuple[str, TableState]]]
"""Matches of two entries that were played, each with the name of its round, by the positions of both."""


def _meetings(state: StageState) -> _Met:
    """Matches of two entries that were played, by the positions of both."""
    met: dict[frozenset[int], list[tuple[str, TableState]]] = defaultdict(list)
    for round_ in state.rounds:
        for table in round_.tables:
            if table.is_decided and len(table.known) == 2:
                met[frozenset(table.known)].append((round_.row.name, table))
    return met


def _result_of(met: _Met, first: int, second: int) -> str:
    """The result of the only match of two entries, with the points of the first in front."""
    meetings = met.get(frozenset((first, second)), [])
    if len(meetings) != 1:
        return ""
    name, table = meetings[0]
    score = {at: place.score for at, place in zip(table.entries, table.places, strict=True)}
    if score[first] is None or score[second] is None:
        return gettext("by walkover %(in_round)s") % {"in_round": in_round(name)}
    result = f"{number(score[first] or 0)} – {number(score[second] or 0)}"
    return f"{result} {in_round(name)}"
