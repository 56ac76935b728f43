"""Standings as they would be with the scores that were typed, next to the grid: reading only."""

from collections.abc import Mapping
from dataclasses import dataclass

from clubs.tonight.grid import Grid
from engine.compete.standings import Row as Standing
from tournaments import stage_standings, ties
from tournaments.models import Pairing, Result, TypedScores
from tournaments.plan import WITHOUT_POINTS
from tournaments.public.tiebreak_text import total_words
from tournaments.services.matches import scores as scoring
from tournaments.services.matches import typed_scores
from tournaments.stage_state import StageState, load

MOST = 40


@dataclass(frozen=True)
class StandingsLine:
    """An entry in the standings."""

    place: str
    name: str
    points: str
    moved: int
    """Places gained tonight; negative for lost."""
    by: str = ""
    """What put it ahead of those it was tied with: `ahead by lot`."""

    @property
    def lost(self) -> int:
        return -self.moved


@dataclass(frozen=True)
class Board:
    """The standings of a section, with so many of its results."""

    title: str
    lines: tuple[StandingsLine, ...]
    more: int
    count: int
    of: int


def board(grid: Grid) -> Board | None:
    """The standings next to a grid; `None` for formats without points. Always ten queries."""
    section = grid.section
    if not section.rounds:
        return None
    stage = section.rounds[-1].stage
    state = load(stage, section.event)
    if state.plan.format in WITHOUT_POINTS:
        return None
    tonight = {round_.pk for round_ in section.rounds}
    first = min(round_.number for round_ in section.rounds)
    before = ranks(stage_standings.table(state, before=first)) if first > 1 else {}
    ready = [row.pk for row in grid.rows if row.state == "in"]
    count_in(state, {typed.pairing_id: typed for typed in TypedScores.objects.filter(pairing__in=ready)})
    rows = stage_standings.table(state)
    lines = []
    now = ranks(rows)
    for row in rows[:MOST]:
        is_shared = sum(other.rank == row.rank for other in rows) > 1
        moved = before[row.entry] - now[row.entry] if row.entry in before else 0
        name = state.entries[row.entry].entry.name
        place = f"{row.rank}{'=' if is_shared else ''}"
        lines.append(StandingsLine(place, name, total_words(row.points), moved, ties.by_words(row.by)))
    tables = [table for round_ in state.rounds if round_.row.pk in tonight for table in round_.tables]
    return Board(
        stage.name if not section.is_matchday else section.event.name,
        tuple(lines),
        max(0, len(rows) - MOST),
        sum(table.is_decided for table in tables),
        len([table for table in tables if table.row.status != Pairing.Status.IDLE]),
    )


def ranks(rows: tuple[Standing, ...]) -> dict[int, int]:
    """Ranks by entry."""
    return {row.entry: row.rank for row in rows}


def count_in(state: StageState, typed: Mapping[int, TypedScores]) -> None:
    """Count typed scores in a state, as if they were results. Nothing is saved."""
    for round_ in state.rounds:
        for table in round_.tables:
            if table.row.pk not in typed or table.is_decided:
                continue
            lines = typed_scores.lines_of_typed(table.places, typed[table.row.pk])
            scored = scoring.score_lines(state.plan, Result.Kind.DECIDED, lines, [place.side for place in table.places])
            for place, score in zip(table.places, scored, strict=True):
                place.score, place.points, place.rank = score.score, score.points, score.rank
            result = Result(pk=-table.row.pk, pairing=table.row, kind=Result.Kind.DECIDED, lines=lines)
            table.row.result, table.row.status = result, Pairing.Status.DONE
    scoring.count_against_field(state)
