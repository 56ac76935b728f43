"""What bringing seasons in is asked for, and what it would come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from clubs.imports.season import folded
from clubs.models import League
from engine.compete import explain
from tournaments import stage_standings
from tournaments.public import recent_form
from tournaments.stage_state import StageState


@dataclass(frozen=True)
class Wishes:
    """What the file does not say."""

    league_id: int | None = None
    """A league of the club; empty for a new one."""
    league_name: str = ""
    kind: str = League.Kind.PAIR
    """Of a new league."""
    preset: str = "standard"
    rules_version_id: int | None = None
    plan: Mapping[str, Any] = field(default_factory=dict)
    """Choices of `season_plans.PLAN`, such as points for a win."""
    adds_people: bool = True
    """Whether people whom the club does not know are added to its list as names."""


@dataclass(frozen=True)
class Row:
    """A team in a table as it would be."""

    place: str
    name: str
    is_new: bool
    """Whether the league does not know the team yet."""
    played: int
    won: int
    drawn: int
    lost: int
    difference: int
    """Of card points."""
    points: str


@dataclass(frozen=True)
class Outlook:
    """What bringing a file in would make."""

    seasons: tuple[tuple[str, tuple[tuple[str, tuple[Row, ...]], ...]], ...]
    """Names of seasons, and of each the names and tables of its divisions."""
    matches: int
    known: tuple[str, ...]
    """Teams that the league has already."""
    new: tuple[str, ...]
    people: tuple[str, ...]
    """Names that would be added to the club's list."""
    doubtful: tuple[str, ...]
    """Names that several people of the club have: they are not told apart, and left as names."""


def table(state: StageState, known: Collection[str]) -> Iterable[Row]:
    """The table of a division; `known` has the teams of the league, by folded name."""
    tallies, differences = recent_form.tallies(state), _differences(state)
    found = stage_standings.table(state)
    ranks = Counter(row.rank for row in found)
    for row in found:
        tally, name = tallies[row.entry], state.entries[row.entry].entry.name
        yield Row(
            place=f"{row.rank}{'=' if ranks[row.rank] > 1 else ''}",
            name=name,
            is_new=folded(name) not in known,
            played=tally.played,
            won=tally.won,
            drawn=tally.drawn,
            lost=tally.lost,
            difference=differences[row.entry],
            points=explain.value(row.points),
        )


def _differences(state: StageState) -> Counter[int]:
    """Card points for, less those against, by entry."""
    found: Counter[int] = Counter()
    for each in state.rounds:
        for one in each.tables:
            home, away = (place.score or 0 for place in one.places)
            for at, own in zip(one.known, (home - away, away - home), strict=True):
                found[at] += own
    return found
