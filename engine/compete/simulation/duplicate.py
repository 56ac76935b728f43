"""Pairs at tables that play the same deals, scored by matchpoints against everyone who held the same cards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from engine.compete.movements.howell import howell
from engine.compete.movements.mitchell import mitchell
from engine.compete.records import Drawn, Kind, Played, Round, Unplayed
from engine.compete.scoring import matchpoints
from engine.compete.simulation.meetings import round_name, sessions
from engine.compete.simulation.results import Request
from engine.compete.simulation.schedule import Course, by_points


def howell_pairs(request: Request) -> Course:
    """Every pair meets others and changes sides, so that all can be compared."""
    return _course(request, howell(request.entries, rounds=request.rounds))


def mitchell_pairs(request: Request) -> Course:
    """Pairs in two lines: the first stays, the second moves."""
    return _course(request, mitchell(request.entries, rounds=request.rounds))


def _course(request: Request, drawn: Sequence[Drawn]) -> Course:
    rounds = [
        _round(each, round_name(number), won)
        for number, (each, won) in enumerate(zip(drawn, _won(request, drawn), strict=True), start=1)
    ]
    return Course(sessions(drawn), by_points(rounds, request.entries), settings={"seats": 2, "rounds": len(drawn)})


def _won(request: Request, drawn: Sequence[Drawn]) -> list[dict[int, Fraction]]:
    """By round, the matchpoints of each pair over all deals it played there."""
    held: dict[tuple[int, int], dict[tuple[int, int], int]] = defaultdict(dict)
    for number, each in enumerate(drawn):
        for entries, boards in zip(each.tables, each.boards, strict=True):
            for board in boards:
                strengths = [request.strength(entry, f"{number}/{board}") for entry in entries]
                for seat in (0, 1):
                    held[board, seat][number, entries[seat]] = strengths[seat] - strengths[1 - seat]
    won: list[dict[int, Fraction]] = [defaultdict(Fraction) for _ in drawn]
    for scores in held.values():
        for (number, entry), points in zip(scores, matchpoints(list(scores.values())), strict=True):
            won[number][entry] += points
    return won


def _round(drawn: Drawn, name: str, won: dict[int, Fraction]) -> Round:
    """A round with its points; a pair that sits out has the average of those that play."""
    tables = tuple(Played(entries, tuple(won[entry] for entry in entries)) for entries in drawn.tables)
    average = sum(won.values(), Fraction(0)) / max(1, len(won))
    return Round(tables, tuple(Unplayed(entry, average, Kind.HALF_BYE) for entry in drawn.byes), name)
