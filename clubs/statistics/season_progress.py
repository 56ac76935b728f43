"""How a division went: the place and the points of each team after each matchday."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from clubs.models import Division, SeasonEntry, Team
from engine.compete import explain
from tournaments import stage_standings
from tournaments.stage_state import StageState, load


@dataclass(frozen=True)
class Line:
    """A team with what it had after each matchday."""

    team: Team
    places: tuple[int, ...]
    points: tuple[Fraction, ...]
    """As things stand with all that is known of those matchdays today: corrections count from their matchday on."""

    @property
    def points_words(self) -> list[str]:
        return [explain.value(one) for one in self.points]


@dataclass(frozen=True)
class Course:
    """The matchdays of a division so far, and its teams in the order of the last of them."""

    days: tuple[int, ...]
    lines: tuple[Line, ...]


def course(division: Division) -> Course | None:
    """How a division went: a fixed number of queries; `None` before the first result."""
    if division.tournament is None:
        return None
    state = load(division.tournament.stages.get(), division.tournament)
    teams = {}
    for one in SeasonEntry.objects.filter(division=division).select_related("team"):
        one.team.league = division.season.league
        if one.entry_id in state.position_of:
            teams[state.position_of[one.entry_id]] = one.team
    days = tuple(one.row.number for one in state.rounds if any(table.is_decided for table in one.tables))
    if not days:
        return None
    places: dict[int, list[int]] = {at: [] for at in teams}
    points: dict[int, list[Fraction]] = {at: [] for at in teams}
    for day in days:
        for number, row in enumerate(_table(state, day, teams), 1):
            places[row.entry].append(number if row.is_removed else row.rank)
            points[row.entry].append(row.points)
    order = sorted(teams, key=lambda at: (places[at][-1], teams[at].name.casefold()))
    return Course(days, tuple(Line(teams[at], tuple(places[at]), tuple(points[at])) for at in order))


def _table(state: StageState, day: int, teams: dict[int, Team]) -> Sequence[stage_standings.Row]:
    return [row for row in stage_standings.table(state, before=day + 1) if row.entry in teams]
