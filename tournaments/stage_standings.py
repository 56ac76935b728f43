"""Standings of a stage, by its plan: rows of `engine.compete.standings`, and the order in which its entries end."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import groupby

from django.utils import timezone

from engine.compete import fixtures, ladder, standings
from engine.compete.pairing import knockout
from engine.compete.records import Round as PlayedRound
from engine.compete.ties import Settled
from tournaments import expected_rounds, ties
from tournaments.plan import ENDLESS
from tournaments.stage_state import StageState, TableState

Row = standings.Row


@dataclass(frozen=True)
class Ranked:
    """An entry of a stage at its rank, 1 the best; shared where equal."""

    entry: int
    rank: int
    by: str = ""
    """What put it ahead of the next one, if they were tied: see `tournaments.ties`."""


def table(state: StageState, *, group: int = 0, before: int | None = None) -> tuple[Row, ...]:
    """Standings of a stage, or of one of its groups, by confirmed results; with `before` only of earlier rounds."""
    plan = state.plan
    members = state.group(group) if group else list(state.entries)
    gone = uncounted(state)
    rounds = [_among(round_, set(members), gone) for round_ in state.played(before)]
    start = {at: points for at, points in state.start.items() if at in members and points}
    rows = standings.table(
        rounds,
        tiebreaks=plan.tiebreaks,
        unplayed_rule=plan.unplayed_rule,
        entries=members,
        start=start,
        lots=state.lots,
        best_of=plan.best_rounds or None,
        spread_cap=plan.spread_cap or None,
        removed=removed(state) & set(members),
        is_round_robin=plan.format in ("round_robin", "groups"),
        win=Fraction(plan.win) if plan.scoring == "by_result" else None,
        draw=Fraction(plan.draw) if plan.scoring == "by_result" else None,
        scoring=plan.evening,
    )
    return rows if before is not None or not is_played_out(state) else _settled(state, rows)


def is_played_out(state: StageState) -> bool:
    """Whether nothing is left to play in a stage, so that its ties can be settled."""
    if state.plan.format in ENDLESS:
        return state.stage.status == state.stage.Status.OVER
    if not state.rounds or not all(round_.is_complete for round_ in state.rounds):
        return False
    count = expected_rounds.round_count(state)
    return count is not None and len(state.rounds) >= count


def _settled(state: StageState, rows: Sequence[Row]) -> tuple[Row, ...]:
    """Final standings, with rows that are tied in everything separated as far as the rule and decisions do it."""
    settled: list[Row] = []
    for (rank, is_removed), group in groupby(rows, key=lambda row: (row.rank, row.is_removed)):
        by_entry = {row.entry: row for row in group}
        if len(by_entry) == 1 or is_removed:
            settled += by_entry.values()
            continue
        settled += [
            replace(by_entry[at], rank=place, places=(*by_entry[at].places, place), by=by)
            for at, place, by in _places(ties.settle_tie(state, list(by_entry)), rank)
        ]
    # Every row has as many places as the longest, so that two of them can be compared.
    most = max((len(row.places) for row in settled), default=0)
    return tuple(replace(row, places=row.places + row.places[-1:] * (most - len(row.places))) for row in settled)


def _places(settled: Settled, rank: int) -> Iterable[tuple[int, int, str]]:
    """Entries of a settled tie with their place, and what put the last of a group ahead of the next group."""
    for at, group in enumerate(settled.groups):
        by = settled.by[at] if at < len(settled.by) else ""
        for entry in group:
            yield entry, rank, by if entry == group[-1] else ""
        rank += len(group)


def removed(state: StageState) -> set[int]:
    """Entries that are listed last: disqualified, or gone under half way from a round robin."""
    out = {at for at, entrant in state.entries.items() if entrant.entry.status == entrant.entry.Status.DISQUALIFIED}
    return out | uncounted(state)


def uncounted(state: StageState) -> set[int]:
    """Entries of a round robin that left before half their matches were played: shown, and not counted (FIDE C.05)."""
    if state.plan.format not in ("round_robin", "groups"):
        return set()
    gone = set()
    for at, entrant in state.entries.items():
        if entrant.last_round is None:
            continue
        matches = [table for each in state.rounds for table in each.tables if at in table.known]
        played = [table for table in matches if table.row.result_id is not None]
        if not fixtures.withdrawal_counts(len(played), len(matches)):
            gone.add(at)
    return gone


def _among(round_: PlayedRound, members: set[int], gone: set[int]) -> PlayedRound:
    """The part of a round that concerns some entries; matches against those gone count for nobody."""
    tables = tuple(each for each in round_.tables if set(each.entries) <= members and not gone & set(each.entries))
    unplayed = tuple(
        each for each in round_.unplayed if each.entry in members and not gone & {each.entry, each.opponent or 0}
    )
    awaited = tuple(at for at in round_.awaited if at in members)
    return PlayedRound(tables, unplayed, round_.name, awaited)


def ranking(state: StageState) -> tuple[Ranked, ...]:
    """Entries in the order of the stage, best first, without those with no known rank."""
    if state.plan.is_bracket:
        draw = expected_rounds.bracket(state)
        resolved = expected_rounds.resolve(state, draw)
        spans = knockout.possible_places(draw, resolved)
        return tuple(Ranked(at, spans[at][0]) for group in knockout.places(draw, resolved) for at in group)
    if state.plan.format == "pod_knockout":
        return _by_level(state)
    if state.plan.format == "ladder":
        return tuple(Ranked(at, rank) for rank, at in enumerate(ladder_order(state), 1))
    return tuple(Ranked(row.entry, row.rank, row.by) for row in table(state))


def _by_level(state: StageState) -> tuple[Ranked, ...]:
    """Order of a knockout at bigger tables: by round reached, rank at the last table, card points.

    In the end what is still tied is settled by the rule."""
    best: dict[int, tuple[int, int, int]] = dict.fromkeys(state.entries, (0, 0, 0))
    for round_ in state.rounds:
        for match in round_.tables:
            if not match.is_decided:
                continue
            for at, place in zip(match.entries, match.places, strict=True):
                if at is not None:
                    best[at] = (round_.row.number, -(place.rank or len(match.places)), place.score or 0)
    order = sorted(best, key=lambda at: (*(-value for value in best[at]), at))
    ranks: list[Ranked] = []
    for _, group in groupby(order, key=best.__getitem__):
        tied, rank = list(group), len(ranks) + 1
        settled = ties.settle_tie(state, tied) if is_played_out(state) else Settled((tuple(tied),))
        ranks += [Ranked(at, place, by) for at, place, by in _places(settled, rank)]
    return tuple(ranks)


def ladder_order(state: StageState, now: datetime | None = None) -> tuple[int, ...]:
    """Order of the ladder by every decided challenge and by idle entries.

    An entry without a match for `idle_days` drops a place, and again after every further `idle_days`, up to `now`.
    """
    order = tuple(at for at, entrant in state.entries.items() if entrant.last_round is None)
    decided = [match for each in state.rounds for match in each.tables if match.is_decided and len(match.known) == 2]
    events = sorted(
        ((match.row.done_at, match.row.pk, match) for match in decided if match.row.done_at),
        key=lambda event: event[:2],
    )
    began = state.stage.started_at
    idle = timedelta(days=state.plan.idle_days)
    due = dict.fromkeys(order, began + idle) if idle and began else {}
    for when, _, match in events:
        order = _challenge(_slide(order, due, when, idle), match)
        due.update({at: when + idle for at in match.known if at in due})
    return _slide(order, due, now or timezone.now(), idle)


def _slide(order: tuple[int, ...], due: dict[int, datetime], until: datetime, idle: timedelta) -> tuple[int, ...]:
    """Apply the drops of idle entries up to a moment."""
    while overdue := sorted((when, at) for at, when in due.items() if when <= until):
        when = overdue[0][0]
        gone = [at for other, at in overdue if other == when and at in order]
        order = ladder.after_inactivity(order, gone)
        due.update({at: when + idle for other, at in overdue if other == when})
    return order


def _challenge(order: tuple[int, ...], match: TableState) -> tuple[int, ...]:
    challenger, challenged = match.known
    winner = expected_rounds.outcome_of(match).winner
    if winner is None or challenger not in order or challenged not in order:
        return order
    return ladder.after_match(order, challenger, challenged, winner)


def points_of(rows: Sequence[Row]) -> dict[int, Fraction]:
    """Points by entry."""
    return {row.entry: row.points for row in rows}
