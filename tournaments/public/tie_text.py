"""Ties of a stage in words: the one that waits for an organiser, and the lots that were drawn."""

from dataclasses import dataclass

from tournaments import cuts, level_cuts, stage_standings, ties
from tournaments.models import Stage
from tournaments.plan import Plan
from tournaments.stage_state import StageState


@dataclass(frozen=True)
class Lot:
    """A lot that was drawn: its number among the draws of the event, and its key, now public."""

    number: int
    key: str


@dataclass(frozen=True)
class TieText:
    """Ties of a stage: the open question, and the lots with the commitment of the event."""

    question: str
    lots: tuple[Lot, ...]
    commitment: str


def tie_text(state: StageState, following: Stage | None) -> TieText:
    """The ties of a stage; `following` is the stage that it feeds."""
    plan = Plan.read(following.plan_json) if following is not None else None
    stuck = following.trouble if following is not None else ""
    tie = cuts.open_tie(state, plan) if stuck or cuts.can_have_tie(state.stage) else None
    drawn = [Lot(ties.lot_number(state, cut), ties.lot_key(state, cut)) for cut in _lots(state)]
    return TieText(
        tie.sentence if tie else "",
        tuple(lot for lot in drawn if lot.key),
        ties.lot_commitment(state.stage.tournament) if drawn else "",
    )


def _lots(state: StageState) -> list[int]:
    """The cuts at which a lot separated entries."""
    cut_numbers = {answer.cut for answer in ties.answers(state) if answer.by == "lot"}
    if state.plan.cut_tie == "lot":
        cut_numbers |= set(_lots_by_rule(state))
    return sorted(cut_numbers, key=lambda cut: ties.lot_number(state, cut))


def _lots_by_rule(state: StageState) -> list[int]:
    numbers = []
    last = len(level_cuts.levels(state)) if state.plan.format == "pod_knockout" else 0
    for round_ in state.rounds:
        if state.plan.is_bracket:
            scores = [[place.score for place in table.places] for table in round_.tables if table.is_decided]
            is_drawn = any(len(each) == 2 and each[0] is not None and each[0] == each[1] for each in scores)
        else:
            is_drawn = round_.row.number < last and any(
                "lot" in tie.by for tie in level_cuts.level_cut(state, round_.row.number).settled
            )
        numbers += [round_.row.number] * is_drawn
    if stage_standings.is_played_out(state) and not state.plan.is_bracket:
        numbers += [ties.END] * any(place.by == "lot" for place in stage_standings.ranking(state))
    return numbers
