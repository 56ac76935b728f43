"""Results for a competition that nobody plays: by seed, against seed, or by lot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from engine.compete.pairing.players import lot
from engine.compete.records import Drawn, Kind, Played, Round, Unplayed
from engine.compete.scoring import by_place, by_result

WIN: Final = 2
"""Match points of a match won, and of a bye."""

HOW: Final[dict[str, str]] = {
    "better-seed": "the better seed always wins",
    "worse-seed": "the worse seed always wins",
    "random": "results fall by lot",
}
"""Sources of results with their names."""


@dataclass(frozen=True, slots=True)
class Request:
    """Request for a simulation; `None` is left to the format."""

    entries: int
    seats: int | None = None
    advance: int | None = None
    rounds: int | None = None
    results: str = "better-seed"
    seed: str = "0"

    def strength(self, entry: int, where: str) -> int:
        """Card points of an entry at a table; `where` names the match."""
        if self.results == "random":
            return int(lot(f"{self.seed}/{where}", entry)[:12], 16)
        return (self.entries - entry if self.results == "better-seed" else entry) * 10

    def winner(self, entries: Iterable[int], where: str) -> int:
        """Winner of a match."""
        return max(entries, key=lambda entry: (self.strength(entry, where), -entry))

    def table(self, entries: Sequence[int], where: str) -> Played:
        """A table that is played by place; of two entries the first place brings two points."""
        scores = tuple(self.strength(entry, where) for entry in entries)
        points = by_result(scores, win=WIN) if len(entries) == 2 else by_place(scores)
        return Played(tuple(entries), points, scores)

    def partners(self, entries: Sequence[int], where: str) -> Played:
        """A table of four where those who sit opposite each other are partners."""
        sides = (0, 1, 0, 1)
        scores = [self.strength(entries[side], where) + self.strength(entries[side + 2], where) for side in (0, 1)]
        if scores[0] == scores[1]:
            scores[sides[entries.index(self.winner(entries, where))]] += 1
        points = by_result(scores, win=WIN)
        return Played(
            tuple(entries), tuple(points[side] for side in sides), tuple(scores[side] for side in sides), sides
        )

    def round(self, drawn: Drawn, name: str, *, bye: Kind = Kind.BYE) -> Round:
        """A drawn round, played at tables where each entry is a side of its own."""
        tables = [self.table(entries, f"{name}/{number}") for number, entries in enumerate(drawn.tables)]
        return Round(tuple(tables), byes(drawn, bye), name)


def byes(drawn: Drawn, kind: Kind) -> tuple[Unplayed, ...]:
    """The byes of a round, which bring as much as a win, half of it, or nothing."""
    worth = {Kind.BYE: Fraction(WIN), Kind.HALF_BYE: Fraction(WIN, 2)}.get(kind, Fraction(0))
    return tuple(Unplayed(entry, worth, kind) for entry in drawn.byes)
