"""Possible final ranks of each entry of a stage."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction

from django.utils.translation import gettext

from engine.compete import ranges
from engine.compete.pairing import knockout, pod_places
from engine.compete.ranges import Gains
from engine.compete.records import Kind
from engine.compete.scoring import SCORINGS
from engine.compete.standings import Row
from tournaments import expected_rounds, level_cuts, stage_standings
from tournaments.models import Stage
from tournaments.plan import ENDLESS, Plan
from tournaments.stage_state import StageState

Span = tuple[int, int]
"""The best and the worst rank."""


def words(span: Span | None, *, is_shared: bool = False) -> str:
    """A range as text: `3`, `2–5`, `5=` if it is shared, `–` if it is unknown."""
    if span is None:
        return "–"
    best, worst = span
    if best == worst:
        return f"{best}=" if is_shared else str(best)
    return f"{best}–{worst}"


def sentence(span: Span | None, entries: int, *, is_over: bool = False) -> str:
    """The same in a sentence about one entry. `is_over` is whether nothing is left to be played."""
    if span is None:
        return ""
    best, worst = span
    if best == worst and is_over:
        return gettext("Finished in place %(place)s.") % {"place": best}
    if best == worst:
        return gettext("Place %(place)s is certain.") % {"place": best}
    if (best, worst) == (1, entries):
        return gettext("Can still finish in any place.")
    sentence = gettext("Can still finish in places %(best)s to %(worst)s.")
    return sentence % {"best": best, "worst": worst}


def of(state: StageState, rows: Sequence[Row], *, group: int = 0) -> dict[int, Span]:
    """The ranges of the entries in these standings, by position; empty for formats without predictable ranks.

    `rows` are `stage_standings.table` of the stage, or of its group. An entry listed last by decision has no range.
    """
    if state.plan.is_bracket:
        return in_bracket(state)
    if state.plan.format == "pod_knockout":
        return in_levels(state)
    ranked = [row for row in rows if not row.is_removed]
    if state.stage.status == Stage.Status.OVER:
        return {row.entry: (row.rank, row.rank) for row in ranked}
    # Against the field, a result changes the points of others in rounds that they have finished.
    if state.plan.format in ENDLESS or SCORINGS[state.plan.scoring].is_for_field or not state.rounds:
        return {}
    if state.plan.counts_cards:
        return {}  # nothing bounds the card points of a match
    among = {row.entry for row in ranked}
    tables: list[tuple[int, ...]] = _open_tables(state, among, group)
    unknown = max(0, (expected_rounds.round_count(state) or 0) - len(state.rounds))
    sizes = {len(table) for table in tables} | (set(_sizes(state.plan)) if unknown else {state.plan.seats})
    gains = {size: gains_at(state.plan, size) for size in sizes}
    points = {row.entry: row.points for row in ranked}
    if byes := _open_byes(state, among):
        # One match brings as much at the most, and so does the average of several.
        points |= {row.entry: row.points for row in _without_byes(state, group) if row.entry in among}
        bounds = [(gain.least, gain.most) for gain in gains.values()]
        gains[1] = Gains(min(least for least, _ in bounds), max(most for _, most in bounds))
        tables += byes
    return ranges.possible_ranks(points, tables, gains=gains, unknown_rounds=unknown, entries=list(among))


def _sizes(plan: Plan) -> Sequence[int]:
    """Possible table sizes of a later round."""
    if plan.format != "swiss_pods":
        return (plan.seats,)
    return range(plan.last_tables.least, plan.last_tables.most + 1)


def _open_tables(state: StageState, among: Collection[int], group: int) -> list[tuple[int, ...]]:
    """Open tables with at least one ranked entry."""
    tables = [table for round_ in state.rounds for table in round_.tables if table.row.is_open]
    seated = [table.known for table in tables if not group or table.row.group == group]
    return [entries for entries in seated if len(entries) > 1 and set(entries) & set(among)]


def _open_byes(state: StageState, among: Collection[int]) -> list[tuple[int]]:
    """The byes whose points are not settled, each as if it were a table of one.

    They are those that count an average, and those of a round without a result, which does not count yet.
    """
    is_average = state.plan.evening.sit_out is None
    outs = [
        (state.position_of.get(out.entry_id, 0),)
        for round_ in state.rounds
        for out in round_.sit_outs
        if not round_.has_results or (is_average and out.kind == Kind.SIT_OUT)
    ]
    return [out for out in outs if out[0] in among]


def _without_byes(state: StageState, group: int) -> Sequence[Row]:
    return stage_standings.table(replace(state, plan=replace(state.plan, byes_count="none")), group=group)


def gains_at(plan: Plan, size: int) -> Gains:
    """Possible points of one round at a table of this size, a bye or a walkover included."""
    sides = 2 if plan.has_partners else size
    beside = [plan.worth(name) for name in ("bye", "half_bye", "forfeit_win", "forfeit_loss")] + [Fraction(0)]
    splits = _splits(plan, size) if sides == 2 else ()
    values = [*beside, *(value for split in splits for value in split), *_extremes(plan, sides)]
    return Gains(min(values), max(values), splits)


def _splits(plan: Plan, size: int) -> tuple[tuple[Fraction, ...], ...]:
    """The ways in which points can be split between two sides, if they are few."""
    if plan.scoring != "by_result":
        return ()
    win, draw, loss = (Fraction(each) for each in (plan.win, plan.draw, plan.loss))
    came, absent = plan.worth("forfeit_win"), plan.worth("forfeit_loss")
    each = size // 2
    return tuple(
        sorted({(a,) * each + (b,) * each for a, b in ((win, loss), (draw, draw), (came, absent), (absent, absent))})
    )


def _extremes(plan: Plan, sides: int) -> list[Fraction]:
    """The most and the least that the scoring gives for one match."""
    if plan.scoring == "by_result":
        return [Fraction(plan.win), Fraction(plan.loss)]
    if plan.scoring == "by_place":
        return [Fraction(points) for points in plan.place_points] or [Fraction(sides - 1), Fraction(0)]
    return [Fraction(20 if plan.scoring == "victory_points" else 1), Fraction(0)]


def in_bracket(state: StageState) -> dict[int, Span]:
    """The places in a bracket: exact, because they depend on an entry's own matches alone."""
    bracket = expected_rounds.bracket(state)
    return knockout.possible_places(bracket, expected_rounds.resolve(state, bracket))


def in_levels(state: StageState) -> dict[int, Span]:
    """The places in a knockout at bigger tables: an entry that is out has a place behind all that went through."""
    if not state.rounds:
        return {}
    if state.rounds[-1].is_complete and state.stage.status == Stage.Status.OVER:
        return {place.entry: (place.rank, place.rank) for place in stage_standings.ranking(state)}
    spans = _at_last_level(state)
    out = [place for place in stage_standings.ranking(state) if place.entry not in spans]
    ahead = len(spans)
    for place in out:
        rank = ahead + 1 + sum(other.rank < place.rank for other in out)
        spans[place.entry] = (rank, rank)
    return dict(sorted(spans.items()))


def _at_last_level(state: StageState) -> dict[int, Span]:
    """The places of the entries at the level that was drawn last, by its finished tables."""
    last = state.rounds[-1]
    number = last.row.number
    level, cut = level_cuts.levels(state)[number - 1], level_cuts.level_cut(state, number)
    tables = level_cuts.level_tables(state, number)
    still_open: list[Collection[int]] = [table.known for table in last.tables if not table.is_decided]
    seated = {at for table in tables for at in table.entries} | {at for entries in still_open for at in entries}
    out = {at for table in last.tables for at in table.known} - seated
    # A table whose tie at the cut is not settled yet is as good as open.
    tied = [table for table in tables if not cut.is_settled(level, table)]
    played = [table for table in tables if table not in tied]
    return pod_places.possible_places(
        level,
        played,
        still_open + [table.entries for table in tied],
        level_cuts.ranking_key(tables, cut.settled),
        out=out,
        is_settled=last.is_complete and not cut.undecided,
    )
