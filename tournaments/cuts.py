"""Cuts of stages: the entries that go through to the next one, who is first, and ties that nothing settles yet."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from django.utils.translation import gettext

from engine.compete import cut, groups
from tournaments import level_cuts, stage_standings, ties
from tournaments.models import Stage
from tournaments.plan import Plan
from tournaments.stage_state import StageState, load


@dataclass(frozen=True)
class OpenTie:
    """A tie at a cut that an organiser must decide: the cut, the tied entries by position, and the question."""

    cut: int
    tied: tuple[int, ...]
    sentence: str
    is_first: bool = False
    """Whether it is about first place, which can be shared; otherwise all can go through."""


def through(plan: Plan, before: StageState) -> tuple[int, ...]:
    """The entries (positions) that a stage with this plan takes from the one before, in seed order.

    Raises `ties.Undecided` if a tie decides who goes through, and nothing settles it.
    """
    if before.plan.format == "groups" and plan.take_each:
        return _from_groups(plan, before)
    ranked = [(at, rank) for at, rank in _ranked(before) if before.entries[at].last_round is None]
    if not plan.take or plan.take >= len(ranked):
        return tuple(at for at, _ in ranked)
    rule = before.plan.cut_tie
    result = cut.cut(ranked, plan.take, tie="all" if rule == "all" else "playoff")
    chosen, _ = _settled(before, result.undecided, plan.take - len(result.through))
    return (*result.through, *chosen)


def _settled(before: StageState, tied: Sequence[int], places: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Of tied entries those that get so many places, best first, and those of them that are admitted beyond.

    Raises `ties.Undecided` if nothing settles it.
    """
    if not tied or places <= 0:
        return (), ()
    settled = ties.settle_tie(before, tied)
    across, left = settled.across(places)
    if not across:
        return settled.order[:places], ()
    if settled.shared != "all":
        raise ties.Undecided(level_cuts.question(before, across), across)
    return settled.order[: places - left] + across, across


def _ranked(before: StageState) -> list[tuple[int, int | Fraction]]:
    """The entries of a stage in order, each with the value that decides a tie at the cut: rank, or points alone."""
    ranking = stage_standings.ranking(before)
    is_by_points = before.plan.cut_tie in ("playoff", "all") and not (
        before.plan.is_bracket or before.plan.format in ("ladder", "pod_knockout")
    )
    if not is_by_points:
        return [(ranked.entry, ranked.rank) for ranked in ranking]
    points = stage_standings.points_of(stage_standings.table(before))
    return [(ranked.entry, -points[ranked.entry]) for ranked in ranking]


def _from_groups(plan: Plan, before: StageState) -> tuple[int, ...]:
    """The first of each group, and the best others: by place in their group, then by points per match."""
    orders: list[tuple[int, ...]] = []
    admitted: list[int] = []
    others: list[tuple[tuple[int, Fraction], int]] = []
    for number in range(1, before.plan.groups + 1):
        rows = stage_standings.table(before, group=number)
        orders.append(tuple(row.entry for row in rows))
        matches = max(1, (len(rows) - 1) * before.plan.legs)
        placed = [(row.entry, row.rank) for row in rows if not row.is_removed]
        tied = _across([rank for _, rank in placed], plan.take_each)
        if tied:
            level = [entry for entry, rank in placed if rank == tied]
            places = plan.take_each - sum(rank < tied for _, rank in placed)
            more = _settled(before, level, places)[0]
            admitted += more[places:]
        direct = {entry for entry, _ in placed[: plan.take_each]} | set(admitted)
        others += [((row.rank, -row.points / matches), row.entry) for row in rows if row.entry not in direct]
    places = plan.take - plan.take_each * len(orders) if plan.take else 0
    chosen = _best_others(before, sorted(others), places)
    pots = [admitted] if admitted else []
    pots += [[entry for _, entry in pot] for _, pot in groupby(chosen, key=lambda each: each[0][0])]
    return groups.cross_seed(orders, plan.take_each, extras=pots)


def _across(ranks: Sequence[int], places: int) -> int:
    """The rank that is shared across the line after so many places; 0 if none is."""
    return ranks[places] if 0 < places < len(ranks) and ranks[places - 1] == ranks[places] else 0


def _best_others(
    before: StageState, others: Sequence[tuple[tuple[int, Fraction], int]], places: int
) -> list[tuple[tuple[int, Fraction], int]]:
    """The best of those that are not among the first of their group."""
    if places <= 0 or places >= len(others):
        return list(others[: max(0, places)])
    line = others[places][0]
    if others[places - 1][0] != line:
        return list(others[:places])
    ahead = [each for each in others if each[0] < line]
    tied = [entry for value, entry in others if value == line]
    chosen, _ = _settled(before, tied, places - len(ahead))
    return [*ahead, *((line, entry) for entry in chosen)]


# First place


def first(state: StageState) -> tuple[tuple[stage_standings.Ranked, ...], bool]:
    """The entries in first place of a stage that is played out, and whether they share it by rule or decision."""
    if not stage_standings.is_played_out(state):
        return (), False
    winners = tuple(place for place in stage_standings.ranking(state) if place.rank == 1)
    tied = [place.entry for place in winners]
    return winners, len(tied) > 1 and ties.settle_tie(state, tied).shared in ("share", "all")


# Ties to decide


def open_tie(state: StageState, following: Plan | None) -> OpenTie | None:
    """The tie of a stage that an organiser must decide now; `following` is the plan of the stage that it feeds."""
    if state.plan.format == "pod_knockout" and state.rounds and not stage_standings.is_played_out(state):
        number = state.rounds[-1].row.number
        tied = level_cuts.level_cut(state, number).undecided if state.rounds[-1].is_complete else ()
        return OpenTie(number, tied, level_cuts.question(state, tied)) if tied else None
    if not stage_standings.is_played_out(state):
        return None
    if following is not None:
        if following.by_hand:
            return None
        try:
            through(following, state)
        except ties.Undecided as tie:
            return OpenTie(ties.END, tie.tied, tie.sentence)
        return None
    winners, is_shared = first(state)
    if len(winners) < 2 or is_shared:
        return None
    tied = tuple(place.entry for place in winners)
    return OpenTie(ties.END, tied, first_question(ties.names(state, tied)), is_first=True)


def first_question(names: str) -> str:
    """The question for the organisers about a tie for first place."""
    return gettext("%(names)s are tied for first place. The organisers decide.") % {"names": names}


def find_open_tie(stages: Sequence[Stage]) -> tuple[Stage, OpenTie] | None:
    """The stage of an event whose tie must be decided, with the tie. Only stages that can have one are
    read."""
    for stage, before in zip(stages, [None, *stages], strict=False):
        if not can_have_tie(stage):
            continue
        at = before if stage.status == Stage.Status.WAITING and before is not None else stage
        tie = open_tie(load(at), following_plan(stages, at))
        if tie is not None:
            return at, tie
    return None


def can_have_tie(stage: Stage) -> bool:
    """Whether a stage cannot continue, or its next level waits for an organiser, so that nobody tried to draw it."""
    if stage.trouble or stage.status != Stage.Status.RUNNING:
        return bool(stage.trouble)
    plan = Plan.read(stage.plan_json)
    return plan.waits_for_go and plan.format == "pod_knockout"


def following_plan(stages: Sequence[Stage], stage: Stage) -> Plan | None:
    """The plan of the stage after this one; `None` for the last."""
    following = next((each for each in stages if each.number > stage.number), None)
    return Plan.read(following.plan_json) if following is not None else None
