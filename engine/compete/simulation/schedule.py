"""A simulated competition: its rounds, advancement, standings, and needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from engine.compete.records import Round
from engine.compete.standings import table
from engine.compete.standings_json import number


@dataclass(frozen=True, slots=True)
class Seated:
    """A table: its entries by seat, and in a bracket the name of its match. `label` is for people, such as a group."""

    entries: tuple[int, ...]
    name: str = ""
    label: str = ""

    def to_json(self) -> Any:
        """A list of entries; in a bracket an object with the match's name."""
        return {"name": self.name, "entries": list(self.entries)} if self.name else list(self.entries)


@dataclass(frozen=True, slots=True)
class Session:
    """A round: its tables and its byes."""

    name: str
    tables: tuple[Seated, ...]
    byes: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The round as an object."""
        return {"name": self.name, "tables": [seated.to_json() for seated in self.tables], "byes": list(self.byes)}


@dataclass(frozen=True, slots=True)
class Advance:
    """Entries that go through after a round or a stage, in the order in which the next one is drawn."""

    after: str
    entries: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """The step as an object."""
        return {"after": self.after, "count": len(self.entries), "entries": list(self.entries)}


@dataclass(frozen=True, slots=True)
class Standing:
    """Rank of an entry, shared by all that are tied, and its match points over all rounds."""

    rank: int
    entry: int
    points: Fraction

    def to_json(self) -> dict[str, Any]:
        """The row as an object."""
        return {"rank": self.rank, "entry": self.entry, "points": number(self.points)}


@dataclass(frozen=True, slots=True)
class Course:
    """Course of a competition; `settings` are those in force, given or not."""

    rounds: tuple[Session, ...]
    standings: tuple[Standing, ...]
    advancement: tuple[Advance, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Simulation:
    """A whole competition, played out. `tables` is how many are needed at the same time."""

    format: str
    title: str
    entries: int
    settings: Mapping[str, Any]
    rounds: tuple[Session, ...]
    advancement: tuple[Advance, ...]
    standings: tuple[Standing, ...]

    @property
    def tables(self) -> int:
        """Most tables at the same time."""
        return max(len(session.tables) for session in self.rounds)

    @property
    def matches(self) -> int:
        """Number of tables in all rounds."""
        return sum(len(session.tables) for session in self.rounds)

    @property
    def byes(self) -> int:
        """Number of byes in all rounds."""
        return sum(len(session.byes) for session in self.rounds)

    def to_json(self) -> dict[str, Any]:
        """The simulation as `python -m engine compete simulate --json` writes it."""
        return {
            "format": self.format,
            "entries": self.entries,
            "settings": dict(self.settings),
            "rounds": [session.to_json() for session in self.rounds],
            "advancement": [advance.to_json() for advance in self.advancement],
            "standings": [standing.to_json() for standing in self.standings],
            "counts": {"rounds": len(self.rounds), "tables": self.tables, "matches": self.matches, "byes": self.byes},
        }


def by_points(rounds: list[Round], entries: int, *tiebreaks: str) -> tuple[Standing, ...]:
    """Standings of entries 1 to `entries` after these rounds."""
    rows = table(rounds, tiebreaks=tiebreaks, entries=range(1, entries + 1))
    return tuple(Standing(row.rank, row.entry, row.points) for row in rows)


def by_groups(groups: list[list[int]], points: Mapping[int, Fraction]) -> tuple[Standing, ...]:
    """Standings from groups of entries that share a rank, the first group first."""
    standings: list[Standing] = []
    for group in groups:
        rank = len(standings) + 1
        standings += [Standing(rank, entry, points.get(entry, Fraction(0))) for entry in sorted(group)]
    return tuple(standings)
