"""The progress of a division: the place and the points of each team after each matchday."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from clubs.models import Division, SeasonEntry, Team
from engine.compete import explain
from tournaments import stage_standings
from tournaments.stage_state import StageState, load


@dataclass(frozen=True)
class TeamProgress:
    """A team with its places and points after each matchday."""

    team: Team
    places: tuple[int, ...]
    points: tuple[Fraction, ...]
    """By today’s results: a correction counts from its matchday on."""

    @property
    def points_words(self) -> list[str]:
        return [explain.value(points) for points in self.points]


@dataclass(frozen=True)
class Course:
    """The matchdays of a division so far, and its teams in the order of the last of them."""

    days: tuple[int, ...]
    lines: tuple[TeamProgress, ...]


def course(division: Division) -> Course | None:
    """The progress of a division: a fixed number of queries; `None` before the first result."""
    if division.tournament is None:
        return None
    state = load(division.tournament.stages.get(), division.tournament)
    teams = {}
    for entry in SeasonEntry.objects.filter(division=division).select_related("team"):
        entry.team.league = division.season.league
        if entry.entry_id in state.position_of:
            teams[state.position_of[entry.entry_id]] = entry.team
    days = tuple(round_.row.number for round_ in state.rounds if any(table.is_decided for table in round_.tables))
    if not days:
        return None
    places: dict[int, list[int]] = {at: [] for at in teams}
    points: dict[int, list[Fraction]] = {at: [] for at in teams}
    for day in days:
        for number, row in enumerate(_table(state, day, teams), 1):
            places[row.entry].append(number if row.is_removed else row.rank)
            points[row.entry].append(row.points)
    order = sorted(teams, key=lambda at: (places[at][-1], teams[at].name.casefold()))
    return Course(days, tuple(TeamProgress(teams[at], tuple(places[at]), tuple(points[at])) for at in order))


def _table(state: StageState, day: int, teams: dict[int, Team]) -> Sequence[stage_standings.Row]:
    return [row for row in stage_standings.table(state, before=day + 1) if row.entry in teams]
