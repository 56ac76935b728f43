"""Settings and preview of an import of past seasons."""

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
    """Settings that the file does not have."""

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
    """Whether unknown people are added to the club as names."""
    meant: Mapping[tuple[str, int], int] = field(default_factory=dict)
    """Memberships that the names of teams mean, by the name of the team and the place in it, from 0."""


@dataclass(frozen=True)
class Row:
    """A team in the standings as they would be."""

    place: str
    name: str
    is_new: bool
    """Whether the team is new in the league."""
    played: int
    won: int
    drawn: int
    lost: int
    difference: int
    """Of card points."""
    points: str


@dataclass(frozen=True)
class Preview:
    """The outcome of an import."""

    seasons: tuple[tuple[str, tuple[tuple[str, tuple[Row, ...]], ...]], ...]
    """Names of seasons, each with the names and standings of its divisions."""
    matches: int
    known: tuple[str, ...]
    """Teams that the league has already."""
    new: tuple[str, ...]
    people: tuple[str, ...]
    """Names that would be added to the club."""
    doubtful: tuple[str, ...]
    """Names that several people of the club have: they stay names."""


def table(state: StageState, known_teams: Collection[str]) -> Iterable[Row]:
    """The standings of a division; `known_teams` has the teams of the league, by folded name."""
    tallies, differences = recent_form.tallies(state), _differences(state)
    standings = stage_standings.table(state)
    ranks = Counter(row.rank for row in standings)
    for row in standings:
        tally, name = tallies[row.entry], state.entries[row.entry].entry.name
        yield Row(
            place=f"{row.rank}{'=' if ranks[row.rank] > 1 else ''}",
            name=name,
            is_new=folded(name) not in known_teams,
            played=tally.played,
            won=tally.won,
            drawn=tally.drawn,
            lost=tally.lost,
            difference=differences[row.entry],
            points=explain.value(row.points),
        )


def _differences(state: StageState) -> Counter[int]:
    """Card points for, minus those against, by entry."""
    totals: Counter[int] = Counter()
    for round_ in state.rounds:
        for match in round_.tables:
            home, away = (place.score or 0 for place in match.places)
            for at, margin in zip(match.known, (home - away, away - home), strict=True):
                totals[at] += margin
    return totals
