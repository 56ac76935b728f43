"""How a season ends: final places with play-offs counted, and who moves between divisions because of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from clubs.models import Division, Season, SeasonEntry, SeasonEvent, SeasonEventEntry, Team
from tournaments import stage_standings
from tournaments.models import Tournament
from tournaments.stage_state import load


@dataclass(frozen=True)
class Final:
    """A team at its place in its division."""

    entry: SeasonEntry
    place: int
    is_shared: bool = False

    @property
    def team(self) -> Team:
        return self.entry.team


@dataclass(frozen=True)
class Playoff:
    """A play-off that is over: its teams by id, the winner first."""

    event: SeasonEvent
    order: tuple[int, ...]

    @property
    def winner(self) -> int:
        return self.order[0]


Orders = list[list[int]]
"""Ids of teams by division, the top one first, each in final order."""


def table_order(division: Division) -> list[Final]:
    """The teams of a division that was drawn, in the order of its table as it stands."""
    rows = SeasonEntry.objects.filter(division=division).select_related("team__club")
    entries = {row.entry_id: row for row in rows}
    if division.tournament is None:
        return []
    state = load(division.tournament.stages.get(), division.tournament)
    ranked = [(entries.get(state.entries[one.entry].entry_id), one.rank) for one in stage_standings.ranking(state)]
    ranks = [rank for _, rank in ranked]
    return [Final(row, rank, ranks.count(rank) > 1) for row, rank in ranked if row is not None]


def final_orders(season: Season, divisions: Sequence[Division]) -> dict[Division, list[Final]]:
    """The final places of every division; a championship's play-off counts in the top one."""
    found = {division: table_order(division) for division in divisions}
    championship = playoffs(season).get(0)
    if championship is not None and divisions:
        found[divisions[0]] = after_championship(found[divisions[0]], championship.order)
    return found


def after_championship(table: Sequence[Final], order: Sequence[int]) -> list[Final]:
    """Final places where some teams played off for theirs: they share out the places that they held among them."""
    held = [at for at, one in enumerate(table) if one.team.pk in order]
    by_team = {one.team.pk: one for one in table}
    placed = list(table)
    for at, team in zip(held, [team for team in order if team in by_team], strict=True):
        placed[at] = Final(by_team[team].entry, at + 1)
    return placed


def playoffs(season: Season) -> dict[int, Playoff]:
    """The play-offs of a season that are over, by their border."""
    events = SeasonEvent.objects.filter(season=season, kind=SeasonEvent.Kind.PLAYOFF)
    over = events.filter(tournament__status=Tournament.Status.OVER).select_related("tournament")
    return {event.border or 0: Playoff(event, tuple(event_order(event))) for event in over}


def event_order(event: SeasonEvent) -> list[int]:
    """Ids of the teams of a cup or play-off in the order in which they came out; equals in the order of their seeds."""
    teams = dict(SeasonEventEntry.objects.filter(event=event).values_list("entry_id", "team_id"))
    state = load(event.tournament.stages.get(), event.tournament)
    ranked = sorted(stage_standings.ranking(state), key=lambda one: (one.rank, one.entry))
    found = [teams.get(state.entries[one.entry].entry_id) for one in ranked]
    return [team for team in found if team is not None]


def after_playoffs(
    orders: Sequence[Sequence[int]], ups: Sequence[int], downs: Sequence[int], decided: Mapping[int, Playoff]
) -> tuple[Orders, list[int], list[int]]:
    """Final orders and numbers of who goes up and down over each border, as `engine.compete.seasons.move` takes them,
    with play-offs counted.

    The winner of a play-off over a border plays above it: it goes up, or stays. Its other teams play below: those from
    above go down, beside those who go down anyway.
    """
    made, up, down = [list(order) for order in orders], list(ups), list(downs)
    for border, one in sorted(decided.items()):
        if not 1 <= border < len(made):
            continue
        upper, lower = made[border - 1], made[border]
        rising, falling = lower[: up[border - 1]], upper[max(0, len(upper) - down[border - 1]) :]
        losers = [team for team in upper if team in one.order and team not in (one.winner, *falling)]
        made[border - 1] = [team for team in upper if team not in losers and team not in falling] + losers + falling
        down[border - 1] += len(losers)
        if one.winner in lower and one.winner not in rising:
            made[border] = [*rising, one.winner, *(team for team in lower if team not in (one.winner, *rising))]
            up[border - 1] += 1
    return made, up, down


def level_at(order: Sequence[Final], count: int, *, settled: Collection[int] = ()) -> list[Team]:
    """The teams that are level in everything across the line after so many places; none where nobody is, or where a
    play-off settles it (`settled` are ids of its teams)."""
    if not 0 < count < len(order) or order[count - 1].place != order[count].place:
        return []
    tied = [one.team for one in order if one.place == order[count].place]
    return [] if {team.pk for team in tied} <= set(settled) else tied
