"""The end of a season: final places with play-offs counted, and the moves between divisions that follow."""

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
    """The teams of a division, in the order of its current standings, or of an imported final table."""
    rows = SeasonEntry.objects.filter(division=division).select_related("team__club")
    if division.tournament is None:
        placed = sorted((entry for entry in rows if entry.final_rank), key=lambda entry: entry.final_rank or 0)
        places = [entry.final_rank for entry in placed]
        return [Final(entry, entry.final_rank or 0, places.count(entry.final_rank) > 1) for entry in placed]
    entries = {entry.entry_id: entry for entry in rows}
    state = load(division.tournament.stages.get(), division.tournament)
    ranked = [(entries.get(state.entries[row.entry].entry_id), row.rank) for row in stage_standings.ranking(state)]
    ranks = [rank for _, rank in ranked]
    return [Final(entry, rank, ranks.count(rank) > 1) for entry, rank in ranked if entry is not None]


def final_orders(season: Season, divisions: Sequence[Division]) -> dict[Division, list[Final]]:
    """The final places of every division; a championship's play-off counts in the top one."""
    orders = {division: table_order(division) for division in divisions}
    championship = playoffs(season).get(0)
    if championship is not None and divisions:
        orders[divisions[0]] = after_championship(orders[divisions[0]], championship.order)
    return orders


def after_championship(table: Sequence[Final], order: Sequence[int]) -> list[Final]:
    """Final places after a play-off: its teams share out the places that they had among them."""
    held = [at for at, final in enumerate(table) if final.team.pk in order]
    by_team = {final.team.pk: final for final in table}
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
    """Ids of the teams of a cup or play-off in their final order; tied ones in the order of their seeds."""
    teams = dict(SeasonEventEntry.objects.filter(event=event).values_list("entry_id", "team_id"))
    state = load(event.tournament.stages.get(), event.tournament)
    ranked = sorted(stage_standings.ranking(state), key=lambda standing: (standing.rank, standing.entry))
    team_ids = [teams.get(state.entries[standing.entry].entry_id) for standing in ranked]
    return [team for team in team_ids if team is not None]


def after_playoffs(
    orders: Sequence[Sequence[int]], ups: Sequence[int], downs: Sequence[int], decided: Mapping[int, Playoff]
) -> tuple[Orders, list[int], list[int]]:
    """Final orders and the numbers promoted and relegated over each border, with play-offs counted, as
    `engine.compete.seasons.move` takes them.

    The winner of a play-off over a border plays above it next season. Its other teams play below: those from above are
    relegated in addition to those that are relegated anyway.
    """
    new, up, down = [list(order) for order in orders], list(ups), list(downs)
    for border, playoff in sorted(decided.items()):
        if not 1 <= border < len(new):
            continue
        upper, lower = new[border - 1], new[border]
        rising, falling = lower[: up[border - 1]], upper[max(0, len(upper) - down[border - 1]) :]
        losers = [team for team in upper if team in playoff.order and team not in (playoff.winner, *falling)]
        new[border - 1] = [team for team in upper if team not in losers and team not in falling] + losers + falling
        down[border - 1] += len(losers)
        if playoff.winner in lower and playoff.winner not in rising:
            new[border] = [*rising, playoff.winner, *(team for team in lower if team not in (playoff.winner, *rising))]
            up[border - 1] += 1
    return new, up, down


def tied_at(order: Sequence[Final], count: int, *, settled: Collection[int] = ()) -> list[Team]:
    """The teams tied in everything across the border after `count` places; empty if a play-off of them (`settled`)
    decides."""
    if not 0 < count < len(order) or order[count - 1].place != order[count].place:
        return []
    tied = [final.team for final in order if final.place == order[count].place]
    return [] if {team.pk for team in tied} <= set(settled) else tied
